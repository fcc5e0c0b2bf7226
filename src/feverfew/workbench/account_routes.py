"""Accounts: invitations, log-in, one's own data, and the home page with one's tasks."""

from datetime import timedelta
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response
from sqlalchemy import func, select

from feverfew.errors import FeverfewError, InputError, NotAllowed
from feverfew.server.http import answer
from feverfew.server.site.login import after
from feverfew.store.access import SCOPES, access_keys, make_access_key, revoke_access_key
from feverfew.store.campaigns import campaign_named, guideline_of, settings_of
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.database import now
from feverfew.store.people import (
    LOGIN_HOURS,
    accept_invite,
    audit,
    find_invite,
    log_in,
    log_out,
    verify_password,
)
from feverfew.store.people_tables import Person
from feverfew.store.quality import learning_state
from feverfew.store.settings import role_for
from feverfew.store.work_tables import Annotation, Grade, Message, Operation, Slot
from feverfew.workbench.web import COOKIE, Fields, Number, bench_of, here, page, set_cookie, to

router = APIRouter(include_in_schema=False, default_response_class=Response)
_PROFILE = ("language", "country", "education")
KEYS = {
    "next": "j",
    "previous": "k",
    "take": "space",
    "set1": "1",
    "set2": "2",
    "set3": "3",
    "supported": "s",
    "refuted": "r",
    "nei": "n",
    "expand": "e",
    "search": "/",
    "find": "f",
    "undo": "u",
}
"""What can be done by a key, and by which unless someone chose another."""


@router.get("/")
def root() -> Response:
    """Lead to one's tasks."""
    return to("/work")


@router.get("/login")
def ask(request: Request) -> Response:
    """Ask for name and password."""
    wanted = after(request.query_params.get("next", "/work"))
    return page(request, "login.html", wanted=wanted, wrong="")


@router.post("/login")
def enter(request: Request, form: Fields) -> Response:
    """Log in; slowly, and not too often."""
    bench, attempts = bench_of(request), request.app.state.attempts
    name = form.one("name")
    attempts.check(name)
    with bench.database.write() as session:
        person = verify_password(session, name, form.get("password", [""])[-1])
        token = log_in(session, person) if person else ""
    if not token:
        attempts.fail(name)
        wrong = "Name or password is wrong."
        return page(request, "login.html", 403, wanted=after(form.one("next")), wrong=wrong)
    response = to(after(form.one("next") or "/work"))
    set_cookie(request, response, COOKIE, token, LOGIN_HOURS * 3600)
    return response


@router.post("/logout")
def leave(request: Request, form: Fields) -> Response:
    """Log out."""
    with bench_of(request).database.write() as session:
        log_out(session, request.cookies.get(COOKIE, ""))
    response = to("/login")
    response.delete_cookie(COOKIE)
    return response


@router.get("/join/{token}")
def invited(request: Request, token: str) -> Response:
    """Show an invitation."""
    with bench_of(request).database.read() as session:
        found = find_invite(session, token)
        renews = found.person_id is not None
        name = session.get_one(Person, found.person_id).name if found.person_id else ""
    return page(request, "join.html", join=token, renews=renews, name=name, wrong="")


@router.post("/join/{token}")
def join(request: Request, token: str, form: Fields) -> Response:
    """Make the account of an invitation, and log in."""
    profile = {name: form.one(name) for name in _PROFILE if form.one(name)}
    name, password = form.one("name"), form.get("password", [""])[-1]
    try:
        with bench_of(request).database.write() as session:
            person = accept_invite(session, token, name, password, profile)
            login = log_in(session, person)
    except NotAllowed:
        raise
    except FeverfewError as error:
        wrong = str(error)[:1].upper() + str(error)[1:] + "."
        return page(request, "join.html", 422, join=token, renews=False, name=name, wrong=wrong)
    response = to("/work")
    set_cookie(request, response, COOKIE, login, LOGIN_HOURS * 3600)
    return response


@router.get("/work")
def home(at: here) -> Response:
    """List the campaigns and workflows that a person may work in."""
    rows = []
    for campaign in at.session.scalars(select(Campaign).order_by(Campaign.id)):
        settings = settings_of(campaign)
        for workflow in settings.workflows:
            if not at.may(role_for(workflow), campaign.id):
                continue
            if workflow == "mutate" and campaign.kind == "fever":
                continue  # it follows on writing by itself
            state = learning_state(at.session, campaign, settings, at.person, workflow)
            rows.append(
                {
                    "campaign": campaign,
                    "settings": settings,
                    "workflow": workflow,
                    "state": state,
                    "done": _count(at, campaign.id, workflow),
                    "supers": workflow == settings.workflows[-1] and at.may("super", campaign.id),
                }
            )
    return at.page("home.html", rows=rows, weeks=_weeks(at), grades=grades_of(at))


