"""A plugin for pytest: the fixtures `assert_supported` and `assert_not_refuted`.

It is found by itself once feverfew is installed. `--feverfew-corpus DIR`, or `feverfew_corpus` in
the configuration, names the corpus of assertions that name none.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from feverfew.types import Report

Assertion = Callable[..., list[Report]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option, and the setting."""
    said = "The corpus that assert_supported asks, unless a test names one."
    parser.getgroup("feverfew").addoption("--feverfew-corpus", metavar="DIR", help=said)
    parser.addini("feverfew_corpus", said, default="")


def pytest_unconfigure() -> None:
    """Close what assertions have opened."""
    import sys

    testing = sys.modules.get("feverfew.integrations.testing")
    if testing is not None:
        testing.close_checkers()


@pytest.fixture(scope="session")
def feverfew_corpus(pytestconfig: pytest.Config) -> Path | None:
    """Return the corpus that was named for the run; None for the sample."""
    given = pytestconfig.getoption("--feverfew-corpus")
    if given:
        return Path(given)
    setting: str = pytestconfig.getini("feverfew_corpus")
    return pytestconfig.rootpath / setting if setting else None


@pytest.fixture(scope="session")
def assert_supported(feverfew_corpus: Path | None) -> Assertion:
    """Return the assertion that a corpus supports a text: `assert_supported(text, corpus)`."""
    from feverfew.integrations.testing import assert_supported

    return lambda text, corpus=None: assert_supported(text, corpus or feverfew_corpus)


@pytest.fixture(scope="session")
def assert_not_refuted(feverfew_corpus: Path | None) -> Assertion:
    """Return the assertion that a corpus does not refute a text."""
    from feverfew.integrations.testing import assert_not_refuted

    return lambda text, corpus=None: assert_not_refuted(text, corpus or feverfew_corpus)
