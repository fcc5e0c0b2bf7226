"""Every test of the arena that keeps something runs on SQLite and on PostgreSQL."""

from collections.abc import Iterator

import pytest

from storing import clean_database, postgres_server


@pytest.fixture(scope="session")
def server() -> Iterator[str | None]:
    with postgres_server() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> list[str]:
    """Return the options of `create` for a database."""
    if request.param == "sqlite":
        return []
    return ["--database", clean_database(request.getfixturevalue("server"))]
