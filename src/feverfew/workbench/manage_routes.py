"""Managing: invitations and people, progress, guidelines, settings, flags, releases."""

import tomllib
from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import select

from feverfew.errors import InputError, NotFound
from feverfew.store.campaigns import (
    campaign_named,
    change_settings,
    guideline_of,
    settings_of,
    write_guideline,
)
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.claims import correct_claim, edit_claim, withdraw_claim
from feverfew.store.database import now
from feverfew.store.people import audit, grant_role, invite
from feverfew.store.people_tables import Audit, Grant, Person
from feverfew.store.settings import as_toml
from feverfew.store.submit import open_thread
from feverfew.store.work_tables import Annotation, Message, Thread
from feverfew.workbench.export import FORMS, release
from feverfew.workbench.progress import people_of, progress_of
from feverfew.workbench.web import Fields, Here, Number, here, require, to

router = APIRouter(include_in_schema=False, default_response_class=Response)


def managed(at: Here, name: str) -> Campaign:
    """Return a campaign that the person manages."""
    campaign = campaign_named(at.session, name)
    require(at, "manager", campaign.id)
    return campaign


@router.get("/manage")
def overview(at: here) -> Response:
    """List campaigns and people."""
    campaigns = [
        one
        for one in at.session.scalars(select(Campaign).order_by(Campaign.id))
        if at.may("manager", one.id)
    ]
    if not campaigns:
        require(at, "manager")
    people, grants, log = [], [], []
    if at.may("manager"):
        people = list(at.session.scalars(select(Person).order_by(Person.id)))
        grants = list(at.session.scalars(select(Grant)))
        log = list(at.session.scalars(select(Audit).order_by(Audit.id.desc()).limit(30)))
    names = {one.id: one.name for one in campaigns}
    return at.page(
        "manage.html",
        campaigns=campaigns,
        people=people,
        grants=grants,
        log=log,
        names=names,
        link="",
    )


@router.post("/manage/invite")
def make_invite(form: Fields, at: here) -> Response:
    """Make an invitation, and show its link once."""
    where = form.one("campaign")
    campaign = campaign_named(at.session, where) if where else None
    roles = form.get("role", [])
    require(at, "manager", campaign.id if campaign else None)
    if {"organiser", "manager"} & set(roles):
        require(at, "organiser")
    if not roles:
        raise InputError("choose at least one role")
    made = invite(
        at.session, roles, campaign_id=campaign.id if campaign else None, made_by=at.person
    )
    return at.page("invited.html", link=f"{at.request.base_url}join/{made}", roles=roles)


@router.post("/manage/people/{person}")
def change_person(form: Fields, at: here, person: Number) -> Response:
    """Give a role, say who trained someone, close an account, or renew a password."""
    require(at, "organiser")
    found = at.session.get(Person, person)
    if found is None:
        raise NotFound(f"no person {person}")
    what = form.one("do")
    if what == "renew":
        made = invite(at.session, [], made_by=at.person, person=found)
        link = f"{at.request.base_url}join/{made}"
        return at.page("invited.html", link=link, roles=[])
    if what == "grant":
        where = form.one("campaign")
        campaign = campaign_named(at.session, where) if where else None
        grant_role(
            at.session, at.person, found, form.one("role"), campaign.id if campaign else None
        )
    elif what == "active":
        audit(at.session, at.person, "active", found.pseudonym, found.active, not found.active)
        found.active = not found.active
    elif what == "trained" and form.one("by").isdecimal():
        trainer = at.session.get(Person, int(form.one("by")))
        found.trained_by = trainer.id if trainer else None
        audit(at.session, at.person, "trained by", found.pseudonym, after=found.trained_by)
    return to("/manage?says=Saved.")


@router.get("/manage/{campaign}")
def progress(at: here, campaign: str) -> Response:
    """Show how far a campaign has come."""
    found = managed(at, campaign)
    return at.page(
        "progress.html",
        campaign=found,
        progress=progress_of(at.session, found),
        guideline=guideline_of(at.session, found),
        toml=as_toml(settings_of(found)),
        forms=list(FORMS),
        people=people_of(at.session, found),
    )


