"""Sound files, damaged at random: every one must be read, or refused in one line.

A batch of damaged files is indexed together, so that one that breaks the build breaks it for all.
Claims, evidence and predictions are read one by one.
"""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from feverfew.corpus.build import build
from feverfew.errors import BadRecord, FeverfewError
from feverfew.readers import read_claims, read_predictions
from feverfew.readers.user_evidence import read_user_evidence
from tools.torture import Result, Tally
from tools.torture.bombs import write_docx, write_pdf

__all__ = ["run"]

_BATCH = 100
_PAGES = {
    "fever.jsonl": b'{"id": "Linz", "text": "A city .", "lines": "0\\tA city .\\tcity\\tCity"}\n'
    * 3,
    "feverous.jsonl": json.dumps(
        {
            "title": "Linz",
            "order": ["sentence_0", "table_0", "list_0", "section_0"],
            "sentence_0": "A [[City|city]].",
            "section_0": {"value": "Past", "level": 2},
            "table_0": {"table": [[{"id": "cell_0_0_0", "value": "1", "is_header": True}]]},
            "list_0": {"list": [{"id": "item_0_0", "value": "a", "level": 0}]},
        }
    ).encode(),
    "hover.jsonl": b'{"title": "Linz", "text": ["A city."], '
    b'"text_with_links": ["A <a href=\\"City\\">city</a>."]}\n',
    "wiki.xml": b"<mediawiki><page><title>Linz</title><ns>0</ns><id>1</id><revision><id>1</id>"
    b"<text>'''Linz''' is a [[city]].\n{| class=wikitable\n! a !! b\n|-\n| 1 || {{x|y}}\n|}\n* item"
    b"&lt;ref&gt;r&lt;/ref&gt;</text></revision></page></mediawiki>",
    "page.html": b"<html><head><title>Linz</title></head><body><h1>Linz</h1><p>"
    b"A <a href=/c>city</a>.<table><tr><th rowspan=2>a<td>1</table><ul><li>b<ul><li>c</ul></ul>",
    "text.txt": "Linz is a city. It lies on the Danube – in Österreich.".encode(),
    "page.md": b"# Linz\n\nA *city* [x](y).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- c\n  - d\n",
    "table.csv": b'a,b,c\n1,"2, 3",4\n5,6,7\n',
    "page.rst": b"Linz\n====\n\nA *city* `x <y>`_.\n\n== ==\na  b\n== ==\n1  2\n== ==\n\n* item\n",
    "mail.eml": b"From: a@example.org\nSubject: Linz\nContent-Type: multipart/mixed; boundary=b\n\n"
    b"--b\nContent-Type: text/plain\n\nA city.\n--b\nContent-Type: text/html\n\n<p>On it.\n--b--\n",
    "notes.ipynb": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": '
    b'"markdown", "id": "a", "metadata": {}, "source": ["# Linz\\n", "A city."]}]}',
    "rows.json": b'[{"name": "Linz", "people": 204846}, {"name": "Graz", "people": 291134}]',
}
_SCHEMAS = "http://schemas.openxmlformats.org"
_PACKAGE, _OFFICE = f"{_SCHEMAS}/package/2006", f"{_SCHEMAS}/officeDocument/2006/relationships"
_MAIN = f"{_SCHEMAS}/spreadsheetml/2006/main"
_ZIPPED = {
    "book.epub": {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": "<container "
        'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="b.opf"/></rootfiles></container>',
        "b.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" '
        'href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/>'
        "</spine></package>",
        "a.xhtml": "<html><body><h1>Linz</h1><p>A city.</p></body></html>",
    },
    "table.xlsx": {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="a" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet '
        'name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/s.xml"/>'
        "</Relationships>",
        "xl/worksheets/s.xml": f'<worksheet xmlns="{_MAIN}"><sheetData><row r="1"><c r="A1">'
        '<v>1</v></c><c r="B1"><v>2</v></c></row></sheetData></worksheet>',
    },
}
_CLAIMS = b'{"id": 1, "claim": "Linz is a city.", "evidence": [[[1, 2, "Linz", 0]]]}\n'
_EVIDENCE = b'{"claim": "It is.", "evidence": ["A city."], "table": [["a", "b"], ["1", "2"]]}\n'
_PREDICTIONS = b'{"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["Linz", 0]]}\n'


