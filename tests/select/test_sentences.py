"""The shipped ranking, for one page and for several: what it finds, and in what order."""

import math

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.models.network import Network
from feverfew.retrieve import Candidate, Ranked
from feverfew.select import Sentences
from feverfew.select.features import MULTIHOP_FEATURES
from feverfew.select.sentences import MULTIHOP_PAGES, MultiHopContexts, MultiHopSentences, diversify
from feverfew.types import Evidence, Hop, Ref

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


CLAIM = "The director of Harbour Lights was born in a city on the river Emajõgi."
FILM, QUILL, TARTU = "Harbour_Lights_-LRB-film-RRB-", "Ada_Quill", "Tartu"


@pytest.fixture
def pages(small_corpus: Corpus) -> list[Candidate]:
    ways = [
        None,
        Hop(QUILL, Ref.sentence(FILM, 0), "name"),
        Hop(TARTU, Ref.sentence(QUILL, 1), "text"),
        None,
    ]
    titles = (FILM, QUILL, TARTU, "Harbour")
    return [
        Candidate(small_corpus.number(title) or 0, title, 5.0 - at, way)
        for at, (title, way) in enumerate(zip(titles, ways, strict=True))
    ]


def column(rows: np.ndarray, name: str) -> list[float]:
    return [round(float(value), 3) for value in rows[:, MULTIHOP_FEATURES.index(name)]]


def test_what_leads_on_and_what_was_led_to(small_corpus: Corpus, pages: list[Candidate]) -> None:
    context, rows = MultiHopContexts(small_corpus).read(CLAIM, pages)
    assert (
        rows.shape
        == (len(context.statements), len(MULTIHOP_FEATURES))
        == (10, len(MULTIHOP_FEATURES))
    )
    far = -3.0
    assert column(rows, "leads_on") == [-0.2, far, far, far, -0.4, *[far] * 5]
    assert column(rows, "leads_on_by_name") == [-0.2, *[far] * 9]
    assert column(rows, "page_led_to") == [0, 0, 0, 1, 1, 1, 1, 1, 0, 0]
    assert column(rows, "page_led_to_by_text") == [0, 0, 0, 0, 0, 0, 1, 1, 0, 0]
    assert column(rows, "names_page_led_to")[0] == -0.2
    assert column(rows, "names_page_led_to")[4] == -0.4
    # On every page one statement is the best, and its place is the first.
    for page in range(4):
        own = context.page == page
        assert max(np.array(column(rows, "place_on_page"))[own]) == 1.0
        assert max(np.array(column(rows, "below_best_on_page"))[own]) == 0.0


def only(name: str) -> Network:
    """Make a ranker that looks at one feature alone."""
    hidden = [[float(feature == name)] for feature in MULTIHOP_FEATURES]
    zeros, ones = [0.0] * len(MULTIHOP_FEATURES), [1.0] * len(MULTIHOP_FEATURES)
    return Network(list(MULTIHOP_FEATURES), zeros, ones, hidden, [9.0], [1.0])


def test_the_ranking_decides_which_are_selected(
    small_corpus: Corpus, pages: list[Candidate]
) -> None:
    contexts = MultiHopContexts(small_corpus)
    (found,) = MultiHopSentences(contexts, only("leads_on")).select([CLAIM], [pages], 2)
    assert [piece.ref for piece in found] == [Ref.sentence(FILM, 0), Ref.sentence(QUILL, 1)]
    assert found[0].score > found[1].score
    (found,) = MultiHopSentences(contexts, only("page_led_to_by_text")).select([CLAIM], [pages], 2)
    assert {piece.ref.page for piece in found} == {TARTU}


def test_a_page_that_has_its_say_stands_back(small_corpus: Corpus, pages: list[Candidate]) -> None:
    context, _ = MultiHopContexts(small_corpus).read(CLAIM, pages)
    scores = np.array([3, 5, 4, 4.2, 0, 0, 4.4, 0, 0, 0], np.float32)
    less = diversify(context, scores)
    assert less.tolist() == pytest.approx([2, 5, 3.5, 4.2, -0.5, -1, 4.4, -0.5, 0, -0.5])
    assert np.argsort(-less)[:4].tolist() == [1, 6, 3, 2]


def test_no_pages_and_too_many(small_corpus: Corpus, pages: list[Candidate]) -> None:
    chained = MultiHopSentences(MultiHopContexts(small_corpus), only("line"))
    assert chained.select([CLAIM], [[]], 5) == [[]]
    context, _ = MultiHopContexts(small_corpus).read(CLAIM, pages * 9)
    assert len(context.pages) == MULTIHOP_PAGES
