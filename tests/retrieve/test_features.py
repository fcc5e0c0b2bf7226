"""Names in a claim: spelled out, shortened, inflected, misspelled."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind
from feverfew.corpus.update import add
from feverfew.retrieve.features import Mention, Words, find_mentions, find_misspelled
from feverfew.types import Redirect
from making import made, page

TITLES = [
    "Fritz_Lang", "Metropolis_-LRB-1927_film-RRB-", "Metropolis_-LRB-comics-RRB-", "The_Beatles",
    "George_W._Bush", "J._K._Rowling", "Besançon", "Touchscreen", "Lang", "Paris,_Texas",
    "New_York", "New_York_City", "Gordon_Ramsay", "Mississippi", "C++", "Catch-22", "Dog",
]  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("mentions")
    directory = made(folder, {title: [f"A page on {title} ."] for title in TITLES})
    add(directory, [Redirect("Big Apple", "New York City"), page("Vienna", aliases=("Wien",))])
    with Corpus.open(directory) as corpus:
        yield corpus


def mentions(corpus: Corpus, claim: str) -> dict[str, Mention]:
    words = Words.of(claim)
    found = find_mentions(corpus, words)
    found += find_misspelled(corpus, words, found)
    titles = corpus.store.titles({mention.page for mention in found})
    return {titles[mention.page]: mention for mention in reversed(found)}


@pytest.mark.parametrize(
    ("claim", "title"),
    [
        ("Fritz Lang was born.", "Fritz_Lang"),
        ("FRITZ LANG was born.", "Fritz_Lang"),
        ("fritz lang was born.", "Fritz_Lang"),
        ("Fritz Lang's films.", "Fritz_Lang"),
        ("Fritz Lang’s films.", "Fritz_Lang"),
        ("Is it (Fritz Lang)?", "Fritz_Lang"),
        ("He saw Metropolis twice.", "Metropolis_-LRB-1927_film-RRB-"),
        ("He saw Metropolis twice.", "Metropolis_-LRB-comics-RRB-"),
        ("He saw Metropolis (1927 film).", "Metropolis_-LRB-1927_film-RRB-"),
        ("The Beatles played.", "The_Beatles"),
        ("Some Beatles played.", "The_Beatles"),
        ("George Bush ran.", "George_W._Bush"),
        ("George W Bush ran.", "George_W._Bush"),
        ("JK Rowling wrote.", "J._K._Rowling"),
        ("J.K. Rowling wrote.", "J._K._Rowling"),
        ("Besancon is a city.", "Besançon"),
        ("Besanc\u0327on is a city.", "Besançon"),
        ("It has touchscreens.", "Touchscreen"),
        ("Two dogs bark.", "Dog"),
        ("The dog's tail.", "Dog"),
        ("It was shot in Paris.", "Paris,_Texas"),
        ("The Big Apple sleeps.", "New_York_City"),
        ("Wien is large.", "Vienna"),
        ("vienna is large.", "Vienna"),
        ("She read Catch-22.", "Catch-22"),
        ("Gordan Ramsay cooks.", "Gordon_Ramsay"),
        ("Gordon Ramsey cooks.", "Gordon_Ramsay"),
        ("Missisippi is a river.", "Mississippi"),
        ("Mississipi is a river.", "Mississippi"),
        ("Missisisppi is a river.", "Mississippi"),
    ],
)
def test_a_page_is_mentioned(corpus: Corpus, claim: str, title: str) -> None:
    assert title in mentions(corpus, claim)


@pytest.mark.parametrize(
    ("claim", "title"),
    [
        ("Langoustines are shellfish.", "Lang"),
        ("Dogma is a film.", "Dog"),
        ("A newyorker.", "New_York"),
        ("Boris Ramsay cooks.", "Gordon_Ramsay"),
        ("Misissipi is a river.", "Mississippi"),  # two slips
        ("A doog barks.", "Dog"),  # neither capitalised nor long
    ],
)
def test_a_page_is_not_mentioned(corpus: Corpus, claim: str, title: str) -> None:
    assert title not in mentions(corpus, claim)


def test_the_longest_come_first(corpus: Corpus) -> None:
    words = Words.of("He left New York City with Fritz Lang.")
    found = find_mentions(corpus, words)
    titles = corpus.store.titles(mention.page for mention in found)
    assert titles[found[0].page] == "New_York_City"
    assert (found[0].start, found[0].length) == (2, 3)
    lengths = [mention.length for mention in found]
    assert lengths == sorted(lengths, reverse=True)
    assert {"New_York", "Lang", "Fritz_Lang"} <= set(titles.values())


def test_each_mention_says_how_it_came_about(corpus: Corpus) -> None:
    found = mentions(corpus, "Metropolis, Dogs, the Big Apple and Gordan Ramsay")
    film = found["Metropolis_-LRB-1927_film-RRB-"]
    assert (film.kind, film.rivals) == (NameKind.WITHOUT_PARENTHESIS, 2)
    assert found["Dog"].plural
    assert found["New_York_City"].kind == NameKind.ALIAS
    assert found["Gordon_Ramsay"].misspelled
    assert not film.misspelled


def test_a_claim_without_words(corpus: Corpus) -> None:
    assert mentions(corpus, "") == mentions(corpus, "…") == {}


def test_a_removed_page_is_no_longer_mentioned(tmp_path: Path) -> None:
    from feverfew.corpus.update import remove
    from feverfew.retrieve import Titles

    directory = made(tmp_path, {"Linz": ["A city ."], "Graz": ["A city ."]})
    remove(directory, ["Linz"])
    with Corpus.open(directory) as corpus:
        assert Titles(corpus).retrieve(["Linz and Graz"], 5)[0][0].title == "Graz"
        assert len(Titles(corpus).retrieve(["Linz and Graz"], 5)[0]) == 1
