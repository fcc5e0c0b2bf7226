"""Tasks: made from labelled claims, submitted to, and ranked.

A submission is checked and scored before anything is written; then one transaction looks at the
quota and keeps file, submission and points. It is refused or whole, and nothing in between.
"""

from datetime import datetime
from hashlib import sha256
from pathlib import Path
from zlib import compress

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from feverfew.arena.golds import gold_row, load_gold, read_gold, write_gold
from feverfew.arena.points import Mask, Points
from feverfew.arena.scoring import score_file
from feverfew.errors import InputError, NotAllowed, NotFound
from feverfew.score.intervals import mcnemar
from feverfew.score.tasks import task_named
from feverfew.store.arena_tables import (
    ArenaPhase,
    ArenaTask,
    ScoringRun,
    Submission,
    SubmittedFile,
)
from feverfew.store.database import Database, now
from feverfew.store.team_tables import Team

_PART, _PHASE = "test", "test"


class Placed(Struct, frozen=True):
    """A submission on the board."""

    rank: int
    team: str
    system: str
    submission: int
    means: dict[str, float]
    intervals: dict[str, list[float]]
    p_above: float | None
    """McNemar's exact test of the official score against the one above; None for the first."""


class Receipt(Struct, frozen=True):
    """What became of a file; without scores while they are hidden."""

    submission: int
    number: int
    digest: str
    again: bool
    """Whether the team had submitted this very file before: it counts once."""
    means: dict[str, float] | None


def create_task(
    session: Session,
    folder: Path,
    corpus: str,
    *,
    name: str,
    format: str,  # noqa: A002
    gold: Path,
    quota: int,
    counts: str,
    end: datetime | None,
    hidden: bool,
) -> ArenaTask:
    """Make a task with one phase; its gold is copied to where only the arena reads it."""
    if not name or not all(c.isalnum() or c in "-_" for c in name):
        raise InputError(f"a task's name has letters, digits, - and _ only, not {name!r}")
    if session.scalar(select(ArenaTask).where(ArenaTask.name == name)) is not None:
        raise InputError(f"there is a task {name!r} already")
    if hidden and end is None:
        raise InputError("scores that are hidden until the end need an end")
    claims = read_gold(gold, format)
    task = ArenaTask(name=name, title=name, format=format, corpus=corpus, settings={})
    session.add(task)
    session.flush()
    first = write_gold(folder, task, _PART, 1, claims)
    first.scored = now()
    settings = {"quota": quota, "counts": counts, "hidden": hidden}
    phase = ArenaPhase(task_id=task.id, name=_PHASE, part=_PART, end=end, settings=settings)
    session.add_all([first, phase])
    return task


def task_and_phase(session: Session, name: str) -> tuple[ArenaTask, ArenaPhase]:
    """Return a task by its name, with its phase."""
    task = session.scalar(select(ArenaTask).where(ArenaTask.name == name))
    if task is None:
        known = session.scalars(select(ArenaTask.name).order_by(ArenaTask.name)).all()
        raise NotFound(f"no task {name!r}; there are {', '.join(known) or 'none'}")
    return task, session.scalars(select(ArenaPhase).where(ArenaPhase.task_id == task.id)).one()


def scores_are_hidden(phase: ArenaPhase) -> bool:
    """Say whether scores are still hidden."""
    return bool(phase.settings["hidden"]) and (phase.end is None or now() < phase.end)


