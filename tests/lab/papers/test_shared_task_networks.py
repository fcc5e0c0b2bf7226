"""The shared task's learned parts: forests, pooled vectors, joint choice, scores of words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.joining import RULES, _forest, joined
from feverfew.lab.papers.judges import CITED, Always, JointJudge, NetworkJudge, PooledJudge
from feverfew.lab.papers.pages import NoPages
from feverfew.lab.papers.sentences import DirectSentences
from feverfew.lab.papers.vectors import open_vectors, token_scores
from feverfew.lab.papers.wordless import FEATURES, describe, opposed
from feverfew.types import Claim, Context, Evidence, Ref, Verdict

pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")

from feverfew.lab.papers.learning import TextNetwork
from feverfew.lab.papers.networks import Attention, JointNetwork, Mlp, fit

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


def bundles() -> tuple[list[Any], NDArray[np.int64]]:
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
    return list(zip(vectors, gold, strict=True)), np.array(labels)


def test_a_forest_learns_what_no_single_cut_can() -> None:
    rng = np.random.default_rng(0)
    rows = rng.uniform(-1, 1, (600, 5)).astype(np.float32)
    labels = np.where(rows[:, 0] * rows[:, 1] > 0, 0, np.where(rows[:, 2] > 0, 1, 2))
    shares = _forest({"rows": rows, "labels": labels})(rows)
    assert (shares.argmax(1) == labels).mean() > 0.85
    assert shares.sum(1) == pytest.approx(1)
    again = _forest({"rows": rows, "labels": labels})(rows)
    assert np.array_equal(shares, again)
    two = _forest({"rows": rows, "labels": np.where(labels == 1, 0, labels)})(rows)
    assert not two[:, 1].any()


def test_choosing_and_judging_are_learned_at_once() -> None:
    inputs, labels = bundles()
    model = JointNetwork(4).drawn(1)
    settings = {"epochs": 60, "batch": 12, "patience": 60}
    done = fit(model, inputs, labels, (inputs, labels), seed=1, rate=1e-2, **settings)
    assert done.accuracy > 0.95
    assert done.losses[-1] < 0.5 * done.losses[0]
    hits = [model.weights_of(own).argmax() == gold.argmax() for own, gold in inputs]
    assert np.mean(hits[:40]) > 0.95
    evidence = [[piece("hm", at) for at in range(6)] + [piece("no", 6)], []]
    said, nothing = JointJudge(Literal(), model).judge(["a", "b"], evidence)
    assert said.verdict is Verdict.REFUTED
    assert said.evidence[0].text == "no"
    assert len(said.evidence) == CITED
    assert nothing.verdict is Verdict.NOT_ENOUGH_INFO
    assert JointJudge(Literal(), model).judge(["b"], [[]])[0].evidence == []


def test_pooled_vectors_do_not_hang_on_the_order() -> None:
    judge = PooledJudge(Literal(), Mlp(8).drawn(1))
    pieces = [piece("yes"), piece("hm", 1), piece("no", 2)]
    one, other, empty = judge.judge(["a", "a", "a"], [pieces, pieces[::-1], []])
    assert one.probabilities == pytest.approx(other.probabilities)
    assert one.probabilities != pytest.approx(empty.probabilities)
    assert judge.judge([], []) == []


def test_words_know_how_near_their_sentence_is() -> None:
    text = "Dogs bark. Cats sleep, too! Nothing"
    scores = token_scores("Cats sleep.", text, 50)
    model = Attention(open_vectors("random"), hidden=8, scored=True).drawn(1)
    tokens = model.prepare(["Cats sleep."], [text])
    ((_, evidence, near),) = tokens
    assert len(evidence) == len(near) == len(scores) == 7
    assert scores.tolist() == [0, 0, 0, 1, 1, 1, 0]
    assert len(token_scores("a", "b c d", 2)) == 3
    plain = model.probabilities(tokens)
    arrays = model.arrays()
    arrays["project.weight"][:, -1] += 1.0
    assert model.load(arrays).probabilities(tokens) != pytest.approx(plain, abs=1e-6)
    assert Attention(open_vectors("random")).prepare(["a"], ["b"])[0][2] is None


def test_only_attention_has_vectors() -> None:
    evidence = [[piece("yes"), piece("no", 1)], [], [piece("hm")]]
    model = Attention(open_vectors("random"), hidden=8).drawn(1)
    first, second, third = NetworkJudge(model).vectors(["a", "b", "c"], evidence)
    assert (first.shape, second.shape, third.shape) == ((2, 8), (0, 8), (1, 8))
    with pytest.raises(InputError, match="'da-scored'"):
        NetworkJudge(TextNetwork.start("wordless", (), 1, True)).vectors(["a"], [[piece("yes")]])


def test_what_is_joined_is_learned_from_claims_for_tuning(tmp_path: Path) -> None:
    labels = [Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO] * 6
    claims = [Claim(id=at, text=f"Claim {at}.", label=own) for at, own in enumerate(labels)]
    inner = NetworkJudge(Attention(open_vectors("random"), hidden=8).drawn(1))
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
    seen = dict(zip(FEATURES, describe("He was alive there.", "He was dead there."), strict=True))
    assert seen["antonyms"] == 1
