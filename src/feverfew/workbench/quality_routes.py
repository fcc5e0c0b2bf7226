"""Quality, live: agreement, experts, tests, bias, qualification, adjudication without names."""

from collections import Counter
from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import Integer, cast, func, select

from feverfew.errors import InputError, NotFound, ScoreError
from feverfew.rules.sampling import rng_of
from feverfew.score.agreement import annotators, coefficients, disagreements, pairwise
from feverfew.score.agreement_evidence import against_supers, overlap
from feverfew.score.bias import bias
from feverfew.store.campaigns import settings_of
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.people_tables import Person
from feverfew.store.quality import decide, state_of, suspend
from feverfew.store.work_tables import Adjudication, Annotation, Grade, Slot
from feverfew.types import Claim as Labelled
from feverfew.workbench.helping import help_effect
from feverfew.workbench.judgements import Told, agreement_rows, labelled, told
from feverfew.workbench.manage_routes import managed
from feverfew.workbench.navigation import element_texts
from feverfew.workbench.web import Fields, Here, Number, here, to

router = APIRouter(include_in_schema=False, default_response_class=Response)
CODES = ("counting", "overlooked detail", "evidence not found", "accident", "other")
"""Why annotations differ, as FEVEROUS codes it."""
_LEAST_FOR_BIAS = 10


@router.get("/manage/{campaign}/quality")
def quality(at: here, campaign: str) -> Response:
    """Show how far people agree, and how they do against experts and tests."""
    found = managed(at, campaign)
    settings = settings_of(found)
    said = told(at.session, found, settings)
    rows = agreement_rows(said)
    values: dict[str, Any] = {"coefficients": (), "pairs": (), "people": (), "overlap": None}
    values["against"] = values["supers"] = ()
    values["none"] = ""
    try:
        values["coefficients"] = coefficients(rows)
        _, values["pairs"] = pairwise(rows)
        values["people"] = annotators(rows, values["pairs"])
        values["against"] = disagreements(rows).most_common()
        values["overlap"] = overlap(rows)
    except ScoreError as error:
        values["none"] = str(error)
    experts = {one.pseudonym for own in said.values() for one in own if one.slot.kind == "super"}
    if experts:
        values["supers"] = against_supers(agreement_rows(said, supers=True), experts)
    return at.page(
        "quality.html",
        campaign=found,
        tests=_tests(at, found),
        bias=_bias(at, found),
        help=help_effect(at.session, found, settings),
        **values,
    )


def _tests(at: Here, campaign: Campaign) -> list[Any]:
    right = func.sum(cast(Grade.right, Integer))
    return list(
        at.session.execute(
            select(Person.pseudonym, Grade.use, func.count(), right, func.avg(Grade.recall))
            .join(Person, Person.id == Grade.person_id)
            .where(Grade.campaign_id == campaign.id)
            .group_by(Person.pseudonym, Grade.use)
            .order_by(Person.pseudonym)
        )
    )


def _bias(at: Here, campaign: Campaign) -> list[Any]:
    """Return the words and claim types that go with a verdict most."""
    claims: list[Labelled] = []
    types: dict[int | str, str] = {}
    for claim, decision, _ in labelled(at.session, campaign, settings_of(campaign)):
        claims.append(
            Labelled(id=claim.id, text=claim.text, label=decision.label, evidence=decision.sets)
        )
        types[claim.id] = claim.operation
    if len(claims) < _LEAST_FOR_BIAS:
        return []
    return list(bias(claims, claim_types=types, least=3))


@router.get("/manage/{campaign}/people")
def people(at: here, campaign: str) -> Response:
    """List the people of a campaign, and what may be decided on them."""
    found = managed(at, campaign)
    workflow = settings_of(found).workflows[-1]
    worked = select(Slot.person_id).where(Slot.campaign_id == found.id, Slot.person_id.is_not(None))
    rows = [
        (one, state_of(at.session, one.id, found.id, workflow), _standing(at, found, one))
        for one in at.session.scalars(select(Person).where(Person.id.in_(worked)))
    ]
    decided = Counter(state for _, state, _ in rows if state)
    return at.page("qualify.html", campaign=found, rows=rows, workflow=workflow, decided=decided)


def _standing(at: Here, campaign: Campaign, person: Person) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    rows = at.session.execute(
        select(Grade.use, Grade.right).where(
            Grade.campaign_id == campaign.id, Grade.person_id == person.id
        )
    )
    for use, right in rows:
        good, all_ = found.get(use, (0, 0))
        found[use] = (good + right, all_ + 1)
    return found


@router.post("/manage/{campaign}/people/{person}")
def decide_on(form: Fields, at: here, campaign: str, person: Number) -> Response:
    """Approve, reject or suspend a person."""
    found = managed(at, campaign)
    own = at.session.get(Person, person)
    if own is None:
        raise NotFound(f"no person {person}")
    state, why = form.one("state"), form.one("why")
    workflow = settings_of(found).workflows[-1]
    if state == "suspended":
        count = suspend(at.session, found, own, workflow, why or "by a manager", at.person)
        return to(f"/manage/{campaign}/people?says=Suspended; {count} tasks are redone.")
    if state not in ("qualified", "rejected"):
        raise InputError("decide on qualified, rejected or suspended")
    decide(at.session, found, own, workflow, state, by=at.person, why=why)
    return to(f"/manage/{campaign}/people?says=Saved.")


@router.get("/manage/{campaign}/adjudicate")
def adjudicate(at: here, campaign: str) -> Response:
    """Show annotations that disagree, in a drawn order and without names."""
    found = managed(at, campaign)
    settings = settings_of(found)
    done = set(
        at.session.scalars(
            select(Adjudication.claim_id)
            .join(Claim, Claim.id == Adjudication.claim_id)
            .where(Claim.campaign_id == found.id)
        )
    )
    open_ = [
        _blind(said, settings.seed)
        for claim, said in told(at.session, found, settings).items()
        if claim not in done and len({one.annotation.verdict for one in said}) > 1
    ]
    refs = [e.ref for said in open_[:1] for one in said for own in one.sets for e in own]
    return at.page(
        "adjudicate.html",
        campaign=found,
        open=open_,
        codes=CODES,
        done=len(done),
        texts=element_texts(at.bench.corpus, refs),
    )


def _blind(said: list[Told], seed: int) -> list[Told]:
    return rng_of(seed, "blind", said[0].claim.id).sample(said, len(said))


@router.post("/manage/{campaign}/adjudicate/{claim}")
def settle(form: Fields, at: here, campaign: str, claim: Number) -> Response:
    """Decide which annotations are right."""
    found = managed(at, campaign)
    own = at.session.get(Claim, claim)
    if own is None or own.campaign_id != found.id:
        raise NotFound(f"no claim {claim} in {campaign}")
    right = [int(one) for one in form.get("right", []) if one.isdecimal()]
    verdicts = set(
        at.session.scalars(
            select(Annotation.verdict).where(
                Annotation.id.in_(right), Annotation.claim_id == own.id
            )
        )
    )
    if len(verdicts) > 1:
        raise InputError("annotations with different verdicts cannot both be right")
    code = form.one("code")
    if code and code not in CODES:
        raise InputError(f"unknown code {code!r}; known are {', '.join(CODES)}")
    at.session.add(
        Adjudication(
            claim_id=own.id,
            person_id=at.person.id,
            right=right,
            verdict=next(iter(verdicts), None),
            code=code,
            comment=form.one("comment"),
        )
    )
    return to(f"/manage/{campaign}/adjudicate?says=Decided.")
