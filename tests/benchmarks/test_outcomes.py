"""Verdicts over labelled claims: how sets are drawn, and what the figures count."""

import sys
from pathlib import Path

import pytest

from feverfew import Claim, Ref, Verdict
from feverfew.judge import LabelPolicy

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from official import balanced
from outcomes import Case, Outcome, draw, figures, overlaps, two_way

sys.path.pop(0)


def said(
    gold: str, verdict: str, shares: tuple[float, float, float], binary: bool = False
) -> Outcome:
    return Outcome(Case(claim="c", gold=gold, group=gold, binary=binary), verdict, shares)


def test_groups_are_drawn_whole_and_always_the_same() -> None:
    cases = [(group, number) for group in "abcdefgh" for number in range(3)]
    drawn = draw(cases, 4, lambda case: case[0])
    assert len(drawn) == 6
    assert len({group for group, _ in drawn}) == 2
    assert sorted(draw(cases[::-1], 4, lambda case: case[0])) == sorted(drawn)
    assert sorted(draw(cases, 100, lambda case: case[0])) == cases


def test_figures_count_by_label() -> None:
    found = figures(
        [
            said("S", "S", (0.9, 0.05, 0.05)),
            said("S", "N", (0.3, 0.1, 0.6)),
            said("R", "R", (0.1, 0.85, 0.05)),
            said("N", "S", (0.8, 0.1, 0.1)),
        ]
    )
    assert found["claims"] == 4
    assert found["accuracy"]["value"] == 0.5
    assert found["S"]["value"] == 0.5
    assert found["N"] == {"value": 0.0, "low": 0.0, "high": 0.0, "of": 1}
    assert found["X"] is None
    assert found["sure"]["value"] == pytest.approx(2 / 3)
    assert found["evidence"] is None


def test_not_supported_may_be_refuted_or_undecided() -> None:
    refuted = said("X", "R", (0.1, 0.5, 0.4), binary=True)
    assert refuted.right
    assert refuted.sure == pytest.approx(0.9)
    assert said("X", "N", (0.2, 0.2, 0.6), binary=True).right
    assert not said("X", "S", (0.6, 0.2, 0.2), binary=True).right


def test_two_way_takes_the_likelier_of_supported_and_refuted() -> None:
    outcomes = [said("S", "N", (0.3, 0.1, 0.6)), said("R", "N", (0.3, 0.2, 0.5))]
    plain, mild = LabelPolicy(), LabelPolicy("mild", (1.0, 2.0, 1.0))
    assert (two_way(outcomes, plain) or {})["value"] == 0.5
    assert (two_way(outcomes, mild) or {})["value"] == 1.0


def test_labels_are_balanced() -> None:
    labels = [Verdict.SUPPORTED] * 3 + [Verdict.NOT_SUPPORTED]
    claims = [
        Claim(id=n, text="c", label=label, evidence=((Ref.sentence("A", 0),),), group=str(n))
        for n, label in enumerate(labels)
    ]
    found = balanced(claims, [1.0, 1.0, 1.0, 0.0])
    assert found["value"] == 0.5
    assert found["low"] <= 0.5 <= found["high"]


def test_cited_texts_are_compared_with_gold_ones() -> None:
    assert overlaps("The ferry sails on Sundays.", "the ferry sails on sundays")
    assert not overlaps("It was closed.", "The ferry sails on Sundays.")
    assert overlaps("Lagoon: price 12", "Lagoon,12,open,yes")
    assert overlaps("anything", "TABLE: the sum of all rows")
