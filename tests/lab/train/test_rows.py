"""What the aggregators learn from: several rows a claim, and nothing that hangs on their number."""

import random

import numpy as np

from feverfew.judge.reading import EncoderOutput
from feverfew.lab.train.rows import Rows, _among


def reading(*names: str) -> EncoderOutput:
    pieces = [(name, f"{name} says so.") for name in names]
    logits = np.array([[float(ord(name))] * 4 for name in names], np.float32)
    return EncoderOutput("a claim", pieces, [text for _, text in pieces], logits)


def test_gold_pieces_stand_among_as_many_as_are_found() -> None:
    made = _among(reading("b"), reading("a", "b", "c", "d", "e"), random.Random(1))
    names = [name for name, _ in made.pieces]
    assert sorted(names) == ["a", "b", "c", "d", "e"]
    assert names != sorted(names)  # in any order
    assert made.alone[:, 0].tolist() == [float(ord(name)) for name in names]
    assert made.texts == [text for _, text in made.pieces]


def test_gold_that_was_not_found_takes_the_place_of_the_last_ones() -> None:
    made = _among(reading("x", "y"), reading("a", "b", "c"), random.Random(1))
    assert sorted(name for name, _ in made.pieces) == ["a", "x", "y"]


def test_joined_rows_keep_their_claims_apart() -> None:
    some = Rows([[1.0], [2.0]], [0, 0], [4, 4])
    others = Rows([[3.0], [4.0]], [1, 2], [0, 1])
    assert some.join(others) == Rows([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 2], [4, 4, 5, 6])
