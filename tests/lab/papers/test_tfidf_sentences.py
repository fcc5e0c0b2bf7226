"""Sentences by TF-IDF: nearest first, sentences only, with pairs or with words alone."""

import pytest

from feverfew.corpus import Corpus
from feverfew.lab.papers.sentences import AllSentences, TfIdfSentences
from feverfew.retrieve import Candidate
from feverfew.types import Kind

CLAIM = "Alfred Hitchcock never won the Academy Award for Best Director."


def pages(corpus: Corpus, *titles: str) -> list[Candidate]:
    found = [(corpus.number(title), title) for title in titles]
    return [Candidate(number, title, 1.0) for number, title in found if number is not None]


@pytest.mark.parametrize("make", [TfIdfSentences.bigram, TfIdfSentences.unigram])
def test_the_sentence_that_shares_the_words_comes_first(sample: Corpus, make) -> None:  # type: ignore[no-untyped-def]
    (found,) = make(sample).select([CLAIM], [pages(sample, "Fritz Lang", "Alfred Hitchcock")], 5)
    assert found[0].text.startswith("Hitchcock himself was nominated")
    assert len(found) == 5
    assert all(piece.ref.kind is Kind.SENTENCE for piece in found)
    scores = [piece.score for piece in found]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[0] <= 1


def test_pairs_and_words_alone_weigh_differently(sample: Corpus) -> None:
    asked = [CLAIM], [pages(sample, "Fritz Lang", "Alfred Hitchcock")], 5
    (by_pairs,) = TfIdfSentences.bigram(sample).select(*asked)
    (by_words,) = TfIdfSentences.unigram(sample).select(*asked)
    assert [p.score for p in by_pairs] != [p.score for p in by_words]


def test_without_pages_there_is_nothing(sample: Corpus) -> None:
    assert TfIdfSentences.bigram(sample).select([CLAIM], [[]], 5) == [[]]


def test_all_sentences_are_those_of_the_page_in_order(sample: Corpus) -> None:
    (found,) = AllSentences(sample).select([CLAIM], [pages(sample, "Alfred Hitchcock")], 100)
    spoken = [s for s in sample.page("Alfred Hitchcock").sentences if s.text]
    assert [piece.text for piece in found] == [sentence.text for sentence in spoken]
