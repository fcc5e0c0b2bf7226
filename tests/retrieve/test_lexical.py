"""Lexical: pages that share rare words with the claim."""

from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.retrieve import Lexical
from making import made

PAGES = {
    "Danube": ["A river through ten countries ."],
    "Linz": ["A city on the Danube ."],
    "Graz": ["A city on the Mur ."],
    "Steyr": ["A city with a zeppelin ."],
}


@pytest.fixture
def corpus(tmp_path: Path):
    with Corpus.open(made(tmp_path, PAGES)) as opened:
        yield opened


def test_a_rare_word_decides(corpus: Corpus) -> None:
    assert Lexical(corpus).retrieve(["A city on a ZEPPELIN"], 1)[0][0].title == "Steyr"


def test_the_title_counts_as_much_as_it_is_told_to(corpus: Corpus) -> None:
    heavy, none = Lexical(corpus, title_weight=3), Lexical(corpus, title_weight=0)
    assert heavy.retrieve(["Danube"], 1)[0][0].title == "Danube"
    assert [c.title for c in none.retrieve(["Danube"], 5)[0]] == ["Linz"]


def test_no_word_no_page(corpus: Corpus) -> None:
    assert Lexical(corpus).retrieve(["Atlantis"], 5) == [[]]