@router.post("/manage/{campaign}/guidelines")
def guidelines(form: Fields, at: here, campaign: str) -> Response:
    """Put a new version of the guidelines into force."""
    found = managed(at, campaign)
    if not form.one("text"):
        raise InputError("the guidelines are empty")
    write_guideline(at.session, found, form.one("text"), at.person)
    return to(f"/manage/{campaign}?says=A new version is in force.")


@router.post("/manage/{campaign}/settings")
def settings(form: Fields, at: here, campaign: str) -> Response:
    """Change the settings."""
    found = managed(at, campaign)
    try:
        given = tomllib.loads(form.one("toml"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"the settings cannot be read: {error}") from None
    change_settings(at.session, found, given, at.person)
    return to(f"/manage/{campaign}?says=Saved.")


@router.post("/manage/{campaign}/release")
def download(form: Fields, at: here, campaign: str) -> Response:
    """Export a data set or what is known of it, and record its digest."""
    found = managed(at, campaign)
    form_ = form.one("form") or found.kind
    data = release(at.session, found, form_, at.person)
    ending = "json" if form_ == "hover" else "jsonl"
    named = f'attachment; filename="{found.name}-{form_}.{ending}"'
    return Response(data, media_type="application/json", headers={"Content-Disposition": named})


@router.get("/manage/{campaign}/flags")
def flags(at: here, campaign: str) -> Response:
    """List what was reported, flagged or is discussed."""
    found = managed(at, campaign)
    reported = at.session.scalars(
        select(Claim).where(Claim.campaign_id == found.id, Claim.state == "reported")
    ).all()
    why: dict[int, list[Annotation]] = {}
    for one in at.session.scalars(
        select(Annotation).where(
            Annotation.claim_id.in_([c.id for c in reported]), Annotation.outcome != "label"
        )
    ):
        why.setdefault(one.claim_id or 0, []).append(one)
    threads = [
        (thread, claim, _messages(at, thread))
        for thread, claim in at.session.execute(
            select(Thread, Claim)
            .join(Claim, Claim.id == Thread.claim_id)
            .where(Claim.campaign_id == found.id)
            .order_by(Thread.closed.is_not(None), Thread.id)
        )
    ]
    return at.page("flags.html", campaign=found, reported=reported, why=why, threads=threads)


def _messages(at: Here, thread: Thread) -> list[Any]:
    return list(
        at.session.execute(
            select(Message, Person.pseudonym)
            .join(Person, Person.id == Message.person_id)
            .where(Message.thread_id == thread.id)
            .order_by(Message.id)
        )
    )


@router.post("/manage/{campaign}/claims/{claim}")
def change_claim(form: Fields, at: here, campaign: str, claim: Number) -> Response:
    """Correct a claim and serve it again, discard it, or say something about it."""
    found = managed(at, campaign)
    own = at.session.get(Claim, claim)
    if own is None or own.campaign_id != found.id:
        raise NotFound(f"no claim {claim} in {campaign}")
    what = form.one("do")
    if what == "correct":
        correct_claim(at.session, own, at.person, form.one("text"), settings_of(found))
    elif what == "discard":
        withdraw_claim(at.session, own, "discarded")
        audit(at.session, at.person, "discard claim", str(own.id), own.text)
    elif what in ("say", "close"):
        thread = open_thread(at.session, own, at.person, form.one("text") or "closed")
        if what == "close":
            thread.closed, thread.decision = now(), form.one("text")
            if form.one("guideline"):
                last = guideline_of(at.session, found)
                text = f"{last.text if last else ''}\n\n- {form.one('text')}".strip()
                write_guideline(at.session, found, text, at.person)
    return to(f"/manage/{campaign}/flags?says=Saved.")


@router.post("/work/claims/{claim}")
def edit_own(form: Fields, at: here, claim: Number) -> Response:
    """Let an author edit a claim that nobody else has seen."""
    own = at.session.get(Claim, claim)
    if own is None:
        raise NotFound(f"no claim {claim}")
    edit_claim(at.session, own, at.person, form.one("text"))
    return to("/work/history?says=Saved.")
