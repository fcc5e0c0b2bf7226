"""Submitting: an annotation and all that follows from it, in one transaction."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from feverfew.errors import InputError, NotAllowed
from feverfew.rules.sampling import extra_annotators, unit
from feverfew.store.assign import mark_begun, may_work, renew
from feverfew.store.claim_tables import Campaign, Claim, Guideline
from feverfew.store.claims import open_slots, withdraw_claim
from feverfew.store.database import now
from feverfew.store.people_tables import Person
from feverfew.store.settings import Settings
from feverfew.store.work_tables import (
    Annotation,
    Draft,
    Evidence,
    Message,
    Operation,
    Slot,
    Thread,
)

SKIP_REASONS = {
    "ambiguous": "ambiguous, vague or personal: no public information could settle it",
    "guidelines": "does not meet the guidelines for writing claims",
    "typo": "has a typo or a grammatical error",
    "unverifiable": "cannot be verified using any publicly available information",
    "display": "the evidence it needs is not displayed correctly",
    "not-understood": "cannot be understood",
    "unwilling": "I do not want to annotate this",
}
"""Why a claim may be skipped or reported; the last gives it to someone else."""
_QUALITY_OF = ("regular",)
"""Kinds of slots that are checked by further people."""


class Element(Struct, frozen=True):
    """An element of evidence, with its context."""

    ref: str
    context: tuple[str, ...] = ()


class Work(Struct, frozen=True):
    """What a person submits."""

    outcome: str = "label"
    verdict: str | None = None
    sets: tuple[tuple[Element, ...], ...] = ()
    reasons: tuple[str, ...] = ()
    note: str = ""
    challenge: str = ""
    flagged: bool = False
    answers: dict[str, Any] = {}


def submit(
    session: Session,
    campaign: Campaign,
    settings: Settings,
    slot: Slot,
    person: Person,
    work: Work,
) -> Annotation:
    """Keep an annotation, close its slot, and open what the samples ask for."""
    may_work(slot, person.id)
    if unknown := [reason for reason in work.reasons if reason not in SKIP_REASONS]:
        raise InputError(f"unknown reason {unknown[0]!r}; known are {', '.join(SKIP_REASONS)}")
    draft = session.get(Draft, slot.id)
    annotation = _keep(session, campaign, slot, person, work, 1, draft.active_ms if draft else 0)
    slot.state, slot.leased_until = "done", None
    session.flush()
    if slot.claim_id is not None and slot.kind not in ("quiz", "calibration", "test"):
        _follow_up(session, settings, slot, person, work, annotation)
    return annotation


def _keep(
    session: Session,
    campaign: Campaign,
    slot: Slot,
    person: Person,
    work: Work,
    version: int,
    active_ms: int,
) -> Annotation:
    guideline = select(func.coalesce(func.max(Guideline.version), 0)).where(
        Guideline.campaign_id == campaign.id
    )
    annotation = Annotation(
        slot_id=slot.id,
        claim_id=slot.claim_id,
        person_id=person.id,
        version=version,
        outcome=work.outcome,
        verdict=work.verdict,
        reasons=list(work.reasons),
        note=work.note,
        challenge=work.challenge,
        flagged=work.flagged,
        answers=work.answers,
        guideline=guideline.scalar_subquery(),
        active_ms=active_ms,
    )
    session.add(annotation)
    session.flush()
    for number, one in enumerate(work.sets):
        for place, element in enumerate(one):
            session.add(
                Evidence(
                    annotation_id=annotation.id,
                    number=number,
                    place=place,
                    ref=element.ref,
                    context=list(element.context),
                )
            )
    return annotation


def _follow_up(
    session: Session,
    settings: Settings,
    slot: Slot,
    person: Person,
    work: Work,
    annotation: Annotation,
) -> None:
    assert slot.claim_id is not None
    if work.outcome in ("skip", "report"):
        claim = session.get_one(Claim, slot.claim_id)
        if work.reasons == ("unwilling",):
            open_slots(session, claim, slot.workflow, slot.kind, 1, slot.rank % 1, begun=0)
        elif slot.kind != "super":
            withdraw_claim(session, claim, "reported")
        if work.note:
            open_thread(session, claim, person, work.note)
        return
    mark_begun(session, slot.claim_id)
    if work.flagged:
        claim = session.get_one(Claim, slot.claim_id)
        open_thread(session, claim, person, work.note or "flagged")
    if slot.kind in _QUALITY_OF and settings.assignment.annotators == 1:
        checks = settings.checks
        extra = extra_annotators(
            settings.seed, annotation.id, share=checks.quality, two_way=checks.two_way
        )
        if not extra:
            return
        rank = unit(settings.seed, "extra", annotation.id)
        claim = session.get_one(Claim, slot.claim_id)
        open_slots(session, claim, slot.workflow, "quality", extra, rank, begun=0)


def revise(
    session: Session,
    campaign: Campaign,
    settings: Settings,
    slot: Slot,
    person: Person,
    work: Work,
) -> Annotation:
    """Correct one's own recent annotation: a new version, the old one stays."""
    last = session.scalar(
        select(Annotation).where(Annotation.slot_id == slot.id).order_by(Annotation.version.desc())
    )
    if last is None or last.person_id != person.id or slot.state != "done":
        raise NotAllowed("only what you submitted yourself can be corrected", known=True)
    if slot.kind in ("quiz", "calibration", "test"):
        raise NotAllowed("this answer was graded already", known=True)
    if last.at + timedelta(hours=settings.assignment.edit_submitted_hours) < now():
        raise NotAllowed("this was submitted too long ago to be corrected", known=True)
    return _keep(session, campaign, slot, person, work, last.version + 1, 0)


