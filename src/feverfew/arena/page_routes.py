"""Pages that everyone may see: tasks with their rules and phases, boards, and systems."""

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import select

from feverfew.arena.boards import WITHDRAWN, board
from feverfew.arena.entries import FIELDS, description_of, descriptions_are_due, due_at
from feverfew.arena.golds import gold_row, gold_rows, load_gold
from feverfew.arena.phases import (
    board_is_open,
    has_ended,
    has_started,
    is_running,
    phases_of,
    say_time,
    settings_of,
)
from feverfew.arena.points import Points
from feverfew.arena.submissions import scores_of, submission_of, submissions_of, withdrawn_at
from feverfew.arena.tasks import task_by_name
from feverfew.arena.visiting import Visit, visit
from feverfew.errors import NotAllowed, NotFound
from feverfew.score.hover import OFFICIAL
from feverfew.score.tasks import task_named
from feverfew.store.arena_tables import ArenaPhase, ArenaTask, GoldVersion, ScoringRun, Submission
from feverfew.store.database import now
from feverfew.store.team_tables import Team

router = APIRouter(include_in_schema=False, default_response_class=Response)
MEASURES = {
    "fever_score": "FEVER score: the label is right, and one complete set is among the first five",
    "feverous_score": "FEVEROUS score: label and one complete set, of 5 sentences and 25 cells",
    "hover_score": "HoVer score: label, and a sentence of every document among the first ten",
    OFFICIAL: "HoVer's official page: of k hops the first k + 1 documents, two sentences each",
}
"""What the less usual measures count."""


@router.get("/arena")
def tasks(at: visit) -> Response:
    """List the tasks."""
    rows = [(one, phases_of(at.session, one)) for one in at.session.scalars(select(ArenaTask))]
    return at.page("arena_tasks.html", rows=rows, is_running=is_running)


@router.get("/arena/{task}")
def overview(at: visit, task: str) -> Response:
    """Say what a task asks for, and when."""
    found = task_by_name(at.session, task)
    phases = [
        (one, settings_of(one), say_time(one.start, one), say_time(one.end, one), _state(one))
        for one in phases_of(at.session, found)
    ]
    golds = {one.part: gold_rows(at.session, found, one.part) for one, *_ in phases}
    return at.page(
        "arena_task.html",
        task=found,
        metric=task_named(found.format),
        phases=phases,
        golds=golds,
        due=due_at(found),
        now=now(),
    )


def _state(phase: ArenaPhase) -> str:
    if not has_started(phase):
        return "not begun"
    return "ended" if has_ended(phase) else "running"


@router.get("/arena/{task}/board")
def show_board(
    at: visit,
    task: str,
    phase: str | None = None,
    gold: int | None = None,
    compare: int | None = None,
    by: str = "",
) -> Response:
    """Show a board; `by` sorts it by another measure than the official score."""
    found = board(at.session, task, phase, gold, compare, organiser=at.organises)
    own = task_by_name(at.session, task)
    wanted = next(one for one in phases_of(at.session, own) if one.name == found.phase)
    shown = at.look_at_board(task, found.phase)
    rows: Iterable[Any] = found.rows
    if by in found.measures:
        rows = sorted(rows, key=lambda row: -row.means[by])
    versions = [one.version for one in gold_rows(at.session, own, wanted.part) if one.scored]
    return at.page(
        "arena_board.html",
        task=own,
        board=found,
        rows=rows,
        by=by or found.headline,
        versions=versions,
        phases=phases_of(at.session, own),
        explained=MEASURES,
        open=shown,
    )


@router.get("/arena/{task}/systems/{number}")
def system(at: visit, task: str, number: int) -> Response:
    """Show a system: every measure, slices, its description and its history."""
    found = task_by_name(at.session, task)
    made = submission_of(at.session, found, number)
    phase = at.session.get_one(ArenaPhase, made.phase_id)
    team = at.session.get_one(Team, made.team_id)
    mine = any(one.id == team.id for one in at.teams())
    gone = made.hidden or withdrawn_at(at.session, found, team)
    if not mine and not at.organises:
        if gone:
            raise NotFound(f"submission {number} of {task} is withdrawn")
        if not board_is_open(phase):
            raise NotAllowed(f"scores are shown at {say_time(phase.end, phase)}", True)
    if at.organises and (gone or not has_ended(phase)):
        at.look("look at system", f"{task} {number}")
    runs = _runs(at, made, phase, everything=at.organises)
    described = description_of(at.session, found, team.id)
    withdrawn = not described and not made.baseline and descriptions_are_due(found)
    return at.page(
        "arena_system.html",
        task=found,
        made=made,
        phase=phase,
        name=WITHDRAWN if withdrawn else made.system,
        team=WITHDRAWN if withdrawn else team.name,
        runs=runs,
        slices=_slices(at, found, made, phase) if has_ended(phase) or at.organises else {},
        fields=FIELDS,
        description=described.fields if described and not made.baseline else None,
        history=_history(at, found, team, phase) if mine or at.organises else [],
        explained=MEASURES,
    )


def _runs(
    at: Visit, made: Submission, phase: ArenaPhase, *, everything: bool
) -> list[tuple[int, dict[str, float], dict[str, list[float]]]]:
    """Return the scores by each gold version, as far as they may be seen."""
    rows = at.session.execute(
        select(GoldVersion.version, ScoringRun)
        .join(GoldVersion, GoldVersion.id == ScoringRun.gold_id)
        .where(ScoringRun.submission_id == made.id, GoldVersion.scored.is_not(None))
        .order_by(GoldVersion.version)
    )
    if everything or has_ended(phase):
        return [(version, run.means, run.intervals) for version, run in rows]
    own = scores_of(at.session, phase, made)
    return [(1, own, {})] if own else []


def _slices(
    at: Visit, task: ArenaTask, made: Submission, phase: ArenaPhase
) -> dict[str, list[tuple[str, int, dict[str, float]]]]:
    row = gold_row(at.session, task, phase.part)
    mine = (ScoringRun.submission_id == made.id, ScoringRun.gold_id == row.id)
    points = Points.unpack(at.session.scalars(select(ScoringRun.points).where(*mine)).one())
    gold = load_gold(at.bench.directory, task, row)
    return {
        name: [(key, int(mask.sum()), points.means(mask)) for key, mask in own.items()]
        for name, own in gold.slices.items()
    }


def _history(
    at: Visit, task: ArenaTask, team: Team, phase: ArenaPhase
) -> list[tuple[Submission, dict[str, float] | None]]:
    return [
        (one, scores_of(at.session, phase, one))
        for one in submissions_of(at.session, task, team)
        if one.phase_id == phase.id
    ]
