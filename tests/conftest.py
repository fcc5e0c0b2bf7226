"""What all tests share: a cache of their own, and the sample corpus, built once."""

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from feverfew.corpus import Corpus

# The same examples every time: a run that fails today must fail again tomorrow.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None)
hypothesis.settings.load_profile("steady")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep out of the user's cache and data, in the tests' own subprocesses too."""
    names = ("XDG_CACHE_HOME", "XDG_DATA_HOME", "FEVERFEW_CORPUS")
    before = {name: os.environ.get(name) for name in names}
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))
    os.environ.pop("FEVERFEW_CORPUS", None)
    yield
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


@pytest.fixture(scope="session")
def sample_path(_own_cache: None) -> Path:
    from feverfew.sample import sample_corpus

    return sample_corpus()


@pytest.fixture(scope="session")
def sample(sample_path: Path) -> Iterator[Corpus]:
    with Corpus.open(sample_path) as corpus:
        yield corpus
