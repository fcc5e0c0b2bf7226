"""Requests and responses: bodies become structs or form fields, structs become JSON."""

import asyncio
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec
from fastapi import HTTPException, Request, Response

from feverfew.server.messages import NOUNS

T = TypeVar("T")

LARGEST_BODY = 4 << 20
_SLOWEST_BODY = 30.0
"""Seconds that a body, or the next part of an uploaded file, may take to arrive."""
_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_BYTES = "application/octet-stream"
_LARGEST_FORM, _FORM_FIELDS = 256 << 10, 8


async def read_body(request: Request, media: str, largest: int) -> bytearray:
    """Read a body that is of one kind, no longer than allowed, and not too slow."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != media:
        raise HTTPException(415, f"send it with 'Content-Type: {media}'")
    body = bytearray()
    async with asyncio.timeout(_SLOWEST_BODY):
        async for part in request.stream():
            body += part
            if len(body) > largest:
                raise HTTPException(413, f"the body is longer than {largest:,} bytes")
    return body


async def read(request: Request, decoder: msgspec.json.Decoder[T]) -> T:
    """Read a request's body, no more than allowed, as what the decoder knows."""
    # Forms can be sent by any page that a browser shows; JSON only by one that may.
    body = await read_body(request, _JSON, LARGEST_BODY)
    try:
        return _decoded(bytes(body), decoder)
    except msgspec.ValidationError as error:
        raise HTTPException(422, str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HTTPException(400, f"broken JSON: {error}") from None
    except RecursionError:
        raise HTTPException(400, "broken JSON: nested too deeply") from None


async def read_bytes(request: Request, largest: int) -> bytes:
    """Read a file that is sent as it is, no longer than allowed."""
    return bytes(await read_body(request, _BYTES, largest))


async def save_body(request: Request, path: Path, largest: int) -> None:
    """Write a file that is sent as it is, no longer than allowed, without holding it in memory."""
    size = 0
    parts = request.stream()
    with path.open("wb") as out:
        while True:
            # A large file may take its time, but something of it must come.
            async with asyncio.timeout(_SLOWEST_BODY):
                part = await anext(parts, None)
            if part is None:
                break
            size += len(part)
            if size > largest:
                raise HTTPException(413, f"a file may have up to {largest >> 20} MB here")
            await asyncio.to_thread(out.write, part)
    if not size:
        raise HTTPException(422, "the file is empty")


def _decoded(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        if "got `float`" not in str(error):
            raise
        # JSON Schema calls 61.0 an integer, too.
        return msgspec.json.decode(body, type=decoder.type, strict=False)


async def read_form(request: Request, largest: int = _LARGEST_FORM) -> dict[str, str]:
    """Read a form's fields; of two with one name, the last."""
    body = await read_body(request, _FORM, largest)
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_FORM_FIELDS)
    except ValueError:  # not UTF-8, or too many fields
        raise HTTPException(400, "the form cannot be read") from None
    return dict(fields)


def wants_nouns(request: Request) -> bool:
    """Say whether the nouns are wanted as the library spells them."""
    return NOUNS in request.headers.get("accept", "")


def answer(value: object, media: str = _JSON, status: int = 200) -> Response:
    """Write a value as JSON."""
    return Response(msgspec.json.encode(value), status, media_type=media)
