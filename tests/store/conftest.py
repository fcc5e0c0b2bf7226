"""Every test of the store runs on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from storing import clean_database, postgres_server


@pytest.fixture(scope="session")
def server() -> Iterator[str | None]:
    with postgres_server() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'work.sqlite'}"
    return clean_database(request.getfixturevalue("server"))
