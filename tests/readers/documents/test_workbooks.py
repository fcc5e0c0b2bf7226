import io
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from feverfew.errors import BadRecord
from feverfew.readers import read_pages
from feverfew.readers.base import Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import Page

pytest.importorskip("python_calamine")

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
Sheets = dict[str, list[list[str | float]]]


def _cell(value: str | float, row: int, column: int) -> str:
    at = f"{chr(65 + column)}{row + 1}"
    if isinstance(value, str):
        return f'<c r="{at}" t="inlineStr"><is><t>{escape(value)}</t></is></c>' if value else ""
    return f'<c r="{at}"><v>{value}</v></c>'


def xlsx(sheets: Sheets, hidden: str = "") -> bytes:
    """Write the least that is a workbook."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{_PACKAGE}/content-types"/>')
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="a" '
            f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        named = "".join(
            f'<sheet name="{name}" sheetId="{n}" r:id="r{n}" '
            f'state="{"hidden" if name == hidden else "visible"}"/>'
            for n, name in enumerate(sheets, 1)
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{named}</sheets></workbook>',
        )
        links = "".join(
            f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="worksheets/s{n}.xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>',
        )
        for n, rows in enumerate(sheets.values(), 1):
            data = "".join(
                f'<row r="{r + 1}">{"".join(_cell(v, r, c) for c, v in enumerate(row))}</row>'
                for r, row in enumerate(rows)
            )
            archive.writestr(
                f"xl/worksheets/s{n}.xml",
                f'<worksheet xmlns="{_MAIN}"><sheetData>{data}</sheetData></worksheet>',
            )
    return file.getvalue()


def pages(data: bytes, folder: Path, name: str = "sales.xlsx") -> list[Page]:
    (folder / name).write_bytes(data)
    return [page for page in read_pages(folder / name) if isinstance(page, Page)]


def rows(page: Page) -> list[list[str]]:
    return [[cell.text for cell in row] for row in page.tables[0].rows]


def test_each_sheet_is_a_page(tmp_path: Path) -> None:
    found = pages(
        xlsx({"2023": [["City", "Units"], ["Oslo", 1204.0]], "2024": [["City"], ["Bonn"]]}),
        tmp_path,
    )
    assert [page.title for page in found] == ["sales.xlsx (2023)", "sales.xlsx (2024)"]
    assert [page.name for page in found] == ["sales", "sales"]
    assert rows(found[0]) == [["City", "Units"], ["Oslo", "1204"]]
    assert found[0].tables[0].caption == "2023"
    assert found[0].tables[0].rows[0][0].header
    assert not found[0].tables[0].rows[1][0].header
    assert found[0].source == "sales.xlsx"


def test_a_title_above_a_table_is_its_caption(tmp_path: Path) -> None:
    (found,) = pages(
        xlsx({"Data": [["Sales by city"], [], ["City", "Units"], ["Oslo", 0.5]]}), tmp_path
    )
    table = found.tables[0]
    assert found.title == "sales.xlsx"
    assert table.caption == "Sales by city – Data"
    assert [(cell.row, cell.text, cell.header) for cell in table.rows[0]] == [
        (2, "City", True),
        (2, "Units", True),
    ]
    assert [(cell.row, cell.text) for cell in table.rows[1]] == [(3, "Oslo"), (3, "0.5")]


def test_a_hidden_sheet_is_left_out(tmp_path: Path) -> None:
    data = xlsx({"Shown": [["City"], ["Oslo"]], "Lists": [["x"], ["y"]]}, hidden="Lists")
    assert [page.title for page in pages(data, tmp_path)] == ["sales.xlsx"]


def _numbered(count: int) -> list[list[str | float]]:
    return [[f"n{number}", float(number)] for number in range(count)]


def test_a_long_sheet_becomes_several_pages(tmp_path: Path) -> None:
    many: Sheets = {"All": [["Name", "Units"], *_numbered(2500)]}
    first, second = pages(xlsx(many), tmp_path)
    assert second.title == "sales.xlsx (from row 2001)"
    assert rows(second)[0] == ["Name", "Units"]
    assert second.tables[0].rows[1][0].row == 2001
    assert len(first.tables[0].rows) == 2001


def test_a_workbook_out_of_an_archive_is_one_page() -> None:
    data = xlsx({"A": [["City"], ["Oslo"]], "B": [["City"], ["Bonn"]]})
    found = Documents().parse(Record(data, 1), Source(Path("x"), "all.tar/sales.xlsx"))
    assert isinstance(found, Page)
    assert [table.caption for table in found.tables] == ["A", "B"]


@pytest.mark.parametrize("data", [b"PK\x03\x04 cut", b"no zip", xlsx({"A": []})])
def test_a_damaged_or_empty_workbook_says_so(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"^sales\.xlsx: the spreadsheet is (damaged|empty)"):
        pages(data, tmp_path)


def test_opendocument_is_read(tmp_path: Path) -> None:
    office = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<office:document-content xmlns:office="{office}:office:1.0" '
        f'xmlns:table="{office}:table:1.0" xmlns:text="{office}:text:1.0"><office:body>'
        '<office:spreadsheet><table:table table:name="Staff"><table:table-row>'
        '<table:table-cell office:value-type="string"><text:p>Name</text:p></table:table-cell>'
        '<table:table-cell office:value-type="string"><text:p>Age</text:p></table:table-cell>'
        '</table:table-row><table:table-row><table:table-cell office:value-type="string">'
        '<text:p>Ada</text:p></table:table-cell><table:table-cell office:value-type="float" '
        'office:value="36"><text:p>36</text:p></table:table-cell></table:table-row></table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    (found,) = pages(file.getvalue(), tmp_path, "staff.ods")
    assert rows(found) == [["Name", "Age"], ["Ada", "36"]]
