"""Batch: many claims, on several processes, with the same answers as on one."""

import pytest

from feverfew.corpus import Corpus
from feverfew.errors import FeverfewError
from feverfew.retrieve import Batch, Ranked
from feverfew.retrieve import batch as batching

CLAIMS = [f"Fritz Lang made film number {n} in Vienna." for n in range(150)]


def test_processes_answer_as_one_does(sample: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "_WORTHWHILE", 100)
    expected = Ranked.open(sample).retrieve(CLAIMS, 3)
    with Batch(sample.path, 2) as batch:
        assert batch.retrieve(CLAIMS[:10], 3) == expected[:10]  # too few to share
        assert batch.retrieve(CLAIMS, 3) == expected
        assert batch.retrieve(CLAIMS[:10], 3) == expected[:10]
    with Batch(sample.path, 1) as alone:
        assert alone.retrieve(CLAIMS, 3) == expected


def test_a_killed_worker_is_a_clear_error(sample: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "_WORTHWHILE", 100)
    with Batch(sample.path, 2) as batch:
        batch.retrieve(CLAIMS, 3)
        assert batch._pool is not None
        for process in batch._pool._processes:
            process.kill()
        with pytest.raises(FeverfewError, match="worker process ended unexpectedly"):
            batch.retrieve(CLAIMS, 3)
