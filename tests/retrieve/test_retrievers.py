"""The retrievers: rare words, mentioned titles, and both ranked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.errors import FeverfewError
from feverfew.models.network import Network
from feverfew.readers import read_claims
from feverfew.retrieve import Lexical, Ranked, Titles
from feverfew.sample import sample_claims
from feverfew.text import title_key
from making import made, many_pages

PAGES = {
    "Danube": ["A river through ten countries ."],
    "Linz": ["A city on the Danube ."],
    "Graz": ["A city on the Mur ."],
    "Steyr": ["A city with a zeppelin ."],
}


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
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


def test_long_and_capitalised_names_come_first(tmp_path: Path) -> None:
    pages = ["Dog", "The Dog Days of Summer", "Summer", "Vienna"]
    directory = made(tmp_path, {title: ["A page ."] for title in pages})
    with Corpus.open(directory) as corpus:
        claim = "The Dog Days of Summer tells of summer in Vienna, not of a dog."
        found = [c.title for c in Titles(corpus).retrieve([claim], 10)[0]]
    assert found[0] == "The Dog Days of Summer"
    assert set(found) == set(pages)


def test_a_capital_tells_a_name_from_a_word(tmp_path: Path) -> None:
    with Corpus.open(made(tmp_path, {"Dog": ["A page ."], "Vienna": ["A page ."]})) as corpus:
        found = [c.title for c in Titles(corpus).retrieve(["a dog in Vienna"], 10)[0]]
    assert found == ["Vienna", "Dog"]


FLOOR = 250


def test_most_claims_of_the_sample_find_a_whole_set_of_pages(sample: Corpus) -> None:
    claims = [claim for path in sample_claims() for claim in read_claims(path) if claim.evidence]
    ranked = Ranked.open(sample).retrieve([claim.text for claim in claims], 10)
    whole = 0
    for claim, found in zip(claims, ranked, strict=True):
        titles = {title_key(candidate.title) for candidate in found}
        sets = [{title_key(ref.page) for ref in refs} for refs in claim.evidence]
        whole += any(pages <= titles for pages in sets)
    assert whole >= FLOOR, f"{whole} of {len(claims)}"


def test_a_second_page_is_reached_through_the_first(sample: Corpus) -> None:
    claim = "The director of Metropolis was born in the city that the Danube crosses."
    titles = [c.title for c in Ranked.open(sample).retrieve([claim], 10)[0]]
    assert {"Fritz Lang", "Vienna"} <= set(titles)


@pytest.mark.parametrize("count", [1, 2, 50])
def test_corpora_of_any_size(tmp_path: Path, count: int) -> None:
    with Corpus.open(made(tmp_path, many_pages(count))) as corpus:
        found = Ranked.open(corpus).retrieve(["own0word is on page 0", "nothing at all"], 5)
        assert found[0][0].number == 1


def test_weights_of_another_version_are_refused() -> None:
    with pytest.raises(FeverfewError, match="another version"):
        Network.shipped("first", ("one", "two"))
