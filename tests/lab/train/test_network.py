"""Training the ranking: loss falls, weights change the output, the seed decides."""

import numpy as np
import pytest

from feverfew.errors import InputError
from feverfew.lab.train.network import Group, Groups, fit, held_out, train_network


def groups(count: int, seed: int = 0) -> list[Group]:
    """Make claims whose gold row is the one with the highest difference of two features."""
    rng = np.random.default_rng(seed)
    made: list[Group] = []
    for _ in range(count):
        rows = rng.normal(size=(8, 3)).astype(np.float32)
        made.append((rows, np.arange(8) == np.argmax(rows[:, 0] - rows[:, 1])))
    return made


NAMES = ("a", "b", "noise")


def test_loss_falls_and_gold_comes_first() -> None:
    pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
    network, losses = train_network(Groups(groups(300), 3), Groups(groups(50, 1), 3), NAMES)
    assert losses[-1] < losses[0] / 2
    tests = groups(100, 2)
    right = [bool(gold[np.argmax(network.score_array(rows))]) for rows, gold in tests]
    assert np.mean(right) > 0.9


def test_the_seed_decides() -> None:
    pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
    sets = Groups(groups(80), 3), Groups(groups(20, 1), 3)
    once, _ = train_network(*sets, NAMES, epochs=2, seed=3)
    again, _ = train_network(*sets, NAMES, epochs=2, seed=3)
    other, _ = train_network(*sets, NAMES, epochs=2, seed=4)
    assert once == again != other


def test_lists_and_arrays_are_scored_alike() -> None:
    pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
    network, _ = train_network(Groups(groups(80), 3), Groups(groups(20, 1), 3), NAMES, epochs=2)
    rows, _ = groups(1, 5)[0]
    np.testing.assert_allclose(network.scores(rows.tolist()), network.score_array(rows), rtol=1e-5)
    assert network.scores([]) == []


def test_claims_without_choice_teach_nothing() -> None:
    rows = np.zeros((2, 3), np.float32)
    empty = (np.zeros((0, 3), np.float32), np.zeros(0, bool))
    made = Groups([(rows, np.array([True, True])), empty, (rows, np.array([True, False]))], 3)
    assert len(made) == 1
    (batch,) = made.batches(9, np.random.default_rng(0))
    assert [own.tolist() for own in batch[1:]] == [[[True, True]], [[True, False]]]
    assert len(made.rows) == 4


def test_groups_of_other_sizes_are_padded() -> None:
    rows, gold = groups(1)[0]
    short = rows[:2], np.array([True, False])
    ((rows, real, gold),) = Groups([(rows, gold), short], 3).batches(9)
    assert rows.shape == (2, 8, 3)
    assert real.sum(1).tolist() == [8, 2]
    assert gold.sum(1).tolist() == [1, 1]
    assert not rows[1, 2:].any()


def test_the_split_is_by_page() -> None:
    held = [held_out(frozenset({f"Page {i}"})) for i in range(2_000)]
    assert 0.07 < np.mean(held) < 0.13
    assert held_out(frozenset({"A", "B"})) == held_out(frozenset({"A"}))


def test_too_few_claims_are_refused() -> None:
    with pytest.raises(InputError, match="more pages"):
        fit(groups(5), [False] * 5, NAMES, seed=1)
