"""Small files that cost a careless reader minutes or gigabytes, among sound ones.

A build must finish, in time and in bounds, keep what is sound, and say what it skipped.
"""

import gzip
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tools.torture import Result, Tally

__all__ = ["BOMBS", "run", "tree_bytes", "write_docx", "write_pdf"]

MOST_SECONDS = 20.0
MOST_BYTES = 1 << 30
_MAIN = "from feverfew.cli.main import main; main()"


def escaped_quotes(path: Path) -> None:
    """A JSON line of 80 KB that is one string of escaped quotes, and never ends."""
    path.write_bytes(b'{"title": "' + b'\\"' * 40_000 + b"\n")


def unclosed_links(path: Path) -> None:
    """HotpotQA text of 1.6 MB in which links begin and never end."""
    text = '<a href="x">y' * 123_000
    path.write_text(json.dumps({"title": "Bomb", "text": text, "text_with_links": text}) + "\n")


def shared_pages(path: Path) -> None:
    """A PDF of 7 KB that shows the same page 1,000 times."""
    write_pdf(path, lines=20_000, pages=1_000)


def write_pdf(path: Path, lines: int, pages: int) -> None:
    """Write a PDF with one page of so many lines, which is shown so often."""
    drawn = b"BT /F1 9 Tf 20 800 Td " + b"(The quick brown fox.) Tj 0 -9 Td " * lines + b"ET"
    packed = zlib.compress(drawn, 9)
    kids = b" ".join([b"3 0 R"] * pages)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[" % pages + kids + b"]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 900]/Contents 4 0 R"
        b"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n" % len(packed) + packed + b"\nendstream",
    ]
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj" % number + body + b"endobj\n")
    start = out.tell()
    out.write(b"xref\n0 5\n0000000000 65535 f \n")
    out.writelines(b"%010d 00000 n \n" % place for place in places)
    out.write(b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % start)
    path.write_bytes(out.getvalue())


def endless_rows(path: Path) -> None:
    """A FEVEROUS database of 8 KB whose table of pages is a view without end."""
    page = """'{"title": "T' || i || '", "order": ["sentence_0"], "sentence_0": "Text."}'"""
    _view(path, f"SELECT i AS id, {page} AS data FROM n")


def endless_search(path: Path) -> None:
    """A FEVEROUS database whose view looks for ever for a row that is not there."""
    _view(path, "SELECT i AS id, '{}' AS data FROM n WHERE i < 0")


def _view(path: Path, query: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "CREATE VIEW wiki AS WITH RECURSIVE n(i) AS "
            f"(SELECT 1 UNION ALL SELECT i + 1 FROM n) {query}"
        )
        database.commit()


def packed_lines(path: Path) -> None:
    """One GB of lines, the same page again and again, in a gzip of some MB."""
    line = json.dumps({"title": "Bomb", "text": "It is a bomb. " * 70}).encode() + b"\n"
    _packed(path, line)


def packed_blanks(path: Path) -> None:
    """One GB of empty lines in a gzip of one MB."""
    _packed(path, b"\n")


def packed_pages(path: Path) -> None:
    """Pages that differ only in their titles: 300 MB in a gzip of one or two."""
    with gzip.open(path, "wb", 6) as out:
        text = "a" * 1_000
        for number in range(300_000):
            out.write(b'{"title": "T%d", "text": "%s"}\n' % (number, text.encode()))


