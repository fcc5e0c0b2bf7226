"""The cache: kept under everything that shaped it, made again when that changes or it is broken."""

from pathlib import Path

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.lab.papers import ours as own_parts
from feverfew.lab.papers.cache import Cache, default_folder, fingerprint
from feverfew.lab.papers.dataset import SampleDataset
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.runner import Runner


def test_a_value_is_made_once_for_each_key(tmp_path: Path) -> None:
    said: list[str] = []
    made: list[int] = []
    cache = Cache(tmp_path, said.append)

    def make() -> list[int]:
        made.append(len(made))
        return list(made)

    first = cache.value("numbers", ("a", 1), list[int], make)
    assert cache.value("numbers", ("a", 1), list[int], make) == first
    assert cache.value("numbers", ("a", 2), list[int], make) == [0, 1]
    assert said == ["numbers …", "numbers …"]
    for path in tmp_path.rglob("*.msgpack"):
        path.write_bytes(b"broken")
    assert cache.value("numbers", ("a", 1), list[int], make) == [0, 1, 2]
    assert not list(tmp_path.rglob("*.part"))


def test_arrays_come_back_as_they_were(tmp_path: Path) -> None:
    cache = Cache(tmp_path, lambda what: None)
    arrays = {"a": np.arange(3, dtype=np.float32), "words": np.array(["x", "yz"])}
    cache.arrays("network", 1, lambda: arrays)
    again = cache.arrays("network", 1, dict)
    assert again["a"].tolist() == [0, 1, 2]
    assert again["words"].tolist() == ["x", "yz"]


def test_fingerprints_tell_settings_apart() -> None:
    assert fingerprint(System(pages=5)) == fingerprint(System())
    assert fingerprint(System(pages=5)) != fingerprint(System(pages=6))
    assert default_folder().name == "reproduce"


def test_better_weights_of_ours_are_asked_anew(
    sample: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    lab = Runner(SampleDataset(sample), Cache(tmp_path, said.append))
    claims = lab.dataset.claims("fever").claims[:2]
    ours, theirs = System(retrieve="ours"), System(retrieve="titles")
    for system in (ours, theirs, ours, theirs):
        lab.run(system, claims)
    assert said.count("pages ours …") == said.count("pages titles …") == 1
    weights = tmp_path / "ranker.json"
    weights.write_text("{}", "utf-8")
    monkeypatch.setattr(own_parts, "weight_files", lambda: [weights])
    for system in (ours, theirs):
        lab.run(system, claims)
    assert said.count("pages ours …") == 2
    assert said.count("pages titles …") == 1
