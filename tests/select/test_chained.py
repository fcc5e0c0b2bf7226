"""Sentences of several pages: what leads on is seen, and the ranking decides alone."""

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.models.network import Network
from feverfew.retrieve import Candidate
from feverfew.select.features import MULTIHOP_FEATURES
from feverfew.select.sentences import MULTIHOP_PAGES, MultiHopContexts, MultiHopSentences, diversify
from feverfew.types import Hop, Ref

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
