import os
import subprocess
import sys
from pathlib import Path

import pytest

from feverfew import Corpus
from feverfew.sample import sample_corpus

OPEN = "import feverfew; print(len(feverfew.Corpus.sample()))"


def test_a_damaged_cache_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    directory = sample_corpus()
    (trie,) = directory.glob("g-*/titles-1.trie")
    trie.write_bytes(trie.read_bytes()[:100])
    with Corpus.sample() as corpus:
        assert corpus.page("Fritz Lang").title == "Fritz Lang"


def test_two_first_uses_at_once_both_work(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    counts = [process.communicate(timeout=60)[0] for process in both]
    assert counts == ["255\n", "255\n"]
