"""Turn wikitext into the blocks of a page."""

import re
from collections.abc import Sequence

from msgspec import Struct

from feverfew.readers.blocks import Blocks, Entry
from feverfew.readers.mediawiki.markup import resolve
from feverfew.readers.mediawiki.runs import BOX, BOX_END, plain, runs, tidy
from feverfew.readers.mediawiki.tables import infobox_rows, read_table, starts_table
from feverfew.readers.mediawiki.templates import Arguments
from feverfew.types import Block


class Wikitext(Struct, frozen=True):
    """What a page's source says."""

    blocks: tuple[Block, ...]
    disambiguation: bool = False


def read_wikitext(text: str, namespaces: tuple[str, ...] = ()) -> Wikitext:
    """Read a page's source; `namespaces` are the wiki's own words for `File` and such."""
    marked = resolve(_html_as_wikitext(text), namespaces)
    page = _Page(marked.targets, marked.infoboxes)
    page.read(tidy(marked.text).split("\n"))
    return Wikitext(page.blocks.done(), marked.disambiguation)


_BOX = re.compile(f"{BOX}([0-9]+){BOX_END}")
_HTML = re.compile(r"<(/?)(table|tr|td|th|caption|ul|ol|li)\b([^<>]*)>", re.IGNORECASE)
_AS_WIKITEXT = {
    "table": "\n{|\n", "/table": "\n|}\n", "tr": "\n|-\n", "td": "\n|", "th": "\n!",
    "caption": "\n|+", "li": "\n* ", "ul": "\n", "/ul": "\n", "ol": "\n", "/ol": "\n",
}  # fmt: skip


def _html_as_wikitext(text: str) -> str:
    """Write HTML tables and lists as wikitext, so that one reader serves both."""

    def rewrite(tag: re.Match[str]) -> str:
        name = (tag[1] + tag[2]).lower()
        attributes = f" {tag[3]} | " if tag[3].strip() and name in ("td", "th") else " "
        return _AS_WIKITEXT.get(name, "") + (attributes if name in ("td", "th") else "")

    return _HTML.sub(rewrite, text) if "<" in text else text


class _Page:
    """Read lines into blocks: headings, lists, tables, and paragraphs of all the rest."""

    def __init__(self, targets: Sequence[str], infoboxes: Sequence[Arguments]) -> None:
        self.blocks = Blocks()
        self.targets, self.infoboxes = targets, infoboxes
        self.paragraph: list[str] = []
        self.items: list[tuple[str, str]] = []

    def read(self, lines: Sequence[str]) -> None:
        number = 0
        while number < len(lines):
            line = lines[number].rstrip()
            number += 1
            start = line.lstrip()[:1]
            if not start:
                self._flush()
            elif start == BOX:
                self._flush()
                self._infoboxes(line)
            elif starts_table(line):
                self._flush()
                end = _table_end(lines, number)
                self._table(lines[number - 1 : end])
                number = end
            elif start == "=" and line[0] == "=" and line[-1] == "=":
                self._flush()
                self._heading(line)
            elif line[0] in "*#;" or (line[0] == ":" and self._in_list(line)):
                self._end_paragraph()
                self._item(line)
            elif start in "|!" and line.lstrip().startswith(("|", "!")):
                # A row of a table whose frame a dropped template made.
                self._flush()
            elif line.startswith("----"):
                self._flush()
                self.paragraph.append(line.lstrip("-"))
            else:
                self._end_list()
                self.paragraph.append(line.lstrip(": "))
        self._flush()

    def _in_list(self, line: str) -> bool:
        """Say whether an indented line belongs to a list: it goes one on, or is itself an item."""
        return bool(self.items) or line.lstrip(":")[:1] in ("*", "#")

    def _flush(self) -> None:
        self._end_paragraph()
        self._end_list()

    def _end_paragraph(self) -> None:
        if self.paragraph:
            found = runs(" ".join(self.paragraph), self.targets)
            # Without a letter or digit it is what a dropped formula or picture left behind.
            if any(
                c.isalnum() for run in found for c in (run if isinstance(run, str) else run.text)
            ):
                self.blocks.paragraph(found)
            self.paragraph = []

    def _heading(self, line: str) -> None:
        level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), 6)
        self.blocks.section(plain(line[level:-level]), max(level - 1, 1))

    def _item(self, line: str) -> None:
        words = line.lstrip("*#;:")
        prefix = line[: len(line) - len(words)]
        if self.items and {prefix[0], self.items[0][0][0]} == {"*", "#"}:
            self._end_list()
        term, colon, meaning = words.partition(" :") if prefix[-1] == ";" else (words, "", "")
        self.items.append((prefix, term))
        if colon:
            self.items.append((prefix + ":", meaning))

    def _end_list(self) -> None:
        if self.items:
            # A definition stands below its term, though its mark is no longer.
            levels = [len(prefix) + (prefix == ":") for prefix, _ in self.items]
            outermost = min(levels)
            entries = [
                Entry(runs(words, self.targets), level - outermost)
                for level, (_, words) in zip(levels, self.items, strict=True)
            ]
            self.blocks.item_list(entries, ordered="#" in self.items[0][0])
            self.items = []

    def _table(self, lines: Sequence[str]) -> None:
        for table in read_table(lines, self.targets):
            self.blocks.table(table.rows, table.caption)
        for line in lines:
            if BOX in line:
                self._infoboxes(line)

    def _infoboxes(self, line: str) -> None:
        for number in _BOX.findall(line):
            rows = infobox_rows(int(number), self.infoboxes, self.targets)
            self.blocks.table(rows, infobox=True)


def _table_end(lines: Sequence[str], number: int) -> int:
    """Return the number of the line behind a table that was opened just before `number`."""
    depth = 1
    while number < len(lines) and depth:
        if starts_table(lines[number]):
            depth += 1
        elif lines[number].lstrip().startswith("|}"):
            depth -= 1
        number += 1
    return number
