"""The schema, and opening a database."""

from datetime import UTC, datetime

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import select

from feverfew.errors import InputError
from feverfew.store.database import Base, Database
from feverfew.store.people_tables import Person


def test_migrations_make_what_the_tables_say(url: str) -> None:
    database = Database.open(url)
    with database.engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), Base.metadata)
    database.close()
    assert found == []


def test_opening_again_changes_nothing(url: str) -> None:
    for name in ("ann", "bob"):
        database = Database.open(url)
        with database.write() as session:
            session.add(Person(name=name, pseudonym=name))
        database.close()
    database = Database.open(url)
    with database.read() as session:
        people = session.scalars(select(Person).order_by(Person.id)).all()
    database.close()
    assert [person.name for person in people] == ["ann", "bob"]
    assert people[0].created.tzinfo is UTC
    assert abs((datetime.now(UTC) - people[0].created).total_seconds()) < 60


def test_what_fails_leaves_no_trace(url: str) -> None:
    database = Database.open(url)
    with pytest.raises(ZeroDivisionError), database.write() as session:  # noqa: PT012
        session.add(Person(name="ann", pseudonym="ann"))
        session.flush()
        _ = 1 / 0
    with database.read() as session:
        assert session.scalars(select(Person)).all() == []
    database.close()


def test_what_is_no_database_is_refused() -> None:
    with pytest.raises(InputError, match="give sqlite:///file or postgresql://"):
        Database.open("mongo")
    with pytest.raises(InputError, match="cannot be opened"):
        Database.open("sqlite:////no/such/folder/work.sqlite")
