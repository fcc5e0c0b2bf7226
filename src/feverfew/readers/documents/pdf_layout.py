"""From the words of a PDF's pages to headings, paragraphs, lists and tables in reading order.

A PDF only says where glyphs are drawn. What belongs together is told by how people set text: lines
of a paragraph follow each other closely, headings are larger or bolder than the text, the columns
of a table leave the same gaps in every row, and what stands at the edge of most pages is no text.
All limits are in units of the letters' size, so that they hold for any page.
"""

import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from msgspec import Struct

from feverfew.readers.blocks import Blocks, Content, Entry
from feverfew.readers.documents.pdf_tables import find_tables
from feverfew.text import sentences


class Word(Struct, frozen=True, gc=False):
    """A word and its place; y grows upwards."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    start: int = 0
    end: int = 0
    """Its characters, as the page numbers them."""


class Line(Struct, frozen=True, gc=False):
    """Words that stand side by side, and the place that they take."""

    words: list[Word]
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    mono: bool
    hyphened: bool
    """Whether its last word goes on in the next line."""

    @classmethod
    def of(cls, words: list[Word], bold: bool, mono: bool, hyphened: bool) -> "Line":
        """Measure a line; its size is that of its longest word."""
        return cls(
            words,
            " ".join([word.text for word in words]),
            min([word.x0 for word in words]),
            min([word.y0 for word in words]),
            max([word.x1 for word in words]),
            max([word.y1 for word in words]),
            max(words, key=lambda word: len(word.text)).size,
            bold,
            mono,
            hyphened,
        )


class Sheet(Struct):
    """One page of a PDF."""

    lines: list[Line]
    height: float
    scanned: bool = False
    """Whether it is an image without text."""
    unreadable: bool = False


_EDGE = 2
"""How many lines at a page's top and bottom may be running heads and page numbers."""
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")
_BULLET = re.compile(r"[•◦▪■□‣●○–—∗*·-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\([A-Z]\)|\[\d{1,3}\]")
_NUMBERED = re.compile(r"(?:\d{1,2}\.)*\d{1,2}\.?|[A-Z]\.(?:\d{1,2}\.?)*|Appendix|Chapter|Part")
_ENDS = (".", "!", "?", ":", ".”", '."', ".)", ".’")
_MOST_COLUMNS = 8
_SMALLER = 0.93
_LARGER = 1.08


def read_sheets(sheets: Sequence[Sheet], title: str = "") -> Content:
    """Make blocks of a document's pages, and say how many come before each page."""
    for sheet in sheets:
        sheet.lines = in_order(_joined(sheet.lines))
    heads = _running_heads(sheets)
    for sheet in sheets:
        top, bottom = _edges(sheet)
        sheet.lines = [
            line
            for line in sheet.lines
            if not ((id(line) in top or id(line) in bottom) and _pattern(line) in heads)
        ]
    sizes = Counter[float]()
    for sheet in sheets:
        for line in sheet.lines:
            sizes[round(line.size, 1)] += sum(len(word.text) for word in line.words)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    known = Counter(
        word.text.strip(".,;:()") for sheet in sheets for line in sheet.lines for word in line.words
    )
    reader = _Reader(body, known)
    for number, sheet in enumerate(sheets, 1):
        reader.read(sheet, number)
    reader.end()
    return Content(reader.blocks.done(), (title, *reader.titles), tuple(reader.breaks(len(sheets))))


def _joined(lines: list[Line]) -> list[Line]:
    """Join pieces of one visual line: a raised number is drawn as a line of its own."""
    made: list[Line] = []
    for line in lines:
        last = made[-1] if made else None
        if last is not None:
            shared = min(last.y1, line.y1) - max(last.y0, line.y0)
            height = min(last.y1 - last.y0, line.y1 - line.y0)
            near = -0.5 * line.size < line.x0 - last.x1
            if shared > 0.4 * height and near:
                words = last.words + line.words
                made[-1] = Line.of(words, last.bold, last.mono, line.hyphened)
                continue
        made.append(line)
    return made


def in_order(lines: list[Line]) -> list[Line]:
    """Return lines in reading order: as drawn, unless that goes back and forth."""
    back = columns = 0
    for before, after in pairwise(lines):
        up = after.y0 > before.y1
        beside = after.x1 < before.x0 and not before.y0 > after.y1
        back += beside or (up and after.x0 < before.x1)
        columns += up
    return lines if back <= 2 + len(lines) // 40 and columns <= _MOST_COLUMNS else _cut(lines)


