"""Submissions: checked and scored before anything is written, then kept in one transaction.

The transaction looks at the quota and keeps file, submission and points. A submission is refused
or whole, and nothing in between.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from zlib import compress

from msgspec import Struct
from sqlalchemy import Select, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from feverfew.arena.golds import FOLDER, gold_row
from feverfew.arena.phases import check_running, own_means, phase_named, settings_of
from feverfew.arena.scoring import Scored, Work
from feverfew.arena.tasks import task_by_name
from feverfew.arena_client import Receipt
from feverfew.errors import InputError, NotAllowed, NotFound
from feverfew.score.tasks import task_named
from feverfew.store.arena_tables import (
    ArenaPhase,
    ArenaTask,
    GoldVersion,
    ScoringRun,
    Submission,
    SubmittedFile,
    TeamEntry,
)
from feverfew.store.database import Database, now
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.store.team_tables import Team

Score = Callable[[Work], Scored]
"""Scores a file, in this process or in another."""


class Sent(Struct, frozen=True, kw_only=True):
    """A file that someone sent."""

    path: Path
    task: str
    phase: str | None = None
    """Without a name, the phase that runs."""
    team: Team
    person: int | None = None
    system: str = ""
    """What the team calls its system; else the team's name."""
    note: str = ""
    baseline: bool = False
    """Entered by the organisers: outside quota and dates."""


def submit(database: Database, folder: Path, sent: Sent, score: Score) -> Receipt:
    """Check, score and keep a file; a file that is refused costs nothing."""
    digest = _digest(sent.path)
    with database.read() as session:
        task = task_by_name(session, sent.task)
        phase = phase_named(session, task, sent.phase)
        if (known := _known(session, phase, sent.team, digest)) is not None:
            return _receipt(session, phase, known, again=True)
        _check(session, task, phase, sent)
        gold = gold_row(session, task, phase.part)
    data = compress(sent.path.read_bytes(), 6)
    while True:
        scored = score(work_of(folder, task, gold, sent.path, "predictions"))
        with database.write() as session:
            # Whoever else of the team submits now waits here, so that the quota holds; and so does
            # whoever would declare a new gold scored.
            session.execute(select(Team).where(Team.id == sent.team.id).with_for_update())
            session.execute(
                select(ArenaTask).where(ArenaTask.id == task.id).with_for_update(read=True)
            )
            newest = gold_row(session, task, phase.part)
            if newest.id != gold.id:  # the gold changed while we scored
                gold = newest
                continue
            if (known := _known(session, phase, sent.team, digest)) is not None:
                return _receipt(session, phase, known, again=True)
            number = _check(session, task, phase, sent) + 1
            entry_of(session, task, sent.team)
            _keep_file(session, digest, sent.path.stat().st_size, data)
            made = Submission(
                phase_id=phase.id,
                team_id=sent.team.id,
                person_id=sent.person,
                number=number,
                digest=digest,
                system=sent.system.strip()[:80] or sent.team.name,
                note=sent.note.strip()[:500],
                baseline=sent.baseline,
            )
            session.add(made)
            session.flush()
            session.add(run_of(made.id, gold, scored))
            session.flush()
            return _receipt(session, phase, made, again=False)


def _keep_file(session: Session, digest: str, size: int, data: bytes) -> None:
    """Keep a file once, also when two teams send the same one at the same time."""
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    row = insert(SubmittedFile).values(digest=digest, size=size, data=data)
    session.execute(row.on_conflict_do_nothing())


def work_of(folder: Path, task: ArenaTask, gold: GoldVersion, path: Path, name: str) -> Work:
    """Return what a scorer needs to know."""
    return Work(str(path), name, str(folder / FOLDER / gold.file), gold.digest, task.format)


def run_of(submission: int, gold: GoldVersion, scored: Scored) -> ScoringRun:
    """Return the row that keeps a submission's scores."""
    return ScoringRun(
        submission_id=submission,
        gold_id=gold.id,
        scorer=scored.scorer,
        means=scored.means,
        intervals=scored.intervals,
        points=scored.points,
    )


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


def _check(session: Session, task: ArenaTask, phase: ArenaPhase, sent: Sent) -> int:
    """Refuse a file out of time, or beyond the quota; return how many the team has submitted."""
    done = _count(session, phase, sent.team)
    if sent.baseline:
        return done
    check_running(phase)
    if withdrawn_at(session, task, sent.team) is not None:
        raise NotAllowed("the team has withdrawn from this task", True)
    quota = settings_of(phase).quota
    if done >= quota:
        raise NotAllowed(f"the team's {quota} submissions of this phase are used up", True)
    return done


def _count(session: Session, phase: ArenaPhase, team: Team) -> int:
    """Count a team's submissions; one that was withdrawn still counts, or it could be probed."""
    query = select(func.count()).select_from(Submission)
    mine = (Submission.phase_id == phase.id, Submission.team_id == team.id)
    return session.scalar(query.where(*mine)) or 0


