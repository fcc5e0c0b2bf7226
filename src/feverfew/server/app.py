"""The application: routes, errors and guards around a service that is open already."""

from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from feverfew.server.auth import Authenticator
from feverfew.server.corpora import Corpora, CorpusMiddleware
from feverfew.server.errors import handle_errors
from feverfew.server.metrics import Metrics
from feverfew.server.middleware import OneGeneration, RequestMiddleware
from feverfew.server.openapi import components
from feverfew.server.routes import router
from feverfew.server.service import Service, State
from feverfew.server.site.drafts import Drafts
from feverfew.server.site.drafts import router as drafts
from feverfew.server.site.examples import Examples
from feverfew.server.site.feedback import Remarks
from feverfew.server.site.feedback import router as feedback
from feverfew.server.site.library import router as library
from feverfew.server.site.login import Sessions
from feverfew.server.site.login import router as login
from feverfew.server.site.render import Site
from feverfew.server.site.routes import router as site

__all__ = ["make_app"]

_SAYS = """Check claims against a corpus: supported, refuted, or not enough info, and by what.

Answers say what the corpus says, not what is true. Every error is `{"error": "…"}`.
"""


def make_app(
    service: Service,
    metrics: Metrics,
    auth: Authenticator,
    *,
    seconds: float = 30.0,
    hosts: Iterable[str] | None = None,
    corpora: Corpora | None = None,
    remarks: Remarks | None = None,
) -> FastAPI:
    """Make an application; it answers to any Host, or only to those that are named."""
    app = FastAPI(
        title="Feverfew",
        description=_SAYS,
        version=version("feverfew"),
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        docs_url=None,  # its scripts would come from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # it would lead to wherever the Host header says
    )
    app.state.feverfew = State(service, auth, metrics, seconds, hosts is not None)
    app.state.site = Site(Sessions(), Examples())
    app.state.corpora = corpora or Corpora(Path("corpus"))
    app.state.remarks = remarks
    app.state.drafts = Drafts()
    app.state.tasks = set()
    for own in (router, site, drafts, library, feedback, login):
        app.include_router(own)
    handle_errors(app)
    app.add_middleware(OneGeneration, service=service)
    app.add_middleware(CorpusMiddleware)
    app.add_middleware(RequestMiddleware, metrics=metrics, hosts=hosts)
    written = app.openapi

    def with_our_schemas() -> dict[str, Any]:
        document = written()
        document.setdefault("components", {})["schemas"] = components()
        return document

    app.openapi = with_our_schemas  # type: ignore[method-assign]
    return app
