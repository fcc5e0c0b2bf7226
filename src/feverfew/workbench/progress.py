"""How far a campaign has come: slots, claims, broken rules, reasons, people, days."""

from collections import Counter
from typing import Any

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from feverfew.store.claim_tables import Campaign, Claim, RuleHit
from feverfew.store.people_tables import Person
from feverfew.store.work_tables import Annotation, Slot


class Count(Struct, frozen=True):
    """Slots of a kind and state."""

    workflow: str
    kind: str
    state: str
    slots: int


class Progress(Struct, frozen=True):
    """How far a campaign has come."""

    campaign: str
    slots: list[Count]
    claims: dict[str, int]
    """By their state."""
    rules: dict[str, int]
    """How often each was broken by a claim when it was submitted."""
    reasons: dict[str, tuple[int, float]]
    """Why claims were skipped or reported, with the share of all that were judged."""


def progress_of(session: Session, campaign: Campaign) -> Progress:
    """Count what is done and what is left."""
    slots = session.execute(
        select(Slot.workflow, Slot.kind, Slot.state, func.count())
        .where(Slot.campaign_id == campaign.id)
        .group_by(Slot.workflow, Slot.kind, Slot.state)
        .order_by(Slot.workflow, Slot.kind, Slot.state)
    )
    states = session.execute(
        select(Claim.state, func.count().label("count_"))
        .where(Claim.campaign_id == campaign.id)
        .group_by(Claim.state)
        .order_by(Claim.state)
    )
    hits = session.execute(
        select(RuleHit.rule, func.count().label("count_"))
        .join(Claim, Claim.id == RuleHit.claim_id)
        .where(Claim.campaign_id == campaign.id)
        .group_by(RuleHit.rule)
        .order_by(func.count().desc(), RuleHit.rule)
    )
    return Progress(
        campaign.name,
        [Count(*row) for row in slots],
        {row.state: row.count_ for row in states},
        {row.rule: row.count_ for row in hits},
        _reasons(session, campaign),
    )


def _reasons(session: Session, campaign: Campaign) -> dict[str, tuple[int, float]]:
    rows = session.scalars(
        select(Annotation.reasons)
        .join(Slot, Slot.id == Annotation.slot_id)
        .where(Slot.campaign_id == campaign.id, Annotation.claim_id.is_not(None))
    ).all()
    counts = Counter(one for reasons in rows for one in reasons)
    return {name: (count, count / len(rows)) for name, count in sorted(counts.items())}


def people_of(session: Session, campaign: Campaign) -> list[Any]:
    """Return each person's tasks, active milliseconds and last task, by workflow."""
    return list(
        session.execute(
            select(
                Person.pseudonym,
                Slot.workflow,
                func.count(),
                func.sum(Annotation.active_ms),
                func.max(Annotation.at),
            )
            .join(Annotation, Annotation.person_id == Person.id)
            .join(Slot, Slot.id == Annotation.slot_id)
            .where(Slot.campaign_id == campaign.id)
            .group_by(Person.pseudonym, Slot.workflow)
            .order_by(Person.pseudonym)
        )
    )
