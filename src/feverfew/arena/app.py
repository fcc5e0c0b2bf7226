"""The arena over HTTP: the blind claims, submitting with a team's key, and the board, as JSON."""

import asyncio
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import BoundedSemaphore

import msgspec
from fastapi import APIRouter, FastAPI, HTTPException, Request, Response

from feverfew.arena.golds import gold_row, load_gold
from feverfew.arena.scoring import Refused
from feverfew.arena.tasks import Receipt, board, submit, task_and_phase
from feverfew.errors import NotAllowed
from feverfew.server.auth import is_loopback
from feverfew.server.http import answer, save_body
from feverfew.server.serving import bind, listen, url_host
from feverfew.store.team_tables import Team
from feverfew.store.teams import team_of_key
from feverfew.workbench.app import make_app
from feverfew.workbench.bench import Bench
from feverfew.workbench.web import bench_of

router = APIRouter(default_response_class=Response)
_LARGEST = 64 << 20
_SCORING = BoundedSemaphore(2)
"""Files that are scored at once: the others wait on the disk, not in memory."""


@router.get("/arena/{task}/claims")
def claims(request: Request, task: str) -> Response:
    """Hand out the ids and texts of the blind claims, a line each."""
    bench = bench_of(request)
    with bench.database.read() as session:
        found, phase = task_and_phase(session, task)
        gold = load_gold(bench.directory, found, gold_row(session, found, phase.part))
    lines = b"".join(msgspec.json.encode(one) + b"\n" for one in gold.blind())
    return Response(lines, media_type="application/jsonl")


@router.get("/arena/{task}/board")
def show_board(request: Request, task: str) -> Response:
    """Rank the submissions that count."""
    with bench_of(request).database.read() as session:
        return answer(board(session, task))


@router.post("/arena/{task}/submissions")
async def take_file(request: Request, task: str) -> Response:
    """Take a file of predictions from the bearer of a team's key; refuse it or score it."""
    bench = bench_of(request)
    team, person = await asyncio.to_thread(_team, bench, request)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions"
        await save_body(request, path, _LARGEST)
        try:
            receipt = await asyncio.to_thread(_score, bench, task, team, person, path)
        except Refused as error:
            return answer({"error": str(error), "problems": error.problems}, status=422)
    return answer(receipt, status=200 if receipt.again else 201)


def _team(bench: Bench, request: Request) -> tuple[Team, int | None]:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    try:
        if kind.lower() != "bearer":
            raise NotAllowed("send the team's key as 'Authorization: Bearer KEY'")
        with bench.database.read() as session:
            return team_of_key(session, token.strip())
    except NotAllowed as error:
        raise HTTPException(401, str(error), {"WWW-Authenticate": "Bearer"}) from None


def _score(bench: Bench, task: str, team: Team, person: int | None, path: Path) -> Receipt:
    with _SCORING:
        return submit(bench.database, bench.directory, task, team, person, path)


def make_arena(bench: Bench, hosts: Iterable[str] | None = None) -> FastAPI:
    """Make the application: the workbench's, and the arena's addresses."""
    app = make_app(bench, hosts)
    app.include_router(router)
    return app


def run_arena(bench: Bench, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve an arena until SIGTERM or Ctrl-C."""
    shown = url_host(host)
    hosts = {"localhost", "127.0.0.1", "[::1]", shown} if is_loopback(host) else None
    app = make_arena(bench, hosts)
    with bind(host, port) as bound:
        asyncio.run(
            listen(app, bound, lambda port: on_ready(f"http://{shown}:{port}"), patience=60.0)
        )
