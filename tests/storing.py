"""What tests of the store and the workbench share: databases, people, campaigns."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text

from feverfew.store.campaigns import make_campaign
from feverfew.store.claim_tables import Campaign
from feverfew.store.database import Base, Database
from feverfew.store.people_tables import Grant, Person
from feverfew.store.settings import Settings, settings_from
from postgres import REQUIRED, cluster, programs


@contextmanager
def postgres_server() -> Iterator[str | None]:
    """Start a PostgreSQL for a run of the tests; None where none is installed."""
    found = programs()
    if found is None:
        yield None
        return
    with cluster(found) as server:
        yield server


def clean_database(server: str | None) -> str:
    """Return the address of a database without rows; it is made once a run, which takes long."""
    if server is None:
        said = "the tests on PostgreSQL need it: apt-get install postgresql"
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(said)
        pytest.skip(said)
    url = f"{server}/postgres"
    database = Database.open(url)
    tables = ", ".join(Base.metadata.tables)
    with database.engine.begin() as connection:
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY CASCADE"))
    database.close()
    return url


def add_people(database: Database, *names: str, role: str = "annotator") -> list[Person]:
    """Add people who may do something everywhere."""
    with database.write() as session:
        people = [Person(name=name, pseudonym=f"p-{name}") for name in names]
        session.add_all(people)
        session.flush()
        session.add_all(Grant(person_id=p.id, role=role, campaign_id=None) for p in people)
    return people


def add_campaign(database: Database, **given: object) -> tuple[Campaign, Settings]:
    """Add a campaign without sources."""
    settings = settings_from({"kind": "fever", **given})
    with database.write() as session:
        campaign = make_campaign(session, "test", settings, "a-corpus")
    return campaign, settings
