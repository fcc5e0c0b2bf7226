"""Training the scorer of table programs: it learns, its seed decides, what it learns is used."""

import numpy as np

from feverfew.lab.train.adam import Adam
from feverfew.lab.train.tables import describe, fit_scorer
from feverfew.lab.train.tablesets import Statement, bucket
from feverfew.lab.train.tablesilence import fit_speaks
from feverfew.tables.programs import try_programs
from feverfew.tables.scorer import Scorer
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


def test_gradients_are_those_of_the_loss() -> None:
    from feverfew.lab.train.tables import _Network

    data = describe(STATEMENTS[:5], VIEWS)
    size = data.programs.shape[1] + data.statements.shape[1]
    network = _Network((np.zeros(size, np.float32), np.ones(size, np.float32)), 1)
    _, gradients = network.step(data)
    for name, at in (("hidden", (40, 3)), ("attention", (2,)), ("vote", (5,)), ("own", (1, 1))):
        kept = network.weights[name][at]
        losses = []
        for move in (1e-2, -1e-2):
            network.weights[name][at] = kept + move
            losses.append(network.step(data)[0])
        network.weights[name][at] = kept
        slope = (losses[0] - losses[1]) / 2e-2
        assert abs(slope - gradients[name][at]) < 2e-3


def test_silence_is_learned() -> None:
    width = try_programs("a", VIEWS["t"]).statement.shape[0]
    scale = (np.zeros(width, np.float32), np.ones(width, np.float32))
    weights, bias = fit_speaks(STATEMENTS, TABLES, scale, count=20, seed=1)
    own = try_programs("the ravens are from oslo", VIEWS["t"]).statement
    other = try_programs("bees make honey", VIEWS["t"]).statement
    assert own @ np.array(weights) + bias > other @ np.array(weights) + bias


def test_adam_finds_a_minimum() -> None:
    weights = {"x": np.array([5.0], np.float32)}
    adam = Adam(weights)
    for _ in range(400):
        adam.update({"x": 2 * (weights["x"] - 2)}, 0.05)
    assert abs(float(weights["x"][0]) - 2) < 0.05


def test_a_split_never_changes() -> None:
    assert [bucket(name) for name in ("a", "b", "2-18974097-10.html.csv")] == [222, 171, 117]
