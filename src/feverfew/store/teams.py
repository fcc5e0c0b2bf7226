"""Teams: made, joined by invitation, and known by the keys that their programs carry."""

import secrets

from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.errors import InputError, NotAllowed, NotFound
from feverfew.store.database import now
from feverfew.store.people import audit, digest_of, invite
from feverfew.store.people_tables import Invite, Person
from feverfew.store.team_tables import Membership, Team, TeamInvite, TeamKey

ORGANISERS = "Organisers"
"""The team that enters baselines."""
_LONGEST = 80


def make_team(session: Session, name: str, *, organisers: bool = False) -> Team:
    """Make a team."""
    name = " ".join(name.split())
    if not name or len(name) > _LONGEST:
        raise InputError(f"a team's name has 1 to {_LONGEST} characters")
    if session.scalar(select(Team).where(Team.name == name)) is not None:
        raise InputError(f"there is a team {name!r} already")
    team = Team(name=name, organisers=organisers)
    session.add(team)
    session.flush()
    return team


def team_named(session: Session, name: str) -> Team:
    """Return a team by its name."""
    found = session.scalar(select(Team).where(Team.name == name))
    if found is None:
        known = session.scalars(select(Team.name).order_by(Team.name)).all()
        raise NotFound(f"no team {name!r}; there are {', '.join(known) or 'none'}")
    return found


def organisers_team(session: Session) -> Team:
    """Return the team of the organisers, and make it the first time."""
    found = session.scalar(select(Team).where(Team.organisers))
    return found or make_team(session, ORGANISERS, organisers=True)


def invite_to_team(session: Session, team: Team, made_by: Person | None = None) -> str:
    """Make an invitation to a team, and return the token of its link."""
    token = invite(session, ["volunteer"], made_by=made_by)
    session.flush()
    made = session.scalars(select(Invite).where(Invite.digest == digest_of(token))).one()
    session.add(TeamInvite(invite_id=made.id, team_id=team.id))
    return token


def join_team(session: Session, team: Team, person: Person, by: Person | None = None) -> None:
    """Add a person to a team."""
    known = select(Membership).where(
        Membership.team_id == team.id, Membership.person_id == person.id
    )
    if session.scalar(known) is None:
        session.add(Membership(team_id=team.id, person_id=person.id))
        audit(session, by or person, "join team", person.pseudonym, after=team.name)


def teams_of(session: Session, person: Person) -> list[Team]:
    """Return the teams that a person belongs to."""
    query = select(Team).join(Membership, Membership.team_id == Team.id)
    return list(session.scalars(query.where(Membership.person_id == person.id).order_by(Team.name)))


def members_of(session: Session, team: Team) -> list[Person]:
    """Return the people of a team."""
    query = select(Person).join(Membership, Membership.person_id == Person.id)
    return list(session.scalars(query.where(Membership.team_id == team.id).order_by(Person.name)))


def make_key(session: Session, team: Team, person: Person | None = None) -> str:
    """Make a key for a team's programs, and return it; only its digest is kept."""
    token = f"ffk_{secrets.token_urlsafe(24)}"
    session.add(
        TeamKey(digest=digest_of(token), team_id=team.id, person_id=person.id if person else None)
    )
    audit(session, person, "make key", team.name)
    return token


def revoke_keys(session: Session, team: Team, person: Person | None = None) -> int:
    """Revoke all keys of a team, and return how many there were."""
    live = session.scalars(
        select(TeamKey).where(TeamKey.team_id == team.id, TeamKey.revoked.is_(None))
    ).all()
    for one in live:
        one.revoked = now()
    audit(session, person, "revoke keys", team.name, before=len(live))
    return len(live)


def team_of_key(session: Session, token: str) -> tuple[Team, int | None]:
    """Return the team whose key this is, and who made the key."""
    found = session.scalar(select(TeamKey).where(TeamKey.digest == digest_of(token)))
    if found is None or found.revoked is not None:
        raise NotAllowed("this key is not known; make one on the team's page")
    return session.get_one(Team, found.team_id), found.person_id