def reconsider(
    session: Session, campaign: Campaign, slot: Slot, person: Person, work: Work, active_ms: int
) -> Annotation:
    """Keep what a person says once they were asked: a second version, right after the first.

    What was graded stays graded by the first. A page may claim no more time than has passed.
    """
    first = session.scalars(select(Annotation).where(Annotation.slot_id == slot.id)).one_or_none()
    if first is None or first.person_id != person.id or slot.state != "done":
        raise NotAllowed("this can no longer be answered", known=True)
    passed = int((now() - first.at).total_seconds() * 1000)
    return _keep(session, campaign, slot, person, work, 2, min(active_ms, passed))


def save_draft(
    session: Session,
    settings: Settings,
    slot: Slot,
    person: Person,
    data: dict[str, Any],
    active_ms: int,
) -> None:
    """Keep unfinished work, add to its time, and let its lease last longer."""
    may_work(slot, person.id)
    moment = now()
    draft = session.get(Draft, slot.id)
    if draft is None or draft.person_id != person.id:
        if draft is not None:
            session.delete(draft)
            session.flush()
        draft = Draft(slot_id=slot.id, person_id=person.id, data=data, active_ms=0)
        draft.saved = slot.started or moment
        session.add(draft)
    # A page may claim no more time than has passed, and a long pause counts for nothing.
    passed = int((moment - draft.saved).total_seconds() * 1000)
    idle = settings.assignment.idle_seconds * 1000
    given = max(0, min(active_ms, passed))
    draft.active_ms += given if given <= idle else 0
    draft.data, draft.saved = data, moment
    renew(session, slot, settings.assignment.lease_hours)


def log_operation(session: Session, slot: Slot, person: Person, name: str, value: str) -> None:
    """Log what a person did, with the seconds since the task began."""
    began = slot.started or now()
    seconds = max(0.0, (now() - began).total_seconds())
    session.add(
        Operation(
            slot_id=slot.id,
            person_id=person.id,
            name=name,
            value=value[:2000],
            seconds=round(seconds, 3),
        )
    )


def open_thread(session: Session, claim: Claim, person: Person, text: str) -> Thread:
    """Say something about a claim, in its open discussion or in a new one."""
    thread = session.scalar(
        select(Thread).where(Thread.claim_id == claim.id, Thread.closed.is_(None))
    )
    if thread is None:
        thread = Thread(claim_id=claim.id)
        session.add(thread)
        session.flush()
    session.add(Message(thread_id=thread.id, person_id=person.id, text=text))
    return thread


def elements(annotations: Sequence[int], session: Session) -> dict[int, list[list[Evidence]]]:
    """Return the evidence sets of annotations."""
    found: dict[int, dict[int, list[Evidence]]] = {}
    query = (
        select(Evidence)
        .where(Evidence.annotation_id.in_(annotations))
        .order_by(Evidence.annotation_id, Evidence.number, Evidence.place)
    )
    for one in session.scalars(query):
        found.setdefault(one.annotation_id, {}).setdefault(one.number, []).append(one)
    return {key: list(sets.values()) for key, sets in found.items()}
