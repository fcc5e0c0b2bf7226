"""The site's door: what every page needs, and a key where keys are on."""

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fastapi import HTTPException, Request, Response, Security
from msgspec import Struct

from feverfew.errors import NotAllowed
from feverfew.server.site.render import write
from feverfew.server.state import State

if TYPE_CHECKING:
    from feverfew.server.site.session import Sessions
    from feverfew.server.site.starters import Starter

__all__ = ["Site", "after", "page", "visitor"]


class Site(Struct, frozen=True, eq=False):
    """What the pages share, besides the service itself."""

    sessions: "Sessions"
    starters: "tuple[Starter, ...]"
    """Claims to try."""

    @staticmethod
    def of(request: Request) -> "Site":
        """Return the site that a request came to."""
        found: Site = request.app.state.site
        return found


def visitor(scope: str) -> Any:
    """Make the dependency of a page that needs a key with this scope, where keys are on."""

    async def admit(request: Request) -> None:
        gate = State.of(request).gate
        if gate.open:
            return
        digest = Site.of(request).sessions.digest(request)
        try:
            name = gate.admit_digest(digest, scope)
        except NotAllowed as error:
            if error.known:
                raise
            raise HTTPException(303, "log in", {"Location": _login_at(request)}) from None
        State.note(request, key=name)

    return Security(admit)


def _login_at(request: Request) -> str:
    """Return where to log in, and come back from; a form that was sent is not sent again."""
    wanted = "/"
    if request.method == "GET":
        query = request.url.query
        wanted = quote(request.scope["path"]) + (f"?{query}" if query else "")
    return "/login?" + urlencode({"next": wanted})


def after(wanted: str) -> str:
    """Return where to go after a login: a place of ours, never another site.

    >>> after("/check?claim=x"), after("//evil.example"), after("https://evil.example")
    ('/check?claim=x', '/', '/')
    """
    plain = wanted.isprintable() and "\\" not in wanted
    return wanted if plain and wanted[:1] == "/" and wanted[1:2] != "/" else "/"


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """Write a page of the site, with what its frame tells of the corpus and of who reads."""
    state, site = State.of(request), Site.of(request)
    key = None if state.gate.open else state.gate.find(site.sessions.digest(request))
    frame = {
        "corpus_pages": state.service.pages,
        "corpus_name": state.service.corpus,
        "key_name": key.name if key else "",
        "room": "",
        "starters": site.starters,
        "query": "",
    }
    return write(request, site.sessions, template, status, **{**frame, **values})
