"""What a form sends: a few short fields, no more than allowed."""

from urllib.parse import parse_qsl

from fastapi import HTTPException, Request

from feverfew.server.http import read_body

__all__ = ["read_form"]

_LARGEST = 256 << 10
_FIELDS = 8
_FORM = "application/x-www-form-urlencoded"


async def read_form(request: Request) -> dict[str, str]:
    """Read a form's fields; of two with one name, the last."""
    body = await read_body(request, _FORM, _LARGEST)
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_FIELDS)
    except ValueError:  # not UTF-8, or too many fields
        raise HTTPException(400, "the form cannot be read") from None
    return dict(fields)
