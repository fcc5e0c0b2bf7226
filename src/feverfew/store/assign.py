"""Assignment: `take` gives a person the next slot of a workflow, in one transaction.

In this order: the lease that the person holds; a hidden test, by a seeded schedule; a lease of
someone else that has run out; the first open slot that the person may have. Nobody gets a claim
whose source they wrote about, nor the same claim twice, nor their own team's evidence. Unique
constraints make doubles impossible even if this file were wrong.
"""

from datetime import timedelta
from functools import cache

from sqlalchemy import (
    BindParameter,
    Exists,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased
from sqlalchemy.sql.dml import ReturningUpdate

from feverfew.errors import NotAllowed
from feverfew.rules.sampling import in_sample
from feverfew.store.arena_tables import DrawTeam, PoolDraw
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.database import Database, UtcTime, now
from feverfew.store.settings import Settings, role_for
from feverfew.store.team_tables import Membership
from feverfew.store.work_tables import Gold, Slot

_TRIES = 5


def held(session: Session, campaign_id: int, person_id: int, workflow: str) -> Slot | None:
    """Return the slot that a person holds in a workflow."""
    return session.scalar(
        select(Slot).where(
            Slot.person_id == person_id,
            Slot.campaign_id == campaign_id,
            Slot.workflow == workflow,
            Slot.state == "leased",
        )
    )


def take(
    database: Database,
    campaign: Campaign,
    settings: Settings,
    person_id: int,
    workflow: str,
    *,
    supers: bool = False,
) -> Slot | None:
    """Lease the next slot to a person; None where nothing is left for them.

    With `supers`, the slots of super-annotators; without, those of everyone.
    """
    until = now() + timedelta(hours=settings.assignment.lease_hours)
    for _ in range(_TRIES):
        try:
            with database.write() as session:
                slot = _hidden_test(session, campaign, settings, person_id, workflow)
                if slot is not None:
                    slot.state, slot.person_id, slot.leased_until = "leased", person_id, until
                    slot.started = now()
                    session.flush()
                    return slot
                return session.scalar(
                    _leasing(workflow, supers, database.locks_rows),
                    {
                        "in_campaign": campaign.id,
                        "by": person_id,
                        "at_moment": now(),
                        "lasting": until,
                    },
                    execution_options={"synchronize_session": False},
                )
        except IntegrityError:
            continue  # the same person asked twice at once: the other request won
    raise NotAllowed("too many requests at once; try again", known=True)


@cache
def _leasing(workflow: str, supers: bool, locks_rows: bool) -> ReturningUpdate[Slot]:
    """Write the statement that chooses a slot and leases it at once.

    It is one statement, so that nobody comes in between, and it is made once: that takes longer
    than to carry it out.
    """
    person, moment = bindparam("by", type_=Integer), bindparam("at_moment", type_=UtcTime)
    mine = and_(
        Slot.campaign_id == bindparam("in_campaign", type_=Integer), Slot.workflow == workflow
    )
    own = and_(Slot.person_id == person, Slot.state == "leased")
    kinds = Slot.kind == "super" if supers else Slot.kind != "super"
    expired = select(Slot.id).where(mine, Slot.state == "leased", Slot.leased_until < moment, kinds)
    opened = select(Slot.id).where(mine, Slot.state == "open", Slot.open_from <= moment, kinds)
    choices = [select(Slot.id).where(mine, own)]
    for wanted in (
        expired.order_by(Slot.leased_until),
        opened.order_by(Slot.begun, Slot.rank),
    ):
        query = _allowed(wanted, person, workflow).limit(1)
        if locks_rows:
            query = query.with_for_update(skip_locked=True, of=Slot)
        choices.append(query)
    # The first choice that there is; those after it are not even looked for.
    chosen = func.coalesce(*(one.correlate(None).scalar_subquery() for one in choices))
    return (
        update(Slot)
        .where(Slot.id == chosen)
        .values(
            state="leased",
            person_id=person,
            leased_until=bindparam("lasting", type_=UtcTime),
            started=case((own, Slot.started), else_=moment),
        )
        .returning(Slot)
    )


def renew(session: Session, slot: Slot, hours: float) -> None:
    """Let a lease last longer: its holder is at work."""
    slot.leased_until = now() + timedelta(hours=hours)


def _allowed(query: Select[int], person_id: BindParameter[int], workflow: str) -> Select[int]:
    """Leave out what a person has done already and, from judging, what they wrote."""
    other = aliased(Slot)
    done = exists().where(
        other.claim_id == Slot.claim_id,
        other.workflow == Slot.workflow,
        other.person_id == person_id,
        other.id != Slot.id,
    )
    seen = exists().where(
        other.source_id == Slot.source_id,
        other.workflow == Slot.workflow,
        other.person_id == person_id,
        other.id != Slot.id,
    )
    query = query.where(~done, ~seen)
    if workflow == "pool":
        return query.where(~_of_own_team(person_id))
    if role_for(workflow) == "writer":
        return query
    return query.where(
        ~exists().where(Claim.source_id == Slot.family, Claim.author_id == person_id)
    )


def _of_own_team(person_id: BindParameter[int]) -> Exists:
    """Say whether a person's own team returned the evidence that is to be judged."""
    return exists().where(
        PoolDraw.claim_id == Slot.claim_id,
        DrawTeam.draw_id == PoolDraw.id,
        Membership.team_id == DrawTeam.team_id,
        Membership.person_id == person_id,
    )


def may_work(slot: Slot, person_id: int) -> None:
    """Refuse who does not hold a slot."""
    if slot.state == "done" and slot.person_id == person_id:
        raise NotAllowed("this task was submitted already", known=True)
    if slot.person_id != person_id or slot.state != "leased":
        raise NotAllowed("this task is no longer yours; take the next one", known=True)


def _hidden_test(
    session: Session, campaign: Campaign, settings: Settings, person_id: int, workflow: str
) -> Slot | None:
    """Make a hidden test slot where the schedule has one for the person's next task."""
    if workflow not in ("label", "verify") or not settings.checks.tests:
        return None
    done, held_now = session.execute(
        select(
            func.count().filter(Slot.state == "done"), func.count().filter(Slot.state == "leased")
        ).where(
            Slot.person_id == person_id,
            Slot.campaign_id == campaign.id,
            Slot.workflow == workflow,
        )
    ).one()
    if held_now:
        return None
    if not in_sample(settings.checks.tests, settings.seed, "test", campaign.id, person_id, done):
        return None
    return next_gold(session, campaign.id, person_id, workflow, "test")


def next_gold(
    session: Session, campaign_id: int, person_id: int, workflow: str, use: str, phase: int = 0
) -> Slot | None:
    """Make a person's slot for the next gold claim of a use that they have not seen."""
    seen = exists().where(Slot.claim_id == Gold.claim_id, Slot.person_id == person_id)
    gold = session.scalar(
        select(Gold)
        .where(Gold.campaign_id == campaign_id, Gold.use == use, Gold.phase == phase, ~seen)
        .order_by(Gold.id)
        .limit(1)
    )
    if gold is None:
        return None
    slot = Slot(
        campaign_id=campaign_id,
        workflow=workflow,
        kind=use,
        claim_id=gold.claim_id,
        ordinal=person_id,
        begun=1,
    )
    session.add(slot)
    return slot


def mark_begun(session: Session, claim_id: int) -> None:
    """Let what is left of a claim be done before claims that nobody has begun."""
    session.execute(
        update(Slot)
        .where(Slot.claim_id == claim_id, Slot.state == "open", Slot.begun != 0)
        .values(begun=0),
        execution_options={"synchronize_session": False},
    )
