"""The shared task's techniques: pages by parts of a claim, nearness, pieces judged one by one."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.lab.papers.judges import (
    Consistent,
    EachPair,
    Opinion,
    each_alone,
    pair_features,
    surest,
    vote,
)
from feverfew.lab.papers.pages import Capitals, Phrases, Popular, Prefix, phrases, prefix
from feverfew.lab.papers.sentences import NEARNESS, NearSentences
from feverfew.lab.papers.vectors import open_vectors
from feverfew.retrieve import Candidate, Lexical, Retriever, Titles
from feverfew.types import Context, Evidence, Ref
from making import made

CLAIM = "Fritz Lang directed the silent film Metropolis."
SAYS = {"yes": (0.8, 0.1, 0.1), "no": (0.1, 0.7, 0.2), "hm": (0.2, 0.2, 0.6)}


def piece(text: str, line: int = 0, score: float = 1.0) -> Evidence:
    ref = Ref.sentence("Page", line)
    return Evidence(ref=ref, text=text, context=Context("Page"), score=score)


class Literal:
    """Says what the first piece says."""

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        return [Opinion(SAYS[own[0].text], list(own)) for own in evidence]


@pytest.mark.parametrize("make", [Capitals, Phrases])
def test_parts_of_a_claim_find_its_pages(
    sample: Corpus, make: Callable[[Corpus], Retriever]
) -> None:
    (found,) = make(sample).retrieve([CLAIM], 5)
    titles = [page.title for page in found]
    assert "Fritz Lang" in titles
    assert 0 < len(titles) <= 5
    assert make(sample).retrieve(["it is so"], 5) == [[]]


def test_the_beginning_is_asked_alone(sample: Corpus) -> None:
    assert prefix("Metropolis was directed by Fritz Lang.") == "Metropolis"
    assert prefix("Nothing here") == "Nothing here"
    assert phrases("It is what it was.") == []
    asked = Prefix(Lexical(sample)).retrieve(["Metropolis was directed by Fritz Lang."], 3)
    assert asked == Lexical(sample).retrieve(["Metropolis"], 3)


def test_popular_pages_come_first(sample: Corpus) -> None:
    class Equal:
        def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
            numbers = sorted(n for n, _ in sample.store.all_titles())[:k]
            return [[Candidate(n, "", 1.0) for n in numbers] for _ in claims]

    (found,) = Popular(sample, Equal()).retrieve([CLAIM], 10)
    led = [len(sample.links.into(page.number)) for page in found]
    assert led == sorted(led, reverse=True)
    assert led[0] > led[-1]


def test_links_are_found_where_they_are_not_known_yet(tmp_path: Path) -> None:
    named = {"Alpha": ["Alpha is here ."], "Beta": ["Beta is near Alpha ."]}
    with Corpus.open(made(tmp_path, named)) as corpus:
        assert not corpus.linked
        (found,) = Popular(corpus, Titles(corpus)).retrieve(["Beta is Alpha."], 2)
    assert [page.title for page in found] == ["Alpha", "Beta"]


@pytest.mark.parametrize("name", NEARNESS)
def test_the_same_words_are_nearest(name: str, sample: Corpus) -> None:
    measure = NEARNESS[name](open_vectors("random"))
    texts = ["Rivers flow to the sea.", "Lang directed Metropolis, a silent film.", "It rained."]
    assert int(measure(CLAIM, texts).argmax()) == 1
    number = sample.number("Fritz Lang")
    assert number is not None
    pages = [[Candidate(number, "Fritz Lang", 1.0)]]
    (found,) = NearSentences(sample, measure).select([CLAIM], pages, 3)
    assert len(found) == 3
    assert found[0].score >= found[2].score
    assert np.isfinite(measure("", ["", "a"])).all()


def test_rules_join_what_pieces_say() -> None:
    table = np.array([SAYS["no"], SAYS["yes"], SAYS["no"]])
    assert vote([], table) == (0.0, 1.0, 0.0)
    assert vote([], np.array([SAYS["hm"], SAYS["hm"]])) == (0.0, 0.0, 1.0)
    assert surest([], table) == SAYS["yes"]
    assert surest([], np.array([SAYS["hm"]])) == SAYS["hm"]


def test_each_piece_is_judged_alone_and_joined() -> None:
    evidence = [[piece("yes"), piece("hm", 1)], [], [piece("no")]]
    first, nothing, last = EachPair(Literal(), vote).judge(["a", "b", "c"], evidence)
    assert first.probabilities == (1.0, 0.0, 0.0)
    assert nothing.probabilities == (0.0, 0.0, 1.0)
    assert last.probabilities == (0.0, 1.0, 0.0)
    assert [len(table) for table in each_alone(Literal(), ["a", "b", "c"], evidence)] == [2, 0, 1]


def test_what_contradicts_the_verdict_is_dropped() -> None:
    evidence = [[piece("yes"), piece("no", 1), piece("hm", 2)]]
    (kept,) = Consistent(Literal(), Literal()).judge(["a"], evidence)
    assert [one.text for one in kept.evidence] == ["yes", "hm"]
    assert kept.probabilities == SAYS["yes"]


def test_a_network_learns_which_pieces_to_heed() -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    from feverfew.lab.papers.networks import Mlp, fit

    said = [["hm", "yes"], ["hm", "no"], ["hm", "hm"]] * 12
    labels = np.array([0, 1, 2] * 12)
    rows = [
        pair_features([piece(word) for word in own], np.array([SAYS[word] for word in own]))
        for own in said
    ]
    model = Mlp(len(rows[0])).drawn(1)
    settings = {"epochs": 60, "batch": 6, "patience": 60}
    done = fit(model, rows, labels, (rows, labels), seed=1, rate=1e-2, **settings)
    assert done.accuracy == 1.0
    assert model.probabilities(rows[:3]).argmax(1).tolist() == [0, 1, 2]
