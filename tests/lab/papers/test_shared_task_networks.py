"""The shared task's learned parts: forests, pooled vectors, joint choice, scores of words."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.papers.antonyms import opposed
from feverfew.lab.papers.attention import Attention
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.direct import DirectSentences, NoPages
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.fitting import fit
from feverfew.lab.papers.forest import Forest
from feverfew.lab.papers.joining import RULES, joined
from feverfew.lab.papers.joint import CITED, Bundles, JointJudge, JointNetwork
from feverfew.lab.papers.judges import Always, Network
from feverfew.lab.papers.pairwise import Weigher
from feverfew.lab.papers.pooling import PooledJudge
from feverfew.lab.papers.scored import token_scores
from feverfew.lab.papers.vectors import open_vectors
from feverfew.lab.papers.wordless import FEATURES, Wordless, describe
from feverfew.types import Claim, Context, Evidence, Ref, Verdict

VECTORS = {"yes": [1.0, 0, 0, 1], "no": [0, 1.0, 0, 1], "hm": [0, 0, 1.0, 0]}


def piece(text: str, line: int = 0) -> Evidence:
    ref = Ref.sentence("Page", line)
    return Evidence(ref=ref, text=text, context=Context("Page"), score=1.0)


class Literal:
    """Reads a piece as the vector of its text."""

    def vectors(
        self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]
    ) -> list[NDArray[np.float32]]:
        tables = [[VECTORS[one.text] for one in own] for own in evidence]
        return [np.array(own, np.float32).reshape(-1, 4) for own in tables]


def bundles() -> tuple[Bundles, NDArray[np.int64]]:
    """Make claims of which one sentence, not always the same, says it all."""
    rng = np.random.default_rng(0)
    vectors, gold, labels = [], [], []
    for label, word in enumerate(("yes", "no", "hm")):
        for _ in range(20):
            own, at = [VECTORS["hm"]] * 4, int(rng.integers(4))
            own[at] = VECTORS[word]
            noise = rng.normal(scale=0.05, size=(4, 4))
            vectors.append((np.array(own) + noise).astype(np.float32))
            gold.append(np.arange(4) == at if label < 2 else np.zeros(4, np.bool_))
            labels.append(label)
    return Bundles(vectors, gold), np.array(labels)


def test_a_forest_learns_what_no_single_cut_can() -> None:
    rng = np.random.default_rng(0)
    rows = rng.uniform(-1, 1, (600, 5)).astype(np.float32)
    labels = np.where(rows[:, 0] * rows[:, 1] > 0, 0, np.where(rows[:, 2] > 0, 1, 2))
    arrays = Forest.taught(rows, labels)
    shares = Forest(arrays).probabilities(rows)
    assert (shares.argmax(1) == labels).mean() > 0.85
    assert shares.sum(1) == pytest.approx(1)
    again, other = Forest.taught(rows, labels), Forest.taught(rows, labels, seed=2)
    assert np.array_equal(arrays["cut"], again["cut"])
    assert not np.array_equal(arrays["cut"], other["cut"])


def test_slopes_of_both_tasks_are_those_that_small_steps_show() -> None:
    every, labels = bundles()
    chosen = [0, 21, 45]
    inputs, own = every.of(chosen), labels[chosen]
    model = JointNetwork.start(4, seed=1, hidden=6)
    rng, step = np.random.default_rng(0), 1e-5
    for key, weight in model.weights.items():
        # With biases of 0, a unit may stand on the very edge, where there is no slope.
        nudge = 0.05 * rng.normal(size=weight.shape) if weight.ndim == 1 else 0.0
        model.weights[key] = weight.astype(np.float64) + nudge
    _, slopes = model.learn(inputs, own, None)
    assert set(slopes) == set(model.weights)
    for key, slope in slopes.items():
        weight = model.weights[key]
        for _ in range(6):
            at = tuple(int(rng.integers(size)) for size in weight.shape)
            before, losses = weight[at], []
            for side in (step, -step):
                weight[at] = before + side
                losses.append(model.learn(inputs, own, None)[0])
            weight[at] = before
            assert slope[at] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=2e-4)


def test_choosing_and_judging_are_learned_at_once() -> None:
    inputs, labels = bundles()
    model = JointNetwork.start(4, seed=1)
    settings = {"epochs": 60, "batch": 12, "patience": 60}
    done = fit(model, inputs, labels, (inputs, labels), seed=1, rate=1e-2, **settings)
    assert done.accuracy > 0.95
    assert done.losses[-1] < 0.5 * done.losses[0]
    _, matters = model.both(inputs)
    hits = [own.argmax() == g.argmax() for own, g in zip(matters, inputs.gold, strict=True)]
    assert np.mean(hits[:40]) > 0.95
    evidence = [[piece("hm", at) for at in range(6)] + [piece("no", 6)], []]
    said, nothing = JointJudge(Literal(), model).judge(["a", "b"], evidence)
    assert said.verdict is Verdict.REFUTED
    assert said.evidence[0].text == "no"
    assert len(said.evidence) == CITED
    assert nothing.verdict is Verdict.NOT_ENOUGH_INFO
    assert JointJudge(Literal(), model).judge(["b"], [[]])[0].evidence == []


def test_pooled_vectors_do_not_hang_on_the_order() -> None:
    judge = PooledJudge(Literal(), Weigher.start(8, seed=1))
    pieces = [piece("yes"), piece("hm", 1), piece("no", 2)]
    one, other, empty = judge.judge(["a", "a", "a"], [pieces, pieces[::-1], []])
    assert one.probabilities == pytest.approx(other.probabilities)
    assert one.probabilities != pytest.approx(empty.probabilities)
    assert judge.judge([], []) == []


def test_words_know_how_near_their_sentence_is() -> None:
    text = "Dogs bark. Cats sleep, too! Nothing"
    scores = token_scores("Cats sleep.", text, 50)
    model = Attention.start(open_vectors("random"), seed=1, hidden=8, scored=True)
    tokens = model.prepare(["Cats sleep."], [text])
    assert len(tokens.evidence[0]) == len(tokens.scores[0]) == len(scores) == 7
    assert scores.tolist() == [0, 0, 0, 1, 1, 1, 0]
    assert len(token_scores("a", "b c d", 2)) == 3
    plain = model.probabilities(tokens)
    model.weights["project"][-1] += 1.0
    assert model.probabilities(tokens) != pytest.approx(plain, abs=1e-6)
    assert Attention.start(open_vectors("random"), seed=1).prepare(["a"], ["b"]).scores == []


def test_only_attention_has_vectors() -> None:
    evidence = [[piece("yes"), piece("no", 1)], [], [piece("hm")]]
    model = Attention.start(open_vectors("random"), seed=1, hidden=8)
    first, second, third = Network(model).vectors(["a", "b", "c"], evidence)
    assert (first.shape, second.shape, third.shape) == ((2, 8), (0, 8), (1, 8))
    with pytest.raises(InputError, match="'da-scored'"):
        Network(Wordless.start(1)).vectors(["a"], [[piece("yes")]])


def test_what_is_joined_is_learned_from_claims_for_tuning(tmp_path: Path) -> None:
    labels = [Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO] * 6
    claims = [Claim(id=at, text=f"Claim {at}.", label=own) for at, own in enumerate(labels)]
    inner = Network(Attention.start(open_vectors("random"), seed=1, hidden=8))
    evidence = [[piece("A cat sleeps."), piece("Dogs bark.", 1)] for _ in claims]
    asked: list[int] = []

    def find(known: Sequence[Claim]) -> list[list[Evidence]]:
        asked.append(len(known))
        return evidence

    for rule in RULES:
        system = System(judge="da", joined=rule)
        cache = Cache(tmp_path, lambda what: None)
        for _ in range(2):
            judge = joined(system, inner, cache, "key", claims, find)
            (said,) = judge.judge(["Cats sleep."], evidence[:1])
            assert sum(said.probabilities) == pytest.approx(1)
    assert asked == [18] * (len(RULES) - 2)
    with pytest.raises(InputError, match="only a network"):
        joined(System(joined="pooled"), Always(0), cache, "key", claims, find)


def test_sentences_are_found_without_pages(sample: Corpus, tmp_path: Path) -> None:
    claim = "Alfred Hitchcock never won the Academy Award for Best Director."
    DirectSentences.build(sample, tmp_path / "index")
    index = DirectSentences.open(sample, tmp_path / "index")
    asked = [claim, "It is so.", claim]
    found, _, again = index.select(asked, NoPages().retrieve(asked, 5), 5)
    assert found == again
    assert found[0].text.startswith("Hitchcock himself was nominated")
    assert found[0].text == sample.element(found[0].ref)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[0] <= 1.001
    assert len(index.select([claim], [[]], 2)[0]) == 2


def test_an_index_of_something_else_is_told(sample: Corpus, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no index of sentences"):
        DirectSentences.open(sample, tmp_path)
    page = tmp_path / "page.txt"
    page.write_text("A page about nothing much. It says little.", "utf-8")
    with Corpus.build([page], tmp_path / "own.corpus") as corpus:
        DirectSentences.build(corpus, tmp_path / "index")
    with pytest.raises(InputError, match="another corpus"):
        DirectSentences.open(sample, tmp_path / "index")


def test_opposites_are_seen_where_the_word_itself_is_missing() -> None:
    assert opposed({"north"}, {"south"}) == opposed({"south"}, {"north"}) == 1
    assert opposed({"north"}, {"north", "south"}) == 0
    seen = dict(zip(FEATURES, describe("He died there.", "He was born there."), strict=True))
    assert seen["antonyms"] == 1
