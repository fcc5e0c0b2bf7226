"""What leaves the workbench: data sets in the official formats, raw annotations, hours and pay."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from feverfew.errors import InputError
from feverfew.readers.claims import spell_label
from feverfew.store.campaigns import settings_of
from feverfew.store.claim_tables import Campaign, Claim, Source
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.store.work_tables import Annotation, Operation, Release, Slot
from feverfew.types import Ref, Verdict
from feverfew.workbench.helping import arms_of
from feverfew.workbench.judgements import Told, labelled, told


def _fever(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    for claim, decision, said in labelled(session, campaign, settings_of(campaign)):
        assert decision.label is not None
        nei = decision.label is Verdict.NOT_ENOUGH_INFO
        sets: list[list[list[Any]]] = []
        if not nei:
            known = {frozenset(one) for one in decision.sets}
            sets = _fever_sets(said, known)
        first = said[0].annotation.id
        yield {
            "id": claim.id,
            "verifiable": "NOT VERIFIABLE" if nei else "VERIFIABLE",
            "label": spell_label(decision.label, "fever"),
            "claim": claim.text,
            "evidence": sets or [[[first, None, None, None]]],
        }


def _fever_sets(said: list[Told], known: set[frozenset[Ref]]) -> list[list[list[Any]]]:
    """Write the sets that count, each once, with the annotation that found it."""
    made: dict[frozenset[Ref], list[list[Any]]] = {}
    for one in said:
        for own in one.sets:
            refs = [Ref.parse(e.ref) for e in own]
            if frozenset(refs) in known and frozenset(refs) not in made:
                made[frozenset(refs)] = [
                    [one.annotation.id, e.id, ref.page, *ref.position]
                    for e, ref in sorted(zip(own, refs, strict=True), key=lambda pair: pair[1])
                ]
    return list(made.values())


def _feverous(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    yield {
        "id": "",
        "label": "",
        "claim": "",
        "evidence": [],
        "annotator_operations": [],
        "expected_challenge": "",
        "challenge": "",
    }  # the header record of the official files
    operations = _operations(session, campaign)
    for claim, decision, said in labelled(session, campaign, settings_of(campaign)):
        assert decision.label is not None
        one = next((t for t in said if t.annotation.verdict == decision.label), said[0])
        yield {
            "id": claim.id,
            "label": spell_label(decision.label, "feverous"),
            "claim": claim.text,
            "evidence": [
                {
                    "content": [e.ref for e in own],
                    "context": {e.ref: e.context for e in own},
                }
                for own in one.sets
            ],
            "annotator_operations": operations.get(one.slot.id, []),
            "expected_challenge": claim.challenge,
            "challenge": one.annotation.challenge,
        }


def _operations(session: Session, campaign: Campaign) -> dict[int, list[dict[str, str]]]:
    found: dict[int, list[dict[str, str]]] = defaultdict(list)
    rows = session.scalars(
        select(Operation)
        .join(Slot, Slot.id == Operation.slot_id)
        .where(Slot.campaign_id == campaign.id, Operation.person_id == Slot.person_id)
        .order_by(Operation.id)
    )
    for row in rows:
        time = "0" if row.name == "start" else str(row.seconds)
        found[row.slot_id].append({"operation": row.name, "value": row.value, "time": time})
    return found


def _hover(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    ids = {
        row.id: row.data.get("id", "")
        for row in session.scalars(select(Source).where(Source.campaign_id == campaign.id))
    }

    def row(claim: Claim, label: Verdict) -> dict[str, Any]:
        facts = [Ref.parse(one) for one in claim.data.get("facts", [])]
        supported = label is Verdict.SUPPORTED
        return {
            "uid": str(claim.id),
            "claim": claim.text,
            "supporting_facts": [[ref.page, *ref.position] for ref in facts],
            "label": "SUPPORTED" if supported else "NOT_SUPPORTED",
            "num_hops": claim.hops or len({ref.page for ref in facts}),
            "hpqa_id": ids.get(claim.source_id or 0, ""),
        }

    kept = select(Claim).where(Claim.campaign_id == campaign.id, Claim.state == "kept")
    for claim in session.scalars(kept.order_by(Claim.id)):
        yield row(claim, Verdict.SUPPORTED)  # validated, and so supported by construction
    for claim, decision, _ in labelled(session, campaign, settings_of(campaign)):
        assert decision.label is not None
        if claim.state == "open":
            yield row(claim, decision.label)


def _raw(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Write one line for each person and claim, as `feverfew agreement` reads it."""
    arms = arms_of(session, campaign)
    for claim, said in told(session, campaign, settings_of(campaign)).items():
        for one in said:
            yield {
                "id": claim,
                "annotator": one.pseudonym,
                "label": one.annotation.verdict,
                "evidence": sorted({e.ref for own in one.sets for e in own}),
                "kind": one.slot.kind,
                "challenge": one.annotation.challenge,
                "guideline": one.annotation.guideline,
                "seconds": one.seconds,
                "answers": one.annotation.answers,
                "help": arms.get(one.slot.id, ""),
            }


