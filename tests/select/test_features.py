"""Each number that the ranking sees, on sentences made for it."""

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.retrieve import Candidate
from feverfew.retrieve.features import Query
from feverfew.select.context import FeatureContext, related_words, statements
from feverfew.select.features import FEATURES, HOP_FEATURES, hop_features, sentence_features
from feverfew.types import Link, Page, Sentence

RELATED = {"movie": {b"film": 0.5}, "wrote": {b"novelist": 0.4}}


def scene(corpus: Corpus, claim: str, *pages: Page) -> FeatureContext:
    candidates = [Candidate(i, page.title, 5.0 - i) for i, page in enumerate(pages)]
    return FeatureContext(
        Query.of(claim, corpus), candidates, [statements(p) for p in pages], RELATED
    )


def page(title: str, *texts: str | Sentence) -> Page:
    blocks = [Sentence(i, t) if isinstance(t, str) else t for i, t in enumerate(texts)]
    return Page(title, tuple(blocks))


def column(made: FeatureContext, name: str) -> list[float]:
    rows = sentence_features(made)
    assert rows.shape == (len(made.statements), len(FEATURES))
    return [round(float(value), 3) for value in rows[:, FEATURES.index(name)]]


def hop_column(made: FeatureContext, name: str, scores: list[float]) -> list[float]:
    rows = hop_features(made, np.array(scores, np.float32))
    assert rows.shape == (len(made.statements), len(HOP_FEATURES))
    return [round(float(value), 3) for value in rows[:, HOP_FEATURES.index(name)]]


def test_words_count_wherever_they_stand(small_corpus: Corpus) -> None:
    made = scene(small_corpus, "Rosa painted", page("X", "Rosa painted.", "Rosa.", "Nothing"))
    words = column(made, "words")
    assert words[0] == pytest.approx(1)
    assert 0 < words[1] < 1
    assert words[2] == 0


def test_the_title_counts_as_part_of_its_sentences(small_corpus: Corpus) -> None:
    made = scene(small_corpus, "Rosa painted", page("Rosa", "She painted.", "She sang."))
    assert column(made, "words_or_title")[0] == pytest.approx(1)
    assert column(made, "rest") == [1, 0]
    assert column(made, "open")[0] == 0
    assert column(made, "pronoun") == [1, 1]


def test_numbers_and_years(small_corpus: Corpus) -> None:
    texts = ("Born in 1899.", "Born in 1901.", "Born on day 4.", "Born.")
    made = scene(small_corpus, "Rosa was born in 1899", page("Rosa", *texts))
    assert column(made, "numbers") == [1, 0, 0, 0]
    assert column(made, "number_for_number") == [1, 1, 1, 0]
    assert column(made, "year_for_year") == [1, 1, 0, 0]


def test_numbers_say_nothing_where_the_claim_has_none(small_corpus: Corpus) -> None:
    made = scene(small_corpus, "Rosa was born", page("Rosa", "Born in 1899."))
    assert column(made, "number_for_number") == [0]


def test_names_are_the_capitalised_words(small_corpus: Corpus) -> None:
    made = scene(small_corpus, "He met Rosa Tamm", page("X", "Rosa Tamm.", "Rosa.", "He met."))
    assert column(made, "names") == [1, 0.5, 0]


def test_neighbours_stay_neighbours(small_corpus: Corpus) -> None:
    texts = ("A river bank.", "A bank, a river.", "A river. Bank", "river", "bank")
    made = scene(small_corpus, "river bank", page("X", *texts))
    pairs = column(made, "pairs")
    assert pairs[0] == pairs[2] == pytest.approx(1)
    # The last word of a sentence and the first of the next are no neighbours.
    assert [pairs[1], pairs[3], pairs[4]] == [0, 0, 0]


def test_related_words_count_for_less(small_corpus: Corpus) -> None:
    texts = ("A movie.", "A film.", "A play.")
    made = scene(small_corpus, "movie", page("X", *texts))
    assert column(made, "related") == [1, 0.5, 0]
    assert column(made, "words") == [1, 0, 0]


def test_a_related_word_may_be_the_claims_own(small_corpus: Corpus) -> None:
    made = scene(small_corpus, "movie film", page("X", "A film."))
    assert 0.5 < column(made, "related")[0] < 1


def test_words_that_begin_alike(small_corpus: Corpus) -> None:
    made = scene(small_corpus, "director", page("X", "It was directed.", "It was dire."))
    assert column(made, "prefixes") == [1, 0]


def test_other_pages_named_or_linked(small_corpus: Corpus) -> None:
    linked = Sentence(1, "She met him.", (Link("rosa_Tamm", "him"),))
    film = page("Lights_-LRB-film-RRB-", "It stars Rosa Tamm.", linked, "It rained.")
    made = scene(small_corpus, "Lights", film, page("Rosa_Tamm", "An actress in Lights."))
    assert [value > 0 for value in column(made, "other_titles")] == [True, True, False, True]
    assert column(made, "better_title") == [0, 0, 0, 1]


def test_what_the_best_leaves_open(small_corpus: Corpus) -> None:
    film = page("Lights", "Lights was directed by Ada Quill.", "It rained.")
    made = scene(
        small_corpus, "The director of Lights was born in Tartu",
        film, page("Ada_Quill", "Born in Tartu.", "A painter."),
    )  # fmt: skip
    scores = [3.0, 0.0, 1.0, 0.5]
    assert hop_column(made, "named_by_top", scores) == [0, 0, 1, 1]
    assert hop_column(made, "names_top", scores)[0] == 1
    gain = hop_column(made, "linked_gain", scores)
    assert gain[2] > gain[3] == 0
    assert hop_column(made, "better_on_page", scores) == [0, 0.2, 0, 0.2]


def test_page_length_does_not_matter(small_corpus: Corpus) -> None:
    claim = "Lights was shot in Tartu"
    short = scene(small_corpus, claim, page("Lights", "It was shot in Tartu."))
    padding = [f"Nothing number {i}." for i in range(30)]
    long = scene(small_corpus, claim, page("Lights", "It was shot in Tartu.", *padding))
    np.testing.assert_allclose(sentence_features(short)[0], sentence_features(long)[0])


def test_signs_and_blanks_break_nothing(small_corpus: Corpus) -> None:
    for claim in ("", "?!", "A\nclaim\0"):
        made = scene(
            small_corpus, claim, page("!!!", " ", "…", "A\nclaim\0 of two lines"), page("")
        )
        rows = sentence_features(made)
        assert np.isfinite(rows).all()
        assert np.isfinite(hop_features(made, rows[:, 0])).all()


def test_the_shipped_table_relates_words() -> None:
    table = related_words()
    assert table["died"][b"death"] > 0.1
    assert all(0 < s < 1 for others in table.values() for s in others.values())
