import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import ScoreError
from feverfew.score.giveaway import (
    Floats,
    Rows,
    claim_only,
    evidence_type_only,
    fit,
    folds_of,
    loss,
    minimise,
    ngrams,
)
from feverfew.types import Claim, Ref, Verdict


def dense(rows: Rows) -> Floats:
    return rows.times(np.eye(rows.width))


def test_rows_by_hand() -> None:
    """Column 0 is the constant; the named columns of a row have length 1 together."""
    rows = Rows.of([[1, 3], [], [2]], 4)
    half = 0.5**0.5
    assert dense(rows) == pytest.approx(
        np.array([[1, half, 0, half], [1, 0, 0, 0], [1, 0, 1, 0]], dtype=float)
    )


covering = st.lists(st.lists(st.integers(1, 4), unique=True), max_size=6).map(
    lambda rows: [*rows, [1, 2, 3, 4]]
)


@given(covering)
def test_turned_is_the_transpose(named: list[list[int]]) -> None:
    rows = Rows.of(named, 5)
    assert dense(rows.turned()) == pytest.approx(dense(rows).T)
    assert dense(rows.turned().turned()) == pytest.approx(dense(rows))


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    rows = Rows.of([[1, 3], [2], [1, 2, 3]], 4)
    truth = np.eye(3)
    weights = np.random.default_rng(0).normal(size=(4, 3))
    _, gradient = loss(weights, rows, rows.turned(), truth, 0.7)
    for place in np.ndindex(*weights.shape):
        up, down = weights.copy(), weights.copy()
        up[place] += 1e-6
        down[place] -= 1e-6
        slope = (
            loss(up, rows, rows.turned(), truth, 0.7)[0]
            - loss(down, rows, rows.turned(), truth, 0.7)[0]
        ) / 2e-6
        assert gradient[place] == pytest.approx(slope, abs=1e-6)


def test_minimise_finds_the_bottom_of_a_narrow_valley() -> None:
    scale = np.array([[1.0, 100.0], [0.01, 10.0]])
    bottom = np.array([[1.0, -2.0], [3.0, 4.0]])

    def valley(point: Floats) -> tuple[float, Floats]:
        apart = point - bottom
        return float((scale * apart**2).sum()), 2 * scale * apart

    assert minimise(valley, np.zeros((2, 2)), tolerance=1e-9) == pytest.approx(bottom, abs=1e-5)


def test_fit_reaches_the_optimum_and_the_loss_falls() -> None:
    random = np.random.default_rng(1)
    named = [sorted({int(n) for n in random.integers(1, 8, 3)}) for _ in range(60)] + [
        list(range(1, 8))
    ]
    classes = np.array([(1 in row) + (2 in row) for row in named], dtype=np.int64)
    rows, truth = Rows.of(named, 8), np.eye(3)[classes]
    weights = fit(rows, classes, 3, strength=20.0)
    before, _ = loss(np.zeros((8, 3)), rows, rows.turned(), truth, 20.0)
    after, gradient = loss(weights, rows, rows.turned(), truth, 20.0)
    assert after < 0.5 * before
    assert np.abs(gradient).max() < 1e-2
    assert (rows.times(weights).argmax(axis=1) == classes).mean() > 0.9


def test_without_words_the_constant_learns_the_shares() -> None:
    weights = fit(Rows.of([[], [], [], []], 1), np.array([0, 0, 0, 1]), 2)
    shares = np.exp(weights[0]) / np.exp(weights[0]).sum()
    assert shares == pytest.approx([0.75, 0.25], abs=1e-3)


S, R = Verdict.SUPPORTED, Verdict.REFUTED
WORDS = ["river", "city", "film", "studio", "singer", "bridge", "year", "king", "book", "play"]


