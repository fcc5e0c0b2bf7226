"""The recipe: stages run once, again when something changed, and name what is missing."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from feverfew.errors import InputError
from feverfew.lab.train import recipe
from feverfew.lab.train.contrast import (
    WRITTEN,
    ContrastSource,
    contrast_pair,
    pages_pair,
    passage_pair,
    read_groups,
    table_pair,
)
from feverfew.lab.train.pairs import LABELS, Mixture, Pair, Source
from feverfew.lab.train.recipe import Build, Recipe, Stage, run, status

PASSAGE: dict[str, Any] = {
    "title": "The Mill",
    "section": "History",
    "sentences": ["It was built in 1850.", "It burned down in 1901.", "It is a museum now."],
    "claims": [
        {"claim": "The mill burned after 1900.", "label": "S", "evidence": [1]},
        {"claim": "The mill is older than 1850.", "label": "R", "evidence": [0]},
        {"claim": "The museum is free.", "label": "N", "evidence": [2]},
    ],
}
TABLE: dict[str, Any] = {
    "title": "Rivers",
    "caption": "Length",
    "table": [["River", "km"], ["Elbe", "1094"], ["Oder", "866"]],
    "text": ["Both flow north."],
    "claims": [{"claim": "The Elbe is longer.", "label": "S", "cells": [[1, 1], [2, 1]]}],
}
PAGES: dict[str, Any] = {
    "pages": [
        {"title": "Ann", "sentences": ["Ann was born in Aro.", "Ann sings."]},
        {"title": "Aro", "sentences": ["Aro is a port."]},
    ],
    "claims": [{"claim": "Ann was born in a port.", "label": "S", "evidence": [[0, 0], [1, 0]]}],
}


def test_the_shipped_recipe_names_sources_that_stages_make() -> None:
    shipped = Recipe.read()
    made = {stage.name for stage in recipe.STAGES}
    folders = {name.partition("/")[0] for name in shipped.weights}
    assert folders <= made | {"contrast", "written", "nli", "nli2", "fever"}
    assert all(weight > 0 for weight in shipped.weights.values())


def test_written_groups_are_whole_and_of_every_kind_and_label() -> None:
    shipped = Recipe.read()
    paths = sorted(WRITTEN.glob("*.jsonl.gz"))
    assert {f"written/{path.name.partition('.')[0]}" for path in paths} <= set(shipped.weights)
    groups = [group for path in paths for group in read_groups(path)]
    held_out = [group for path in paths for group in read_groups(path, held_out=True)]
    assert not {group["id"] for group in groups} & {group["id"] for group in held_out}
    rng = random.Random(1)
    pairs = [contrast_pair(group, claim, rng) for group in groups for claim in group["claims"]]
    assert {kind for group in held_out for kind in ("sentences", "table", "pages") if kind in group}
    labels = [LABELS.index(claim["label"]) for group in groups for claim in group["claims"]]
    assert all(0.25 < labels.count(label) / len(labels) < 0.45 for label in range(3))
    assert all(pair.evidence for pair in pairs)


def test_every_stage_stands_behind_those_that_it_needs() -> None:
    seen: set[str] = set()
    for stage in recipe.STAGES:
        assert seen >= set(stage.needs), stage.name
        seen.add(stage.name)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    ran: list[str] = []

    def make(name: str) -> Stage:
        def work(_: Build, folder: Path) -> None:
            ran.append(name)
            (folder / "made").write_text(name)

        needs, inputs = (("one",), ()) if name == "two" else ((), ("*.txt",))
        return Stage(name, work, needs, inputs, ("pairs",))

    monkeypatch.setattr(recipe, "STAGES", (make("one"), make("two")))
    (tmp_path / "data").mkdir()
    (tmp_path / "data/in.txt").write_text("a")
    made = Build(Recipe.read(), tmp_path / "data", tmp_path / "out")
    monkeypatch.setattr(recipe, "ran", ran, raising=False)
    return made


def names(build: Build) -> list[str]:
    """Run, and return the stages that had to run."""
    told: list[str] = []
    run(build, lambda name, state: told.append(name) if state == "running" else None)
    return told


def test_a_stage_runs_once_and_again_when_something_changed(build: Build) -> None:
    assert [done for _, _, done in status(build)] == [False, False]
    assert names(build) == ["one", "two"]
    assert names(build) == []
    (build.data / "in.txt").write_text("b")
    assert names(build) == ["one", "two"]
    other = replace(build, recipe=replace(build.recipe, pairs={"synthetic": 1}))
    assert names(other) == ["one", "two"]
    (build.output / "two/done.json").unlink()
    assert names(other) == ["two"]


def test_missing_data_is_named(build: Build) -> None:
    (build.data / "in.txt").unlink()
    with pytest.raises(InputError, match="is needed, and does not exist"):
        names(build)


def test_a_recipe_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("seed = 'x'")
    with pytest.raises(InputError, match="not a recipe"):
        Recipe.read(tmp_path / "bad.toml")


def test_a_passage_is_shown_in_many_forms() -> None:
    rng = random.Random(1)
    claim = PASSAGE["claims"][0]
    made = [passage_pair(PASSAGE, claim, rng) for _ in range(200)]
    assert len({pair.evidence for pair in made}) > 10
    for pair in made:
        # Without the sentence that it needs, a claim is open.
        assert (pair.verdict == 0) == ("1901" in pair.evidence)
    still_open = [passage_pair(PASSAGE, PASSAGE["claims"][2], rng) for _ in range(50)]
    assert {LABELS[pair.verdict] for pair in still_open} == {"N"}


def test_tables_and_pages_keep_what_a_claim_needs() -> None:
    rng = random.Random(1)
    for _ in range(50):
        pair = table_pair(TABLE, TABLE["claims"][0], rng)
        assert "km is 1094" in pair.evidence
        assert "km is 866" in pair.evidence
        over = pages_pair(PAGES, PAGES["claims"][0], rng)
        assert (over.verdict == 0) == ("Aro is a port" in over.evidence and "born" in over.evidence)


def test_sources_mix_by_weight_and_label() -> None:
    pairs = [Pair(f"c{i}", "e", 0 if i else 1, -100) for i in range(50)]
    flat, drawn = (
        Source("flat", pairs, 1.0, balanced=True),
        ContrastSource("p", [PASSAGE], 1.0),
    )
    batches = Mixture([flat, drawn], 8, 1).batches()
    seen = [pair for _, batch in zip(range(100), batches, strict=False) for pair in batch]
    rare = sum(pair.claim == "c0" for pair in seen)
    assert 60 < rare < 140  # a quarter of the half that is drawn from its source
    again = Mixture([flat, drawn], 8, 1).batches(skip=3)
    assert next(again) == seen[24:32]


def test_pairs_of_the_data_folder_are_read(tmp_path: Path) -> None:
    rows = [
        {"claim": "a", "evidence": "b", "label": "X"},
        {"claim": "a", "page": "B_C", "text": "is d.", "label": "SUPPORTS"},
        {"claim": "a", "evidence": "b" * 2000, "label": "S"},
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = recipe._short(recipe._data_pairs(path))
    assert [(p.evidence, p.verdict) for p in found] == [("b", 3), ("B C: is d.", 0)]
