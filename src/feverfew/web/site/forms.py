"""What a form sends: a few short fields, no more than allowed."""

import asyncio
from urllib.parse import parse_qsl

from fastapi import HTTPException, Request

__all__ = ["read_form"]

_LARGEST = 256 << 10
_SLOWEST = 30.0
_FIELDS = 8
_FORM = "application/x-www-form-urlencoded"


async def read_form(request: Request) -> dict[str, str]:
    """Read a form's fields; of two with one name, the last."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM:
        raise HTTPException(415, f"send a form, with 'Content-Type: {_FORM}'")
    body = bytearray()
    async with asyncio.timeout(_SLOWEST):
        async for part in request.stream():
            body += part
            if len(body) > _LARGEST:
                raise HTTPException(413, f"the form is longer than {_LARGEST:,} bytes")
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_FIELDS)
    except ValueError:  # not UTF-8, or too many fields
        raise HTTPException(400, "the form cannot be read") from None
    return dict(fields)
