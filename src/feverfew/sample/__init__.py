"""The small encyclopedia that comes with feverfew, with claims over it.

The pages are MediaWiki exports and the claims are in FEVEROUS's form, so that the sample is
read by the same readers as any other source.
"""

import hashlib
import os
import tempfile
import time
from importlib.resources import files
from pathlib import Path

from feverfew.corpus import layout
from feverfew.corpus.build import build
from feverfew.errors import CorpusBusy, CorpusError, NotACorpus

__all__ = ["sample_claims", "sample_corpus", "sample_sources"]


def sample_sources() -> list[Path]:
    """Return the sample's page files."""
    return sorted(_folder().glob("*.xml"))


def sample_claims() -> list[Path]:
    """Return the sample's claim files."""
    return sorted(_folder().glob("*.jsonl"))


def sample_corpus(*, anew: bool = False) -> Path:
    """Return the directory of the sample corpus, building it on first use, or anew.

    It lies in the user's cache; a new version of the sample, or of the corpus format, gets a
    directory of its own.
    """
    state = hashlib.blake2b(str(layout.FORMAT).encode(), digest_size=6)
    for path in sample_sources():
        state.update(path.read_bytes())
    name = f"sample-{state.hexdigest()}.corpus"
    problem: CorpusError | None = None
    for cache in _caches():
        directory = cache / name
        if not anew and _finished(directory):
            return directory
        try:
            build(sample_sources(), directory)
            return directory
        except CorpusBusy:
            _wait_for(directory)  # another process builds the same
            return directory
        except CorpusError as error:  # perhaps nothing may be written there
            problem = error
    raise problem or CorpusError("there is no place for the sample corpus")


def _finished(directory: Path) -> bool:
    try:
        layout.read_manifest(directory)
    except NotACorpus:
        return False
    return True


def _wait_for(directory: Path, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not _finished(directory):
        if time.monotonic() > end:
            raise CorpusBusy(f"another process is building {directory}; try again later")
        time.sleep(0.05)


def _folder() -> Path:
    return Path(str(files("feverfew.sample")))


def _caches() -> list[Path]:
    """List where the sample may be kept: the user's cache, else a temporary folder."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    user = os.getuid() if hasattr(os, "getuid") else 0
    return [home / "feverfew", Path(tempfile.gettempdir()) / f"feverfew-{user}"]
