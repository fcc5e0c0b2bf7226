"""Teams: invitations, members and keys."""

import pytest

from feverfew.errors import InputError, NotAllowed, NotFound
from feverfew.store.database import Database
from feverfew.store.people import accept_invite
from feverfew.store.teams import (
    invite_to_team,
    make_key,
    make_team,
    members_of,
    organisers_team,
    revoke_keys,
    team_named,
    team_of_key,
    teams_of,
)


def test_an_invitation_leads_into_its_team(url: str) -> None:
    database = Database.open(url)
    with database.write() as session:
        token = invite_to_team(session, make_team(session, "  UNC   NLP "))
    with database.write() as session:
        person = accept_invite(session, token, "Ann", "a long enough password")
    with database.read() as session:
        assert [team.name for team in teams_of(session, person)] == ["UNC NLP"]
        assert members_of(session, team_named(session, "UNC NLP")) == [
            session.get_one(type(person), person.id)
        ]
    database.close()


def test_a_key_is_a_team_until_it_is_revoked(url: str) -> None:
    database = Database.open(url)
    with database.write() as session:
        team = make_team(session, "Athene")
        key = make_key(session, team)
    with database.write() as session:
        assert team_of_key(session, key) == (session.get_one(type(team), team.id), None)
        assert revoke_keys(session, team) == 1
        with pytest.raises(NotAllowed, match="not known"):
            team_of_key(session, key)
    database.close()


def test_a_name_is_taken_once(url: str) -> None:
    database = Database.open(url)
    with database.write() as session:
        make_team(session, "Athene")
        with pytest.raises(InputError, match="already"):
            make_team(session, "Athene")
        with pytest.raises(NotFound, match="there are Athene"):
            team_named(session, "Papelo")
        assert organisers_team(session).id == organisers_team(session).id
    database.close()
