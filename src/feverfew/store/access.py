"""Keys with which programs act for a person: named, scoped, for one campaign or all, revocable."""

import secrets
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.errors import InputError, NotAllowed, NotFound
from feverfew.store.database import now
from feverfew.store.people import audit, digest_of
from feverfew.store.people_tables import AccessKey, Person

SCOPES = {
    "work": "take tasks, save drafts, search, submit",
    "manage": "see the progress of campaigns that the person manages",
    "export": "export campaigns that the person manages",
}
"""What a key may allow; its person's roles hold all the same."""
_PREFIX = "ffw_"


def make_access_key(
    session: Session,
    person: Person,
    name: str,
    scopes: Sequence[str],
    campaign_id: int | None = None,
) -> str:
    """Make a key and return it: the only time that anyone sees it."""
    name = " ".join(name.split())
    if not name or len(name) > 80:
        raise InputError("give the key a name of 1 to 80 characters")
    if not scopes or (unknown := sorted(set(scopes) - SCOPES.keys())):
        wrong = f"unknown scope {unknown[0]!r}" if scopes else "no scope is chosen"
        raise InputError(f"{wrong}; known are {', '.join(SCOPES)}")
    token = _PREFIX + secrets.token_urlsafe(32)
    session.add(
        AccessKey(
            digest=digest_of(token),
            person_id=person.id,
            name=name,
            scopes=list(dict.fromkeys(scopes)),
            campaign_id=campaign_id,
        )
    )
    audit(session, person, "make access key", name, after=list(scopes))
    return token


def access_keys(session: Session, person: Person) -> list[AccessKey]:
    """Return a person's keys that are not revoked."""
    query = select(AccessKey).where(AccessKey.person_id == person.id, AccessKey.revoked.is_(None))
    return list(session.scalars(query.order_by(AccessKey.id)))


def revoke_access_key(session: Session, person: Person, key_id: int) -> None:
    """Revoke one of a person's own keys."""
    found = next((one for one in access_keys(session, person) if one.id == key_id), None)
    if found is None:
        raise NotFound(f"you have no key {key_id}")
    found.revoked = now()
    audit(session, person, "revoke access key", found.name)


def bearer(session: Session, token: str) -> tuple[AccessKey, Person]:
    """Return a key and whom it acts for."""
    found = session.scalar(select(AccessKey).where(AccessKey.digest == digest_of(token)))
    if found is None or found.revoked is not None:
        raise NotAllowed("this key is not known; make one on the page 'My data'")
    person = session.get_one(Person, found.person_id)
    if not person.active:
        raise NotAllowed("the account of this key is closed")
    return found, person
