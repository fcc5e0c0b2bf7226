"""The application: the workbench's, and the arena's pages and addresses around it."""

import asyncio
from collections.abc import Callable, Iterable

from fastapi import FastAPI

from feverfew.arena import api_routes, page_routes, pool_routes, team_routes
from feverfew.arena.scoring import Scorer
from feverfew.workbench.app import make_app, run_app
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
    with Scorer(cores()) as scorer:
        run_app(lambda hosts: make_arena(bench, scorer, hosts), host, port, on_ready, patience=60.0)