def _packed(path: Path, line: bytes) -> None:
    block = line * max(1, (1 << 20) // len(line))
    with gzip.open(path, "wb", 6) as out:
        for _ in range((1 << 30) // len(block)):
            out.write(block)


def wide_table(path: Path) -> None:
    """A CSV file of 413 KB with 60,000 columns."""
    path.write_text(",".join(f"c{n}" for n in range(60_000)) + "\n" + "1," * 12_000 + "\n")


def wide_rows(path: Path) -> None:
    """A CSV file of 1 MB with 2,000 columns, and rows in each."""
    row = ",".join(f"c{n}" for n in range(2_000)) + "\n"
    path.write_text(row * 90)


def write_docx(path: Path, body: str, times: int, end: str = "") -> None:
    """Write a Word file whose body is the same, thousands of times."""
    name = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" '
            f'Type="{office}/relationships/officeDocument" Target="word/document.xml"/>'
            "</Relationships>",
        )
        with archive.open("word/document.xml", "w") as out:
            out.write(f"<w:document {name}><w:body>".encode())
            for _ in range(times // 1_000):
                out.write(body.encode() * 1_000)
            out.write(f"{end}</w:body></w:document>".encode())


def word_paragraphs(path: Path) -> None:
    """A Word file of some 400 KB with two million paragraphs."""
    write_docx(path, "<w:p><w:r><w:t>It is a bomb.</w:t></w:r></w:p>", 2_000_000)


def word_tables(path: Path) -> None:
    """A Word file of some 200 KB with tables in tables, 1,000 deep."""
    cell = "<w:tbl><w:tr><w:tc>"
    write_docx(path, cell, 1_000, "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 1_000)


def word_cells(path: Path) -> None:
    """A Word file of some 300 KB with a table of a million cells."""
    row = "<w:tr>" + "<w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc>" * 100 + "</w:tr>"
    begin, end = "<w:tbl>", "</w:tbl>"
    write_docx(path, row.replace("<w:tr>", begin + "<w:tr>", 1) + end, 10_000)


def html_cells(path: Path) -> None:
    """A web page of 60 MB with a table of three million cells."""
    row = "<tr>" + "<td>1" * 3_000 + "\n"
    path.write_text("<html><body><table>" + row * (60_000_000 // len(row)))


def html_nested(path: Path) -> None:
    """A web page of 10 MB with two million nested elements."""
    path.write_text("<html><body>" + "<div>" * 2_000_000 + "It is a bomb.")


def html_links(path: Path) -> None:
    """A web page of 30 MB with a million links in one paragraph."""
    path.write_text("<html><body><p>" + '<a href="/wiki/Bomb">It is a bomb.</a> ' * 800_000)


def html_lists(path: Path) -> None:
    """A web page of 12 MB with lists in lists."""
    path.write_text("<html><body>" + "<ul><li>a" * 1_300_000)


def long_text(path: Path) -> None:
    """A text of 50 MB."""
    path.write_text("It is a bomb, says Mr. Smith. " * 1_700_000)


def endless_sentence(path: Path) -> None:
    """A text of 50 MB without a full stop."""
    path.write_text("bomb " * 10_000_000)


def markdown_brackets(path: Path) -> None:
    """Markdown of 4 MB: brackets that never close."""
    path.write_text("[" * 4_000_000)


def markdown_quotes(path: Path) -> None:
    """Markdown of 4 MB: quotes in quotes."""
    path.write_text("> " * 2_000_000 + "a")


def markdown_stars(path: Path) -> None:
    """Markdown of 4 MB: emphasis that never ends, and links within."""
    path.write_text("*a **b [c](" * 380_000)


def markdown_table(path: Path) -> None:
    """Markdown of 4 MB: a table of 1,000 columns."""
    path.write_text("|a" * 1_000 + "|\n" + "|-" * 1_000 + "|\n" + ("|b" * 1_000 + "|\n") * 2_000)


def markdown_lists(path: Path) -> None:
    """Markdown of 4 MB: a list of two thousand levels."""
    path.write_text("".join(" " * (2 * n) + "- a\n" for n in range(2_000)))


def wiki_braces(path: Path) -> None:
    """A MediaWiki dump of 4 MB with templates that never close."""
    path.write_text(_DUMP.format("{{a|[[b|" * 500_000))


def wiki_nested(path: Path) -> None:
    """A MediaWiki dump of 2 MB with tables in tables."""
    path.write_text(_DUMP.format("{|\n|-\n|a\n" * 180_000))


_DUMP = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><page><title>Bomb</title><ns>0</ns>'
    "<id>1</id><revision><id>1</id><text>{}</text></revision></page></mediawiki>"
)

BOMBS: dict[str, Callable[[Path], None]] = {
    "escaped_quotes.jsonl": escaped_quotes,
    "unclosed_links.jsonl": unclosed_links,
    "shared_pages.pdf": shared_pages,
    "endless_rows.db": endless_rows,
    "endless_search.db": endless_search,
    "packed_lines.jsonl.gz": packed_lines,
    "packed_blanks.jsonl.gz": packed_blanks,
    "packed_pages.jsonl.gz": packed_pages,
    "wide_table.csv": wide_table,
    "wide_rows.csv": wide_rows,
    "word_paragraphs.docx": word_paragraphs,
    "word_tables.docx": word_tables,
    "word_cells.docx": word_cells,
    "html_cells.html": html_cells,
    "html_nested.html": html_nested,
    "html_links.html": html_links,
    "html_lists.html": html_lists,
    "long_text.txt": long_text,
    "endless_sentence.txt": endless_sentence,
    "markdown_brackets.md": markdown_brackets,
    "markdown_quotes.md": markdown_quotes,
    "markdown_stars.md": markdown_stars,
    "markdown_table.md": markdown_table,
    "markdown_lists.md": markdown_lists,
    "wiki_braces.xml": wiki_braces,
    "wiki_nested.xml": wiki_nested,
}


def run(tries: int, seed: int, folder: Path) -> Result:
    """Index the first bombs, each among sound documents."""
    tally = Tally("bombs", seed)
    for name, make in list(BOMBS.items())[:tries]:
        sources = folder / name.partition(".")[0]
        sources.mkdir(parents=True)
        (sources / "before.md").write_text("# Linz\n\nLinz is a city on the Danube.\n")
        (sources / "zz-after.md").write_text("# Graz\n\nGraz is a city on the Mur.\n")
        make(sources / name)
        with tally.one_try():
            _index(sources, folder / f"{sources.name}.corpus", tally)
        (sources / name).unlink()
    return tally.result()


def _index(sources: Path, corpus: Path, tally: Tally) -> None:
    words = [sys.executable, "-c", _MAIN, "index", str(sources), "-o", str(corpus), "--json"]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        process = subprocess.Popen(words, stdout=out, stderr=log)
        seconds, most = _watched(process)
        found, said = (os.pread(file.fileno(), 1 << 20, 0) for file in (out, log))
    what = sources.name
    if process.returncode or b"Traceback" in said:
        tally.fail(f"{what}: exit code {process.returncode}: {said.decode()[-300:]}")
    elif json.loads(found)["pages"] < 2:
        tally.fail(f"{what}: sound documents were lost")
    if seconds > MOST_SECONDS:
        tally.fail(f"{what}: took {seconds:.1f} s")
    if most > MOST_BYTES:
        tally.fail(f"{what}: took {most >> 20} MB")
    tally.note("skipped" if b"skipped" in said or b"bomb" in said else "read")
    print(f"  {what}: {seconds:.1f} s, {most >> 20} MB", file=sys.stderr, flush=True)


def _watched(process: "subprocess.Popen[bytes]") -> tuple[float, int]:
    """Wait for a process; return the processor time and the most memory of all that it started.

    Processor time, because what else a machine has to do is no fault of the bomb's.
    """
    most = 0
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_utime + used.ru_stime, most
        most = max(most, tree_bytes(process.pid))
        time.sleep(0.1)


def tree_bytes(pid: int) -> int:
    """Return the memory of a process and of all that it started; what they share counts once."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    own = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return (int(own[1]) << 10 if own else 0) + sum(tree_bytes(int(child)) for child in children)
