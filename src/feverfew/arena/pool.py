"""The pool: evidence outside the gold is drawn, and judged by people of other teams.

As in 2018 (section 5 of the shared task's paper): a claim is drawn with a probability proportional
to the number of systems that missed it, then a system's evidence for it with one proportional to
the system's score. A draw follows from the seed and its number, so that drawing can go on later;
what was drawn is not drawn again.
"""

import tempfile
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from zlib import decompress

import numpy as np
from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.arena.boards import difficulty
from feverfew.arena.golds import Gold, gold_row, load_gold
from feverfew.arena.phases import has_ended, say_time
from feverfew.arena.scoring import read_file
from feverfew.arena.submissions import Counted, counted
from feverfew.errors import InputError, NotAllowed
from feverfew.rules.sampling import unit
from feverfew.score.fever import SENTENCES
from feverfew.score.feverous import kept
from feverfew.score.join import composed
from feverfew.score.tasks import task_named
from feverfew.store.arena_tables import (
    ArenaPhase,
    ArenaTask,
    DrawTeam,
    PoolDraw,
    Submission,
    SubmittedFile,
)
from feverfew.store.campaigns import make_campaign
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.claims import open_slots
from feverfew.store.database import Database
from feverfew.store.people import audit
from feverfew.store.settings import settings_from
from feverfew.types import Prediction, Ref

AGREEING = 2
"""Judgements that must agree before the gold changes; one of an organiser will do."""


class Candidate(Struct, frozen=True):
    """What one or more systems returned for a claim."""

    refs: tuple[Ref, ...]
    systems: tuple[int, ...]
    """Their places among the systems that count."""


class Drawn(Struct, frozen=True):
    """What was drawn, and how likely that was."""

    place: int
    system: int
    candidate: Candidate
    claim_probability: float
    system_probability: float


class Urn:
    """What can be drawn: claims that a system missed, with evidence outside the gold."""

    def __init__(
        self,
        missed: Iterable[int],
        scores: Iterable[float],
        candidates: dict[int, list[Candidate]],
    ) -> None:
        self._scores = np.array(list(scores), dtype=np.float64)
        self._left = {place: list(own) for place, own in candidates.items() if own}
        weights = np.array(list(missed), dtype=np.float64)
        open_ = np.zeros(len(weights), dtype=bool)
        open_[list(self._left)] = True
        self._weights = np.where(open_, weights, 0.0)

    @property
    def eligible(self) -> int:
        """How many claims can be drawn."""
        return int((self._weights > 0).sum())

    def take(self, place: int, refs: tuple[Ref, ...]) -> None:
        """Take out what was drawn before."""
        left = [one for one in self._left.get(place, []) if one.refs != refs]
        self._left[place] = left
        if not left:
            self._weights[place] = 0.0

    def draw(self, seed: int, ordinal: int) -> Drawn | None:
        """Draw a claim, then a system's evidence; None when nothing is left."""
        total = self._weights.sum()
        if not total:
            return None
        generator = np.random.default_rng([seed, ordinal])
        chances = self._weights / total
        place = int(generator.choice(len(chances), p=chances))
        own = self._left[place]
        systems = [(system, one) for one in own for system in one.systems]
        # A system without any point still has returned something.
        weights = np.array([max(self._scores[system], 1e-9) for system, _ in systems])
        weights /= weights.sum()
        chosen = int(generator.choice(len(systems), p=weights))
        system, candidate = systems[chosen]
        self.take(place, candidate.refs)
        return Drawn(place, system, candidate, float(chances[place]), float(weights[chosen]))


def draw(
    database: Database, folder: Path, task: ArenaTask, phase: ArenaPhase, count: int, seed: int
) -> int:
    """Draw evidence to be judged, after the end of a phase; return how much was left to draw.

    What takes long is only read; then one transaction keeps the draws, the first time with the
    campaign that they are judged in.
    """
    if task.format == "hover":
        raise InputError(
            "HoVer's gold has one set of facts for each claim, and its score knows no "
            "alternatives: there is nothing that pooled evidence could add"
        )
    if not has_ended(phase):
        raise NotAllowed(f"evidence is pooled after the end, {say_time(phase.end, phase)}", True)
    with database.read() as session:
        row = gold_row(session, task, phase.part)
        gold = load_gold(folder, task, row)
        systems = [one for one in counted(session, task, phase, row) if not one.submission.baseline]
        if not systems:
            raise InputError("no submission counts in this phase, so there is nothing to pool")
        headline = task_named(task.format).headline
        urn = Urn(
            difficulty(systems).tolist(),
            [one.run.means[headline] for one in systems],
            _candidates(session, gold, systems),
        )
        before = draws_of(session, task, phase.part)
    for one in before:
        urn.take(one.place, tuple(sorted(map(Ref.parse, one.refs))))
    first = len(before)
    drawn = [urn.draw(seed, ordinal) for ordinal in range(first, first + count)]
    found = [one for one in drawn if one is not None]
    with database.write() as session:
        kept = session.get_one(ArenaTask, task.id)
        _keep(session, kept, phase.part, gold, systems, seed, first, found)
        audit(session, None, "draw pool", task.name, after={"seed": seed, "drawn": len(found)})
    return len(found)


