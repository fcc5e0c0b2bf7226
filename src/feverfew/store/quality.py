"""Quality: grading against gold, who may work, and redoing the work of those who fail."""

from collections.abc import Iterable

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from feverfew.rules.qualification import Answer, Standing, grade, may_start_phase, standing
from feverfew.store.assign import next_gold
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.claims import open_slots
from feverfew.store.database import now
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.store.settings import Settings
from feverfew.store.submit import elements
from feverfew.store.work_tables import Annotation, Gold, Grade, Qualification, Slot, Voided
from feverfew.types import Ref, Verdict

_USES = ("quiz", "calibration", "test")


class Learning(Struct, frozen=True):
    """How far a person has come before live work."""

    state: str
    """qualified, learning, waiting, suspended or rejected."""
    next_use: str = ""
    """quiz or calibration, where there is something to do."""
    phase: int = 0
    quiz: tuple[int, int] = (0, 0)
    """Right, answered."""
    why: str = ""


def state_of(session: Session, person_id: int, campaign_id: int, workflow: str) -> str:
    """Return the newest decision on a person, or ""."""
    found = session.scalar(
        select(Qualification.state)
        .where(
            Qualification.person_id == person_id,
            Qualification.campaign_id == campaign_id,
            Qualification.workflow == workflow,
        )
        .order_by(Qualification.id.desc())
        .limit(1)
    )
    return found or ""


def decide(
    session: Session,
    campaign: Campaign,
    person: Person,
    workflow: str,
    state: str,
    *,
    by: Person | None = None,
    why: str = "",
) -> None:
    """Decide on a person."""
    session.add(
        Qualification(
            person_id=person.id,
            campaign_id=campaign.id,
            workflow=workflow,
            state=state,
            why=why,
            decided_by=by.id if by else None,
        )
    )
    audit(session, by, f"qualification: {state}", person.pseudonym, after=why)


def learning_state(
    session: Session, campaign: Campaign, settings: Settings, person: Person, workflow: str
) -> Learning:
    """Say whether a person may work, and what they must do first."""
    state = state_of(session, person.id, campaign.id, workflow)
    if state in ("suspended", "rejected", "qualified"):
        return Learning(state)
    if not settings.checks.qualification or workflow not in ("label", "verify"):
        return Learning("qualified")
    right, answered = _tally(session, campaign.id, person.id, "quiz")
    quizzes = _count_golds(session, campaign.id, "quiz")
    if quizzes and answered < quizzes:
        return Learning("learning", "quiz", 0, (right, answered))
    if quizzes and standing(right, answered, needed=settings.checks.quiz_pass, least=1) is (
        Standing.FAILED
    ):
        return Learning("rejected", quiz=(right, answered), why="the quiz was not passed")
    done, seen = _phases(session, campaign.id, person.id)
    available = [_count_golds(session, campaign.id, "calibration", p) for p in (0, 1)]
    wanted = [min(n, have) for n, have in zip(settings.checks.calibration, available, strict=True)]
    for phase in (0, 1):
        if done[phase] < wanted[phase]:
            if may_start_phase(phase, done, seen, wanted):
                return Learning("learning", "calibration", phase, (right, answered))
            return Learning("waiting", "feedback", phase, (right, answered))
    if sum(wanted):
        return Learning("waiting", quiz=(right, answered), why="a manager has to approve")
    return Learning("qualified", quiz=(right, answered))


def _count_golds(session: Session, campaign_id: int, use: str, phase: int = 0) -> int:
    query = select(func.count()).select_from(Gold)
    query = query.where(Gold.campaign_id == campaign_id, Gold.use == use, Gold.phase == phase)
    return session.scalar(query) or 0


def _tally(session: Session, campaign_id: int, person_id: int, use: str) -> tuple[int, int]:
    rights = session.scalars(
        select(Grade.right).where(
            Grade.campaign_id == campaign_id, Grade.person_id == person_id, Grade.use == use
        )
    ).all()
    return sum(rights), len(rights)


def _phases(session: Session, campaign_id: int, person_id: int) -> tuple[list[int], list[int]]:
    done, seen = [0, 0], [0, 0]
    rows = session.execute(
        select(Grade.phase, Grade.seen).where(
            Grade.campaign_id == campaign_id,
            Grade.person_id == person_id,
            Grade.use == "calibration",
        )
    )
    for phase, looked in rows:
        done[phase] += 1
        seen[phase] += looked is not None
    return done, seen


