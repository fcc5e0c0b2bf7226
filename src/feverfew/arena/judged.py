"""From judgements of the pool to changes of the gold, and conflicts that an organiser decides.

A set of sentences is confirmed when enough people, or an organiser, marked it under the same
verdict. A confirmed set that agrees with the gold is new evidence; one for a claim without enough
information settles it; one against the gold is a conflict, and changes nothing before it is
adjudicated.
"""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.arena.golds import Gold
from feverfew.arena.pool import AGREEING, draws_of
from feverfew.store.arena_tables import ArenaTask, PoolDraw
from feverfew.store.campaigns import settings_of
from feverfew.store.claim_tables import Campaign
from feverfew.store.people_tables import Grant
from feverfew.store.work_tables import Adjudication
from feverfew.text import display_title
from feverfew.types import Ref, Verdict
from feverfew.workbench.judgements import Told, adjudications, told

Set = frozenset[Ref]
KINDS = ("relabelled", "settled", "evidence")
_SETTLING = (Verdict.SUPPORTED, Verdict.REFUTED)


class Change(Struct, frozen=True):
    """A claim that the next gold has otherwise."""

    place: int
    kind: str
    """relabelled, settled (from not enough info), or evidence."""
    before: Verdict
    after: Verdict
    sets: tuple[tuple[Ref, ...], ...]
    """The new sets."""
    annotations: tuple[int, ...]


class Conflict(Struct, frozen=True):
    """A claim whose judgements contradict the gold, or each other."""

    place: int
    claim: int
    """The claim of the pool's campaign that a decision is kept with."""
    label: Verdict
    said: tuple[Told, ...]


class Outcome(Struct, frozen=True):
    """What the pool has come to."""

    changes: tuple[Change, ...]
    conflicts: tuple[Conflict, ...]
    annotations: int
    claims: int
    """How many claims have an annotation."""


class _Votes(Struct):
    """Who marked a set under a verdict, and in which annotations."""

    people: set[int]
    annotations: set[int]


def judged(session: Session, task: ArenaTask, part: str, gold: Gold) -> Outcome:
    """Weigh all judgements of a part's pool against a gold."""
    if task.campaign_id is None:
        return Outcome((), (), 0, 0)
    campaign = session.get_one(Campaign, task.campaign_id)
    said = told(session, campaign, settings_of(campaign))
    organisers = set(session.scalars(select(Grant.person_id).where(Grant.role == "organiser")))
    decided = _decided(session, campaign)
    by_place: dict[int, list[PoolDraw]] = defaultdict(list)
    for draw in draws_of(session, task, part):
        by_place[draw.place].append(draw)
    changes: list[Change] = []
    conflicts: list[Conflict] = []
    annotations = claims = 0
    for place, draws in sorted(by_place.items()):
        own = [(draw, one) for draw in draws for one in said.get(draw.claim_id, [])]
        annotations += len(own)
        claims += bool(own)
        verdict = next((decided[d.claim_id] for d in draws if d.claim_id in decided), None)
        found = _weigh(gold, place, own, organisers, verdict)
        if isinstance(found, Change):
            changes.append(found)
        elif found:
            label = gold.claims[place].label
            assert label is not None
            told_ = tuple(one for _, one in own)
            conflicts.append(Conflict(place, draws[0].claim_id, label, told_))
    return Outcome(tuple(changes), tuple(conflicts), annotations, claims)


def _decided(session: Session, campaign: Campaign) -> dict[int, Verdict]:
    """Return what was adjudicated, by claim of the campaign; the newest holds."""
    return {claim: Verdict(verdict) for claim, verdict in adjudications(session, campaign).items()}


def _weigh(
    gold: Gold,
    place: int,
    said: Sequence[tuple[PoolDraw, Told]],
    organisers: set[int],
    decided: Verdict | None,
) -> Change | bool:
    """Return a change, or whether there is a conflict."""
    claim = gold.claims[place]
    label = claim.label
    assert label is not None  # a gold has labels
    confirmed = _confirmed(said, organisers)
    against = [one for one in _SETTLING if one is not label and confirmed[one]]
    verdict = label
    if decided is not None:
        verdict = decided
    elif label is Verdict.NOT_ENOUGH_INFO and len(against) == 1:
        (verdict,) = against
    elif against:
        return True
    known = [frozenset(refs) for refs in claim.evidence] if verdict is label else []
    fresh = _minimal(confirmed[verdict], known)
    if not fresh and verdict is label:
        return False
    kind = "evidence"
    if verdict is not label:
        kind = "settled" if label is Verdict.NOT_ENOUGH_INFO else "relabelled"
    used = {n for one in fresh for n in confirmed[verdict][one].annotations}
    sets = tuple(sorted(tuple(sorted(one)) for one in fresh))
    return Change(place, kind, label, verdict, sets, tuple(sorted(used)))


def _confirmed(
    said: Sequence[tuple[PoolDraw, Told]], organisers: set[int]
) -> dict[Verdict, dict[Set, _Votes]]:
    votes: dict[Verdict, dict[Set, _Votes]] = defaultdict(lambda: defaultdict(_no_votes))
    for draw, one in said:
        spelled = {_key(ref): ref for ref in map(Ref.parse, draw.refs)}
        for elements in one.sets:
            # The corpus may spell a title otherwise than the systems, and so the gold.
            refs = [spelled.get(_key(Ref.parse(element.ref))) for element in elements]
            marked = frozenset(ref for ref in refs if ref is not None)
            if marked and len(marked) == len(refs):
                kept = votes[Verdict(one.annotation.verdict or "")][marked]
                kept.people.add(one.annotation.person_id)
                kept.annotations.add(one.annotation.id)
    found: dict[Verdict, dict[Set, _Votes]] = defaultdict(dict)
    for verdict, own in votes.items():
        for marked, kept in own.items():
            if len(kept.people) >= AGREEING or kept.people & organisers:
                found[verdict][marked] = kept
    return found


def _no_votes() -> _Votes:
    return _Votes(set(), set())


def _key(ref: Ref) -> tuple[str, str, tuple[int, ...]]:
    return display_title(ref.page), ref.kind, ref.position


def _minimal(found: dict[Set, _Votes], known: Sequence[Set]) -> list[Set]:
    """Leave out sets that hold another one: they add nothing."""
    return [
        one
        for one in found
        if not any(other <= one for other in known) and not any(other < one for other in found)
    ]


def adjudicate(
    session: Session, conflict: Conflict, verdict: Verdict, person_id: int, comment: str
) -> None:
    """Keep an organiser's decision between the gold and the judgements."""
    right = [one.annotation.id for one in conflict.said if one.annotation.verdict == verdict]
    session.add(
        Adjudication(
            claim_id=conflict.claim,
            person_id=person_id,
            right=right,
            verdict=str(verdict),
            comment=comment,
        )
    )