def run(tries: int, seed: int, folder: Path) -> Result:
    """Read that many damaged files."""
    tally = Tally("bad inputs", seed)
    folder.mkdir(parents=True, exist_ok=True)
    sound = _PAGES | _packed(folder)
    while tally.tries < tries:
        count = min(_BATCH, tries - tally.tries)
        if tally.random.random() < 0.5:
            _index(sound, count, folder, tally)
        else:
            for _ in range(count):
                _read_one(folder, tally)
    return tally.result()


def _packed(folder: Path) -> dict[str, bytes]:
    """Make one sound file of each format that is no text."""
    path = folder / "made"
    found: dict[str, bytes] = {}
    write_pdf(path, lines=30, pages=1)
    found["page.pdf"] = path.read_bytes()
    write_docx(path, "<w:p><w:r><w:t>It is a city.</w:t></w:r></w:p>", 1_000)
    found["page.docx"] = path.read_bytes()
    for name, parts in _ZIPPED.items():
        with zipfile.ZipFile(path, "w") as archive:
            for inner, text in parts.items():
                archive.writestr(inner, text)
        found[name] = path.read_bytes()
    path.unlink()
    return found


def damaged(data: bytes, random: Random) -> bytes:
    """Change some bytes: flip, cut out, repeat, put in what is special somewhere."""
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4, 16))):
        at = random.randrange(len(made) + 1)
        match random.randrange(6):
            case 0 if at < len(made):
                made[at] ^= 1 << random.randrange(8)
            case 1:
                del made[at : at + random.randrange(1, 40)]
            case 2:
                made[at:at] = made[at : at + random.randrange(1, 60)] * random.randrange(1, 50)
            case 3:
                made[at:at] = random.choice(_SPECIAL)
            case 4:
                made[at:] = b""
            case _:
                made[at:at] = random.randbytes(random.randrange(1, 12))
        if not made:
            made += random.randbytes(4)
    return bytes(made)


_SPECIAL = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800", b"\r", b'"', b"{", b"[" * 500, b"]]", b"{{",
    b"|}", b"<table>", b"</p>", b"&#x110000;", b"<!ENTITY a 'b'>", b"1e999", b"-0", b"null", b"NaN",
    "\u202e\u0000\u200d".encode(), b"\n" * 50, b"99999999999999999999", b"rowspan=99999999",
)  # fmt: skip


def _index(sound: dict[str, bytes], count: int, folder: Path, tally: Tally) -> None:
    sources = folder / f"sources-{tally.tries}"
    sources.mkdir()
    (sources / "0-sound.md").write_text("# Graz\n\nGraz is a city.\n")
    for number in range(count):
        name = tally.random.choice(list(sound))
        (sources / f"{number}-{name}").write_bytes(damaged(sound[name], tally.random))
    bad: list[BadRecord] = []
    with tally.one_try():
        tally.tries += count - 1
        try:
            built = build([sources], folder / f"c-{tally.tries}", on_bad=bad.append)
        except FeverfewError as error:
            tally.fail(f"{sources.name}: the build was lost: {error}")
        else:
            if not built.pages:
                tally.fail(f"{sources.name}: the sound page was lost")
            tally.note("read", built.pages)
    for one in bad:
        if "Error" in one.reason and "reading it failed" in one.reason:
            tally.fail(f"{sources.name}/{one}")
    tally.note("refused", len(bad))


def _read_one(folder: Path, tally: Tally) -> None:
    readers: list[tuple[bytes, Callable[[Path], Iterator[object]]]] = [
        (_CLAIMS, read_claims),
        (_EVIDENCE, read_user_evidence),
        (_PREDICTIONS, lambda path: iter(read_predictions(path, "fever"))),
    ]
    data, read = tally.random.choice(readers)
    path = folder / "one.jsonl"
    path.write_bytes(damaged(data, tally.random))
    with tally.one_try():
        try:
            tally.note("read", len(list(read(path))))
        except FeverfewError:
            tally.note("refused")
        except Exception as error:  # noqa: BLE001 - which is what is looked for
            tally.fail(f"{type(error).__name__} ({error}) from {path.read_bytes()[:200]!r}")
