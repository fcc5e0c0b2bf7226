import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.feverous import Feverous
from feverfew.readers.formats import read_pages
from feverfew.types import ItemList, Link, Page, Section, Sentence, Table

SOURCE = Source(Path("pages.jsonl"), "pages.jsonl")


def parse(fields: object) -> Page | None:
    return Feverous().parse(Record(msgspec.json.encode(fields), 3), SOURCE)


def page_of(**fields: object) -> Page:
    page = parse({"title": "Metropolis (1927 film)", **fields})
    assert page is not None
    return page


def cell(id: str, value: str, **more: object) -> dict[str, object]:  # noqa: A002
    return {"id": id, "value": value, "is_header": id.startswith("header"), **more}


METROPOLIS = {
    "title": "Metropolis (1927 film)",
    "order": ["sentence_0", "table_3", "section_0", "sentence_7", "section_1", "list_2"],
    "sentence_0": "It is a film by [[Fritz_Lang|Lang]].",
    "sentence_7": "It is long.",
    "section_0": {"value": "Production", "level": 2},
    "section_1": {"value": "Cast", "level": 3},
    "table_3": {
        "type": "infobox",
        "caption": "A [[Film]]",
        "table": [
            [cell("header_cell_3_0_0", "Year", row_span="2"), cell("cell_3_0_1", "1927")],
            [cell("cell_3_1_1", "[[Berlin]]", column_span=3)],
        ],
    },
    "list_2": {
        "type": "ordered_list",
        "list": [
            {"id": "item_2_0", "value": "[[Brigitte_Helm]]", "level": 1},
            {"id": "item_2_4", "value": "as Maria", "level": 2},
        ],
    },
}


def test_a_page_in_reading_order_with_official_numbers() -> None:
    page = parse(METROPOLIS)
    assert page is not None
    first, table, production, second, cast, items = page.blocks
    assert first == Sentence(0, "It is a film by Lang.", (Link("Fritz Lang", "Lang"),))
    assert second == Sentence(7, "It is long.")
    assert (production, cast) == (Section(0, "Production", 1), Section(1, "Cast", 2))
    assert isinstance(table, Table)
    assert (table.index, table.caption, table.infobox) == (3, "A Film", True)
    (year, number), (berlin,) = table.rows
    assert (year.header, year.row_span, number.text) == (True, 2, "1927")
    assert (berlin.row, berlin.column, berlin.column_span) == (1, 1, 3)
    assert berlin.links == (Link("Berlin", "Berlin"),)
    assert isinstance(items, ItemList)
    assert items.ordered
    assert [(item.index, item.level) for item in items.items] == [(0, 0), (4, 1)]
    assert page.source == "pages.jsonl"


def ids(fields: dict[str, object]) -> Iterator[str]:
    """List the official element ids of a page, straight from its JSON."""
    yield "title"
    for name, value in fields.items():
        if name.startswith(("sentence", "section")):
            yield name
        if name.startswith("table") and isinstance(value, dict):
            if value.get("caption"):
                yield name.replace("table", "table_caption")
            yield from (cell["id"] for row in value["table"] for cell in row)
        if name.startswith("list") and isinstance(value, dict):
            yield from (item["id"] for item in value["list"])


NUMBERS = st.lists(st.integers(0, 99), unique=True, max_size=4)


@st.composite
def pages(draw: st.DrawFn) -> dict[str, object]:
    words = st.text("ab [|]{}_é", max_size=9)
    made: dict[str, object] = {"title": draw(st.text("Ab_1 ()", min_size=1)) + "_cell_1"}
    for n in draw(NUMBERS):
        made[f"sentence_{n}"] = draw(words)
    for n in draw(NUMBERS):
        made[f"section_{n}"] = {"value": draw(words), "level": draw(st.integers(1, 4))}
    for n in draw(NUMBERS):
        kinds = st.sampled_from(["cell", "header_cell"])
        at = draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), unique=True))
        rows = [[{"id": f"{draw(kinds)}_{n}_{r}_{c}", "value": draw(words)}] for r, c in at]
        made[f"table_{n}"] = {"table": rows, "caption": draw(st.sampled_from(["", "C"]))}
    for n in draw(NUMBERS):
        items = [{"id": f"item_{n}_{i}", "value": draw(words)} for i in draw(NUMBERS)]
        made[f"list_{n}"] = {"list": items}
    names = [name for name in made if name != "title"]
    return {**made, "order": draw(st.permutations(names))}


@given(pages())
def test_every_official_id_comes_back(fields: dict[str, object]) -> None:
    page = parse(fields)
    assert page is not None
    read = [str(ref) for ref, _ in page.elements()]
    assert sorted(read) == sorted(f"{fields['title']}_{name}" for name in ids(fields))
    numbers = [n for n in fields["order"] if n.startswith("sentence")]  # type: ignore[attr-defined]
    assert [f"sentence_{s.index}" for s in page.sentences] == numbers


