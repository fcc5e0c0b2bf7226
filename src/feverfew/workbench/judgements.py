"""What people said of the claims of a campaign, as scorers, screens and exports read it."""

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.rules import Decision, Judgement, aggregate
from feverfew.score.agreement import Annotation as Said
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.people_tables import Person
from feverfew.store.settings import Settings
from feverfew.store.submit import elements
from feverfew.store.work_tables import Adjudication, Annotation, Evidence, Slot, Voided
from feverfew.types import Ref, Verdict

_NOT_LIVE = ("quiz", "calibration", "test")
_ONLY_CHECKS = ("quality", "super")
"""Kinds of slots whose annotations measure quality and never decide."""


class Told(Struct, frozen=True):
    """One person's newest annotation of a claim."""

    annotation: Annotation
    slot: Slot
    claim: Claim
    pseudonym: str
    sets: tuple[tuple[Evidence, ...], ...]
    seconds: float
    """Of all versions."""

    def judgement(self) -> Judgement:
        """Return it as what is aggregated."""
        return Judgement(
            Verdict(self.annotation.verdict or ""),
            tuple(tuple(Ref.parse(e.ref) for e in one) for one in self.sets),
            self.pseudonym,
            self.slot.kind not in _ONLY_CHECKS,
        )


def told(session: Session, campaign: Campaign, settings: Settings) -> dict[int, list[Told]]:
    """Return the annotations that count, by claim, in the order in which they were made."""
    workflow = settings.workflows[-1]
    rows = session.execute(
        select(Annotation, Slot, Claim, Person.pseudonym)
        .join(Slot, Slot.id == Annotation.slot_id)
        .join(Claim, Claim.id == Annotation.claim_id)
        .join(Person, Person.id == Annotation.person_id)
        .outerjoin(Voided, Voided.annotation_id == Annotation.id)
        .where(
            Slot.campaign_id == campaign.id,
            Slot.workflow == workflow,
            Slot.kind.not_in(_NOT_LIVE),
            Annotation.outcome == "label",
            Annotation.verdict.is_not(None),
            Voided.annotation_id.is_(None),
        )
        .order_by(Annotation.id)
    ).all()
    newest = {annotation.slot_id: annotation.id for annotation, *_ in rows}
    spent: dict[int, int] = defaultdict(int)
    for annotation, *_ in rows:
        spent[annotation.slot_id] += annotation.active_ms
    sets = elements(list(newest.values()), session)
    found: dict[int, list[Told]] = defaultdict(list)
    for annotation, slot, claim, pseudonym in rows:
        if newest[slot.id] == annotation.id:
            own = tuple(map(tuple, sets.get(annotation.id, [])))
            found[claim.id].append(
                Told(annotation, slot, claim, pseudonym, own, spent[slot.id] / 1000)
            )
    return found


def decide_claim(
    session: Session, settings: Settings, said: list[Told], adjudicated: dict[int, str]
) -> Decision:
    """Decide on a claim: what was adjudicated holds, else the campaign's rule."""
    claim = said[0].claim
    judgements = [one.judgement() for one in said]
    if verdict := adjudicated.get(claim.id):
        right = [one for one in judgements if one.verdict == verdict]
        found = aggregate(right, "majority") if right else Decision(None)
        return Decision(Verdict(verdict), found.sets, reason="adjudicated")
    policy = settings.aggregation
    # FEVER counts one annotation, and the majority where five people label a claim.
    if policy == "majority" and sum(one.counts for one in judgements) == 1:
        policy = "first"
    return aggregate(judgements, policy)


def adjudications(session: Session, campaign: Campaign) -> dict[int, str]:
    """Return the verdicts that were adjudicated, by claim; the newest holds."""
    rows = session.execute(
        select(Adjudication.claim_id, Adjudication.verdict)
        .join(Claim, Claim.id == Adjudication.claim_id)
        .where(Claim.campaign_id == campaign.id, Adjudication.verdict.is_not(None))
        .order_by(Adjudication.id)
    )
    return {claim: verdict for claim, verdict in rows if verdict}


def labelled(
    session: Session, campaign: Campaign, settings: Settings
) -> Iterator[tuple[Claim, Decision, list[Told]]]:
    """Yield every claim that has a label, with who said what."""
    settled = adjudications(session, campaign)
    for said in told(session, campaign, settings).values():
        claim = said[0].claim
        if claim.state not in ("open", "kept"):
            continue
        decision = decide_claim(session, settings, said, settled)
        if decision.label is not None:
            yield claim, decision, said


def agreement_rows(found: dict[int, list[Told]], *, supers: bool = False) -> list[Said]:
    """Return annotations as `feverfew agreement` reads them; experts measure, and are no one."""
    return [
        Said(
            str(claim),
            one.pseudonym,
            str(one.annotation.verdict),
            frozenset(Ref.parse(e.ref) for own in one.sets for e in own),
        )
        for claim, said in found.items()
        for one in said
        if supers or one.slot.kind != "super"
    ]
