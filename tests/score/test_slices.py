"""Slices: every claim where it belongs, and every count right."""

from typing import Any

import pytest

from feverfew.errors import NotFound
from feverfew.score import feverous_score, slice_by
from feverfew.score.slices import SLICES
from feverfew.types import Claim, Prediction, Ref, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


def counts(by: str, *claims: Claim) -> dict[str, int]:
    sheet = feverous_score(claims, [Prediction(id=c.id, label=S) for c in claims])
    return {name: len(part) for name, part in slice_by(sheet, [by]).get(by, {}).items()}


def claim(at: int, *sets: tuple[str, ...], text: str = "x", **more: Any) -> Claim:
    evidence = tuple(tuple(Ref.parse(one) for one in ids) for ids in sets)
    return Claim(id=at, text=text, **{"label": S, "evidence": evidence} | more)


def test_by_label_in_the_usual_order() -> None:
    found = counts("label", claim(1, label=N), claim(2, label=S), claim(3, label=N))
    assert list(found.items()) == [("SUPPORTED", 1), ("NOT ENOUGH INFO", 2)]


def test_by_hops_and_none_without() -> None:
    found = counts("hops", claim(1, hops=10), claim(2, hops=2), claim(3, hops=2), claim(4))
    assert list(found.items()) == [("2 hops", 2), ("10 hops", 1)]
    assert counts("hops", claim(1)) == {}


def test_by_type_of_evidence_over_all_sets() -> None:
    found = counts(
        "evidence",
        claim(1, ("P_sentence_0",)),
        claim(2, ("P_cell_0_0_0", "P_header_cell_0_0_0"), ("P_table_caption_0",)),
        claim(3, ("P_sentence_0",), ("P_cell_0_0_0",)),
        claim(4, ("P_item_0_0",)),
        claim(5),
        claim(6, ("P_title",)),
    )
    assert found == {
        "sentences only": 1,
        "cells only": 1,
        "list items only": 1,
        "other elements only": 1,
        "sentences + cells": 1,
        "no evidence": 1,
    }


def test_by_challenge() -> None:
    found = counts("challenge", claim(1, challenge="Multi-hop Reasoning"), claim(2))
    assert found == {"Multi-hop Reasoning": 1}


def test_by_gold_sentences_of_the_smallest_set() -> None:
    five = tuple(f"P_sentence_{n}" for n in range(5))
    found = counts(
        "sentences",
        claim(1, five[:2], five[:1]),
        claim(2, ("P_cell_0_0_0",)),
        claim(3, five),
        claim(4, (*five, "P_sentence_7")),
        claim(5),
    )
    assert found == {"0": 1, "1": 1, "5 or more": 2}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (0, "1–7 words"),
        (7, "1–7 words"),
        (8, "8–11 words"),
        (19, "12–19 words"),
        (20, "20–29 words"),
        (30, "30 words or more"),
        (99, "30 words or more"),
    ],
)
def test_by_length(words: int, name: str) -> None:
    assert counts("length", claim(1, text=" ".join(["w"] * words))) == {name: 1}


def test_a_slice_keeps_its_own_scores() -> None:
    claims = [claim(1, ("P_sentence_0",), label=S), claim(2, ("P_sentence_0",), label=R)]
    said = [Prediction(id=c.id, label=S, evidence=(Ref.sentence("P", 0),)) for c in claims]
    parts = slice_by(feverous_score(claims, said))["label"]
    assert parts["SUPPORTED"].means()["feverous_score"] == 1
    assert parts["REFUTED"].means()["feverous_score"] == 0
    assert parts["REFUTED"].means()["recall"] == 1


def test_an_unknown_slice_lists_those_that_exist() -> None:
    with pytest.raises(NotFound, match="'mood'; there are label, hops, evidence"):
        counts("mood", claim(1))


def test_every_slice_is_cut_by_default() -> None:
    whole = claim(1, ("P_sentence_0",), hops=2, challenge="Other")
    sheet = feverous_score([whole], [Prediction(id=1, label=S)])
    assert list(slice_by(sheet)) == list(SLICES)