def test_what_the_order_forgets_is_read_too() -> None:
    page = page_of(order=["sentence_1", "sentence_9"], sentence_0="A.", sentence_1="B.")
    assert page.sentences == (Sentence(1, "B."), Sentence(0, "A."))


def test_levels_begin_at_the_outermost_whatever_the_file_calls_it() -> None:
    page = page_of(section_0={"value": "A", "level": 1}, section_1={"value": "B", "level": 2})
    assert page.blocks == (Section(0, "A", 1), Section(1, "B", 2))


def test_a_cell_with_a_strange_id_stands_where_it_was_written() -> None:
    strange = [cell(name, "x") for name in ("", "c1", "item_0_3", "cell_0_1_99999999")]
    page = page_of(table_0={"table": [[], strange]})
    assert [(c.row, c.column) for c in page.tables[0].rows[1]] == [(1, n) for n in range(4)]


def test_aliases_and_disambiguation_are_our_own_addition() -> None:
    page = page_of(aliases=["Metropolis"], disambiguation=True)
    assert (page.aliases, page.disambiguation) == (("Metropolis",), True)


def test_an_empty_header_holds_no_page() -> None:
    assert parse({}) is None
    assert parse({"title": "", "order": []}) is None


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"title": "", "sentence_0": "A."}, "no title"),
        ({"sentence_0": "A."}, "no 'title'"),
        ({"title": "A", "sentence_0": 4}, "sentence_0: expected `str`, got `int`"),
        ({"title": "A", "order": "sentence_0"}, "expected `array`, got `str` - at `$.order`"),
        ({"title": "A", "section_0": "S"}, "section_0: expected `object`, got `str`"),
        ({"title": "A", "table_0": {}}, "table_0: no 'table'"),
        ({"title": "A", "table_0": {"table": [[{}]]}}, "table_0: no 'value' - at `$.table[0][0]`"),
        ({"title": "A", "table_0": {"table": [[cell("", "", row_span="x")]]}}, "row_span"),
        ({"title": "A", "list_0": {"list": [4]}}, "list_0: expected `object`, got `int`"),
        ([], "expected `object`, got `array`"),
    ],
)
def test_a_bad_record_says_where_and_why(fields: object, why: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parse(fields)
    assert str(caught.value).startswith("pages.jsonl:3: ")
    assert why in str(caught.value)


def database(path: Path, *rows: object, table: str = "wiki") -> Path:
    with closing(sqlite3.connect(path)) as made, made:
        made.execute(f"CREATE TABLE {table} (id TEXT PRIMARY KEY, data TEXT)")
        made.executemany(f"INSERT INTO {table} VALUES (?, ?)", list(enumerate(rows)))
    return path


def page_json(title: str) -> str:
    return msgspec.json.encode({"title": title, "order": [], "sentence_0": "é"}).decode()


@pytest.mark.parametrize("packed", [False, True])
def test_the_official_database(tmp_path: Path, packed: bool) -> None:
    path = database(tmp_path / "wiki?#%41.db", page_json("A"), page_json("B"))
    if packed:
        path = tmp_path / "wiki.db.gz"
        path.write_bytes(gzip.compress((tmp_path / "wiki?#%41.db").read_bytes()))
    before = sorted(tmp_path.iterdir())
    assert [page.title for page in read_pages(path) if isinstance(page, Page)] == ["A", "B"]
    assert sorted(tmp_path.iterdir()) == before


def test_a_bad_row_harms_no_other(tmp_path: Path) -> None:
    path = database(tmp_path / "wiki.db", page_json("A"), None, "{", b'{"\xff', page_json("B"))
    bad: list[BadRecord] = []
    titles = [page.title for page in read_pages(path, on_bad=bad.append) if isinstance(page, Page)]
    assert titles == ["A", "B"]
    assert [(error.path, error.line) for error in bad] == [("wiki.db", n) for n in (2, 3, 4)]
    assert bad[0].reason == "the row's data is not text"


def test_a_database_without_the_table_says_what_it_lacks(tmp_path: Path) -> None:
    path = database(tmp_path / "other.db", table="pages")
    with pytest.raises(BadRecord, match=r"other.db:1: not a FEVEROUS database.* no such table"):
        list(read_pages(path))


def test_a_corrupt_database_is_reported_behind_what_is_readable(tmp_path: Path) -> None:
    rows = [page_json(f"Page {n} {'x' * 300}") for n in range(200)]
    path = database(tmp_path / "wiki.db", *rows)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = b"\xee" * (len(content) - len(content) // 2)
    path.write_bytes(content)
    bad: list[BadRecord] = []
    read = list(read_pages(path, on_bad=bad.append))
    assert 0 < len(read) < 200
    assert "the file is damaged from here on" in bad[-1].reason
    assert bad[-1].line > len(read)


def test_recognises_its_own() -> None:
    reader = Feverous()
    assert reader.recognises(b"SQLite format 3\x00...", SOURCE)
    assert reader.recognises(b'{"title": "A", "order": ["sen', SOURCE)
    assert not reader.recognises(b'{"title": "A", "text": "order"}', SOURCE)
