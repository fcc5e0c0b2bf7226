"""HoVer's stages: pairs read once, heads that learn, pages and sentences by what a head says."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import SampleDataset
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.hover import JUDGED, RANKED, SELECTED, Stages, training_claims
from feverfew.lab.papers.hover_stages import (
    CachedRetriever,
    Head,
    Pair,
    ReadClaims,
    Reader,
    ReadPages,
    ReadSentences,
    WithGold,
    page_pair,
)
from feverfew.lab.papers.measure import _balanced
from feverfew.lab.papers.runner import Runner
from feverfew.retrieve import Candidate, Lexical
from feverfew.text import words
from feverfew.types import Claim, Context, Evidence, Ref, Verdict

CLAIM = "Fritz Lang directed the silent film Metropolis."


class Overlap:
    """An encoder whose states are the words in common, and how long the text is."""

    fingerprint = "words in common"

    def __init__(self) -> None:
        self.read: list[Pair] = []

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        self.read += pairs
        rows = [(set(words(claim)), set(words(text))) for claim, text in pairs]
        return np.array([[len(a & b) / len(a), len(b) / 50, 1.0] for a, b in rows], np.float32)


class First(Head):
    """Says how much of the first state there is, without having learned."""

    def __init__(self) -> None:
        pass

    def __call__(self, states: NDArray[np.float32]) -> NDArray[np.float64]:
        return states[:, 0].astype(np.float64)


def pages(corpus: Corpus, *titles: str) -> list[Candidate]:
    found = [(corpus.number(title), title) for title in titles]
    return [Candidate(number, title, 1.0) for number, title in found if number is not None]


def test_a_pair_is_read_once() -> None:
    encoder = Overlap()
    reader = Reader(encoder)
    first = reader.states([("a b", "b"), ("a b", "c"), ("a b", "b")])
    again = reader.states([("a b", "c")])
    assert encoder.read == [("a b", "b"), ("a b", "c")]
    assert first[0].tolist() == first[2].tolist()
    assert again[0].tolist() == first[1].tolist()


def test_a_head_learns_which_states_say_yes() -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    rng = np.random.default_rng(0)
    states = rng.normal(size=(400, 6)).astype(np.float32)
    yes = [bool(row[2] > 0.2) for row in states]
    owners = [str(at // 4) for at in range(400)]
    arrays = Head.train(states, yes, owners)
    said = Head(arrays)(states)
    assert ((said > 0.5) == np.array(yes)).mean() > 0.9
    assert 0 <= said.min() <= said.max() <= 1
    other = Head.train(states, yes, owners, seed=2)
    assert not np.allclose(arrays["out.weight"], other["out.weight"])
    with pytest.raises(InputError, match="both kinds"):
        Head.train(states, [True] * 400, owners)


def test_even_one_owner_can_be_learned_from() -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    states = np.eye(4, dtype=np.float32)
    assert Head(Head.train(states, [True, False] * 2, ["one"] * 4))(states).shape == (4,)


def test_pages_are_ranked_by_what_is_read_of_them(sample: Corpus) -> None:
    class Three:
        def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
            return [pages(sample, "Vienna", "Metropolis", "Fritz Lang")[:k] for _ in claims]

    ranking = ReadPages(sample, Three(), Reader(Overlap()), First(), 3)
    (found,) = ranking.retrieve([CLAIM], 2)
    assert found[0].title != "Vienna"
    assert len(found) == 2
    assert found[0].score >= found[1].score
    _, text = page_pair(sample, CLAIM, found[0])
    assert 20 < len(text.split()) <= 100


def test_gold_pages_come_first_and_nothing_twice(sample: Corpus) -> None:
    gold = {CLAIM: pages(sample, "Vienna", "Fritz Lang")}
    together = WithGold(Lexical(sample), gold)
    (found,) = together.retrieve([CLAIM], 5)
    numbers = [page.number for page in found]
    assert [page.title for page in found[:2]] == ["Vienna", "Fritz Lang"]
    assert len(set(numbers)) == len(numbers) == 5
    assert together.retrieve(["Metropolis"], 3) == Lexical(sample).retrieve(["Metropolis"], 3)


def test_a_search_is_asked_once(sample: Corpus) -> None:
    asked: list[str] = []

    class Counting:
        def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
            asked.extend(claims)
            return Lexical(sample).retrieve(claims, k)

    once = CachedRetriever(Counting())
    assert once.retrieve(["Vienna", "Lang"], 2) == once.retrieve(["Vienna", "Lang"], 2)
    assert asked == ["Vienna", "Lang"]
    once.retrieve(["Vienna"], 3)
    assert asked == ["Vienna", "Lang", "Vienna"]


def test_sentences_are_chosen_by_the_head(sample: Corpus) -> None:
    selector = ReadSentences(sample, Reader(Overlap()), First(), most=3)
    first, nothing = selector.select([CLAIM, CLAIM], [pages(sample, "Fritz Lang"), []], 2)
    assert len(first) == 2
    assert 1 >= first[0].score >= first[1].score >= 0
    assert nothing == []
    lines = [s.index for s in sample.page("Fritz Lang").sentences if s.text]
    assert {piece.ref.position[0] for piece in first} <= set(lines[:3])


def test_a_blind_judge_reads_no_evidence() -> None:
    piece = Evidence(ref=Ref.sentence("P", 0), text=CLAIM, context=Context("P"), score=1.0)
    seeing, blind = (ReadClaims(Reader(Overlap()), First(), blind=b) for b in (False, True))
    (seen,), (unseen,) = seeing.judge([CLAIM], [[piece]]), blind.judge([CLAIM], [[piece]])
    assert seen.verdict is Verdict.SUPPORTED
    assert unseen.verdict is Verdict.REFUTED
    assert unseen.probabilities[0] == 0
    assert unseen.evidence == [piece]


@pytest.fixture(scope="module")
def stages(sample: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Stages:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    cache = Cache(tmp_path_factory.mktemp("stages"), lambda what: None)
    encoder: Any = Overlap()
    return Stages(SampleDataset(sample), cache, encoder, lambda: Lexical(sample))


def test_the_whole_pipeline_learns_and_answers(stages: Stages, sample: Corpus) -> None:
    claims = SampleDataset(sample).claims("hover").claims[:4]
    texts = [claim.text for claim in claims]
    for ranking in RANKED:
        found = stages.pages(ranking).retrieve(texts, 5)
        assert all(0 < len(own) <= 5 for own in found)
        for selection in SELECTED:
            chosen = stages.sentences(selection).select(texts, found, 3)
            assert all(0 <= piece.score <= 1 for own in chosen for piece in own)
    for judge in JUDGED:
        for said in stages.judge(judge).judge(texts, chosen):
            assert sum(said.probabilities) == pytest.approx(1)


@pytest.mark.parametrize("name", ["reader-oracle", "gold-first"])
def test_an_oracle_is_given_all_gold_pages(name: str, stages: Stages, sample: Corpus) -> None:
    claims = SampleDataset(sample).claims("hover").claims
    found = stages.pages(name).retrieve([claim.text for claim in claims], 6)
    for claim, own in zip(claims, found, strict=True):
        gold = {sample.number(ref.page) for ref in claim.evidence[0]}
        assert gold <= {page.number for page in own}


def test_nothing_that_is_measured_is_learned_from(sample: Corpus) -> None:
    world = SampleDataset(sample)
    measured, learned = (world.claims(name).claims for name in ("hover", "hover-training"))
    assert measured
    assert learned
    assert {c.group for c in measured}.isdisjoint(c.group for c in learned)


def test_only_what_scores_above_is_kept(sample: Corpus, tmp_path: Path) -> None:
    lab = Runner(SampleDataset(sample), Cache(tmp_path, lambda what: None))
    claims = lab.dataset.claims("hover").claims[:3]
    loose = System(retrieve="titles", pages=5)
    (every, *_) = lab.run(loose, claims).predictions
    assert every.pages
    strict = System(retrieve="titles", pages=5, above=1e9)
    assert all(not said.pages for said in lab.run(strict, claims).predictions)
    chosen = System(retrieve="titles", select="keywords", sentences=5, above=0.5)
    wide = System(retrieve="titles", select="keywords", sentences=5)
    few, many = (lab.run(one, claims).predictions for one in (chosen, wide))
    assert sum(len(p.evidence) for p in few) < sum(len(p.evidence) for p in many)


def test_labels_are_balanced_for_each_number_of_pages() -> None:
    def claim(number: int, hops: int, label: Verdict) -> Claim:
        return Claim(id=number, text="t", label=label, hops=hops)

    yes, no = Verdict.SUPPORTED, Verdict.NOT_SUPPORTED
    kinds = [(2, yes)] * 8 + [(2, no)] * 3 + [(3, yes)] * 2 + [(3, no)] * 5 + [(4, yes)] * 4
    claims = [claim(at, hops, label) for at, (hops, label) in enumerate(kinds)]
    drawn = _balanced("hops", claims, None, 1)
    counts = {key: sum((c.hops, c.label) == key for c in drawn) for key in set(kinds)}
    assert counts == {(2, yes): 3, (2, no): 3, (3, yes): 2, (3, no): 2, (4, yes): 0}
    assert len(_balanced("hops", claims, 4, 1)) == 4
    assert len(_balanced("label", claims, None, 1)) == 16


def test_how_many_pages_a_claim_needs_does_not_tell_its_label() -> None:
    yes, no = Verdict.SUPPORTED, Verdict.NOT_SUPPORTED
    kinds = [(2, yes)] * 8 + [(2, no)] * 3 + [(3, yes)] * 2 + [(3, no)] * 5 + [(4, yes)] * 4
    claims = [Claim(id=at, text="t", label=own, hops=h) for at, (h, own) in enumerate(kinds)]
    drawn = training_claims(claims)
    counts = {key: sum((c.hops, c.label) == key for c in drawn) for key in set(kinds)}
    assert counts == {(2, yes): 3, (2, no): 3, (3, yes): 2, (3, no): 2, (4, yes): 0}
    assert drawn == training_claims(claims)
    assert len(training_claims(claims, 4)) == 4


def test_a_stage_knows_the_encoder_that_taught_it(sample: Corpus, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    said: list[str] = []
    cache = Cache(tmp_path, said.append)
    for name in ("one", "one", "other"):
        encoder: Any = SimpleNamespace(fingerprint=name, states=Overlap().states)
        Stages(SampleDataset(sample), cache, encoder, lambda: Lexical(sample)).judge("reader-blind")
    assert said.count("head of HoVer …") == 2