def claims(count: int, *, telling: bool, seed: int = 0) -> list[Claim]:
    """Make claims of chance words; where telling, a refuted claim says 'never'."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        words = draw.choices(WORDS, k=6)
        label = draw.choice((S, R))
        if telling and label is R:
            words.insert(draw.randrange(6), "never")
        made.append(Claim(id=number, text=" ".join(words) + ".", label=label))
    return made


def test_a_telling_word_gives_everything_away() -> None:
    found = claim_only(claims(200, telling=True))
    assert found.accuracy > 0.97
    assert found.balanced > 0.97
    assert found.gain > 0.3
    assert next(t.ngram for t in found.telling if t.label == "REFUTED") == "never"
    assert found.low <= found.accuracy <= found.high


def test_chance_words_give_nothing_away() -> None:
    found = claim_only(claims(400, telling=False))
    assert found.accuracy == pytest.approx(0.5, abs=0.08)
    assert found.low < found.majority


def test_every_claim_is_judged_once() -> None:
    made = claims(90, telling=True)
    found = claim_only(made, folds=4)
    assert sum(map(sum, found.confusion)) == found.claims == 90
    assert [sum(row) for row in found.confusion] == [
        sum(c.label is R for c in made),
        sum(c.label is S for c in made),
    ]
    assert len(found.by_fold) == found.folds == 4
    right = sum(found.confusion[i][i] for i in range(2))
    assert found.accuracy == pytest.approx(right / 90)


def test_a_copy_in_the_same_group_is_no_help() -> None:
    """Copies with rare words would give each other away if a fold could part them."""
    made = []
    for number in range(60):
        label = (S, R)[number % 2]
        text = f"name{number} went to place{number} by way of road{number}"
        made += [
            Claim(id=f"{number}{x}", text=text, label=label, group=str(number)) for x in "abcd"
        ]
    apart = claim_only(made)
    together = claim_only([Claim(id=c.id, text=c.text, label=c.label) for c in made])
    assert together.accuracy > 0.75
    assert apart.accuracy < 0.6


def test_folds_keep_groups_whole_and_labels_even() -> None:
    groups = [f"g{n // 3}" for n in range(90)]
    labels = ["ab"[n // 3 % 2] for n in range(90)]
    dealt = folds_of(groups, labels, 5, seed=1)
    assert all(len({dealt[i] for i in range(90) if groups[i] == g}) == 1 for g in set(groups))
    for fold in range(5):
        assert [labels[i] for i in range(90) if dealt[i] == fold].count("a") == 9
    assert dealt == folds_of(groups, labels, 5, seed=1)
    assert dealt != folds_of(groups, labels, 5, seed=2)


def test_evidence_type() -> None:
    sentence, cell = Ref.sentence("P", 0), Ref.parse("P_cell_0_1_1")
    sets = {"plain": (sentence,), "count": (cell,), "joint": (sentence, cell)}
    made = [
        Claim(id=f"{word}{n}", text=f"{word} {WORDS[n % 7]} {WORDS[n % 3]}", evidence=(refs,))
        for word, refs in sets.items()
        for n in range(20)
    ]
    found = evidence_type_only([*made, Claim(id=0, text="no evidence")])
    assert found.labels == ("cells", "sentences", "sentences and cells")
    assert (found.claims, found.accuracy) == (60, 1)


def test_ngrams() -> None:
    assert ngrams("Didn't go.") == {"didn't", "go", "^ didn't", "didn't go", "go $"}
    assert ngrams("…") == {"^ $"}


def test_what_cannot_be_measured_says_why() -> None:
    one = [Claim(id=n, text="x", label=S) for n in range(9)]
    with pytest.raises(ScoreError, match="two kinds"):
        claim_only(one)
    with pytest.raises(ScoreError, match="two kinds"):
        evidence_type_only(one)
    with pytest.raises(ScoreError, match="two folds"):
        claim_only(claims(20, telling=True), folds=1)
    with pytest.raises(ScoreError, match="too few for 5 folds"):
        claim_only([Claim(id=n, text="x", label=(S, R)[n % 2]) for n in range(4)])
