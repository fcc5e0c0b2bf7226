"""Real Chromium for the tests: found on this machine, or the tests say what is missing."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from browsing import Browsing, start
from running import Running, running

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_REQUIRED = "FEVERFEW_BROWSER"
"""Set to 'required' where a skipped test would be a failure."""
_SCREENSHOTS = "FEVERFEW_SCREENSHOTS"
_HERE = Path(__file__).parents[2] / ".screenshots"


def _missing(what: str, how: str) -> None:
    said = f"the tests in a browser need {what}: {how}, or run 'make test-browser'"
    if os.environ.get(_REQUIRED) == "required":
        pytest.fail(said)
    pytest.skip(said)


@pytest.fixture(scope="module")
def browsing() -> Iterator[Browsing]:
    """One Chromium for the tests of a file.

    Not for more: while Playwright is at work, its thread has no room for another event loop.
    """
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        _missing("Chromium", "apt-get install chromium")
    try:
        import playwright.sync_api  # noqa: F401
    except ModuleNotFoundError:
        _missing("Playwright", "pip install 'feverfew[browser]'")
    folder = Path(os.environ.get(_SCREENSHOTS) or _HERE)
    folder.mkdir(parents=True, exist_ok=True)
    with start(str(found), folder) as made:
        yield made


@pytest.fixture(autouse=True)
def _quiet(browsing: Browsing, request: pytest.FixtureRequest) -> Iterator[None]:
    """Name screenshots after the test, and refuse whatever a page complains of."""
    browsing.named = re.sub(r"\W+", "-", request.node.name.removeprefix("test_")).strip("-")
    yield
    browsing.close_pages()
    said, browsing.complaints = browsing.complaints, []
    assert said == []


@pytest.fixture(scope="session")
def site(sample_path: Path) -> Iterator[Running]:
    with running(sample_path, "--timeout", "300") as found:
        yield found
