import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.documents import spreadsheets
from feverfew.readers.documents.reader import Documents
from feverfew.types import Page, Table


def parts(data: str | bytes, folder: Path, name: str = "prices.csv") -> list[Page]:
    file = folder / name
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    source = Source(file, name)
    found = [Documents().parse(record, source) for record in Documents().records(source)]
    return [page for page in found if isinstance(page, Page)]


def table(page: Page) -> Table:
    (found,) = page.blocks
    assert isinstance(found, Table)
    return found


def rows(page: Page) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table(page).rows]


def test_a_file_is_one_table_with_its_header(tmp_path: Path) -> None:
    (page,) = parts("city,cost\nBern,1’000.50\nBasel,007\n", tmp_path)
    assert (page.title, page.aliases, page.source) == ("prices.csv", ("prices",), "prices.csv")
    assert rows(page) == [["city", "cost"], ["Bern", "1’000.50"], ["Basel", "007"]]
    assert [cell.header for row in table(page).rows for cell in row] == [True, True] + [False] * 4
    assert [str(ref) for ref, _ in page.elements()][-1] == "prices.csv_cell_0_2_1"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_quotes_and_line_ends(delimiter: str, tmp_path: Path) -> None:
    text = '\ufeffname{}note\r\nAnn{}"two\r\nlines, ""quoted""; a|b"\r\n'.replace("{}", delimiter)
    (page,) = parts(text, tmp_path)
    assert rows(page) == [["name", "note"], ["Ann", 'two lines, "quoted"; a|b']]


def test_ragged_rows_are_padded_and_blank_rows_keep_their_number(tmp_path: Path) -> None:
    (page,) = parts("a,b,c\n1\n\n,,\n2,3,4,5\n", tmp_path)
    assert rows(page) == [["a", "b", "c"], ["1", "", ""], ["2", "3", "4", "5"]]
    assert [row[0].row for row in table(page).rows] == [0, 1, 4]


@pytest.mark.parametrize(
    ("first", "header"),
    [
        ("country,2019,2020", True),
        ("name,age", True),
        ("Ann,34,1.5", False),
        ("2019,2020", False),
        ("Ann,$5", False),
    ],
)
def test_a_header_names_columns(first: str, header: bool, tmp_path: Path) -> None:
    (page,) = parts(f"{first}\nx,1,2\n", tmp_path)
    assert table(page).rows[0][0].header is header


def test_encodings(tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        (page,) = parts("ville,prix\nBesançon,5 €\n".encode(encoding), tmp_path)
        assert rows(page)[1] == ["Besançon", "5 €"]


def test_a_long_file_becomes_pages_whose_rows_keep_their_numbers(tmp_path: Path) -> None:
    lines = ["name,n", *(f"x{n},{n}" for n in range(1, 4501))]
    found = parts("\n".join(lines), tmp_path)
    assert [page.title for page in found] == [
        "prices.csv",
        "prices.csv (from row 2001)",
        "prices.csv (from row 4001)",
    ]
    assert [page.aliases for page in found] == [("prices",), (), ()]
    assert [rows(page)[0] for page in found] == [["name", "n"]] * 3
    for page in found:
        assert all(row[1].text == str(row[1].row) for row in table(page).rows[1:])
    assert sum(len(table(page).rows) - 1 for page in found) == 4500
    longer = parts("\n".join([*lines, "x4501,4501"]), tmp_path)
    assert longer[:2] == found[:2]


def test_a_wide_file_is_cut_earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "PART_CELLS", 6)
    found = parts("a,b,c\n" + "x,y,z\n" * 5, tmp_path)
    assert [len(table(page).rows) for page in found] == [3, 3, 2]


def test_inches_are_not_quotes(tmp_path: Path) -> None:
    (page,) = parts('size,name\n5",disk\n3,card\n', tmp_path)
    assert rows(page) == [["size", "name"], ['5"', "disk"], ["3", "card"]]


def test_a_file_out_of_an_archive_is_read_alike(tmp_path: Path) -> None:
    text = "city;cost\nBern;5\n"
    source = Source(Path("prices.csv"), "prices.csv")
    assert Documents().parse(Record(text.encode(), 1), source) == parts(text, tmp_path)[0]
    with pytest.raises(BadRecord, match="too many rows"):
        Documents().parse(Record(b"a,b\n" + b"1,x\n" * 2001, 1), source)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "prices.csv: the file is empty"),
        (b",,\n,,\n", "prices.csv: the file is empty"),
        (bytes(range(256)) * 9, "prices.csv: the file is not text"),
        (b'a,b\n1,2\n"' + b"x\n" * 100_000, "prices.csv:3: the row cannot be read: field larger"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(BadRecord) as caught:
        parts(data, tmp_path)
    assert str(caught.value).startswith(why)


CELL = st.text(alphabet='aé1, ;"\n.', max_size=6)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=6))
def test_what_a_spreadsheet_writes_is_read_again(written: list[tuple[str, ...]]) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("one", "two", "three"), *written])
    source = Source(Path("a.csv"), "a.csv")
    page = Documents().parse(Record(file.getvalue().encode(), 1), source)
    assert isinstance(page, Page)
    expected = [[" ".join(cell.split()) for cell in row] for row in written]
    assert rows(page)[1:] == [row for row in expected if any(row)]