def _cut(lines: list[Line]) -> list[Line]:
    """Cut a page at its gutters, then at its widest gaps, and read the parts one by one."""
    if len(lines) < 2:
        return lines
    size = statistics.median(line.size for line in lines)
    across = sorted(lines, key=lambda line: line.x0)
    right = across[0].x1
    for at, line in enumerate(across[1:], 1):
        if line.x0 - right > size and min(at, len(across) - at) >= 3:
            return _cut(across[:at]) + _cut(across[at:])
        right = max(right, line.x1)
    down = sorted(lines, key=lambda line: (-line.y1, line.x0))
    lowest, best, gap = down[0].y0, 0, 0.4 * size
    for at, line in enumerate(down[1:], 1):
        if lowest - line.y1 > gap:
            best, gap = at, lowest - line.y1
        lowest = min(lowest, line.y0)
    return _cut(down[:best]) + _cut(down[best:]) if best else down


def _edges(sheet: Sheet) -> tuple[set[int], set[int]]:
    placed = sorted(sheet.lines, key=lambda line: -line.y1)
    return {id(line) for line in placed[:_EDGE]}, {id(line) for line in placed[-_EDGE:]}


def _pattern(line: Line) -> str:
    return _DIGITS.sub("#", line.text.strip())


def _running_heads(sheets: Sequence[Sheet]) -> frozenset[str]:
    """Return the lines that stand at the edge of many pages, their numbers as `#`."""
    if len(sheets) < 3:
        return frozenset()
    seen: Counter[str] = Counter()
    for sheet in sheets:
        for edge in _edges(sheet):
            seen.update({_pattern(line) for line in sheet.lines if id(line) in edge})
    # Left and right pages may have different ones.
    return frozenset(line for line, times in seen.items() if times >= max(3, 0.3 * len(sheets)))