def learning_slot(
    session: Session, campaign: Campaign, person: Person, workflow: str, state: Learning
) -> Slot | None:
    """Make the next slot of the quiz or the calibration."""
    if state.next_use not in ("quiz", "calibration"):
        return None
    return next_gold(session, campaign.id, person.id, workflow, state.next_use, state.phase)


def see_grades(session: Session, campaign_id: int, person_id: int) -> None:
    """Note that a person has looked at their grades."""
    for one in session.scalars(
        select(Grade).where(
            Grade.campaign_id == campaign_id, Grade.person_id == person_id, Grade.seen.is_(None)
        )
    ):
        one.seen = now()


def grade_annotation(
    session: Session, campaign: Campaign, settings: Settings, slot: Slot, annotation: Annotation
) -> Grade | None:
    """Grade an answer to a gold claim; who falls below the bar of the tests is suspended."""
    if slot.kind not in _USES or slot.claim_id is None:
        return None
    gold = session.scalar(
        select(Gold).where(Gold.claim_id == slot.claim_id).order_by(Gold.version.desc()).limit(1)
    )
    if gold is None:
        return None
    own = elements([annotation.id], session).get(annotation.id, [])
    given = Answer(
        Verdict(annotation.verdict or Verdict.NOT_ENOUGH_INFO),
        tuple(frozenset(Ref.parse(e.ref) for e in one) for one in own),
        annotation.challenge,
    )
    wanted = Answer(
        Verdict(gold.verdict),
        tuple(frozenset(map(Ref.parse, one)) for one in gold.sets),
        gold.challenge,
    )
    found = grade(given, wanted)
    row = Grade(
        annotation_id=annotation.id,
        person_id=annotation.person_id,
        campaign_id=campaign.id,
        use=slot.kind,
        phase=gold.phase,
        right=found.label and annotation.outcome == "label",
        precision=found.precision,
        recall=found.recall,
        feedback=gold.explanation,
    )
    session.add(row)
    session.flush()
    if slot.kind == "test":
        _hold_to_tests(session, campaign, settings, slot)
    return row


def _hold_to_tests(session: Session, campaign: Campaign, settings: Settings, slot: Slot) -> None:
    assert slot.person_id is not None
    right, answered = _tally(session, campaign.id, slot.person_id, "test")
    checks = settings.checks
    found = standing(right, answered, needed=checks.test_pass, least=checks.least_tests)
    if found is Standing.FAILED:
        person = session.get_one(Person, slot.person_id)
        why = f"{right} of {answered} test questions right"
        suspend(session, campaign, person, slot.workflow, why)


def suspend(
    session: Session,
    campaign: Campaign,
    person: Person,
    workflow: str,
    why: str,
    by: Person | None = None,
) -> int:
    """Suspend a person, and have all their work of a workflow redone by others."""
    decide(session, campaign, person, workflow, "suspended", by=by, why=why)
    slots = session.scalars(
        select(Slot).where(
            Slot.person_id == person.id,
            Slot.campaign_id == campaign.id,
            Slot.workflow == workflow,
            Slot.claim_id.is_not(None),
            Slot.kind.not_in(_USES),
        )
    ).all()
    return sum(_redo(session, slot, why) for slot in slots)


def _redo(session: Session, slot: Slot, why: str) -> bool:
    if slot.state == "leased":
        slot.state, slot.person_id, slot.leased_until = "open", None, None
        return False
    annotations = session.scalars(select(Annotation).where(Annotation.slot_id == slot.id)).all()
    void(session, [a.id for a in annotations], why)
    claim = session.get_one(Claim, slot.claim_id)
    if slot.state == "done" and claim.state == "open":
        open_slots(session, claim, slot.workflow, "redo", 1, slot.rank % 1, begun=0)
        return True
    return False


def void(session: Session, annotations: Iterable[int], why: str) -> None:
    """Say of annotations that they no longer count."""
    for one in annotations:
        if session.get(Voided, one) is None:
            session.add(Voided(annotation_id=one, why=why))
