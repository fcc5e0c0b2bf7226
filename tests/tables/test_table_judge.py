"""Encoder, programs, words and numbers weighed into one verdict on a table."""

from collections.abc import Sequence

import numpy as np
import pytest

from feverfew.judge import Judge
from feverfew.judge.aggregate import Aggregator, Weights
from feverfew.judge.features import FEATURES, RETRIEVED
from feverfew.tables import TableJudge, TableView
from feverfew.tables.cells import Cells
from feverfew.tables.programs import Programs
from feverfew.tables.table_features import BOTH, TABLE, both_features, table_features
from tinymodel import ALIKE

RIVERS = TableView.of_rows(
    [
        ["River", "Country", "Bridges"],
        ["Alva", "Norway", "4"],
        ["Berga", "Sweden", "9"],
        ["Corra", "Norway", "2"],
    ],
    "Rivers of the north",
)
CLAIMS = ["The Alva is a river in Norway.", "There are 3 rivers in Norway.", "Bees make honey."]


class Stub:
    """Stands for the encoder: supports what holds a word, and remembers what it was asked."""

    fingerprint = "stub"

    def __init__(self, word: str = "Norway") -> None:
        self.word = word
        self.asked: list[list[tuple[str, str]]] = []

    def logits(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.asked.append(list(pairs))
        return np.array(
            [[3, 0, 0, 3] if self.word in text else [0, 0, 3, -3] for _, text in pairs], np.float32
        ).reshape(len(pairs), 4)[:, ALIKE]


def reads(names: tuple[str, ...], first: str) -> Aggregator:
    """Make an aggregator that follows one reading of the encoder: its S, R and N."""
    hidden = np.zeros((len(names), 3))
    for at, name in enumerate("srn"):
        hidden[names.index(f"{first}_{name}"), at] = 1.0
    return Aggregator(
        Weights(
            list(names),
            [0.0] * len(names),
            [1.0] * len(names),
            hidden.tolist(),
            [0.0] * 3,
            (5 * np.eye(3)).tolist(),
            [0.0] * 3,
        ),
        names,
    )


def stubbed(encoder: Stub) -> TableJudge:
    judge = Judge(encoder, Aggregator.blank(FEATURES), Aggregator.blank(FEATURES + RETRIEVED))
    parts = (reads(TABLE, "cells"), reads(BOTH, "together"))
    return TableJudge(judge, Cells.open(), Programs.open(), *parts)


@pytest.fixture(scope="module")
def shipped() -> TableJudge:
    return TableJudge.open(Judge.open(threads=1), Cells.open())


def test_what_the_encoder_reads_in_cells_is_heard() -> None:
    found = stubbed(Stub()).judge(CLAIMS[:1], [RIVERS])[0]
    silent = stubbed(Stub("Peru")).judge(CLAIMS[:1], [RIVERS])[0]
    assert found.probabilities[0] > 0.5 > silent.probabilities[0]
    assert silent.probabilities[2] > 0.5
    assert (0, 1) in found.read


def test_texts_and_cells_are_read_as_one_where_both_are_at_hand() -> None:
    encoder = Stub("Vienna")
    texts = [[], [("Lang", "He was born in Vienna.")]]
    without, beside = stubbed(encoder).judge(CLAIMS[:2], [RIVERS, RIVERS], texts)
    assert without.probabilities[2] > 0.5
    assert beside.probabilities[0] > 0.5
    (joint,) = [text for group in encoder.asked for _, text in group if " | " in text]
    assert joint.startswith("Lang: He was born in Vienna. | Rivers of the north: ")


def test_claims_and_tables_are_read_in_one_batch() -> None:
    encoder = Stub()
    stubbed(encoder).judge(CLAIMS, [RIVERS] * 3)
    assert [len(group) for group in encoder.asked if group] == [3]


def test_an_empty_table_says_nothing_and_texts_beside_it_all(shipped: TableJudge) -> None:
    empty = TableView.of_rows([])
    text = [("", "Fritz Lang was born in Vienna.")]
    claim = "Fritz Lang was born in Vienna."
    alone, beside = shipped.judge([claim] * 2, [empty] * 2, [[], text])
    assert alone.probabilities == (0.0, 0.0, 1.0)
    assert beside.probabilities[0] > 0.5


def test_shipped_weights_give_sound_verdicts(shipped: TableJudge) -> None:
    together = shipped.judge(CLAIMS, [RIVERS] * 3)
    for one in together:
        assert sum(one.probabilities) == pytest.approx(1, abs=1e-5)
        assert 0 <= one.probability <= 1
    true, false, silent = together
    assert true.probabilities[0] > false.probabilities[0]
    assert silent.speaks < min(true.speaks, false.speaks)
    # One by one, they say the same.
    for claim, one in zip(CLAIMS, together, strict=True):
        again = shipped.judge([claim], [RIVERS])[0]
        assert again.probabilities == pytest.approx(one.probabilities, abs=0.05)


def test_a_reason_speaks_for_the_likelier_side(shipped: TableJudge) -> None:
    verdict = stubbed(Stub()).judge(["There are 2 rivers in Norway."], [RIVERS])[0]
    assert verdict.probabilities[0] > 0.5
    assert verdict.reason == "count(Country = norway) = 2, as the claim says 2"
    assert verdict.value == 2


def test_features_have_their_names_and_are_never_undefined(shipped: TableJudge) -> None:
    views = [RIVERS, TableView.of_rows([]), TableView.of_rows([["a", "b"], ["1"], []])]
    for claim in ("", "a", "0 0 0 zero", "None of all the most least 3rd 1990 is 5 km."):
        readings = shipped.read([claim] * 3, views)
        texts = shipped.read_texts([claim] * 3, views, [[("", "x 3")]] * 3)
        for reading, told in zip(readings, texts, strict=True):
            own, both = table_features(reading), both_features(reading, told)
            assert (len(own), len(both)) == (len(TABLE), len(BOTH))
            assert np.isfinite(both).all()


def test_the_fingerprint_names_every_part(shipped: TableJudge) -> None:
    names = {shipped.fingerprint, stubbed(Stub()).fingerprint}
    other = TableJudge.untrained(Judge.open(threads=1), Cells.open())
    names.add(other.fingerprint)
    assert len(names) == 3
    assert shipped.fingerprint == TableJudge.open(Judge.open(threads=1), Cells.open()).fingerprint
