"""Sources and claims: what is added becomes slots, in the numbers that the settings ask for."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from feverfew.errors import NotAllowed
from feverfew.rules import check_claim
from feverfew.rules.sampling import in_sample, unit
from feverfew.store.claim_tables import Campaign, Claim, RuleHit, Source, TextChange
from feverfew.store.database import now
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.store.settings import Settings
from feverfew.store.work_tables import Slot

FIVE = 5
"""People who label a claim of the five-way sample."""


def add_source(
    session: Session,
    campaign: Campaign,
    settings: Settings,
    *,
    key: str,
    kind: str,
    page: str = "",
    data: dict[str, Any],
) -> Source:
    """Add what claims are made from, and the slot of whoever writes them."""
    source = Source(campaign_id=campaign.id, key=key, kind=kind, page=page, data=data)
    session.add(source)
    session.flush()
    session.add(
        Slot(
            campaign_id=campaign.id,
            workflow=settings.workflows[0],
            source_id=source.id,
            begun=1,
            rank=unit(settings.seed, "source", source.id),
        )
    )
    return source


def add_claim(
    session: Session,
    campaign: Campaign,
    settings: Settings,
    *,
    text: str,
    author: Person | None = None,
    source: Source | None = None,
    parent: Claim | None = None,
    operation: str = "original",
    entity: str = "",
    generator: str = "",
    hops: int | None = None,
    challenge: str = "",
    state: str = "open",
    sources: Iterable[str] = (),
    data: dict[str, Any] | None = None,
) -> Claim:
    """Add a claim with the requirements that it breaks; where it is open, with its slots."""
    editing = settings.assignment.editing_hours if author is not None else 0.0
    claim = Claim(
        campaign_id=campaign.id,
        source_id=source.id if source else parent.source_id if parent else None,
        parent_id=parent.id if parent else None,
        operation=operation,
        text=" ".join(text.split()),
        entity=entity,
        author_id=author.id if author else None,
        generator=generator,
        state=state,
        hops=hops,
        challenge=challenge,
        data=data or {},
        open_from=now() + timedelta(hours=editing),
    )
    session.add(claim)
    session.flush()
    for hit in check_claim(claim.text, campaign.kind, entity=entity, sources=sources):
        session.add(RuleHit(claim_id=claim.id, rule=hit.rule, start=hit.start, end=hit.end))
    if state == "open":
        release_claim(session, claim, settings)
    return claim


def release_claim(session: Session, claim: Claim, settings: Settings) -> None:
    """Open the slots of a claim: samples are drawn here, before anyone has seen it."""
    claim.state = "open"
    workflow = settings.workflows[-1]
    names = (settings.seed, "claim", claim.id)
    count = settings.assignment.annotators
    five = count < FIVE and in_sample(settings.checks.five_way, settings.seed, "five", claim.id)
    kind = "five-way" if five else "regular"
    open_slots(session, claim, workflow, kind, FIVE if five else count, unit(*names))
    if in_sample(settings.checks.super_annotated, settings.seed, "super", claim.id):
        open_slots(session, claim, workflow, "super", 1, unit(*names))


def open_slots(
    session: Session,
    claim: Claim,
    workflow: str,
    kind: str,
    count: int,
    rank: float,
    begun: int = 1,
) -> Sequence[Slot]:
    """Open further slots of a claim, numbered after those that exist."""
    first = session.scalar(
        select(func.count())
        .select_from(Slot)
        .where(Slot.claim_id == claim.id, Slot.workflow == workflow, Slot.kind == kind)
    )
    slots = [
        Slot(
            campaign_id=claim.campaign_id,
            workflow=workflow,
            kind=kind,
            claim_id=claim.id,
            family=claim.source_id,
            ordinal=(first or 0) + place,
            begun=begun,
            rank=claim.id // 1000 + rank,
            open_from=claim.open_from,
        )
        for place in range(count)
    ]
    session.add_all(slots)
    return slots


def withdraw_claim(session: Session, claim: Claim, state: str) -> None:
    """Take a claim out of the pool: its open slots become void."""
    claim.state = state
    session.execute(
        update(Slot).where(Slot.claim_id == claim.id, Slot.state == "open").values(state="void")
    )


def edit_claim(session: Session, claim: Claim, person: Person, text: str) -> None:
    """Let an author change a claim while nobody else has seen it."""
    if claim.author_id != person.id:
        raise NotAllowed("only its author may edit a claim", known=True)
    if claim.open_from <= now():
        raise NotAllowed("others may see this claim now; it can no longer be edited", known=True)
    _change(session, claim, person, text)


def correct_claim(
    session: Session, claim: Claim, manager: Person, text: str, settings: Settings
) -> None:
    """Correct a claim that was reported, and serve it again."""
    _change(session, claim, manager, text)
    audit(session, manager, "correct claim", str(claim.id), after=text)
    if claim.state == "reported":
        claim.state = "open"
        workflow = settings.workflows[-1]
        missing = settings.assignment.annotators
        open_slots(session, claim, workflow, "regular", missing, 0.0, begun=0)


def _change(session: Session, claim: Claim, person: Person, text: str) -> None:
    text = " ".join(text.split())
    if not text or text == claim.text:
        return
    session.add(TextChange(claim_id=claim.id, person_id=person.id, before=claim.text, after=text))
    claim.text = text