def entry_of(session: Session, task: ArenaTask, team: Team) -> TeamEntry:
    """Return how a team takes part in a task; it is made the first time, so the session writes."""
    found = session.scalar(_entry(task, team))
    if found is None:
        found = TeamEntry(task_id=task.id, team_id=team.id)
        session.add(found)
    return found


def withdrawn_at(session: Session, task: ArenaTask, team: Team) -> datetime | None:
    """Return when a team withdrew from a task."""
    found = session.scalar(_entry(task, team))
    return found.withdrawn if found else None


def _entry(task: ArenaTask, team: Team) -> Select[TeamEntry]:
    return select(TeamEntry).where(TeamEntry.task_id == task.id, TeamEntry.team_id == team.id)


def _receipt(session: Session, phase: ArenaPhase, made: Submission, *, again: bool) -> Receipt:
    team = session.get_one(Team, made.team_id)
    left = max(0, settings_of(phase).quota - _count(session, phase, team))
    own = scores_of(session, phase, made)
    return Receipt(made.id, made.number, phase.name, made.digest, again, left, own)


def scores_of(session: Session, phase: ArenaPhase, made: Submission) -> dict[str, float] | None:
    """Return what a team may see of a submission's newest scores."""
    run, digest = session.execute(
        select(ScoringRun, GoldVersion.digest)
        .join(GoldVersion, GoldVersion.id == ScoringRun.gold_id)
        .where(ScoringRun.submission_id == made.id, GoldVersion.scored.is_not(None))
        .order_by(GoldVersion.version.desc())
        .limit(1)
    ).one()
    return own_means(phase, run.means, run.points, digest)


def submission_of(session: Session, task: ArenaTask, number: int) -> Submission:
    """Return a submission of a task."""
    found = session.get(Submission, number)
    if found is None or session.get_one(ArenaPhase, found.phase_id).task_id != task.id:
        raise NotFound(f"no submission {number} in {task.name}")
    return found


def submissions_of(session: Session, task: ArenaTask, team: Team) -> list[Submission]:
    """Return all that a team has submitted to a task, the newest first."""
    query = select(Submission).join(ArenaPhase, ArenaPhase.id == Submission.phase_id)
    query = query.where(ArenaPhase.task_id == task.id, Submission.team_id == team.id)
    return list(session.scalars(query.order_by(Submission.id.desc())))


def change_submission(session: Session, made: Submission, do: str, by: Person | None) -> None:
    """Choose a submission as the one that counts, hide it, or show it again; files stay."""
    phase = session.get_one(ArenaPhase, made.phase_id)
    check_running(phase)
    match do:
        case "choose" if settings_of(phase).counts != "chosen":
            raise InputError(f"in this phase the {settings_of(phase).counts} one counts")
        case "choose":
            made.chosen = now()
        case "hide":
            made.hidden = now()
        case "show":
            made.hidden = None
        case _:
            raise InputError(f"{do!r} is not known; there are choose, hide and show")
    audit(session, by, f"{do} submission", str(made.id))


class Counted(Struct, frozen=True):
    """A submission that counts, with its scores against a gold version."""

    submission: Submission
    team: Team
    run: ScoringRun


def counted(
    session: Session, task: ArenaTask, phase: ArenaPhase, gold: GoldVersion
) -> list[Counted]:
    """Return the submissions that count, one a team and every baseline; the best first.

    Which one counts never depends on a later gold: a team's best is the best by the first.
    """
    headline = task_named(task.format).headline
    first = gold_row(session, task, phase.part, 1)
    kept: dict[object, Counted] = {}
    rank: dict[object, tuple[object, ...]] = {}
    preliminary = {
        submission: means[headline]
        for submission, means in session.execute(
            select(ScoringRun.submission_id, ScoringRun.means).where(ScoringRun.gold_id == first.id)
        )
    }
    for one in _runs(session, task, phase, gold):
        made = one.submission
        key = ("baseline", made.system) if made.baseline else made.team_id
        worth: tuple[object, ...] = (made.number,)
        match settings_of(phase).counts:
            case "best":
                # What came after a gold changed was never scored by the first.
                worth = (preliminary.get(made.id, one.run.means[headline]), -made.number)
            case "chosen":
                worth = (str(made.chosen or ""), made.number)
        if key not in kept or worth > rank[key]:
            kept[key], rank[key] = one, worth
    return sorted(kept.values(), key=lambda one: (-one.run.means[headline], one.submission.system))


def _runs(
    session: Session, task: ArenaTask, phase: ArenaPhase, gold: GoldVersion
) -> Iterator[Counted]:
    withdrawn = select(TeamEntry.team_id).where(
        TeamEntry.task_id == task.id, TeamEntry.withdrawn.is_not(None)
    )
    rows = session.execute(
        select(Submission, Team, ScoringRun)
        .join(ScoringRun, ScoringRun.submission_id == Submission.id)
        .join(Team, Team.id == Submission.team_id)
        .where(
            ScoringRun.gold_id == gold.id,
            Submission.phase_id == phase.id,
            Submission.hidden.is_(None),
            Submission.team_id.not_in(withdrawn),
        )
        .order_by(Submission.number)
    )
    for made, team, run in rows:
        yield Counted(made, team, run)
