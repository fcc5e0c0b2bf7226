"""Compare libraries for Word files: what each finds in one document that has everything, how fast.

    python benchmarks/word_libraries.py

Feverfew walks the XML that python-docx opens; the others are asked for all text that they give.
They are no dependencies: pip install python-docx docx2python mammoth
"""

import importlib
import io
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from feverfew.readers.base import Record, Source
from feverfew.readers.documents.office import read_docx
from feverfew.types import Page

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_W = f'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="{_OFFICE}"'
_WORDS = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def _p(text: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}<w:r><w:t>{text}</w:t></w:r></w:p>"


def _table(*cells: str) -> str:
    inner = "".join(f"<w:tc>{cell}</w:tc>" for cell in cells)
    return f"<w:tbl><w:tr>{inner}</w:tr></w:tbl>"


_BODY = (
    _p("A heading", "Heading1")
    + _p("A paragraph.")
    + f"<w:sdt><w:sdtContent>{_p('In a control.')}</w:sdtContent></w:sdt>"
    + "<w:p><w:ins w:id='1' w:author='a'><w:r><w:t>Inserted text.</w:t></w:r></w:ins>"
    + "<w:del w:id='2' w:author='a'><w:r><w:delText>Deleted text.</w:delText></w:r></w:del></w:p>"
    + "<w:p><w:moveFrom w:id='3' w:author='a'><w:r><w:t>Moved text.</w:t></w:r></w:moveFrom></w:p>"
    + "<w:p><w:moveTo w:id='4' w:author='a'><w:r><w:t>Moved text.</w:t></w:r></w:moveTo></w:p>"
    + _table(_p("Outer cell"), _table(_p("Inner cell"), _p("Inner neighbour")) + "<w:p/>")
    + "<w:p><w:r><w:footnoteReference w:id='2'/></w:r></w:p>"
)
ASKED: dict[str, Callable[[str], bool]] = {
    "paragraph": lambda text: "A paragraph." in text,
    "content control": lambda text: "In a control." in text,
    "tracked insertion": lambda text: "Inserted text." in text,
    "no tracked deletion": lambda text: "Deleted text." not in text,
    "moved text once": lambda text: text.count("Moved text.") == 1,
    "nested table": lambda text: "Inner cell" in text,
    "footnote": lambda text: "A footnote." in text,
}


def document(times: int = 1) -> bytes:
    """Write a Word file whose body is repeated."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
        f'PartName="/word/document.xml" ContentType="{_WORDS}.document.main+xml"/><Override '
        f'PartName="/word/footnotes.xml" ContentType="{_WORDS}.footnotes+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r" '
        f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="f" Type="{_OFFICE}/footnotes" Target="footnotes.xml"/></Relationships>',
        "word/footnotes.xml": f'<w:footnotes {_W}><w:footnote w:id="2">{_p("A footnote.")}'
        "</w:footnote></w:footnotes>",
        "word/document.xml": f"<w:document {_W}><w:body>{_BODY * times}</w:body></w:document>",
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def _ours(data: bytes) -> str:
    found = read_docx(Record(data, 1), Source(Path("a.docx"), "a.docx"))
    return "\n".join(text for _, text in Page("a", found.blocks).elements())


def _python_docx(data: bytes) -> str:
    opened = importlib.import_module("docx").Document(io.BytesIO(data))
    cells = [cell.text for table in opened.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in opened.paragraphs), *cells])


def _docx2python(data: bytes) -> str:
    return str(importlib.import_module("docx2python").docx2python(io.BytesIO(data)).text)


def _mammoth(data: bytes) -> str:
    return str(importlib.import_module("mammoth").convert_to_html(io.BytesIO(data)).value)


LIBRARIES: dict[str, Callable[[bytes], str]] = {
    "feverfew": _ours,
    "python-docx": _python_docx,
    "docx2python": _docx2python,
    "mammoth": _mammoth,
}


def main() -> None:
    """Print a row for each library."""
    print("| |", " | ".join(ASKED), "| paragraphs a second |")
    one, many = document(), document(300)
    for name, read in LIBRARIES.items():
        try:
            text = read(one)
        except ImportError:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        start = time.process_time()
        read(many)
        rate = 300 * _BODY.count("<w:p") / (time.process_time() - start)
        found = ["yes" if holds(text) else "no" for holds in ASKED.values()]
        print("|", " | ".join([name, *found, f"{rate:,.0f}"]), "|")


if __name__ == "__main__":
    main()