def submit(
    database: Database, folder: Path, name: str, team: Team, person: int | None, path: Path
) -> Receipt:
    """Check, score and keep a file; a file that is refused costs nothing."""
    digest = _digest(path)
    with database.read() as session:
        task, phase = task_and_phase(session, name)
        if (known := _known(session, phase, team, digest)) is not None:
            return _receipt(session, phase, known, again=True)
        _check_open(session, phase, team)
        row = gold_row(session, task, phase.part)
    scored = score_file(path, "predictions", load_gold(folder, task, row))
    data = compress(path.read_bytes(), 6)
    with database.write() as session:
        # Whoever else of the team submits now waits here, so that the quota holds.
        session.execute(select(Team).where(Team.id == team.id).with_for_update())
        if (known := _known(session, phase, team, digest)) is not None:
            return _receipt(session, phase, known, again=True)
        number = _check_open(session, phase, team) + 1
        session.merge(SubmittedFile(digest=digest, size=path.stat().st_size, data=data))
        session.flush()
        made = Submission(
            phase_id=phase.id,
            team_id=team.id,
            person_id=person,
            number=number,
            digest=digest,
            system=team.name,
        )
        session.add(made)
        session.flush()
        session.add(
            ScoringRun(
                submission_id=made.id,
                gold_id=row.id,
                scorer=scored.scorer,
                means=scored.means,
                intervals=scored.intervals,
                points=scored.points,
            )
        )
        session.flush()
        return _receipt(session, phase, made, again=False)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        found = sha256()
        while chunk := file.read(1 << 20):
            found.update(chunk)
    return found.hexdigest()


def _known(session: Session, phase: ArenaPhase, team: Team, digest: str) -> Submission | None:
    return session.scalar(
        select(Submission).where(
            Submission.phase_id == phase.id,
            Submission.team_id == team.id,
            Submission.digest == digest,
        )
    )


def _check_open(session: Session, phase: ArenaPhase, team: Team) -> int:
    """Refuse a file after the end or beyond the quota; return how many the team has submitted."""
    if phase.end is not None and now() >= phase.end:
        raise NotAllowed(f"the phase {phase.name} ended at {phase.end:%Y-%m-%d %H:%M} UTC", True)
    done = session.scalar(
        select(func.count())
        .select_from(Submission)
        .where(Submission.phase_id == phase.id, Submission.team_id == team.id)
    )
    quota = phase.settings["quota"]
    if (done or 0) >= quota:
        raise NotAllowed(f"the team's {quota} submissions of this phase are used up", True)
    return done or 0


def _receipt(session: Session, phase: ArenaPhase, made: Submission, *, again: bool) -> Receipt:
    means = None
    if not scores_are_hidden(phase):
        query = select(ScoringRun.means).where(ScoringRun.submission_id == made.id)
        means = session.scalars(query.order_by(ScoringRun.gold_id.desc())).first()
    return Receipt(made.id, made.number, made.digest, again, means)


def board(session: Session, name: str) -> list[Placed]:
    """Rank the submissions that count, one a team, by the official score."""
    task, phase = task_and_phase(session, name)
    if scores_are_hidden(phase):
        raise NotAllowed(f"the board opens at {phase.end:%Y-%m-%d %H:%M} UTC", True)
    row = gold_row(session, task, phase.part)
    headline = task_named(task.format).headline
    rows = session.execute(
        select(ScoringRun, Submission, Team)
        .join(Submission, Submission.id == ScoringRun.submission_id)
        .join(Team, Team.id == Submission.team_id)
        .where(ScoringRun.gold_id == row.id, Submission.phase_id == phase.id)
        .order_by(Submission.number)
    ).all()
    counted: dict[int, tuple[ScoringRun, Submission, Team]] = {}
    for run, made, team in rows:
        old = counted.get(team.id)
        best = phase.settings["counts"] == "best"
        if old is None or not best or run.means[headline] > old[0].means[headline]:
            counted[team.id] = (run, made, team)
    ordered = sorted(counted.values(), key=lambda one: (-one[0].means[headline], one[2].name))
    placed: list[Placed] = []
    above: Mask | None = None
    for place, (run, made, team) in enumerate(ordered, 1):
        right = Points.unpack(run.points).headline
        tied = placed and run.means[headline] == placed[-1].means[headline]
        p = None if above is None else mcnemar(right.tolist(), above.tolist()).p_exact
        rank = placed[-1].rank if tied else place
        placed.append(Placed(rank, team.name, made.system, made.id, run.means, run.intervals, p))
        above = right
    return placed
