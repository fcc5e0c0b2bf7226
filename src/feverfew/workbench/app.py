"""The application: all routes of the workbench around an open bench, and serving it."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError

from feverfew.errors import FeverfewError, InputError, NotAllowed, NotFound, ScoreError, TooBusy
from feverfew.server.auth import is_loopback
from feverfew.server.http import answer
from feverfew.server.metrics import Metrics
from feverfew.server.middleware import RequestMiddleware
from feverfew.server.serving import bind, listen, url_host
from feverfew.workbench import (
    account_routes,
    api_routes,
    help_routes,
    manage_routes,
    quality_routes,
    script_routes,
    work_routes,
)
from feverfew.workbench.api_messages import components
from feverfew.workbench.bench import Bench
from feverfew.workbench.web import STATIC, Attempts, page, static_file

log = logging.getLogger("feverfew.server")
_MOST_USES = 1200
"""Requests a minute with one key."""
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_WORDS = {400: "The request could not be read", 403: "Not allowed", 404: "Page not found"}


def make_app(bench: Bench, hosts: Iterable[str] | None = None) -> FastAPI:
    """Make the application of a workbench."""
    app = FastAPI(title="Feverfew workbench", docs_url=None, redoc_url=None)
    app.state.bench = bench
    app.state.packages = ("feverfew.workbench",)
    """Where templates are looked for."""
    app.state.attempts = Attempts()
    app.state.uses = Attempts(_MOST_USES, 60.0, "the key is used too often; wait a little")
    for routes in (
        account_routes,
        work_routes,
        help_routes,
        manage_routes,
        quality_routes,
        script_routes,
        api_routes,
    ):
        app.include_router(routes.router)
    _describe(app)

    @app.get("/static/{name}", include_in_schema=False)
    def static(name: str) -> Response:
        if name not in STATIC:
            raise HTTPException(404, f"no file {name!r}")
        data = static_file(name)
        keep = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(data, media_type=STATIC[name], headers=keep)

    @app.get("/healthz", include_in_schema=False)
    def healthz() -> Response:
        with bench.database.read() as session:
            session.connection()
        return answer({"status": "ok"})

    for kind in (HTTPException, RequestValidationError, 404, 405, FeverfewError):
        app.add_exception_handler(kind, _problem)
    app.add_exception_handler(Exception, _problem)
    app.add_middleware(RequestMiddleware, metrics=Metrics(), hosts=hosts)
    return app


def _describe(app: FastAPI) -> None:
    """Put our schemas into the OpenAPI document."""
    written = app.openapi

    def with_our_schemas() -> dict[str, Any]:
        document = written()
        document.setdefault("components", {}).setdefault("schemas", {}).update(components())
        return document

    app.openapi = with_our_schemas  # type: ignore[method-assign]


async def _problem(request: Request, error: Exception) -> Response:
    """Say what is wrong: to a person on a page, to a program as JSON."""
    headers: dict[str, str] = {}
    match error:
        case HTTPException():
            status, why = error.status_code, str(error.detail)
            headers = dict(error.headers or {})
            if status == 303:
                return Response(status_code=303, headers=headers)
        case TooBusy():
            status, why, headers = 429, str(error), {"Retry-After": str(error.seconds)}
        case NotAllowed():
            status, why = 403, str(error)
        case NotFound():
            status, why = 404, str(error)
        case InputError() | ScoreError():
            status, why = 422, str(error)
        case RequestValidationError():
            status, why = 422, "; ".join(f"{e['loc'][-1]}: {e['msg']}" for e in error.errors())
        case _:
            status, why = getattr(error, "status_code", 500), str(getattr(error, "detail", ""))
            if status == 500:
                log.error("cannot answer", exc_info=error)
                why = "internal server error; see the server's log"
    if "text/html" not in request.headers.get("accept", "") or request.url.path.startswith("/v1/"):
        response = answer({"error": why}, status=status)
    else:
        heading = _WORDS.get(status, "The request failed")
        why = why[:1].upper() + why[1:]
        response = page(request, "problem.html", status, heading=heading, why=why)
    response.headers.update(headers)
    return response


def run_bench(bench: Bench, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve a workbench until SIGTERM or Ctrl-C."""
    run_app(lambda hosts: make_app(bench, hosts), host, port, on_ready, patience=30.0)


def run_app(
    make: Callable[[set[str] | None], FastAPI],
    host: str,
    port: int,
    on_ready: Callable[[str], None],
    patience: float,
) -> None:
    """Serve an app that is made for the hosts it may be asked as; None for all."""
    shown = url_host(host)
    app = make({*_LOCAL, shown} if is_loopback(host) else None)
    with bind(host, port) as bound:
        asyncio.run(
            listen(app, bound, lambda port: on_ready(f"http://{shown}:{port}"), patience=patience)
        )
