"""What holds for every retriever."""

import math
from collections.abc import Callable, Iterator

import pytest

from feverfew.corpus import Corpus
from feverfew.retrieve import Batch, Candidate, Hops, Lexical, Ranked, Retriever, Titles
from feverfew.retrieve import batch as batching

CLAIMS = [
    "Fritz Lang directed Metropolis.",
    "The director of Metropolis was born in the city that the Danube crosses.",
    "vienna",
    "Marie Curie won the Nobel Prize twice.",
    "A claim about nothing in particular.",
]
ODD = [
    "",
    " \t\n",
    "?!… — “”",
    "\0\x07\ufffe",
    "'\"; DROP TABLE pages; --",
    "body:vienna AND (title:* OR ~1) \\ ^2 +lang -lang",
    "🎬 Фриц Ланг 弗里茨·朗 फ़्रिट्ज़ लैंग",
    "e\u0301\u0301\u0301" * 50,
    "Vienna" * 500,
    "a " * 500,
    "\ud800 half a pair",
]


@pytest.fixture(scope="module", params=["titles", "lexical", "ranked", "hops", "batch", "workers"])
def retriever(request: pytest.FixtureRequest, sample: Corpus) -> Iterator[Retriever]:
    makers: dict[str, Callable[[], Retriever]] = {
        "titles": lambda: Titles(sample),
        "lexical": lambda: Lexical(sample),
        "ranked": lambda: Ranked.open(sample),
        "hops": lambda: Hops.open(sample),
    }
    if request.param in makers:
        yield makers[request.param]()
        return
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "workers":
            patch.setattr(batching, "_WORTHWHILE", 0)
        with Batch(sample.path, 2) as batch:
            yield batch


def same(retriever: Retriever, one: list[list[Candidate]], other: list[list[Candidate]]) -> bool:
    """Compare answers; the scores of `Hops` but for what an encoder rounds in another batch."""
    if not isinstance(retriever, Hops):
        return one == other
    pairs = [pair for both in zip(one, other, strict=True) for pair in zip(*both, strict=True)]
    return all(
        (a.number, a.via) == (b.number, b.via) and math.isclose(a.score, b.score, abs_tol=1e-2)
        for a, b in pairs
    )


def test_a_batch_is_answered_as_one_by_one(retriever: Retriever) -> None:
    together = retriever.retrieve(CLAIMS, 5)
    assert same(retriever, together, [retriever.retrieve([claim], 5)[0] for claim in CLAIMS])
    assert same(retriever, retriever.retrieve(CLAIMS[::-1], 5), together[::-1])
    assert retriever.retrieve(CLAIMS, 5) == together
    assert any(together)


@pytest.mark.parametrize("k", [1, 2, 7, 1_000])
def test_at_most_k_best_first_and_none_twice(retriever: Retriever, k: int) -> None:
    for found in retriever.retrieve(CLAIMS, k):
        assert len(found) <= k
        scores = [candidate.score for candidate in found]
        assert scores == sorted(scores, reverse=True)
        assert all(math.isfinite(score) for score in scores)
        assert len({candidate.number for candidate in found}) == len(found)


def test_fewer_are_the_first_of_more(retriever: Retriever) -> None:
    three, ten = retriever.retrieve(CLAIMS, 3), retriever.retrieve(CLAIMS, 10)
    for few, many in zip(three, ten, strict=True):
        assert [c.score for c in few] == [c.score for c in many[:3]]


def test_numbers_and_titles_are_those_of_the_corpus(retriever: Retriever, sample: Corpus) -> None:
    for candidate in retriever.retrieve(CLAIMS[:1], 10)[0]:
        assert sample.number(candidate.title) == candidate.number


def test_no_claims_no_answers(retriever: Retriever) -> None:
    assert retriever.retrieve([], 5) == []


def test_odd_claims_do_no_harm(retriever: Retriever) -> None:
    claims = ODD[:-1] if isinstance(retriever, Batch) else ODD  # pipes carry UTF-8 only
    found = retriever.retrieve(claims, 5)
    assert len(found) == len(claims)
    assert found[:3] == [[], [], []]


def test_a_claim_of_ten_thousand_characters(retriever: Retriever) -> None:
    claim = ("Fritz Lang directed Metropolis in Berlin, Vienna and Paris, " * 300)[:10_000]
    assert len(retriever.retrieve([claim], 5)[0]) == 5


def test_the_obvious_page_is_found(retriever: Retriever) -> None:
    titles = [c.title for c in retriever.retrieve(["Fritz Lang directed Metropolis."], 5)[0]]
    assert "Fritz Lang" in titles[:3]
