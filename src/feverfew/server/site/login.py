"""Logging in with a key, and out again."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from feverfew.server.keys import digest_of
from feverfew.server.site.deps import Site, after, page
from feverfew.server.site.forms import read_form
from feverfew.server.state import State

__all__ = ["router"]

router = APIRouter(include_in_schema=False, default_response_class=Response)


@router.get("/login")
async def ask(request: Request) -> Response:
    """Ask for a key."""
    wanted = after(request.query_params.get("next", "/"))
    if State.of(request).gate.open:
        return RedirectResponse(wanted, 303)
    return page(request, "login.html", wanted=wanted, wrong=False)


@router.post("/login")
async def log_in(request: Request) -> Response:
    """Take a key, and let the browser remember that it was shown."""
    form = await read_form(request)
    site, gate = Site.of(request), State.of(request).gate
    site.sessions.require_token(request, form)
    wanted = after(form.get("next", "/"))
    digest = digest_of(form.get("key", "").strip())
    if gate.find(digest) is None:
        return page(request, "login.html", 403, wanted=wanted, wrong=True)
    response = RedirectResponse(wanted, 303)
    site.sessions.log_in(request, response, digest)
    return response


@router.post("/logout")
async def log_out(request: Request) -> Response:
    """Let the browser forget the key."""
    form = await read_form(request)
    site = Site.of(request)
    site.sessions.require_token(request, form)
    response = RedirectResponse("/login", 303)
    site.sessions.log_out(response)
    return response
