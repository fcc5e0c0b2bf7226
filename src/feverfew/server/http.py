"""The edge: bodies become structs, structs become answers, errors become statuses."""

import asyncio
import logging
from typing import TypeVar

import msgspec
from fastapi import FastAPI, HTTPException, Request, Response

from feverfew.errors import (
    FeverfewError,
    InputError,
    NotAllowed,
    NotFound,
    ScoreError,
    TooBusy,
)
from feverfew.server.messages import NOUNS, Problem
from feverfew.server.site.problems import problem_page, wants_page

__all__ = ["LARGEST_BODY", "answer", "handle_errors", "read", "read_body", "wants_nouns"]

T = TypeVar("T")
log = logging.getLogger("feverfew.server")

LARGEST_BODY = 4 << 20
_SLOWEST_BODY = 30.0
"""Seconds that a body may take to arrive."""
_JSON = "application/json"


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
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise HTTPException(422, str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HTTPException(400, f"broken JSON: {error}") from None
    except RecursionError:
        raise HTTPException(400, "broken JSON: nested too deeply") from None


def wants_nouns(request: Request) -> bool:
    """Say whether the nouns are wanted as the library spells them."""
    return NOUNS in request.headers.get("accept", "")


def answer(value: object, media: str = _JSON, status: int = 200) -> Response:
    """Write a value as JSON."""
    return Response(msgspec.json.encode(value), status, media_type=media)


def handle_errors(app: FastAPI) -> None:
    """Let every error become an answer that says what is wrong and what to do."""
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(404, _refused)
    app.add_exception_handler(405, _refused)
    app.add_exception_handler(FeverfewError, _ours)
    app.add_exception_handler(TimeoutError, _too_late)
    app.add_exception_handler(Exception, _broken)


def _problem(
    request: Request, status: int, why: str, headers: dict[str, str] | None = None
) -> Response:
    """Say what is wrong: to a person on a page, to a program as JSON."""
    if wants_page(request):
        made = problem_page(request, status, why)
    else:
        made = answer(Problem(why), status=status)
    made.headers.update(headers or {})
    return made


async def _refused(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    headers = getattr(error, "headers", None)
    if status == 303:  # whoever has no key yet is led to where one is asked for
        return Response(status_code=303, headers=dict(headers or {}))
    return _problem(request, status, str(getattr(error, "detail", error)), dict(headers or {}))


async def _ours(request: Request, error: Exception) -> Response:
    match error:
        case TooBusy():
            return _problem(request, 429, str(error), {"Retry-After": str(error.seconds)})
        case NotAllowed():
            if error.known:
                return _problem(request, 403, str(error))
            return _problem(request, 401, str(error), {"WWW-Authenticate": "Bearer"})
        case NotFound():
            return _problem(request, 404, str(error))
        case InputError() | ScoreError():
            return _problem(request, 422, str(error))
    # A corpus that broke, a file of keys that cannot be read: nothing that whoever asks could mend.
    log.error("cannot answer", exc_info=error)
    return _problem(
        request, 503, "the server cannot answer now; its log says why", {"Retry-After": "60"}
    )


async def _too_late(request: Request, error: Exception) -> Response:
    return _problem(request, 503, "it takes too long; ask again, or for less", {"Retry-After": "5"})


async def _broken(request: Request, error: Exception) -> Response:
    return _problem(request, 500, "the server made a mistake, which its log describes")
