"""People: invitations, passwords, log-ins, roles, and the record of who did what."""

import secrets
from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.errors import InputError, NotAllowed
from feverfew.store.database import now
from feverfew.store.people_tables import Audit, Credential, Grant, Invite, Login, Person
from feverfew.store.settings import ROLES
from feverfew.store.team_tables import Membership, TeamInvite

LOGIN_HOURS, INVITE_DAYS = 24 * 14, 14
SHORTEST_PASSWORD = 10
_HASHER = PasswordHasher()
_NOBODY = _HASHER.hash("nobody has this password")
"""Checked for names that do not exist, so that they take as long as those that do."""


def digest_of(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def audit(
    session: Session,
    person: Person | None,
    what: str,
    subject: str,
    before: Any = None,
    after: Any = None,
) -> None:
    """Record who did what."""
    session.add(
        Audit(
            person_id=person.id if person else None,
            what=what,
            subject=subject,
            before=before,
            after=after,
        )
    )


def invite(
    session: Session,
    roles: Iterable[str],
    *,
    campaign_id: int | None = None,
    made_by: Person | None = None,
    person: Person | None = None,
) -> str:
    """Make an invitation, and return the token of its link, which is kept nowhere.

    With a person, the link sets that person's password anew.
    """
    roles = list(roles)
    if unknown := sorted(set(roles) - set(ROLES)):
        raise InputError(f"unknown role {unknown[0]!r}; known are {', '.join(ROLES)}")
    token = secrets.token_urlsafe(24)
    session.add(
        Invite(
            digest=digest_of(token),
            roles=roles,
            campaign_id=campaign_id,
            made_by=made_by.id if made_by else None,
            person_id=person.id if person else None,
            expires=now() + timedelta(days=INVITE_DAYS),
        )
    )
    audit(session, made_by, "invite", person.pseudonym if person else "someone", after=roles)
    return token


def find_invite(session: Session, token: str) -> Invite:
    """Return a live invitation, or say why there is none."""
    found = session.scalar(select(Invite).where(Invite.digest == digest_of(token)))
    if found is None:
        raise NotAllowed("this invitation is not known; ask for a new one")
    if found.used is not None:
        raise NotAllowed("this invitation was used already; log in, or ask for a new one")
    if found.expires < now():
        raise NotAllowed("this invitation has expired; ask for a new one")
    return found


def accept_invite(
    session: Session, token: str, name: str, password: str, profile: dict[str, str] | None = None
) -> Person:
    """Make the account of an invitation, or renew its password."""
    found = find_invite(session, token)
    if len(password) < SHORTEST_PASSWORD:
        raise InputError(f"a password has at least {SHORTEST_PASSWORD} characters")
    name = " ".join(name.split())
    if found.person_id is not None:
        person = session.get_one(Person, found.person_id)
        session.merge(Credential(person_id=person.id, hash=_HASHER.hash(password), changed=now()))
    else:
        if not name or len(name) > 80:
            raise InputError("choose a name of 1 to 80 characters")
        if session.scalar(select(Person).where(Person.name == name)) is not None:
            raise InputError("this name is taken; choose another")
        person = Person(
            pseudonym=f"p{secrets.token_hex(4)}",
            name=name,
            profile=profile or {},
            trained_by=None,
        )
        session.add(person)
        session.flush()
        session.add(Credential(person_id=person.id, hash=_HASHER.hash(password)))
        for role in found.roles:
            session.add(Grant(person_id=person.id, role=role, campaign_id=found.campaign_id))
        if team := session.get(TeamInvite, found.id):
            session.add(Membership(team_id=team.team_id, person_id=person.id))
    found.used = now()
    audit(session, person, "accept invitation", person.pseudonym, after=found.roles)
    return person


def verify_password(session: Session, name: str, password: str) -> Person | None:
    """Return the person whose name and password these are."""
    person = session.scalar(select(Person).where(Person.name == " ".join(name.split())))
    kept = session.get(Credential, person.id) if person else None
    try:
        _HASHER.verify(kept.hash if kept else _NOBODY, password)
    except (VerificationError, InvalidHashError):
        return None
    return person if person and kept and person.active else None


def log_in(session: Session, person: Person) -> str:
    """Begin a log-in, and return its token."""
    token = secrets.token_urlsafe(32)
    until = now() + timedelta(hours=LOGIN_HOURS)
    session.add(Login(digest=digest_of(token), person_id=person.id, until=until))
    return token


def person_of(session: Session, token: str) -> Person | None:
    """Return who is logged in with a token."""
    found = session.get(Login, digest_of(token)) if token else None
    if found is None or found.until < now():
        return None
    person = session.get(Person, found.person_id)
    return person if person and person.active else None


def log_out(session: Session, token: str) -> None:
    """End a log-in."""
    if found := session.get(Login, digest_of(token)):
        session.delete(found)


def roles_of(session: Session, person: Person, campaign_id: int | None) -> set[str]:
    """Return a person's roles in a campaign; those that hold everywhere are among them."""
    rows = session.execute(
        select(Grant.role, Grant.campaign_id).where(Grant.person_id == person.id)
    )
    return {role for role, where in rows if where is None or where == campaign_id}


def may(session: Session, person: Person, role: str, campaign_id: int | None) -> bool:
    """Say whether a person has a role, or one that includes it."""
    own = roles_of(session, person, campaign_id)
    return role in own or "organiser" in own or (role in ("annotator",) and "super" in own)


def require_role(session: Session, person: Person, role: str, campaign_id: int | None) -> None:
    """Refuse who has not a role."""
    if not may(session, person, role, campaign_id):
        raise NotAllowed(f"this needs the role of {role}", known=True)


def grant_role(
    session: Session, by: Person | None, person: Person, role: str, campaign_id: int | None
) -> None:
    """Give a person a role."""
    if role not in ROLES:
        raise InputError(f"unknown role {role!r}; known are {', '.join(ROLES)}")
    known = session.scalar(
        select(Grant).where(
            Grant.person_id == person.id, Grant.role == role, Grant.campaign_id == campaign_id
        )
    )
    if known is None:
        session.add(Grant(person_id=person.id, role=role, campaign_id=campaign_id))
        audit(session, by, "grant", person.pseudonym, after={"role": role, "in": campaign_id})
