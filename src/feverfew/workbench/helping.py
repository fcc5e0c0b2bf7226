"""Helped by the checker, never led by it: "did you miss this?", after a verdict of one's own.

Chance decides which annotations are followed by the question, so that its effect can be measured.
People see pieces of evidence, never what the checker makes of the claim.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.rules.sampling import in_sample
from feverfew.score.arms import Effect, effect
from feverfew.score.intervals import Interval, wilson
from feverfew.store.claim_tables import Campaign
from feverfew.store.database import now
from feverfew.store.settings import Settings
from feverfew.store.work_tables import Annotation, Asked, Slot
from feverfew.types import Kind
from feverfew.workbench.bench import Bench
from feverfew.workbench.judgements import Told, told
from feverfew.workbench.tasks import MOST_SETS, Task

_KINDS = ("regular", "five-way", "quality", "redo", "test")
"""Experts and learners work alone; hidden tests must look like all else."""


def draw_arm(task: Task, annotation: Annotation) -> str:
    """Draw the arm of an annotation and keep it; "" where nothing is asked in the campaign."""
    share = task.settings.help.share
    if not share or annotation.outcome != "label" or task.slot.kind not in _KINDS:
        return ""
    drawn = in_sample(share, task.settings.seed, "help", annotation.id)
    arm = "asked" if drawn else "control"
    task.session.add(Asked(annotation_id=annotation.id, arm=arm))
    return arm


def open_question(session: Session, slot: Slot) -> Asked | None:
    """Return what is to be asked after a slot's annotation, unless it was answered."""
    return session.scalar(
        select(Asked)
        .join(Annotation, Annotation.id == Asked.annotation_id)
        .where(Annotation.slot_id == slot.id, Asked.arm == "asked", Asked.answered.is_(None))
    )


def look_for_missed(bench: Bench, task: Task) -> list[str]:
    """Return what the checker finds for a claim, and the person has not taken."""
    assert task.claim is not None
    (report,) = bench.check([task.claim.text])
    own = {name for one in task.draft["sets"] for name in one}
    found = [
        str(one.ref)
        for one in (*report.evidence, *report.against)
        if task.campaign.kind != "fever" or one.ref.kind is Kind.SENTENCE
    ]
    return [name for name in dict.fromkeys(found) if name not in own][: task.settings.help.most]


def answer_question(task: Task, asked: Asked, places: dict[str, str], verdict: str) -> None:
    """Put what was missed into its sets: numbers of sets, or "new" for one of its own."""
    sets: list[list[str]] = [list(one) for one in task.draft["sets"] if one]
    taken = []
    for name in asked.refs or ():
        place = places.get(name, "")
        if place == "new" and len(sets) < MOST_SETS[task.campaign.kind]:
            sets.append([name])
        elif place.isdecimal() and int(place) < len(sets):
            sets[int(place)].append(name)
        else:
            continue
        taken.append(name)
    asked.taken, asked.answered = taken, now()
    task.draft["sets"], task.draft["verdict"] = sets or [[]], verdict


class HelpEffect(Struct, frozen=True):
    """What the question did, where it was asked and where it was not."""

    asked: int
    found: tuple[int, Interval]
    """How often there was something to ask, of those that were to be asked."""
    taken: tuple[int, Interval]
    """How often something of it was taken, of those with something to ask."""
    changed: tuple[int, Interval]
    """How often the verdict changed, of the same."""
    effects: tuple[Effect, ...]


def help_effect(session: Session, campaign: Campaign, settings: Settings) -> HelpEffect | None:
    """Compare the arms of a campaign; None where nothing was drawn."""
    drawn = _drawn(session, campaign)
    if not drawn:
        return None
    said = told(session, campaign, settings)
    treated = [one for one, _, _ in drawn if one.arm == "asked"]
    shown = [(one, first, slot) for one, first, slot in drawn if one.refs]
    last = {one.slot.id: one.annotation.verdict for own in said.values() for one in own}
    measures = _measures(said, {slot: one.arm for one, _, slot in drawn})
    return HelpEffect(
        len(treated),
        _share(len(shown), len(treated)),
        _share(sum(bool(one.taken) for one, _, _ in shown), len(shown)),
        _share(sum(first != last.get(slot, first) for _, first, slot in shown), len(shown)),
        tuple(effect(name, values) for name, values in measures.items()),
    )


def _drawn(session: Session, campaign: Campaign) -> list[tuple[Asked, str | None, int]]:
    """Return what was drawn, each with the person's own verdict and the slot."""
    rows = session.execute(
        select(Asked, Annotation.verdict, Annotation.slot_id)
        .join(Annotation, Annotation.id == Asked.annotation_id)
        .join(Slot, Slot.id == Annotation.slot_id)
        .where(Slot.campaign_id == campaign.id, Slot.kind != "test")
    )
    return [(asked, verdict, slot) for asked, verdict, slot in rows]


def arms_of(session: Session, campaign: Campaign) -> dict[int, str]:
    """Return the arm of each slot that was drawn."""
    return {slot: one.arm for one, _, slot in _drawn(session, campaign)}


def _share(count: int, total: int) -> tuple[int, Interval]:
    return count, wilson(count, total)


def _measures(
    said: dict[int, list[Told]], arms: dict[int, str]
) -> dict[str, list[tuple[str, bool, float]]]:
    """Measure every annotation that was drawn, as it stands now."""
    found: dict[str, list[tuple[str, bool, float]]] = {
        "verdict agrees with the others'": [],
        "pieces of evidence": [],
        "recall of the experts' evidence": [],
        "precision against the experts'": [],
        "seconds of work": [],
    }
    agrees, pieces, recall, precision, seconds = found.values()
    for claim, own in said.items():
        experts = {ref for one in own if one.slot.kind == "super" for ref in _refs(one)}
        people = [one for one in own if one.slot.kind != "super"]
        for one in people:
            if one.slot.id not in arms:
                continue
            key, treated = str(claim), arms[one.slot.id] == "asked"
            refs = _refs(one)
            pieces.append((key, treated, float(len(refs))))
            seconds.append((key, treated, one.seconds))
            if others := [two for two in people if two is not one]:
                agrees.append((key, treated, _agreement(one, others)))
            if experts:
                recall.append((key, treated, len(refs & experts) / len(experts)))
            if experts and refs:
                precision.append((key, treated, len(refs & experts) / len(refs)))
    return found


def _agreement(one: Told, others: Sequence[Told]) -> float:
    same = sum(two.annotation.verdict == one.annotation.verdict for two in others)
    return same / len(others)


def _refs(one: Told) -> set[Any]:
    return {e.ref for own in one.sets for e in own}