def _candidates(session: Session, gold: Gold, systems: list[Counted]) -> dict[int, list[Candidate]]:
    known = [{_spelled(ref) for refs in claim.evidence for ref in refs} for claim in gold.claims]
    places = {claim.id: place for place, claim in enumerate(gold.claims)}
    found: dict[int, dict[tuple[Ref, ...], list[int]]] = {}
    for number, one in enumerate(systems):
        for prediction in predictions_of(session, one.submission, gold):
            place = places[prediction.id]
            evidence = prediction.evidence
            counts = kept(evidence) if gold.format == "feverous" else evidence[:SENTENCES]
            refs = tuple(sorted({_spelled(ref) for ref in counts}))
            if any(ref not in known[place] for ref in refs):
                found.setdefault(place, {}).setdefault(refs, []).append(number)
    return {
        place: [Candidate(refs, tuple(numbers)) for refs, numbers in own.items()]
        for place, own in found.items()
    }


def _spelled(ref: Ref) -> Ref:
    page = composed(ref.page)
    return ref if page == ref.page else Ref(page, ref.kind, ref.position)


def predictions_of(session: Session, made: Submission, gold: Gold) -> list[Prediction]:
    """Read what a submission predicted, from the file as it was sent."""
    data = session.scalars(
        select(SubmittedFile.data).where(SubmittedFile.digest == made.digest)
    ).one()
    with tempfile.NamedTemporaryFile() as file:
        file.write(decompress(data))
        file.flush()
        return read_file(Path(file.name), "predictions", gold)


def _campaign(session: Session, task: ArenaTask) -> Campaign:
    if task.campaign_id is not None:
        return session.get_one(Campaign, task.campaign_id)
    settings = settings_from({"kind": "pool", "title": f"Evidence for {task.title}"})
    made = make_campaign(session, f"{task.name}-pool", settings, task.corpus, _guideline())
    task.campaign_id = made.id
    return made


def _guideline() -> str:
    return files("feverfew.arena").joinpath("guidelines", "pool.md").read_text("utf-8")


def draws_of(session: Session, task: ArenaTask, part: str) -> list[PoolDraw]:
    """Return what was drawn of a part, in order."""
    query = select(PoolDraw).where(PoolDraw.task_id == task.id, PoolDraw.part == part)
    return list(session.scalars(query.order_by(PoolDraw.ordinal)))


def _keep(
    session: Session,
    task: ArenaTask,
    part: str,
    gold: Gold,
    systems: list[Counted],
    seed: int,
    first: int,
    found: list[Drawn],
) -> None:
    campaign = _campaign(session, task)
    people = settings_from(campaign.settings).assignment.annotators
    claims = [
        Claim(
            campaign_id=campaign.id,
            text=gold.claims[one.place].text,
            generator=f"pool seed={seed} draw={ordinal}",
            state="open",
            data={"refs": [str(ref) for ref in one.candidate.refs]},
        )
        for ordinal, one in enumerate(found, first)
    ]
    session.add_all(claims)
    session.flush()
    draws = [
        PoolDraw(
            task_id=task.id,
            part=part,
            ordinal=ordinal,
            seed=seed,
            place=one.place,
            submission_id=systems[one.system].submission.id,
            claim_probability=one.claim_probability,
            system_probability=one.system_probability,
            refs=claim.data["refs"],
            claim_id=claim.id,
        )
        for ordinal, (one, claim) in enumerate(zip(found, claims, strict=True), first)
    ]
    session.add_all(draws)
    session.flush()
    for one, claim, draw_ in zip(found, claims, draws, strict=True):
        teams = {systems[system].team.id for system in one.candidate.systems}
        session.add_all(DrawTeam(draw_id=draw_.id, team_id=team) for team in sorted(teams))
        open_slots(session, claim, "pool", "pool", people, unit(seed, "pool", draw_.ordinal))
