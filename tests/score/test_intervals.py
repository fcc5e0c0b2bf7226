"""Intervals and tests against known values, and the properties that make them honest."""

import math
import random
from itertools import product

import numpy as np
import pytest

from feverfew.errors import ScoreError
from feverfew.score import bootstrap, fever_score, mcnemar, paired_bootstrap
from feverfew.score.sheet import Sheet
from feverfew.types import Claim, Prediction, Ref, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO
GOLD = ((Ref.sentence("A", 0),),)


def sheet(outcomes: list[bool], groups: list[str] | None = None, label: Verdict = N) -> Sheet:
    """Score open claims of which exactly these are right."""
    named = groups or [""] * len(outcomes)
    claims = [Claim(id=i, text="x", label=label, group=g) for i, g in enumerate(named)]
    said = [Prediction(id=i, label=label if right else R) for i, right in enumerate(outcomes)]
    return fever_score(claims, said)


def test_the_interval_of_a_share_is_the_binomial_one() -> None:
    found = bootstrap(sheet([True] * 300 + [False] * 700))["fever_score"]
    spread = 1.959964 * math.sqrt(0.3 * 0.7 / 1000)
    assert found.low == pytest.approx(0.3 - spread, abs=0.003)
    assert found.high == pytest.approx(0.3 + spread, abs=0.003)


def test_drawing_kinds_is_drawing_claims() -> None:
    """The short cut must agree with the long way round: naming claims one by one."""
    dice = random.Random(7)
    claims, said = [], []
    for at in range(200):
        label = dice.choice([S, R, N])
        claims.append(Claim(id=at, text="x", label=label, evidence=() if label is N else GOLD))
        evidence = tuple(Ref.sentence("A", dice.randrange(3)) for _ in range(dice.randint(0, 5)))
        said.append(Prediction(id=at, label=dice.choice([label, S, R, N]), evidence=evidence))
    whole = fever_score(claims, said)
    draw = np.random.default_rng(1)
    naive = [whole.only(list(draw.integers(0, 200, 200))).means() for _ in range(1_000)]
    for name, interval in bootstrap(whole).items():
        low, high = np.quantile([means[name] for means in naive], [0.025, 0.975])
        assert interval.low == pytest.approx(low, abs=0.015)
        assert interval.high == pytest.approx(high, abs=0.015)


def test_every_score_has_an_interval_around_it() -> None:
    claims = [Claim(id=i, text="x", label=S, evidence=GOLD) for i in range(50)]
    said = [Prediction(id=i, label=S, evidence=GOLD[0] * (i % 3)) for i in range(50)]
    scored = fever_score(claims, said)
    found = bootstrap(scored)
    assert list(found) == list(scored.means())
    for name, value in scored.means().items():
        assert found[name].low <= value <= found[name].high


def test_the_seed_decides() -> None:
    half = sheet([True, False] * 50)
    assert bootstrap(half, samples=21, seed=1) == bootstrap(half, samples=21, seed=1)
    assert bootstrap(half, samples=21, seed=1) != bootstrap(half, samples=21, seed=2)


def test_claims_of_a_group_are_drawn_together() -> None:
    """Ten copies of each claim tell no more than one of each."""
    outcomes = [True, False] * 25
    copied = [right for right in outcomes for _ in range(10)]
    groups = [f"g{i // 10}" for i in range(500)]
    alone = bootstrap(sheet(outcomes))["fever_score"]
    grouped = bootstrap(sheet(copied, groups))["fever_score"]
    pretended = bootstrap(sheet(copied))["fever_score"]
    assert grouped.high - grouped.low == pytest.approx(alone.high - alone.low, abs=0.02)
    assert pretended.high - pretended.low < 0.5 * (grouped.high - grouped.low)


def test_the_order_of_claims_in_groups_does_not_matter() -> None:
    groups = ["a", "b", "a", "b", "c", "c"]
    outcomes = [True, False, True, False, False, True]
    order = [0, 2, 1, 3, 4, 5]
    moved = sheet([outcomes[i] for i in order], [groups[i] for i in order])
    assert bootstrap(sheet(outcomes, groups)) == bootstrap(moved)