def _count(at: Any, campaign_id: int, workflow: str) -> int:
    query = select(func.count()).select_from(Slot)
    query = query.where(
        Slot.person_id == at.person.id,
        Slot.campaign_id == campaign_id,
        Slot.workflow == workflow,
        Slot.state == "done",
    )
    return at.session.scalar(query) or 0


def _weeks(at: Any) -> dict[str, int | float]:
    """Return a person's tasks and minutes of today and of the last seven days."""
    day, week = now() - timedelta(days=1), now() - timedelta(days=7)
    found: dict[str, int | float] = {}
    for name, since in (("day", day), ("week", week)):
        count, active = at.session.execute(
            select(func.count(), func.sum(Annotation.active_ms)).where(
                Annotation.person_id == at.person.id, Annotation.at >= since
            )
        ).one()
        found[name], found[f"{name}_minutes"] = count, round((active or 0) / 60_000, 1)
    return found


def grades_of(at: Any) -> list[Any]:
    """Return the feedback on graded answers; hidden tests stay hidden."""
    query = (
        select(Grade, Claim.text)
        .join(Annotation, Annotation.id == Grade.annotation_id)
        .join(Claim, Claim.id == Annotation.claim_id)
        .where(Grade.person_id == at.person.id, Grade.use != "test")
        .order_by(Grade.id.desc())
        .limit(20)
    )
    return list(at.session.execute(query))


@router.get("/me")
def myself(at: here) -> Response:
    """Show what is kept about a person."""
    own = {action: key for key, action in at.person.keys.items()}
    campaigns = at.session.scalars(select(Campaign).order_by(Campaign.id)).all()
    return at.page(
        "me.html",
        profile=_PROFILE,
        keys=KEYS,
        own=own,
        access=access_keys(at.session, at.person),
        scopes=SCOPES,
        campaigns={one.id: one.name for one in campaigns},
    )


@router.post("/me/keys")
def make_key(form: Fields, at: here) -> Response:
    """Make a key for a person's programs, and show it once."""
    where = form.one("campaign")
    campaign = campaign_named(at.session, where).id if where else None
    scopes = form.get("scope", [])
    made = make_access_key(at.session, at.person, form.one("name"), scopes, campaign)
    return at.page("key.html", key=made, name=form.one("name"))


@router.post("/me/keys/{key}")
def revoke_key(form: Fields, at: here, key: Number) -> Response:
    """Revoke a key."""
    revoke_access_key(at.session, at.person, key)
    return to("/me?says=Revoked.")


@router.post("/me")
def change(form: Fields, at: here) -> Response:
    """Change one's profile."""
    before = at.person.profile
    at.person.profile = {name: form.one(name) for name in _PROFILE}
    chosen = {form.one(f"key-{action}"): action for action in KEYS}
    at.person.keys = {key: action for key, action in chosen.items() if len(key) == 1}
    audit(at.session, at.person, "change profile", at.person.pseudonym, before, at.person.profile)
    return to("/me?says=Saved.")


@router.get("/me.json")
def my_data(at: here) -> Response:
    """Export everything that is kept about a person."""
    own: dict[str, Any] = {"person": _row(at.person)}
    for table in (Annotation, Operation, Grade, Message):
        rows = at.session.scalars(select(table).where(table.person_id == at.person.id))
        own[table.__tablename__] = [_row(one) for one in rows]
    return answer(own)


def _row(one: Any) -> dict[str, Any]:
    values = {column.key: getattr(one, column.key) for column in one.__table__.columns}
    plain: dict[str, Any] = msgspec.to_builtins(values)
    return plain


@router.get("/guidelines/{campaign}")
def guidelines(at: here, campaign: str) -> Response:
    """Show the guidelines in force."""
    found = at.session.scalar(select(Campaign).where(Campaign.name == campaign))
    if found is None:
        raise InputError(f"no campaign {campaign!r}")
    return at.page("guidelines.html", campaign=found, guideline=guideline_of(at.session, found))
