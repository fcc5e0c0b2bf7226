"""Errors become answers: a status, what is wrong and what to do; JSON, or a page in a browser."""

import logging
import re

from fastapi import FastAPI, HTTPException, Request, Response
from starlette.requests import ClientDisconnect

from feverfew.errors import FeverfewError, InputError, NotAllowed, NotFound, ScoreError, TooBusy
from feverfew.server.http import answer
from feverfew.server.messages import Problem
from feverfew.server.site.render import page

__all__ = ["handle_errors"]

log = logging.getLogger("feverfew.server")

_FOR_PROGRAMS = ("/v1/", "/healthz", "/metrics", "/openapi.json", "/static/")
_HEADINGS = {
    400: "The request could not be read",
    403: "Not allowed",
    404: "Page not found",
    405: "Method not allowed",
    413: "The request is too long",
    415: "The request could not be read",
    422: "This cannot be checked",
    429: "The server is busy",
    500: "Something went wrong",
    503: "The request timed out",
}
_NEXT = {
    429: "Wait a moment, then reload this page.",
    500: "The server's log says what happened. Trying again may help.",
    503: "Try again in a moment, or with a shorter text.",
}
_NEAR = re.compile(r"; near names are (.*)$", re.DOTALL)
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")


def handle_errors(app: FastAPI) -> None:
    """Let every error become an answer that says what is wrong and what to do."""
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(404, _refused)
    app.add_exception_handler(405, _refused)
    app.add_exception_handler(FeverfewError, _ours)
    app.add_exception_handler(TimeoutError, _too_late)
    app.add_exception_handler(ClientDisconnect, _gone)
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
        request, 503, "the server cannot answer now; see its log", {"Retry-After": "60"}
    )


async def _too_late(request: Request, error: Exception) -> Response:
    return _problem(
        request, 503, "the request timed out; try again, or send less", {"Retry-After": "5"}
    )


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=499)  # nobody will read it; the log will say so


async def _broken(request: Request, error: Exception) -> Response:
    return _problem(request, 500, "internal server error; see the server's log")


def wants_page(request: Request) -> bool:
    """Say whether a person is to read the answer: a browser asks, and not for a program's route."""
    path = request.scope["path"]
    return "text/html" in request.headers.get("accept", "") and not path.startswith(_FOR_PROGRAMS)


def problem_page(request: Request, status: int, why: str) -> Response:
    """Write the page for an error."""
    near: list[str] = []
    if found := _NEAR.search(why):
        near = [one or other for one, other in _QUOTED.findall(found[1])]
        why = why[: found.start()]
    return page(
        request,
        "problem.html",
        status,
        heading=_HEADINGS.get(status, "The request failed"),
        why=why[:1].upper() + why[1:],
        following=_NEXT.get(status, ""),
        near=near,
        code=status,
    )