def test_one_claim_has_no_width() -> None:
    found = bootstrap(sheet([True]))["fever_score"]
    assert (found.low, found.high) == (1, 1)


def test_samples_without_any_evidenced_claim_are_no_trouble() -> None:
    claims = [Claim(id=0, text="x", label=S, evidence=GOLD), Claim(id=1, text="x", label=N)]
    said = [Prediction(id=0, label=S, evidence=GOLD[0]), Prediction(id=1, label=N)]
    found = bootstrap(fever_score(claims, said))
    assert (found["recall"].low, found["recall"].high) == (0, 1)


def test_no_samples_are_too_few() -> None:
    with pytest.raises(ScoreError, match="0 samples are too few"):
        bootstrap(sheet([True]), samples=0)


def test_equal_systems_do_not_differ() -> None:
    same = sheet([True, False] * 20)
    found = paired_bootstrap(same, same)["fever_score"]
    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_a_clear_difference_is_seen() -> None:
    better, worse = sheet([True] * 90 + [False] * 10), sheet([True] * 60 + [False] * 40)
    found = paired_bootstrap(better, worse)["fever_score"]
    assert found.difference == pytest.approx(0.3)
    assert found.low > 0.2
    assert found.p < 0.001


def test_pairing_sees_what_the_separate_intervals_do_not() -> None:
    base = [i % 2 == 0 for i in range(400)]
    better = [right or i < 20 for i, right in enumerate(base)]
    a, b = sheet(better), sheet(base)
    assert bootstrap(a)["fever_score"].low < bootstrap(b)["fever_score"].high
    assert paired_bootstrap(a, b)["fever_score"].p < 0.01


def test_swapping_the_systems_turns_the_sign() -> None:
    a, b = sheet([True] * 30 + [False] * 20), sheet([True] * 22 + [False] * 28)
    forth, back = paired_bootstrap(a, b)["fever_score"], paired_bootstrap(b, a)["fever_score"]
    assert forth.difference == -back.difference
    assert forth.p == pytest.approx(back.p, abs=0.02)


def test_sheets_of_other_claims_cannot_be_paired() -> None:
    with pytest.raises(ScoreError, match="not about the same claims"):
        paired_bootstrap(sheet([True]), sheet([True, False]))


def outcomes(both: int, only_a: int, only_b: int) -> tuple[list[bool], list[bool]]:
    a = [True] * both + [True] * only_a + [False] * only_b
    b = [True] * both + [False] * only_a + [True] * only_b
    return a, b


def test_mcnemar_by_hand() -> None:
    found = mcnemar(*outcomes(50, 1, 8))
    assert (found.only_a, found.only_b) == (1, 8)
    assert found.p_exact == pytest.approx(2 * (1 + 9) / 2**9)
    assert found.chi_squared == pytest.approx((7 - 1) ** 2 / 9)
    assert found.p_chi_squared == pytest.approx(0.0455, abs=1e-4)


def test_mcnemar_on_a_textbook_table() -> None:
    """59 and 16 discordant pairs: χ² with the correction is (43 - 1)² / 75 = 23.52."""
    found = mcnemar(*outcomes(0, 59, 16))
    assert found.chi_squared == pytest.approx(23.52)
    assert found.p_chi_squared == pytest.approx(1.23e-6, rel=0.01)


@pytest.mark.parametrize(("only_a", "only_b"), list(product((0, 1, 3, 10), (0, 1, 4, 12))))
def test_mcnemar_is_the_exact_binomial_test(only_a: int, only_b: int) -> None:
    n, k = only_a + only_b, min(only_a, only_b)
    exact = min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n)
    assert mcnemar(*outcomes(3, only_a, only_b)).p_exact == pytest.approx(exact)


def test_mcnemar_of_many_claims_does_not_vanish() -> None:
    assert mcnemar(*outcomes(0, 5_000, 5_000)).p_exact == 1
    assert 0 < mcnemar(*outcomes(0, 5_100, 4_900)).p_exact < 0.05


def test_mcnemar_of_agreement() -> None:
    found = mcnemar([True, False], [True, False])
    assert (found.p_exact, found.p_chi_squared, found.chi_squared) == (1, 1, 0)
