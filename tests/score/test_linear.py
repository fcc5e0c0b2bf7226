import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.score.giveaway import Floats, Rows, fit, loss, minimise


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
