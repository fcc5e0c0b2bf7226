"""The small network: shipped weights score as they always did, and other versions are refused."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from feverfew.errors import InputError, NotFound
from feverfew.models.network import Network, sigmoid, softmax
from feverfew.weights import __file__ as weights

# Scores of rows one spread below the mean, at it and one above it, as the networks were measured.
SHIPPED = {
    ("ranker.json", "first"): [-12.24925, -1.10307, 1.04549],
    ("ranker.json", "second"): [-9.66759, -1.01635, 1.54656],
    ("selector.json", "first"): [-4.53457, -0.8894, 2.32704],
    ("selector.json", "second"): [-5.73114, -0.00697, 2.8786],
    ("hops.json", "round 0"): [-6.3454, -0.67315, 2.96196],
    ("hops.json", "round 1"): [-13.13761, -0.95713, 3.08979],
    ("hops.json", "round 2"): [-11.29044, -0.55071, 3.25104],
    ("hops.json", "round 3"): [-7.36344, -0.38879, 3.7077],
    ("cells.json", "cells"): [-5.91512, -0.23055, 1.23073],
    ("table_ranker.json", "tables"): [-5.62847, -0.04523, 4.21371],
}
SMALL = Network(["a", "b"], [1.0, 0.0], [2.0, 1.0], [[1.0], [1.0]], [0.5], [3.0])


@pytest.mark.parametrize(("file", "name"), SHIPPED)
def test_shipped_networks_score_as_they_were_measured(file: str, name: str) -> None:
    network = Network.load(Path(weights).parent / file)[name]
    mean, spread = np.array(network.mean), np.array(network.spread)
    rows = (mean + spread * np.array([[-1.0], [0.0], [1.0]])).astype(np.float32)
    assert network.score_array(rows) == pytest.approx(SHIPPED[file, name], abs=2e-5)


def test_features_are_standardised_and_hidden_units_never_negative() -> None:
    assert SMALL.scores([[3.0, 1.0], [-9.0, 0.0]]) == [7.5, 0.0]
    assert SMALL.scores([]) == []


def test_a_linear_network_has_no_hidden_units() -> None:
    linear = Network(["a", "b"], [1.0, 0.0], [2.0, 1.0], [], [], [3.0, -1.0], [0.25])
    assert linear.scores([[3.0, 2.0]]) == [1.25]
    assert linear.probabilities([[3.0, 2.0]]) == pytest.approx(sigmoid(np.array([1.25])))


def test_several_outputs_become_probabilities() -> None:
    three = Network(
        ["a"], [0.0], [1.0], [[1.0]], [0.0], [[1.0, 0.0, -1.0]], [0.0, 0.0, 0.5], "tanh"
    )
    (row,) = three.probabilities([[0.3]])
    inner = np.tanh(0.3)
    assert row == pytest.approx(softmax(np.array([inner, 0, 0.5 - inner])), abs=1e-6)
    assert three.probabilities([]).shape == (0, 3)


def test_json_round_trips_and_the_fingerprint_follows_the_numbers() -> None:
    again = msgspec.json.decode(msgspec.json.encode(SMALL), type=Network)
    other = msgspec.structs.replace(SMALL, out=[2.0])
    assert again == SMALL
    assert again.fingerprint == SMALL.fingerprint != other.fingerprint


def test_weights_of_another_version_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"another version: \['b', 'c'\]"):
        SMALL.expect(("a", "c"))
    with pytest.raises(InputError, match="order"):
        SMALL.expect(("b", "a"))
    path = tmp_path / "own.json"
    path.write_bytes(msgspec.json.encode({"first": SMALL}))
    assert Network.load(path, ("a", "b")) == {"first": SMALL}
    with pytest.raises(InputError, match=r"own\.json: first"):
        Network.load(path, ("a",))
    path.write_text('{"first": {"weights": []}}', "utf-8")
    with pytest.raises(InputError, match="not a file of networks"):
        Network.load(path)
    with pytest.raises(InputError, match="cannot be read"):
        Network.load(tmp_path / "absent.json")


def test_a_name_that_is_not_there_lists_those_that_are() -> None:
    with pytest.raises(NotFound, match="first, second"):
        Network.shipped("third", ())


def test_shares_stay_finite() -> None:
    assert sigmoid(np.array([-1e9, 0.0, 1e9])).tolist() == pytest.approx([0, 0.5, 1])
    assert softmax(np.array([[1e9, 0.0]])).tolist() == [[1.0, 0.0]]
    assert softmax(np.zeros((0, 3))).shape == (0, 3)
