"""The search for tables: by their own words, and on the pages that were found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.corpus.tables import TableEntry, entries_of
from feverfew.corpus.update import add
from feverfew.tables.search import CorpusTables, Tables
from feverfew.types import Cell, ItemList, ListItem, Page, Section, Sentence, Table
from making import made


def entry(key: str, page: str, section: str, *rows: tuple[str, ...]) -> TableEntry:
    return TableEntry(key, page, section, rows[0], rows[1:])


TABLES = [
    entry("a", "Oslo", "Football", ("Club", "Founded"), ("Ravens", "1890"), ("Larks", "1901")),
    entry("b", "Bergen", "Football", ("Club", "Founded"), ("Owls", "1890"), ("Wrens", "1905")),
    entry("c", "Bergen", "Weather", ("Month", "Rain"), ("May", "80 mm"), ("June", "95 mm")),
    *(entry(f"x{n}", f"Place {n}", "History", ("Year", "Event"), (f"{1700 + n}", f"Event {n}"))
      for n in range(60)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "key"),
    [
        ("The Ravens were founded in 1890.", "a"),
        ("The Owls of Bergen were founded in 1890.", "b"),
        ("In June, Bergen has 95 mm of rain.", "c"),
    ],
)
def test_the_right_table_is_first(claim: str, key: str) -> None:
    found = Tables.of(TABLES).find([claim])[0]
    assert found[0].key == key
    assert len(found) <= 3


def test_nothing_shared_nothing_found() -> None:
    assert Tables.of(TABLES).find(["Quite zymurgical!", ""]) == [[], []]
    assert Tables.of([]).find(["anything"]) == [[]]


def test_the_tables_of_a_page_know_the_headings_above_them() -> None:
    rows = ((Cell(0, 0, "Club", True),), (Cell(1, 0, "Ravens"),))
    page = Page(
        "Oslo_-LRB-city-RRB-",
        (
            Section(0, "Sport"),
            Section(1, "Football", 2),
            Table(0, rows, "Clubs"),
            Section(2, "Art"),
            Table(1, rows),
        ),
    )
    first, second = entries_of(page)
    assert (first.key, first.page) == ("Oslo_-LRB-city-RRB-_table_0", "Oslo (city)")
    assert first.section.split() == ["Sport", "Football", "Clubs"]
    assert second.section.split() == ["Art"]
    assert first.header == ("Club",)


def table(index: int, *rows: tuple[str, ...]) -> Table:
    cells = tuple(
        tuple(Cell(r, c, text, r == 0) for c, text in enumerate(row)) for r, row in enumerate(rows)
    )
    return Table(index, cells)


PAGES = [
    Page("Oslo", (Sentence(0, "A city."), table(0, ("Club", "Founded"), ("Ravens", "1890")))),
    Page("Bergen", (table(0, ("Club", "Founded"), ("Owls", "1890"), ("Wrens", "1905")),
                    table(1, ("Month", "Rain"), ("May", "80 mm"), ("June", "95 mm")))),
    *(Page(f"Place {n}", (table(0, ("Year", "Event"), (f"{1700 + n}", f"Event {n}")),))
      for n in range(60)),
]  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    directory = made(tmp_path_factory.mktemp("tables"), {"Moss": ["Moss is a town."]})
    add(directory, PAGES)
    with Corpus.open(directory) as opened:
        yield opened


def names(corpus: Corpus, claim: str, pages: list[int], k: int = 3) -> list[str]:
    hits = CorpusTables.open(corpus).find([claim], [pages], k)[0]
    return [f"{hit.page.title}_table_{hit.table.index}" for hit in hits]


@pytest.mark.parametrize(
    "claim",
    ["The Ravens were founded in 1890.", "In June there were 95 mm of rain.", "Owls of 1905", ""],
)
def test_it_finds_what_the_index_in_memory_finds(corpus: Corpus, claim: str) -> None:
    memory = Tables.of([entry for page in corpus for entry in entries_of(page)])
    expected = [found.key for found in memory.find([claim])[0]]
    assert names(corpus, claim, []) == expected


def test_a_table_is_found_where_page_search_misses_its_page(corpus: Corpus) -> None:
    assert names(corpus, "In June there were 95 mm of rain.", [])[0] == "Bergen_table_1"


def test_the_tables_of_a_page_that_was_found_are_looked_at(corpus: Corpus) -> None:
    claim = "Quite zymurgical!"
    assert names(corpus, claim, []) == []
    number = corpus.number("Bergen")
    assert number is not None
    found = names(corpus, claim, [number])
    assert sorted(found) == ["Bergen_table_0", "Bergen_table_1"]


def test_the_first_page_lifts_its_tables(corpus: Corpus) -> None:
    number = corpus.number("Bergen")
    assert number is not None
    found = CorpusTables.open(corpus)
    claim = "The club was founded in 1890."
    alone = {h.page.title: h.score for h in found.find([claim], [[]], 5)[0] if not h.table.index}
    lifted = found.find([claim], [[number]], 5)[0]
    own = next(hit for hit in lifted if hit.page.title == "Bergen" and not hit.table.index)
    assert own.score > alone["Bergen"]


def test_how_many_is_settable(corpus: Corpus) -> None:
    claim = "The Ravens, the Owls and the Wrens were founded in 1890 and 1905."
    assert [len(names(corpus, claim, [], k)) for k in (0, 1, 2)] == [0, 1, 2]


def test_no_tables_no_hits(tmp_path: Path) -> None:
    directory = made(tmp_path, {"Moss": ["Moss is a town."]})
    with Corpus.open(directory) as opened:
        assert names(opened, "Moss is a town.", [1]) == []


LISTS = [
    Page("Moth", (Section(0, "Kinds"), ItemList(0, (ListItem(0, "Hawk"), ListItem(1, "Owlet"))))),
    Page("Hawk", (ItemList(0, (ListItem(0, "A bird"), ListItem(1, "A moth"))),),
         disambiguation=True),
    Page("Lone", (ItemList(0, (ListItem(0, "Hawk"),)),)),
]  # fmt: skip


def test_lists_are_looked_at_where_their_page_was_found(tmp_path: Path) -> None:
    directory = made(tmp_path, {"Moss": ["Moss is a town."]})
    add(directory, LISTS)
    with Corpus.open(directory) as corpus:
        assert corpus.tables is None
        found = CorpusTables.open(corpus)
        numbers = [number for page in LISTS if (number := corpus.number(page.title)) is not None]
        pages = numbers
        hits = found.find(["The owlet and the hawk are moths."], [pages], 5)[0]
        assert [(hit.page.title, hit.section) for hit in hits] == [("Moth", ("Kinds",))]
        assert found.find(["The owlet is a moth."], [[]], 5) == [[]]


def test_an_index_that_lags_behind_the_pages_is_borne(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = corpus.number("Bergen")
    assert number is not None
    read = corpus.store.page
    monkeypatch.setattr(corpus.store, "page", lambda n: None if n == number else read(n))
    assert "Bergen_table_1" not in names(corpus, "In June there were 95 mm of rain.", [])
