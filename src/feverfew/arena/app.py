"""The application: the workbench's, and the arena's pages and addresses around it."""

import asyncio
from collections.abc import Callable, Iterable

from fastapi import FastAPI

from feverfew.arena import api_routes, page_routes, pool_routes, team_routes
from feverfew.arena.scoring import Scorer
from feverfew.server.auth import is_loopback
from feverfew.server.serving import bind, listen, url_host
from feverfew.workbench.app import make_app
from feverfew.workbench.bench import Bench
from feverfew.workbench.web import Attempts
from feverfew.workers import cores

_MOST_FILES, _IN_SECONDS = 60, 600.0
"""Files that a team may send in ten minutes, refused ones included."""


def make_arena(bench: Bench, scorer: Scorer, hosts: Iterable[str] | None = None) -> FastAPI:
    """Make the application: the workbench's, and the arena's addresses."""
    app = make_app(bench, hosts)
    app.state.packages = ("feverfew.arena", *app.state.packages)
    app.state.scorer = scorer
    app.state.scoring = asyncio.Semaphore(cores())
    app.state.uploads = Attempts(_MOST_FILES, _IN_SECONDS, "too many files; wait some minutes")
    for routes in (api_routes, page_routes, team_routes, pool_routes):
        app.include_router(routes.router)
    return app


def run_arena(bench: Bench, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve an arena until SIGTERM or Ctrl-C."""
    shown = url_host(host)
    hosts = {"localhost", "127.0.0.1", "[::1]", shown} if is_loopback(host) else None
    with Scorer(cores()) as scorer, bind(host, port) as bound:
        app = make_arena(bench, scorer, hosts)
        asyncio.run(
            listen(app, bound, lambda port: on_ready(f"http://{shown}:{port}"), patience=60.0)
        )
