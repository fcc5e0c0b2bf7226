"""Templates become pages: everything that a page shows is escaped unless we drew it ourselves."""

import hashlib
from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import Struct
from msgspec.structs import replace

from feverfew.render.audit import Settings
from feverfew.render.chain_graph import graph_svg
from feverfew.render.chain_graph import heading as chain_heading
from feverfew.render.check_html import odds, origin
from feverfew.render.doubt import changes, sureness
from feverfew.render.excerpts import excerpt_html
from feverfew.render.wording import (
    FACES,
    chain,
    clean,
    explanation,
    highlights,
    judged,
    leaning,
    located,
    percent,
    read_as,
    reading,
    reasons,
    share,
    tally,
    where,
)
from feverfew.server.corpora import Corpora
from feverfew.server.service import State
from feverfew.server.site import urls
from feverfew.text import display_title
from feverfew.types import Report

if TYPE_CHECKING:
    from feverfew.server.site.examples import Examples
    from feverfew.server.site.login import Sessions

__all__ = ["FORM_FIELD", "STATIC", "Site", "page", "static_at"]

FORM_FIELD = "token"
"""The hidden field that every form sends along."""
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Addresses hold claims: no other site is told one, and ours may know where a form came from.
    "Referrer-Policy": "same-origin",
    "Vary": "Cookie",
}
STATIC = {
    "style.css": "text/css; charset=utf-8",
    "report.css": "text/css; charset=utf-8",
    "theme.js": "text/javascript; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "upload.js": "text/javascript; charset=utf-8",
    "history.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""The files that pages are shown with, and what they are."""


@lru_cache
def static_at(name: str) -> str:
    """Return the address of a file, which changes with what is in it."""
    data = files("feverfew.server.site").joinpath("static", name).read_bytes()
    return f"/static/{name}?v={hashlib.blake2b(data, digest_size=6).hexdigest()}"


def _verdict_share(report: Report) -> float:
    return share(report, report.verdict)


@lru_cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("feverfew.server.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        changes=changes, clean=clean, percent=percent, reading=reading, reasons=reasons
    )
    made.filters.update(
        highlights=highlights,
        title=display_title,
        where=where,
        certainty=_verdict_share,
        sureness=sureness,
        leaning=leaning,
        explanation=explanation,
    )
    made.globals.update(
        {name: getattr(urls, name) for name in urls.__all__},
        FACES=FACES,
        FORM_FIELD=FORM_FIELD,
        chain=chain,
        chain_heading=chain_heading,
        excerpt_html=excerpt_html,
        graph_svg=graph_svg,
        judged=judged,
        located=located,
        odds=odds,
        origin=origin,
        read_as=read_as,
        static_at=static_at,
        tally=tally,
        version=version("feverfew"),
    )
    return made


class Site(Struct, frozen=True, eq=False):
    """What the pages share, besides the service itself."""

    sessions: "Sessions"
    examples: "Examples"
    """Claims to try."""

    @staticmethod
    def of(request: Request) -> "Site":
        """Return the site that a request came to."""
        found: Site = request.app.state.site
        return found


def site_settings(state: State) -> Settings:
    """Say how the checker was opened; where it lies only to who is on the same machine."""
    own = state.service.settings
    if state.local:
        return own
    return replace(own, corpus=Path(own.corpus).name, model=Path(own.model).name)


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """Write a page of the site, with what its frame tells of the corpus and of who reads."""
    state, site = State.of(request), Site.of(request)
    key = None if state.auth.open else state.auth.find(site.sessions.digest(request))
    frame = {
        "corpus_pages": state.service.snapshot.pages,
        "corpus_name": state.service.snapshot.fingerprint,
        "key_name": key.name if key else "",
        "nav": "",
        "query": "",
        "choices": Corpora.of(request).choices(request),
        "choice": request.scope["state"].get("choice"),
        "uploads": Corpora.of(request).library is not None,
        "remarks": request.app.state.remarks is not None,
    }
    return _write(request, site.sessions, template, status, **{**frame, **values})


def _write(
    request: Request, sessions: "Sessions", template: str, status: int = 200, **values: Any
) -> Response:
    """Write a page, with the token that its forms send along, and headers that keep it safe."""
    token = sessions.token(sessions.visit(request))
    page = _templates().get_template(template).render(token=token, **values)
    # What cannot be encoded, a lone surrogate in a claim, must not break the page.
    data = page.encode(errors="replace")
    response = HTMLResponse(data, status, headers=_HEADERS)
    sessions.keep_visit(request, response)
    return response
