"""What went wrong, as a page that says what to do next."""

import re

from fastapi import Request, Response

from feverfew.server.site.deps import page

__all__ = ["problem_page", "wants_page"]

_FOR_PROGRAMS = ("/v1/", "/healthz", "/metrics", "/openapi.json", "/static/")
_HEADINGS = {
    400: "That could not be read",
    403: "That is not allowed",
    404: "There is no such page",
    405: "That is not how it works",
    413: "That is too long",
    415: "That could not be read",
    422: "That cannot be checked",
    429: "Too many are asking at once",
    500: "Something broke here",
    503: "It takes too long",
}
_NEXT = {
    429: "Wait a moment, then load this page again.",
    500: "The server's log says what happened. Trying again may help.",
    503: "Try again in a moment, or with a shorter text.",
}
_NEAR = re.compile(r"; near names are (.*)$", re.DOTALL)
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")


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
        heading=_HEADINGS.get(status, "That did not work"),
        why=why[:1].upper() + why[1:],
        following=_NEXT.get(status, ""),
        near=near,
        code=status,
    )