def _claims(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Write every claim with its parents: for inside use, as it gives labels away."""
    names = {p.id: p.pseudonym for p in session.scalars(select(Person))}
    query = select(Claim).where(Claim.campaign_id == campaign.id, Claim.state != "gold")
    for claim in session.scalars(query.order_by(Claim.id)):
        yield {
            "id": claim.id,
            "claim": claim.text,
            "type": claim.operation,
            "parent": claim.parent_id,
            "source": claim.source_id,
            "entity": claim.entity,
            "author": names.get(claim.author_id or 0, claim.generator),
            "state": claim.state,
            "expected_challenge": claim.challenge,
            "hops": claim.hops,
            **claim.data,
        }


def _hours(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Write tasks, hours and pay of each person, workflow and day."""
    pay = settings_of(campaign).pay
    rows = session.execute(
        select(
            Person.pseudonym,
            Slot.workflow,
            Annotation.at,
            Annotation.active_ms,
            Claim.hops,
            Annotation.answers,
            Annotation.version,
        )
        .join(Slot, Slot.id == Annotation.slot_id)
        .join(Person, Person.id == Annotation.person_id)
        .outerjoin(Claim, Claim.id == Annotation.claim_id)
        .where(Slot.campaign_id == campaign.id)
    )
    found: dict[tuple[str, str, str], list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for pseudonym, workflow, when, active, hops, answers, version in rows:
        own = found[pseudonym, workflow, when.date().isoformat()]
        own[1] += active / 3_600_000
        if version > 1:  # a task is paid once, its time counts whole
            continue
        own[0] += 1
        own[2] += pay.task.get(workflow, 0.0) + pay.hop * max(0, (hops or 2) - 2)
        own[2] += pay.bonus if answers.get("bonus") == "yes" else 0.0
    for (pseudonym, workflow, day), (tasks, hours, cents) in sorted(found.items()):
        yield {
            "annotator": pseudonym,
            "workflow": workflow,
            "day": day,
            "tasks": int(tasks),
            "hours": round(hours, 4),
            "pay": round(cents / 100, 2),
        }


def _profiles(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Write the profiles of those who worked in a campaign, as counts only."""
    people = session.scalars(
        select(Person).where(
            Person.id.in_(
                select(Annotation.person_id)
                .join(Slot, Slot.id == Annotation.slot_id)
                .where(Slot.campaign_id == campaign.id)
            )
        )
    ).all()
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for person in people:
        for name, value in person.profile.items():
            counts[name, value or "not given"] += 1
    for (name, value), count in sorted(counts.items()):
        yield {"property": name, "value": value, "people": count}


FORMS: dict[str, Callable[[Session, Campaign], Iterator[dict[str, Any]]]] = {
    "fever": _fever,
    "feverous": _feverous,
    "hover": _hover,
    "annotations": _raw,
    "claims": _claims,
    "hours": _hours,
    "profiles": _profiles,
}
_DATA_SETS = ("fever", "feverous", "hover")


def export(session: Session, campaign: Campaign, form: str = "") -> bytes:
    """Write a campaign in one of the forms; by default its own data set."""
    form = form or campaign.kind
    if form not in FORMS:
        raise InputError(f"unknown form {form!r}; known are {', '.join(FORMS)}")
    if form in _DATA_SETS:
        if form != campaign.kind:
            raise InputError(f"{campaign.name} is a campaign of {campaign.kind}, not of {form}")
        if settings_of(campaign).sandbox:
            raise InputError(f"{campaign.name} is a sandbox, which makes no data set")
    rows = list(FORMS[form](session, campaign))
    if form == "hover":
        return msgspec.json.encode(rows) + b"\n"
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def release(session: Session, campaign: Campaign, form: str, by: Person | None) -> bytes:
    """Export a data set, and record its digest."""
    data = export(session, campaign, form)
    digest = sha256(data).hexdigest()
    claims = session.scalar(
        select(func.count()).select_from(Claim).where(Claim.campaign_id == campaign.id)
    )
    session.add(
        Release(
            campaign_id=campaign.id,
            person_id=by.id if by else None,
            form=form,
            digest=digest,
            claims=claims or 0,
        )
    )
    audit(session, by, "release", campaign.name, after={"form": form, "digest": digest})
    return data
