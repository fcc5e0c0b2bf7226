"""The shipped ranking: what it finds, in what order, and what it says of it."""

import math

import pytest

from feverfew.corpus import Corpus
from feverfew.retrieve import Candidate, Ranked
from feverfew.select import Sentences
from feverfew.types import Evidence, Ref

TWO_PAGES = "The director of Harbour Lights was born in Tartu."


def found(corpus: Corpus, claim: str, k: int = 5) -> list[Evidence]:
    pages = Ranked.open(corpus).retrieve([claim], 5)
    return Sentences.open(corpus).select([claim], pages, k)[0]


@pytest.mark.parametrize(
    ("claim", "page", "line"),
    [
        ("Harbour Lights was directed by Ada Quill.", "Harbour_Lights_-LRB-film-RRB-", 0),
        ("Harbour Lights was shot in Tallinn.", "Harbour_Lights_-LRB-film-RRB-", 2),
        ("Ada Quill was born in 1899.", "Ada_Quill", 1),
        ("Ada Quill was born in 1950.", "Ada_Quill", 1),
        ("Tartu is a city.", "Tartu", 0),
    ],
)
def test_the_sentence_that_settles_it_comes_first(
    small_corpus: Corpus, claim: str, page: str, line: int
) -> None:
    assert found(small_corpus, claim)[0].ref == Ref.sentence(page, line)


def test_a_list_of_namesakes_proves_nothing(sample: Corpus) -> None:
    claim = "Metropolis was directed by Rintaro."
    pages = Ranked.open(sample).retrieve([claim], 5)
    assert "Metropolis" in [page.title for page in pages[0]]
    chosen = Sentences.open(sample).select([claim], pages, 8)[0]
    assert chosen
    assert "Metropolis" not in [piece.ref.page for piece in chosen]


def test_two_pages_settle_a_claim_together(small_corpus: Corpus) -> None:
    refs = {piece.ref for piece in found(small_corpus, TWO_PAGES)}
    assert Ref.sentence("Harbour_Lights_-LRB-film-RRB-", 0) in refs
    assert Ref.sentence("Ada_Quill", 1) in refs


def test_what_other_evidence_names_is_a_hop_away(small_corpus: Corpus) -> None:
    hops = {piece.ref.page: piece.hop for piece in found(small_corpus, TWO_PAGES)}
    assert hops["Harbour_Lights_-LRB-film-RRB-"] == 0
    assert hops["Ada_Quill"] == 1


def test_scores_fall_and_are_numbers(small_corpus: Corpus) -> None:
    scores = [piece.score for piece in found(small_corpus, TWO_PAGES, 12)]
    assert scores == sorted(scores, reverse=True)
    assert all(map(math.isfinite, scores))
    assert len(scores) == 12


def test_more_are_the_same_and_then_some(small_corpus: Corpus) -> None:
    assert found(small_corpus, TWO_PAGES, 10)[:3] == found(small_corpus, TWO_PAGES, 3)


def test_a_batch_is_answered_claim_by_claim(small_corpus: Corpus) -> None:
    claims = [TWO_PAGES, "Tartu is a city."]
    pages = Ranked.open(small_corpus).retrieve(claims, 5)
    both = Sentences.open(small_corpus).select(claims, pages, 5)
    assert both == [found(small_corpus, claim) for claim in claims]


def test_the_context_tells_the_page(small_corpus: Corpus) -> None:
    piece = found(small_corpus, "Harbour Lights stars Peter Nolan.")[0]
    assert piece.text == "It stars Peter Nolan and Rosa Tamm."
    assert piece.context.title == "Harbour Lights (film)"


@pytest.mark.parametrize(
    "claim", ["", " ", "?!", "🙂", "\x00\x01", "the", "Zzyzx qwfp.", "a " * 9_999]
)
def test_odd_claims_are_answered(small_corpus: Corpus, claim: str) -> None:
    pages = [Candidate(n, title, 0.0) for n, title in small_corpus.store.all_titles()]
    pieces = Sentences.open(small_corpus).select([claim], [pages], 3)[0]
    assert len(pieces) == 3
    assert all(math.isfinite(piece.score) for piece in pieces)


def test_no_pages_no_evidence(small_corpus: Corpus) -> None:
    assert Sentences.open(small_corpus).select(["Tartu is a city."], [[]], 5) == [[]]


def test_a_page_that_is_gone_is_passed_over(small_corpus: Corpus) -> None:
    gone = [Candidate(10_000, "Gone", 1.0)]
    assert Sentences.open(small_corpus).select(["Tartu is a city."], [gone], 5) == [[]]
