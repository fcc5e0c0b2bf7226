import io
import zipfile
from pathlib import Path

import pytest

from feverfew.errors import BadRecord
from feverfew.readers.base import Partial, Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import Page, Section, Sentence, Table

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The  Lake</dc:title></metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="cover" href="cover.jpg" media-type="image/jpeg"/>
</manifest>
<spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/></spine></package>"""
NAV = """<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol>
<li><a href="text/one.xhtml">The shore</a></li><li><a href="text/two%20b.xhtml#a">Fish</a></li>
</ol></nav></body></html>"""
ONE = """<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>
<body><a id="p1"/><p>The lake is <a href="two%20b.xhtml">deep</a>. It is cold.</p></body></html>"""
TWO = """<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><h1>On fish</h1>
<table><tr><th>Fish</th><th>Length</th></tr><tr><td>Pike</td><td/></tr></table></body></html>"""
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "OEBPS/book.opf": PACKAGE,
    "OEBPS/nav.xhtml": NAV,
    "OEBPS/text/one.xhtml": ONE,
    "OEBPS/text/two b.xhtml": TWO,
}


def packed(members: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return file.getvalue()


def parsed(data: bytes) -> object:
    source = Source(Path("a/lake.epub"), "a/lake.epub")
    assert Documents().recognises(data[:100], source)
    return Documents().parse(Record(data, 1), source)


def test_chapters_are_read_in_the_order_of_the_book_under_their_headings() -> None:
    page = parsed(packed(BOOK))
    assert isinstance(page, Page)
    assert (page.title, page.name, page.source) == ("a/lake.epub", "The Lake", "a/lake.epub")
    shore, deep, cold, fish, table = page.blocks
    assert shore == Section(0, "The shore")
    assert deep == Sentence(0, "The lake is deep.")
    assert cold == Sentence(1, "It is cold.")
    assert fish == Section(1, "On fish")
    assert isinstance(table, Table)
    assert [[cell.text for cell in row] for row in table.rows] == [["Fish", "Length"], ["Pike", ""]]


def test_an_older_book_is_labelled_by_its_ncx() -> None:
    ncx = """<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel>
    <text>Waves</text></navLabel><content src="text/one.xhtml#p1"/></navPoint></navMap></ncx>"""
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
    package = PACKAGE.replace("</manifest>", item).replace(' properties="nav"', "")
    page = parsed(packed({**BOOK, "OEBPS/book.opf": package, "OEBPS/toc.ncx": ncx}))
    assert isinstance(page, Page)
    assert Section(0, "Waves") in page.blocks


def test_a_missing_chapter_is_reported_and_the_others_are_read() -> None:
    members = {name: text for name, text in BOOK.items() if "one" not in name}
    found = parsed(packed(members))
    assert isinstance(found, Partial)
    assert found.problem == "the book lacks OEBPS/text/one.xhtml"
    assert found.page.blocks[0] == Section(0, "On fish")


ENCRYPTED = """<encryption><EncryptedData><CipherData>
<CipherReference URI="OEBPS/text/one.xhtml"/></CipherData></EncryptedData></encryption>"""


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (packed({"a.txt": "x"}), "the file is a zip archive, not a book"),
        (packed(BOOK)[:300], "the book is damaged"),
        (packed({**BOOK, "OEBPS/book.opf": "<package"}), "the book is damaged"),
        (packed({**BOOK, "META-INF/container.xml": "<a/>"}), "the book is damaged"),
        (packed({**BOOK, "META-INF/encryption.xml": ENCRYPTED}), "the book is encrypted"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        parsed(data)


def test_a_book_that_unpacks_to_absurd_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feverfew.readers.documents.zips._LARGEST_UNPACKED", 1 << 10)
    with pytest.raises(BadRecord, match="the book unpacks to an absurd size"):
        parsed(packed(BOOK))
