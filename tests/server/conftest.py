"""One server for all tests that only ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from running import Running, running


@pytest.fixture(scope="session")
def server(sample_path: Path) -> Iterator[Running]:
    with running(sample_path, "--timeout", "300") as found:
        yield found
