import io
import pickle
import sys
import zipfile
from pathlib import Path

import docx
import pytest
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

from feverfew.errors import BadRecord, MissingExtra
from feverfew.readers.base import Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import ItemList, Link, Page, Section, Sentence, Table


def page(data: bytes, name: str = "letters/plan.docx") -> Page:
    found = Documents().parse(Record(data, 1), Source(Path(name), name))
    assert isinstance(found, Page)
    return found


def saved(document: Document) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


def add_link(paragraph: Paragraph, text: str, address: str) -> None:
    link = OxmlElement("w:hyperlink")
    key = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link.set(qn("r:id"), key)
    link.append(paragraph.add_run(text)._r)
    paragraph._p.append(link)


def test_a_word_document_is_read_in_order() -> None:
    document = docx.Document()
    document.core_properties.title = "The Plan"
    document.add_heading("Plan for May", 0)
    document.add_heading("Trains", 2)
    paragraph = document.add_paragraph("We go by ")
    add_link(paragraph, "train", "trains.docx")
    paragraph.add_run(". It is cheap.")
    document.add_paragraph("first", style="List Bullet")
    document.add_paragraph("within", style="List Bullet 2")
    document.add_paragraph("one", style="List Number")
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "City", "Cost"
    document.add_paragraph("The end.")
    found = page(saved(document))
    assert found.title == "letters/plan.docx"
    assert found.aliases == ("The Plan", "Plan for May", "plan")
    assert found.blocks[:4] == (
        Section(0, "Plan for May", 1),
        Section(1, "Trains", 2),
        Sentence(0, "We go by train.", (Link("letters/trains.docx", "train"),)),
        Sentence(1, "It is cheap."),
    )
    items, cells, last = found.blocks[4:]
    assert isinstance(items, ItemList)
    assert [(i.text, i.level) for i in items.items] == [("first", 0), ("within", 1), ("one", 0)]
    assert isinstance(cells, Table)
    assert last == Sentence(2, "The end.")


def test_merged_cells_are_spans() -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"c{row}{column}"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "wide"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "tall"
    (found,) = page(saved(document)).blocks
    assert isinstance(found, Table)
    assert [
        [(c.row, c.column, c.text, c.row_span, c.column_span) for c in row] for row in found.rows
    ] == [
        [(0, 0, "c00", 1, 1), (0, 1, "wide", 1, 2)],
        [(1, 0, "tall", 2, 1), (1, 1, "c11", 1, 1), (1, 2, "c12", 1, 1)],
        [(2, 1, "c21", 1, 1), (2, 2, "c22", 1, 1)],
    ]


def test_a_table_in_a_cell_is_a_table_of_its_own() -> None:
    document = docx.Document()
    outer = document.add_table(rows=2, cols=2)
    for at, text in enumerate(("Branch", "Staff by year", "Linz", "see inside")):
        outer.cell(at // 2, at % 2).text = text
    inner = outer.cell(1, 1).add_table(rows=2, cols=2)
    for at, text in enumerate(("2023", "12", "2024", "14")):
        inner.cell(at // 2, at % 2).text = text
    innermost = inner.cell(1, 1).add_table(rows=1, cols=1)
    innermost.cell(0, 0).text = "two of them part-time"
    document.add_paragraph("The end.")
    tables = [block for block in page(saved(document)).blocks if isinstance(block, Table)]
    assert [[[cell.text for cell in row] for row in table.rows] for table in tables] == [
        [["Branch", "Staff by year"], ["Linz", "see inside"]],
        [["2023", "12"], ["2024", "14"]],
        [["two of them part-time"]],
    ]


def test_headers_are_what_word_repeats_or_formats_as_such() -> None:
    def headers(first: str, repeat: bool) -> list[bool]:
        document = docx.Document()
        table = document.add_table(rows=2, cols=1)
        table.cell(0, 0).text, table.cell(1, 0).text = first, "x"
        if repeat:
            properties = table.rows[0]._tr.get_or_add_trPr()
            properties.append(OxmlElement("w:tblHeader"))
        (found,) = page(saved(document)).blocks
        assert isinstance(found, Table)
        return [row[0].header for row in found.rows]

    assert headers("Name", repeat=False) == [True, False]
    assert headers("12.5", repeat=False) == [False, False]
    assert headers("12.5", repeat=True) == [True, False]


def test_text_in_controls_and_insertions_is_kept_and_deleted_text_is_not() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Kept ")
    insertion = OxmlElement("w:ins")
    insertion.append(paragraph.add_run("inserted.")._r)
    paragraph._p.append(insertion)
    deletion = OxmlElement("w:del")
    run = OxmlElement("w:r")
    gone = OxmlElement("w:delText")
    gone.text = "deleted"
    run.append(gone)
    deletion.append(run)
    paragraph._p.append(deletion)
    inside = document.add_paragraph("In a control.")
    control, content = OxmlElement("w:sdt"), OxmlElement("w:sdtContent")
    inside._p.addprevious(control)
    control.append(content)
    content.append(inside._p)
    assert texts(page(saved(document))) == ["Kept inserted.", "In a control."]


def zipped(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no zip", "the Word document is damaged (BadZipFile: File is not a zip file)"),
        (b"PK\x03\x04 cut", "the Word document is damaged (BadZipFile: File is not a zip file)"),
        (zipped({"a.txt": b"x"}), "the file is a zip archive, not a Word document"),
        (zipped({"word/document.xml": b"x"}), "the Word document is damaged (KeyError"),
        (saved(docx.Document()), "the document holds no text"),
    ],
)
def test_what_is_no_word_document_says_so(data: bytes, why: str) -> None:
    with pytest.raises(BadRecord) as caught:
        page(data)
    assert str(caught.value).startswith(f"letters/plan.docx: {why}")


def test_an_archive_that_unpacks_to_absurd_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feverfew.readers.documents.zips._LARGEST_UNPACKED", 1 << 20)
    bomb = zipped({"word/document.xml": bytes(2 << 20)})
    assert len(bomb) < 1 << 13
    with pytest.raises(BadRecord, match="absurd size"):
        page(bomb)


def test_xml_nested_absurdly_is_refused() -> None:
    with zipfile.ZipFile(io.BytesIO(saved(docx.Document()))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    space = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    deep = b"<w:sdt>" * 5000 + b"</w:sdt>" * 5000
    members["word/document.xml"] = b"<w:document %s><w:body>%s</w:body></w:document>" % (
        space,
        deep,
    )
    with pytest.raises(BadRecord, match="damaged"):
        page(zipped(members))


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in (("docx", "a.docx"), ("pypdfium2", "a.pdf"), ("python_calamine", "a.xlsx")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtra, match=r"pip install 'feverfew\[documents\]'") as caught:
            page(b"x", name)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_footnotes_are_read_and_moved_text_once() -> None:
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part
    from docx.oxml import parse_xml

    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    document = docx.Document()
    document.add_paragraph("The plan is approved.")
    document.element.body.insert(
        0,
        parse_xml(f"<w:p {names}><w:moveFrom><w:r><w:t>Gone.</w:t></w:r></w:moveFrom></w:p>"),
    )
    notes = (
        f'<w:footnotes {names}><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:t>x</w:t>'
        '</w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>By the board.</w:t></w:r>'
        "</w:p></w:footnote></w:footnotes>"
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), kind, notes.encode(), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    file = io.BytesIO()
    document.save(file)
    found = page(file.getvalue(), "plan.docx")
    assert [s.text for s in found.sentences] == ["The plan is approved.", "By the board."]
