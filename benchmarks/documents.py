"""Measure what of people's documents is found in the corpus:
python benchmarks/documents.py --data DIR [--list] [--only COLLECTION …].

DIR holds folders of documents (`<collection>/docs/`) with claims (`claims.jsonl`), each with quoted
evidence: the text of a document, verbatim but for white space. A quotation is found if one element
of the document's pages holds it; one of several sentences or items, if each is held by one element;
a row of a table, if one row holds all of its cells in order. Beside, every cell of every CSV file
is looked for in its place. `--list` prints what is not found.
"""

import argparse
import csv
import io
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from feverfew.readers import read_pages
from feverfew.select.context import statements
from feverfew.text import sentences
from feverfew.types import Page, Table
from measure import RESULTS, read_json, write_json

_QUOTES = {"’": "'", "‘": "'", "“": '"', "”": '"'}
_SPELLED = str.maketrans({**_QUOTES, "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "\xad": ""})
_APART = re.compile(r"(?:^|\s)\* |```\w*")
_MARKUP = re.compile(r"[`*_]|\\(?=\W)|\]\([^)]*\)|[\[\]]")


def bare(text: str, markdown: bool = False) -> str:
    """Leave out all white space; of Markdown, the markup too."""
    if markdown:
        text = _MARKUP.sub("", text)
    return "".join(text.translate(_SPELLED).split())


class Document:
    """The elements of a document, as they are looked through."""

    def __init__(self, pages: list[Page], name: str) -> None:
        self.markdown = name.endswith(".md")
        texts = [text for page in pages for _, text in list(page.elements())[1:]]
        # An item is read with what it stands below: 'Term: what it means.'
        texts += [s.text.replace(": ", " ") for page in pages for s in statements(page)]
        self.elements = [bare(text, self.markdown) for text in texts]
        self.rows = [
            bare("".join(cell.text for cell in row), self.markdown)
            for page in pages
            for block in page.blocks
            if isinstance(block, Table)
            for row in block.rows
        ]

    def holds(self, quoted: str, table: bool) -> bool:
        """Say whether a quotation is found."""
        if table:
            cells = "".join(next(csv.reader([quoted])))
            return any(bare(cells) in row for row in self.rows)
        # A list and a block of code are several elements.
        pieces = _APART.split(quoted) if self.markdown else [quoted]
        return all(
            self._holds(piece) or all(map(self._holds, sentences(piece)))
            for piece in pieces
            if piece.strip()
        )

    def _holds(self, text: str) -> bool:
        sought = bare(text, self.markdown)
        return any(sought in place for place in (*self.elements, *self.rows))


def quotations(folder: Path) -> Iterator[tuple[str, str]]:
    for line in (folder / "claims.jsonl").read_text("utf-8").splitlines():
        for one in json.loads(line)["evidence"]:
            for piece in one:
                if not piece["text"].startswith("TABLE:"):
                    yield piece["doc"], piece["text"]


def csv_cells(file: Path, pages: list[Page]) -> tuple[int, int]:
    """Count a CSV file's cells that stand in their row and column, and all of them."""
    text = file.read_text("utf-8-sig")
    known = {
        (cell.row, cell.column): cell.text
        for page in pages
        for table in page.tables
        for row in table.rows
        for cell in row
    }
    cells = [
        known.get((number, column)) == " ".join(cell.split())
        for number, row in enumerate(csv.reader(io.StringIO(text)))
        for column, cell in enumerate(row)
    ]
    return sum(cells), len(cells)


def measure(folder: Path, show: bool) -> dict[str, Any]:
    """Look for the quotations of one collection."""
    start = time.perf_counter()
    problems: list[str] = []
    pages: dict[str, list[Page]] = defaultdict(list)
    for page in read_pages(folder / "docs", on_bad=lambda bad: problems.append(str(bad))):
        if isinstance(page, Page):
            pages[page.source].append(page)
    seconds = time.perf_counter() - start
    documents = {name: Document(own, name) for name, own in pages.items()}
    counts: Counter[str] = Counter()
    for name, quoted in sorted(set(quotations(folder))):
        table = name.endswith(".csv")
        kind = "rows" if table else "text"
        held = name in documents and documents[name].holds(quoted, table)
        counts[kind] += 1
        counts[f"{kind}_found"] += held
        if show and not held:
            print(f"  not found: {name}: {quoted[:300]}")
    for name, own in pages.items():
        if name.endswith(".csv"):
            found, cells = csv_cells(folder / "docs" / name, own)
            counts["cells"] += cells
            counts["cells_found"] += found
    for problem in problems:
        print(f"  {problem}")
    return {**counts, "files": len(pages), "bad": len(problems), "seconds": round(seconds, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--list", action="store_true", dest="show")
    parser.add_argument("--json", type=Path, default=RESULTS / "documents.json")
    given = parser.parse_args()
    results = read_json(given.json) or {}
    for folder in sorted(given.data.iterdir()):
        if not (folder / "claims.jsonl").exists() or (given.only and folder.name not in given.only):
            continue
        results[folder.name] = found = measure(folder, given.show)
        shares = [
            f"{kind} {found[f'{kind}_found']:,} of {found[kind]:,} "
            f"({100 * found[f'{kind}_found'] / found[kind]:.1f} %)"
            for kind in ("text", "rows", "cells")
            if kind in found
        ]
        print(f"{folder.name}: {'; '.join(shares)}; {found['files']} files, {found['bad']} bad")
    write_json(given.json, results)


if __name__ == "__main__":
    main()
