import gzip
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord, UnknownFormat
from feverfew.readers import read_pages
from feverfew.readers.base import Record, Source
from feverfew.readers.documents import json_records
from feverfew.readers.documents.reader import Documents
from feverfew.types import ItemList, Page, Section, Table


def pages(data: object, folder: Path, name: str = "staff.json") -> list[Page]:
    file = folder / name
    file.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return [page for page in read_pages(file) if isinstance(page, Page)]


def rows(table: object) -> list[list[str]]:
    assert isinstance(table, Table)
    return [[cell.text for cell in row] for row in table.rows]


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


LONG = "The lake is deep. " * 20
STAFF = [{"name": "Anna", "start_year": 2019, "langs": ["no", "en"]}, {"name": "Ola", "pay": 0.5}]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (STAFF, "staff.json"),
        (json.dumps(STAFF, indent=2).encode(), "staff.json"),
        ({"count": 2, "results": STAFF}, "staff.json"),
        ("\n".join(map(json.dumps, STAFF)).encode(), "staff.jsonl"),
        ("\n".join(map(json.dumps, STAFF)).encode(), "staff.json"),
        (gzip.compress("\n".join(map(json.dumps, STAFF)).encode()), "staff.ndjson.gz"),
    ],
)
def test_short_records_are_the_rows_of_a_table(data: object, name: str, tmp_path: Path) -> None:
    (page,) = pages(data, tmp_path, name)
    assert (page.title, page.name) == (name, "staff")
    assert rows(page.blocks[0]) == [
        ["name", "start year", "langs", "pay"],
        ["Anna", "2019", "no, en", ""],
        ["Ola", "", "", "0.5"],
    ]


def test_a_long_table_has_parts_and_a_bad_line_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_records, "PART_ROWS", 2)
    file = tmp_path / "a.jsonl"
    file.write_text('{"n": 1}\n{"n": 2}\n{"n": \n{"n": 4}\n')
    bad: list[BadRecord] = []
    found = [page for page in read_pages(file, on_bad=bad.append) if isinstance(page, Page)]
    assert [page.title for page in found] == ["a.jsonl", "a.jsonl (from row 4)"]
    assert rows(found[1].blocks[0]) == [["n"], ["4"]]
    assert [(one.line, one.reason) for one in bad] == [(3, "not a JSON object")]


def test_records_with_text_are_pages_that_are_called_by_their_titles(tmp_path: Path) -> None:
    records = [
        {"Title": "The lake", "author": "Anna", "body": LONG, "history": LONG},
        {"id": 2, "tags": ["x" * 150, "y" * 150]},
    ]
    lake, other = pages("\n".join(map(json.dumps, records)).encode(), tmp_path, "a.jsonl")
    assert (lake.title, lake.name, lake.source) == ("a.jsonl (record 1)", "The lake", "a.jsonl")
    assert rows(lake.blocks[0]) == [["Title", "The lake"], ["author", "Anna"]]
    assert texts(lake).count("The lake is deep.") == 40
    assert Section(0, "history") in lake.blocks
    assert other.title == "a.jsonl (record 2)"
    assert isinstance(other.blocks[-1], ItemList)


def test_one_object_is_a_page_with_sections_and_tables(tmp_path: Path) -> None:
    found = {
        "name": "Shop",
        "address": {"city": "Bern", "geo": {"lat": 46.9}},
        "prices": [{"item": "boots", "cost": 90}, {"item": "coat", "cost": 120}],
        "cities": {"Bern": {"people": 3}, "Basel": {"people": 4}},
        "grid": [[1, 2], [3, 4]],
    }
    (page,) = pages(found, tmp_path)
    assert (page.title, page.name) == ("staff.json", "Shop")
    assert [s for s in page.blocks if isinstance(s, Section)] == [
        Section(0, "address"),
        Section(1, "geo", 2),
        Section(2, "prices"),
        Section(3, "cities"),
        Section(4, "grid"),
    ]
    assert [rows(table) for table in page.tables] == [
        [["name", "Shop"]],
        [["city", "Bern"]],
        [["lat", "46.9"]],
        [["item", "cost"], ["boots", "90"], ["coat", "120"]],
        [["", "people"], ["Bern", "3"], ["Basel", "4"]],
        [["1", "2"], ["3", "4"]],
    ]


def test_claims_are_no_pages(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match="holds claims, not pages"):
        pages(b'{"claim": "A.", "label": "SUPPORTS"}\n', tmp_path, "dev.jsonl")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"a": ', "broken JSON"),
        (b"[]", "the file holds no records"),
        (b"{}", "the document holds no text"),
        (b"[" * 5000, "broken JSON"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=why):
        pages(data, tmp_path)


def test_a_file_in_an_archive_is_one_page() -> None:
    source = Source(Path("a.json"), "docs.tar/a.json")
    page = Documents().parse(Record(json.dumps(STAFF).encode(), 1), source)
    assert isinstance(page, Page)
    assert len(rows(page.blocks[0])) == 3
    several = json.dumps([{"text": LONG}, {"text": LONG}]).encode()
    with pytest.raises(BadRecord, match="unpack it"):
        Documents().parse(Record(several, 1), source)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_any_json_gives_a_page_or_a_reason(value: object) -> None:
    source = Source(Path("a.json"), "a.json")
    with suppress(BadRecord):
        found = Documents().parse(Record(json.dumps(value).encode(), 1), source)
        assert isinstance(found, Page)
