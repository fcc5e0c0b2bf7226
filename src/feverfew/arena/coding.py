"""Error coding of FEVER's appendix B over the pool: why a system missed a claim.

The questions are those of `feverfew errors`: the data answers some, an organiser the others.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.arena.boards import headline_points
from feverfew.arena.golds import Gold, gold_row, load_gold
from feverfew.arena.pool import draws_of, predictions_of
from feverfew.errors import InputError, NotFound
from feverfew.score.errors import (
    GRAPH,
    Coding,
    Error,
    Outcome,
    Question,
    Tally,
    errors_of,
    tally,
    walk,
)
from feverfew.score.tasks import task_named
from feverfew.store.arena_tables import (
    ArenaTask,
    DrawCoding,
    GoldVersion,
    PoolDraw,
    ScoringRun,
    Submission,
)
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.types import Claim


class OpenError(Struct, frozen=True):
    """An error that is being coded: what is known of it, and what is asked next."""

    draw: PoolDraw
    claim: Claim
    error: Error
    asked: Question | Outcome
    done: int
    left: int

    @property
    def refs(self) -> list[str]:
        """All elements of the gold and of what was found."""
        gold = [ref for refs in self.error.pair.gold for ref in refs]
        return [str(ref) for ref in (*gold, *self.error.pair.found)]

    @property
    def is_outcome(self) -> bool:
        return isinstance(self.asked, Outcome)


def next_error(
    session: Session, folder: Path, task: ArenaTask, part: str, answers: Mapping[str, bool]
) -> OpenError | None:
    """Return the first drawn claim that its system missed and nobody has coded."""
    draws = draws_of(session, task, part)
    done = _coded(session, draws)
    row = gold_row(session, task, part)
    gold = load_gold(folder, task, row)
    open_ = [one for one in draws if one.id not in done and _missed(session, row, one)]
    if not open_:
        return None
    error = _error(session, gold, open_[0])
    assert error is not None  # or its point would not be missing
    asked = walk(error.facts, answers)
    return OpenError(open_[0], gold.claims[open_[0].place], error, asked, len(done), len(open_))


def _missed(session: Session, gold: GoldVersion, draw: PoolDraw) -> bool:
    mine = (ScoringRun.submission_id == draw.submission_id, ScoringRun.gold_id == gold.id)
    run = session.scalars(select(ScoringRun).where(*mine)).one()
    return not headline_points(run)[draw.place]


def _coded(session: Session, draws: list[PoolDraw]) -> set[int]:
    query = select(DrawCoding.draw_id)
    return set(session.scalars(query.where(DrawCoding.draw_id.in_([one.id for one in draws]))))


def _error(session: Session, gold: Gold, draw: PoolDraw) -> Error | None:
    """Score what a system said of one claim; None where it was right."""
    made = session.get_one(Submission, draw.submission_id)
    claim = gold.claims[draw.place]
    said = [one for one in predictions_of(session, made, gold) if one.id == claim.id]
    found = errors_of(task_named(gold.format).score([claim], said))
    return found[0] if found else None


def code_error(
    session: Session,
    folder: Path,
    task: ArenaTask,
    part: str,
    draw_id: int,
    answers: Mapping[str, bool],
    note: str,
    by: Person,
) -> DrawCoding:
    """Keep how an error was coded; its answers must lead to an outcome."""
    draw = session.get(PoolDraw, draw_id)
    if draw is None or draw.task_id != task.id:
        raise NotFound(f"no draw {draw_id} in {task.name}")
    gold = load_gold(folder, task, gold_row(session, task, part))
    error = _error(session, gold, draw)
    if error is None:
        raise InputError("the system was right here; there is nothing to code")
    known = {name: value for name, value in answers.items() if name in GRAPH.questions}
    outcome = walk(error.facts, known)
    if isinstance(outcome, Question):
        raise InputError(f"answer first: {outcome.text}")
    made = DrawCoding(
        draw_id=draw.id, person_id=by.id, answers=known, outcome=outcome.name, note=note
    )
    session.add(made)
    audit(session, by, "code error", f"{task.name} {draw.id}", after=outcome.name)
    return made


def tally_of(session: Session, task: ArenaTask) -> Tally | None:
    """Count the outcomes of all codings of a task; None where there are none."""
    query = select(DrawCoding).join(PoolDraw, PoolDraw.id == DrawCoding.draw_id)
    rows = list(session.scalars(query.where(PoolDraw.task_id == task.id)))
    codings = [Coding(one.draw_id, one.outcome, one.answers, one.note) for one in rows]
    return tally(codings) if codings else None
