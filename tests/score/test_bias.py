import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import ScoreError
from feverfew.score.bias import (
    associations,
    bias,
    evidence_type,
    npmi,
    outcomes_of,
    positions,
    tokens,
)
from feverfew.types import Claim, Ref, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


def test_npmi_by_hand() -> None:
    """log(.2 / (.4 × .25)) / -log .2 = log 2 / log 5."""
    assert npmi(20, 40, 25, 100) == pytest.approx(math.log(2) / math.log(5))
    assert npmi(10, 40, 25, 100) == pytest.approx(0)
    assert npmi(5, 40, 25, 100) == pytest.approx(math.log(0.5) / math.log(20))


def test_npmi_at_its_ends() -> None:
    assert npmi(25, 25, 25, 100) == pytest.approx(1)
    assert npmi(0, 40, 25, 100) == -1
    assert npmi(100, 100, 100, 100) == 0


@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_npmi_stays_in_its_range(both: int, one: int, other: int, rest: int) -> None:
    value = npmi(both, both + one, both + other, both + one + other + rest)
    assert -1 <= value <= 1
    assert value == npmi(both, both + other, both + one, both + one + other + rest)


def test_associations_count_a_claim_once() -> None:
    rows = [(["a", "a", "b"], "x"), (["a"], "y"), (["b"], "x"), ([], "y")]
    found = {(f.feature, f.outcome): f for f in associations(rows, least=1)}
    assert set(found) == {("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")}
    a = found["a", "x"]
    assert (a.together, a.with_feature, a.with_outcome, a.npmi) == (1, 2, 2, 0)
    assert a.p == 1
    b = found["b", "x"]
    assert b.together == 2
    assert b.npmi == pytest.approx(1)
    # Likelihood ratio 2 × 4 log 2 = 5.545 at one degree of freedom.
    assert b.p == pytest.approx(0.01853, abs=1e-5)
    # Two of the four tables are as good as this: q = p × 4 / 2.
    assert b.q == pytest.approx(2 * b.p)


def test_rare_and_universal_properties_are_left_out() -> None:
    rows = [(["all", "rare"], "x"), (["all", "some"], "x"), (["all", "some"], "y")]
    assert {f.feature for f in associations(rows, least=2)} == {"some"}


def test_the_strongest_stands_first() -> None:
    rows = [(["n"], "x")] * 5 + [(["m"], "x")] * 3 + [(["m"], "y")] * 2 + [([], "y")] * 5
    found = associations(rows, least=1)
    assert [f.npmi for f in found] == sorted((f.npmi for f in found), reverse=True)
    assert (found[0].feature, found[0].outcome) == ("n", "x")


def test_tokens() -> None:
    assert tokens("Beyoncé didn't sing «Ça ira» in 1998_9.") == [
        *("beyoncé", "didn't", "sing", "ça", "ira", "in", "1998", "9")
    ]


def claim(number: int, text: str, label: Verdict | None, *ids: str) -> Claim:
    evidence = (tuple(map(Ref.parse, ids)),) if ids else ()
    return Claim(id=number, text=text, label=label, evidence=evidence)


def test_positions_and_types_of_evidence() -> None:
    both = claim(
        1, "", S, "P_sentence_0", "P_sentence_21", "P_cell_3_9_9", "P_item_12_0", "P_title"
    )
    assert positions(both) == {"sentence 0", "sentence after 20", "table 1–4", "list 10–20"}
    assert evidence_type(both) == "sentences and cells"
    assert evidence_type(claim(1, "", S, "P_sentence_7")) == "sentences"
    assert evidence_type(claim(1, "", S, "P_header_cell_0_0_0", "P_table_caption_0")) == "cells"
    assert evidence_type(claim(1, "", N)) is None


def some_claims() -> list[Claim]:
    return [
        *(claim(n, "It is not so", R, "P_sentence_0") for n in range(10)),
        *(claim(n, "It is so", S, "P_cell_0_1_1") for n in range(10, 20)),
        *(claim(n, "It may be so", N) for n in range(20, 30)),
        claim(30, "It has no label", None),
    ]


def test_bias_of_words_and_positions() -> None:
    tables = {(t.features, t.outcomes): t for t in bias(some_claims(), least=5)}
    assert set(tables) == {
        ("word", "verdict"),
        ("evidence position", "verdict"),
        ("evidence type", "verdict"),
    }
    words = tables["word", "verdict"]
    assert words.claims == 30
    assert (words.found[0].feature, words.found[0].npmi) in {("not", 1), ("may", 1), ("be", 1)}
    # Claims without evidence have no position, and do not count for it.
    assert tables["evidence position", "verdict"].claims == 20
    first = outcomes_of(tables["evidence position", "verdict"])["REFUTED"][0]
    assert (first.feature, first.together, first.npmi) == ("sentence 0", 10, 1)


def test_claim_types_meet_words_and_verdicts() -> None:
    types: dict[int | str, str] = {n: "I" if n < 10 else "II" for n in range(25)}
    tables = {(t.features, t.outcomes): t for t in bias(some_claims(), types, least=5)}
    assert tables["claim type", "verdict"].claims == 25
    best = tables["claim type", "verdict"].found[0]
    assert (best.feature, best.outcome, best.npmi) == ("I", "REFUTED", 1)
    assert outcomes_of(tables["word", "claim type"])["I"][0].feature == "not"


def test_nothing_to_measure_says_why() -> None:
    with pytest.raises(ScoreError, match="no claim has a label"):
        bias([claim(1, "x", None)])
    with pytest.raises(ScoreError, match="the ids of the types begin 'z'"):
        bias(some_claims(), {"z": "I"})