class _Reader:
    """Gather blocks page by page; a paragraph may go on over pages."""

    def __init__(self, body: float, known: Counter[str]) -> None:
        self.blocks = Blocks()
        self.titles: list[str] = []
        self._pages: list[int] = []
        self._body, self._known = body, known
        self._open: list[tuple[int, Line]] = []
        self._entries: list[Entry] = []
        self._list_page = 0
        self._ordered = False
        self._largest = 0.0

    def breaks(self, count: int) -> Iterator[int]:
        """Yield how many blocks come before each page."""
        at = 0
        for number in range(1, count + 1):
            while at < len(self._pages) and self._pages[at] < number:
                at += 1
            yield at

    def read(self, sheet: Sheet, number: int) -> None:
        """Read a page: its text, then its footnotes."""
        text, notes = self._footnotes(sheet.lines)
        for part in find_tables(text):
            if isinstance(part, list):
                self.end()
                self._mark(number, partial(self.blocks.table, part))
            else:
                self._line(part, number)
        held, self._open = self._open, []
        listed, self._entries = self._entries, []
        if notes:
            kept = self._list_page
            for line in notes:
                self._line(line, number)
            self.end()
            self._list_page = kept
        self._open, self._entries = held, listed

    def _footnotes(self, lines: list[Line]) -> tuple[list[Line], list[Line]]:
        """Part the small print at a page's foot from its text."""
        at = len(lines)
        while at and lines[at - 1].size < _SMALLER * self._body and not lines[at - 1].mono:
            at -= 1
        lowest = min((line.y0 for line in lines[:at]), default=0.0)
        below = all(line.y1 < lowest + line.size for line in lines[at:])
        return (lines[:at], lines[at:]) if at and below else (lines, [])

    def _line(self, line: Line, number: int) -> None:
        last = self._open[-1][1] if self._open else None
        if self._is_heading(line):
            if last is not None and self._heads_on(last, line):
                self._open.append((number, line))
                return
            self.end()
            self._open = [(number, line)]
            return
        if last is not None and (self._is_heading(last) or self._begins(last, line, number)):
            self._end_paragraph()
        bullet = _BULLET.fullmatch(line.words[0].text) if len(line.words) > 1 else None
        if bullet and not self._open:
            self._open = [(number, line)]
            return
        if not self._open and self._entries and not bullet:
            self._end_list()
        self._open.append((number, line))

    def _heads_on(self, last: Line, line: Line) -> bool:
        """Say whether a heading goes on in a second line."""
        close = 0 < last.y0 - line.y0 < 2.2 * line.size
        numbered = _NUMBERED.fullmatch(line.words[0].text) is not None
        same = abs(last.size - line.size) < 0.5 and last.bold == line.bold
        return self._is_heading(last) and close and same and not numbered

    def _is_heading(self, line: Line) -> bool:
        text = line.text
        if line.mono or len(text) > 160 or not re.search(r"[^\W\d_]{4}", text):
            return False
        if line.hyphened or text.endswith((",", ";")):
            return False
        if line.size > _LARGER * self._body and len(line.words) <= 20:
            return True
        numbered = _NUMBERED.fullmatch(line.words[0].text) is not None and len(line.words) > 1
        whole = not text.endswith((".", ":")) or numbered
        return line.bold and whole and len(line.words) <= 12 and line.size > 0.95 * self._body

    def _begins(self, last: Line, line: Line, number: int) -> bool:
        """Say whether a line begins anew: a paragraph, an item, a line of code."""
        if line.mono or last.mono:
            return not (line.mono and last.mono and last.hyphened)
        if self._open[-1][0] != number:
            starts_small = line.words[0].text[:1].islower()
            return not (last.hyphened or starts_small or not last.text.endswith(_ENDS))
        if last.hyphened:
            return False
        if len(line.words) > 1 and _BULLET.fullmatch(line.words[0].text):
            gap = line.words[1].x0 - line.words[0].x1
            first = self._open[0][1].words[0]
            aligned = abs(first.x0 - line.x0) < 0.5 * line.size and _BULLET.fullmatch(first.text)
            if aligned or gap > 0.7 * line.size or last.text.endswith(_ENDS):
                return True
        below = last.y0 - line.y0
        if below < -line.size:
            return last.text.endswith(_ENDS) and not line.words[0].text[:1].islower()
        if below > 2.0 * max(line.size, last.size):
            return True
        if abs(last.size - line.size) > 0.15 * self._body and not _shares_size(last, line):
            return True
        indented = line.x0 - last.x0 > 0.8 * line.size and len(self._open) > 1
        ended = last.text.endswith(_ENDS)
        return indented and ended and not _BULLET.fullmatch(self._open[0][1].words[0].text)

    def end(self) -> None:
        """Hand over what is open."""
        self._end_paragraph()
        self._end_list()

    def _end_list(self) -> None:
        if self._entries:
            entries, self._entries = self._entries, []
            ordered = self._ordered
            self._mark(self._list_page, lambda: self.blocks.item_list(entries, ordered))

    def _end_paragraph(self) -> None:
        if not self._open:
            return
        lines, self._open = self._open, []
        number, first = lines[0]
        if self._is_heading(first):
            self._heading(lines)
            return
        chunks = list(self._text(lines))
        text = "".join(chunk for _, chunk in chunks)
        bullet = _BULLET.fullmatch(first.words[0].text) if len(first.words) > 1 else None
        if bullet and not first.mono:
            if not self._entries:
                self._list_page = number
                self._ordered = any(map(str.isalnum, bullet[0]))
            item = text.removeprefix(bullet[0]) if not self._ordered else text
            self._entries.append(Entry([item.strip()]))
            return
        self._end_list()
        before = len(self.blocks)
        self.blocks.paragraph([text])
        self._pages += _pages_of(chunks, len(self.blocks) - before, text)

    def _heading(self, lines: list[tuple[int, Line]]) -> None:
        self._end_list()
        text = "".join(chunk for _, chunk in self._text(lines))
        number, first = lines[0]
        if number == 1 and first.size > self._largest and first.size > _LARGER * self._body:
            self._largest = first.size
            self.titles.insert(0, text)
        numbered = re.match(r"(?:\d{1,2}\.)*\d{1,2}\.?\s", text)
        level = numbered[0].strip(". ").count(".") + 1 if numbered else 1
        if not numbered and first.size <= _LARGER * self._body:
            level = 2
        self._mark(number, lambda: self.blocks.section(text, level))

    def _text(self, lines: list[tuple[int, Line]]) -> Iterator[tuple[int, str]]:
        """Yield the text of lines with their pages; words that were cut in two are joined."""
        for place, (number, line) in enumerate(lines):
            text = line.text
            follows = lines[place + 1][1].words[0].text if place + 1 < len(lines) else ""
            if not follows:
                yield number, text + ("-" if line.hyphened else "")
            elif line.hyphened:
                yield number, text + self._hyphen(line.words[-1].text, follows)
            elif text.endswith("-") and len(text) > 1 and text[-2].isalpha():
                cut = line.words[-1].text.removesuffix("-")
                yield number, text.removesuffix("-") + self._hyphen(cut, follows)
            else:
                yield number, text + " "

    def _hyphen(self, cut: str, follows: str) -> str:
        """Return the hyphen with which a word is written that was cut at the end of a line."""
        first, rest = cut.lstrip("(“\"'"), follows.strip(".,;:()”\"'")
        if self._known[f"{first}-{rest}"] or not rest[:1].islower():
            return "-"
        if self._known[first + rest] or "-" not in first:
            return ""
        return "-"

    def _mark(self, number: int, add: Callable[[], None]) -> None:
        """Add blocks that begin on a page."""
        before = len(self.blocks)
        add()
        self._pages += [number] * (len(self.blocks) - before)


def _shares_size(last: Line, line: Line) -> bool:
    return any(abs(a.size - b.size) < 0.1 for a in last.words for b in line.words)


def _pages_of(chunks: Sequence[tuple[int, str]], count: int, text: str) -> list[int]:
    """Say on which page each sentence of a paragraph begins."""
    first, last = chunks[0][0], chunks[-1][0]
    if first == last or count < 2:
        return [first] * count
    until = sum(_letters(chunk) for number, chunk in chunks if number == first)
    pages, at = [], 0
    for sentence in sentences(text)[:count]:
        pages.append(first if at < until else last)
        at += _letters(sentence)
    return pages


def _letters(text: str) -> int:
    return len("".join(text.split()))
