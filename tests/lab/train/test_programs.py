"""Training the scorer of table programs: it learns, its seed decides, what it learns is used."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")

from feverfew.lab.train.datasets import Statement, bucket
from feverfew.lab.train.programs import describe, fit_scorer, fit_speaks
from feverfew.tables.programs import Scorer, try_programs
from feverfew.tables.view import TableView

ROWS = [
    ["Team", "City", "Points"],
    ["Ravens", "Oslo", "10"],
    ["Larks", "Bergen", "7"],
    ["Owls", "Voss", "3"],
]
TABLES = {"t": {"rows": ROWS, "caption": "Teams"}, "u": {"rows": [["x"], ["y"]], "caption": ""}}
STATEMENTS = [
    Statement("t", f"the {team} are from {city}", int(own == city))
    for team, own in (("ravens", "oslo"), ("larks", "bergen"), ("owls", "voss"))
    for city in ("oslo", "bergen", "voss")
] * 4
VIEWS = {"t": TableView.of_rows(ROWS, "Teams")}


def test_it_learns_what_is_true_and_the_seed_decides() -> None:
    data = describe(STATEMENTS, VIEWS)
    weights, losses = fit_scorer(data, data, epochs=30, seed=3)
    assert losses[-1] < 0.6 * losses[0]
    again, _ = fit_scorer(data, data, epochs=30, seed=3)
    other, _ = fit_scorer(data, data, epochs=30, seed=4)
    assert weights == again != other
    scorer = Scorer(weights)
    for one in STATEMENTS[:9]:
        tried = try_programs(one.text, VIEWS["t"])
        assert (scorer.score(tried.programs, tried.statement)[0] > 0.5) == bool(one.label)


def test_silence_is_learned() -> None:
    width = try_programs("a", VIEWS["t"]).statement.shape[0]
    scale = (np.zeros(width, np.float32), np.ones(width, np.float32))
    weights, bias = fit_speaks(STATEMENTS, TABLES, scale, count=20, seed=1)
    own = try_programs("the ravens are from oslo", VIEWS["t"]).statement
    other = try_programs("bees make honey", VIEWS["t"]).statement
    assert own @ np.array(weights) + bias > other @ np.array(weights) + bias


def test_a_split_never_changes() -> None:
    assert [bucket(name) for name in ("a", "b", "2-18974097-10.html.csv")] == [222, 171, 117]
