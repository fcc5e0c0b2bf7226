"""The arena for programs: blind claims, submitting with a team's key, boards, as JSON."""

import asyncio
import tempfile
from pathlib import Path

import msgspec
from fastapi import APIRouter, HTTPException, Request, Response

from feverfew.arena.boards import as_csv, as_latex, board
from feverfew.arena.golds import gold_row, load_gold
from feverfew.arena.phases import has_started, phase_named, phases_of, say_time
from feverfew.arena.scoring import Refused, Scored, Work
from feverfew.arena.submissions import Score, Sent, submit
from feverfew.arena.tasks import task_by_name
from feverfew.arena.visiting import Visit
from feverfew.arena_client import Receipt
from feverfew.errors import InputError, NotAllowed
from feverfew.server.http import answer, save_body
from feverfew.store.people import person_of
from feverfew.store.team_tables import Team
from feverfew.store.teams import team_of_key
from feverfew.workbench.web import COOKIE, bench_of

router = APIRouter(default_response_class=Response)
LARGEST = 64 << 20


@router.get("/v1/arena/{task}")
def describe_task(request: Request, task: str) -> Response:
    """Say what a task is: its format, its corpus, and its phases."""
    with bench_of(request).database.read() as session:
        found = task_by_name(session, task)
        phases = [
            {
                "name": one.name,
                "part": one.part,
                "start": one.start,
                "end": one.end,
                **one.settings,
            }
            for one in phases_of(session, found)
        ]
    return answer(
        {"name": found.name, "format": found.format, "corpus": found.corpus, "phases": phases}
    )


@router.get("/v1/arena/{task}/claims")
def claims(request: Request, task: str, phase: str | None = None) -> Response:
    """Hand out the ids and texts of a phase's claims, a line each, once it has started."""
    bench = bench_of(request)
    with bench.database.read() as session:
        found = task_by_name(session, task)
        wanted = phase_named(session, found, phase)
        if not has_started(wanted):
            when = say_time(wanted.start, wanted)
            raise NotAllowed(f"the claims are handed out at {when}", True)
        gold = load_gold(bench.directory, found, gold_row(session, found, wanted.part, 1))
    lines = b"".join(msgspec.json.encode(one) + b"\n" for one in gold.blind())
    name = f"attachment; filename={found.name}-{wanted.part}.jsonl"
    return Response(lines, media_type="application/jsonl", headers={"Content-Disposition": name})


@router.get("/v1/arena/{task}/board")
def show_board(
    request: Request,
    task: str,
    phase: str | None = None,
    gold: int | None = None,
    compare: int | None = None,
    form: str = "json",
) -> Response:
    """Rank the submissions that count; `form` is json, csv or latex."""
    with bench_of(request).database.read() as session:
        at = Visit(request, session, person_of(session, request.cookies.get(COOKIE, "")))
        found = board(session, task, phase, gold, compare, organiser=at.organises)
        at.look_at_board(found.task, found.phase)
    match form:
        case "json":
            return answer(found)
        case "csv":
            return Response(as_csv(found), media_type="text/csv; charset=utf-8")
        case "latex":
            return Response(as_latex(found), media_type="text/x-tex; charset=utf-8")
    raise InputError(f"form is {form!r}; it must be json, csv or latex")


@router.post("/v1/arena/{task}/submissions")
async def take_file(
    request: Request,
    task: str,
    phase: str | None = None,
    system: str = "",
    note: str = "",
) -> Response:
    """Take a file of predictions from the bearer of a team's key; refuse it or score it."""
    team, person = await asyncio.to_thread(_team, request)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions"
        await save_body(request, path, LARGEST)
        sent = Sent(
            path=path, task=task, phase=phase, team=team, person=person, system=system, note=note
        )
        try:
            receipt = await keep(request, sent)
        except Refused as error:
            return answer({"error": str(error), "problems": error.problems}, status=422)
    return answer(receipt, status=200 if receipt.again else 201)


def _team(request: Request) -> tuple[Team, int | None]:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    try:
        if kind.lower() != "bearer":
            raise NotAllowed("send the team's key as 'Authorization: Bearer KEY'")
        with bench_of(request).database.read() as session:
            return team_of_key(session, token.strip())
    except NotAllowed as error:
        raise HTTPException(401, str(error), {"WWW-Authenticate": "Bearer"}) from None


async def keep(request: Request, sent: Sent) -> Receipt:
    """Submit a file; as many at once as there are cores, the others wait on the disk."""
    uploads = request.app.state.uploads
    uploads.check(str(sent.team.id))
    uploads.fail(str(sent.team.id))
    bench = bench_of(request)
    async with request.app.state.scoring:
        return await asyncio.to_thread(
            submit, bench.database, bench.directory, sent, scoring_by(request)
        )


def scoring_by(request: Request) -> Score:
    """Return what scores a file for a request: the server's worker processes."""

    def score(work: Work) -> Scored:
        found: Scored = request.app.state.scorer.score_one(work)
        return found

    return score
