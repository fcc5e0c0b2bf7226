"""Versions of the gold: written from what the pool has come to, then all submissions rescored.

Rescoring can be interrupted and taken up again: what is scored stays, and boards show a version
only when every submission is scored by it.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import decompress

from msgspec.structs import replace
from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from feverfew.arena.golds import gold_row, gold_rows, load_gold, write_gold
from feverfew.arena.judged import Outcome, judged
from feverfew.arena.scoring import Scorer, Work
from feverfew.arena.submissions import run_of, work_of
from feverfew.errors import InputError
from feverfew.store.arena_tables import (
    ArenaPhase,
    ArenaTask,
    GoldChange,
    GoldVersion,
    ScoringRun,
    Submission,
    SubmittedFile,
)
from feverfew.store.database import Database, now
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.types import Claim


def make_version(
    session: Session, folder: Path, task: ArenaTask, part: str, by: Person | None = None
) -> tuple[GoldVersion, Outcome]:
    """Write the next gold; nothing is shown of it until `rescore` is through."""
    newest = gold_rows(session, task, part)[-1]
    if newest.scored is None:
        raise InputError(f"the gold v{newest.version} is not scored yet; rescore first")
    gold = load_gold(folder, task, newest)
    outcome = judged(session, task, part, gold)
    if not outcome.changes:
        raise InputError("no judgement changes the gold yet")
    claims: list[Claim] = list(gold.claims)
    for one in outcome.changes:
        old = claims[one.place]
        # FEVEROUS needs evidence for every label: without new sets, the old ones stay.
        stays = one.after is one.before or (task.format == "feverous" and not one.sets)
        kept = old.evidence if stays else ()
        claims[one.place] = replace(old, label=one.after, evidence=(*kept, *one.sets))
    made = write_gold(folder, task, part, newest.version + 1, claims)
    session.add(made)
    session.flush()
    for one in outcome.changes:
        session.add(
            GoldChange(
                gold_id=made.id,
                place=one.place,
                kind=one.kind,
                before=str(one.before),
                after=str(one.after),
                sets=[[str(ref) for ref in refs] for refs in one.sets],
                annotations=list(one.annotations),
            )
        )
    subject = f"{task.name} {part} v{made.version}"
    audit(session, by, "make gold", subject, newest.digest, made.digest)
    return made, outcome


def rescore(
    database: Database,
    folder: Path,
    task: ArenaTask,
    part: str,
    scorer: Scorer,
    on_scored: Callable[[int], None] = lambda count: None,
) -> int:
    """Score every submission by the newest gold, those that came meanwhile too; return how many."""
    with database.read() as session:
        gold = gold_row(session, task, part, scored=False)
    count = 0
    while True:
        with database.read() as session:
            open_ = _unscored(session, task, part, gold)
        if not open_:
            with database.write() as session:
                # Submissions that are being kept now are waited for; later ones see this version.
                session.execute(select(ArenaTask).where(ArenaTask.id == task.id).with_for_update())
                if not _unscored(session, task, part, gold):
                    kept = session.get_one(GoldVersion, gold.id)
                    kept.scored = kept.scored or now()
                    return count
            continue
        with _files(database, folder, task, gold, open_) as works:
            for submission, scored in zip(open_, scorer.score(works), strict=True):
                with database.write() as session:
                    session.add(run_of(submission, gold, scored))
                count += 1
                on_scored(count)


def _unscored(session: Session, task: ArenaTask, part: str, gold: GoldVersion) -> list[int]:
    scored = exists().where(
        ScoringRun.submission_id == Submission.id, ScoringRun.gold_id == gold.id
    )
    query = (
        select(Submission.id)
        .join(ArenaPhase, ArenaPhase.id == Submission.phase_id)
        .where(ArenaPhase.task_id == task.id, ArenaPhase.part == part, ~scored)
    )
    return list(session.scalars(query.order_by(Submission.id)))


@contextmanager
def _files(
    database: Database, folder: Path, task: ArenaTask, gold: GoldVersion, submissions: list[int]
) -> Iterator[Iterator[Work]]:
    """Write submitted files out one by one, as they are asked for."""
    with tempfile.TemporaryDirectory() as place:

        def works() -> Iterator[Work]:
            for number in submissions:
                path = Path(place) / str(number)
                with database.read() as session:
                    query = select(SubmittedFile.data).join(
                        Submission, Submission.digest == SubmittedFile.digest
                    )
                    data = session.scalars(query.where(Submission.id == number)).one()
                path.write_bytes(decompress(data))
                yield work_of(folder, task, gold, path, f"submission {number}")

        yield works()


def changes_of(session: Session, gold: GoldVersion) -> list[dict[str, object]]:
    """Return what a version changed, each with the annotations that it rests on."""
    query = select(GoldChange).where(GoldChange.gold_id == gold.id).order_by(GoldChange.place)
    return [
        {
            "place": one.place,
            "kind": one.kind,
            "before": one.before,
            "after": one.after,
            "sets": one.sets,
            "annotations": one.annotations,
        }
        for one in session.scalars(query)
    ]
