"""DrQA's search: the nearest pages first, the same alone and in a batch, of one corpus only."""

from pathlib import Path

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.papers.tfidf import BINS, DrQA, Grams

CLAIMS = [
    "Fritz Lang directed the silent film Metropolis.",
    "Alfred Hitchcock never won the Academy Award for Best Director.",
    "xyzzy",
]


@pytest.fixture(scope="module")
def index(sample: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drqa") / "index"
    DrQA.build(sample, folder)
    return folder


def test_words_and_pairs_get_bins_and_stop_words_none() -> None:
    both = Grams().bins("The silent film of Lang")
    alone = Grams(pairs=False).bins("The silent film of Lang")
    assert len(alone) == 3  # silent, film, Lang
    assert len(both) == 4  # and one pair: 'film of Lang' is none
    assert both.min() >= 0
    assert both.max() < BINS
    assert set(alone) <= set(both)
    assert len(Grams(pairs=False, stop_words=True).bins("The silent film of Lang")) == 5


def test_pairs_are_told_apart_by_their_order() -> None:
    assert Grams().bins("silent film")[-1] != Grams().bins("film silent")[-1]


def test_the_page_that_shares_the_rare_words_comes_first(sample: Corpus, index: Path) -> None:
    first, second, nothing = DrQA.open(sample, index).retrieve(CLAIMS, 5)
    assert "Metropolis (1927 film)" in [page.title for page in first]
    assert second[0].title == "Alfred Hitchcock"
    assert nothing == []
    scores = [page.score for page in first]
    assert scores == sorted(scores, reverse=True)
    assert len(first) == 5


def test_a_cosine_is_at_most_one_and_ranks_otherwise(sample: Corpus, index: Path) -> None:
    cosine = DrQA.open(sample, index, cosine=True).retrieve(CLAIMS[:2], 20)
    plain = DrQA.open(sample, index, cosine=False).retrieve(CLAIMS[:2], 20)
    assert all(0 < page.score <= 1 for own in cosine for page in own)
    assert [p.title for p in cosine[0]] != [p.title for p in plain[0]]


def test_a_batch_says_what_each_claim_says_alone(sample: Corpus, index: Path) -> None:
    drqa = DrQA.open(sample, index)
    together = drqa.retrieve(CLAIMS, 4)
    for claim, own in zip(CLAIMS, together, strict=True):
        (alone,) = drqa.retrieve([claim], 4)
        assert [p.title for p in alone] == [p.title for p in own]
        assert np.allclose([p.score for p in alone], [p.score for p in own])


def test_an_index_of_another_corpus_is_refused(sample: Corpus, index: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("A page about nothing much. It says little.", "utf-8")
    with (
        Corpus.build([page], tmp_path / "other.corpus") as other,
        pytest.raises(InputError, match="another corpus"),
    ):
        DrQA.open(other, index)
    with pytest.raises(InputError, match="no index of pages"):
        DrQA.open(sample, tmp_path)
