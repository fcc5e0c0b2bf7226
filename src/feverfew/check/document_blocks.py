"""The layout of a document: its headings, paragraphs, lists, code, quotations and tables.

Markdown's block structure is read with markdown-it; plain text is Markdown without marks. All
offsets refer to the given text, so that findings can be shown in place.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LARGEST = 4 << 20


class Kind(StrEnum):
    """The kind of a block; the values are phrases for people."""

    PROSE = "prose"
    ITEM = "a list item"
    HEADING = "a heading"
    CODE = "code"
    QUOTE = "a quotation"
    TABLE = "a table"
    MARKUP = "markup"
    SETTINGS = "the document's settings"


class Stretch(Struct, frozen=True):
    """A block of a document: a paragraph, a list item, a heading, a whole table."""

    start: int
    end: int
    kind: Kind


def stretches(text: str) -> list[Stretch]:
    """List the blocks of a document in order; they do not overlap, and contain all letters."""
    found: list[Stretch] = []
    at = 0
    for stretch in _blocks(text):
        start = max(stretch.start, at)
        found.extend(_left_over(text, at, start))
        if trimmed := _trim(text, Stretch(start, stretch.end, stretch.kind)):
            found.append(trimmed)
        at = max(stretch.end, at)
    found.extend(_left_over(text, at, len(text)))
    return found


def _left_over(text: str, start: int, end: int) -> Iterator[Stretch]:
    """Yield the text outside all blocks: link definitions."""
    if any(map(str.isalpha, text[start:end])):
        trimmed = _trim(text, Stretch(start, end, Kind.MARKUP))
        if trimmed is not None:
            yield trimmed


def _trim(text: str, stretch: Stretch) -> Stretch | None:
    """Strip the blanks around a span; yield nothing if it is blank."""
    inner = text[stretch.start : stretch.end]
    start = stretch.start + len(inner) - len(inner.lstrip())
    end = stretch.start + len(inner.rstrip())
    return Stretch(start, end, stretch.kind) if start < end else None


_FRONT_MATTER = re.compile(
    r"\s*(---|\+\+\+)[ \t]*\r?\n(?:[\w-]+[ \t]*[:=].*\n|[ \t#-].*\n){1,200}?\1[ \t\r]*(?:\n|\Z)"
)
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_LINE_END = re.compile(r"\r\n?|\n")
_MARKER = re.compile(
    r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+(?:\[[ xX]\][ \t]+)?|[ \t>]*(?:[-*+]|\d{1,9}[.)])$"
)
# Bullets that Markdown does not know, at the beginning of a line.
_BULLET = re.compile(r"^[ \t]*[•·‣▪◦–—][ \t]+(?=\S)", re.MULTILINE)
_SKIPPED = {"blockquote_open": Kind.QUOTE, "table_open": Kind.TABLE}
_LEAVES = {
    "heading_open": Kind.HEADING,
    "fence": Kind.CODE,
    "code_block": Kind.CODE,
    "html_block": Kind.MARKUP,
    "paragraph_open": Kind.PROSE,
}


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # on first use: only documents need it

    # Blocks alone: what is within a line is dealt with by its marks, which keep their places.
    return MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").disable("inline")


def _blocks(text: str) -> Iterator[Stretch]:
    front = _FRONT_MATTER.match(text)
    body = front.end() if front else 0
    if front:
        yield Stretch(0, body, Kind.SETTINGS)
    if len(text) > _LARGEST:
        yield from _paragraphs(text, body)
        return
    starts = [body, *(match.end() for match in _LINE_END.finditer(text, body)), len(text)]
    items: set[int] = set()
    skip = 0
    for token in _parser().parse(text[body:]):
        if token.map is None or token.map[0] < skip:
            continue
        first, last = token.map
        start, end = starts[first], starts[min(last, len(starts) - 1)]
        if token.type == "list_item_open":
            items.add(first)
        elif token.type in _SKIPPED:
            skip = last
            yield Stretch(start, end, _SKIPPED[token.type])
        elif token.type in _LEAVES:
            kind = _LEAVES[token.type]
            if first in items and (marker := _MARKER.match(text, start, end)):
                start = marker.end()
                kind = Kind.ITEM if kind is Kind.PROSE else kind
            yield from _leaf(text, Stretch(start, end, kind))


_HIDDEN = re.compile(r"\s*<(?:script|style|pre|!--|\?|svg)", re.IGNORECASE)


def _leaf(text: str, stretch: Stretch) -> Iterator[Stretch]:
    """Yield a block by its kind: items with other bullets, prose in HTML, indented prose."""
    inner = text[stretch.start : stretch.end]
    kind = stretch.kind
    in_html = kind is Kind.MARKUP and not _HIDDEN.match(inner)
    if in_html or (kind is Kind.CODE and _is_indented_prose(inner)):
        kind = Kind.PROSE
    if kind is not Kind.PROSE or not (bullets := list(_BULLET.finditer(inner))):
        yield Stretch(stretch.start, stretch.end, kind)
        return
    if bullets[0].start():
        yield Stretch(stretch.start, stretch.start + bullets[0].start(), kind)
    ends = [*(bullet.start() for bullet in bullets[1:]), len(inner)]
    for bullet, end in zip(bullets, ends, strict=True):
        yield Stretch(stretch.start + bullet.end(), stretch.start + end, Kind.ITEM)


def _is_indented_prose(inner: str) -> bool:
    written = inner.strip()
    return written[:1].isupper() and written[-1:] in ".!?" and not set("={}<>`~") & set(written)


def _paragraphs(text: str, at: int) -> Iterator[Stretch]:
    for blank in _BLANK_LINE.finditer(text, at):
        yield Stretch(at, blank.start(), Kind.PROSE)
        at = blank.end()
    yield Stretch(at, len(text), Kind.PROSE)


# Marks within a line, and the group of each that people read; all else of them is blanked.
_MARKS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"<!--.{0,2000}?-->|</?[a-zA-Z][^<>]{0,300}>()",
        r"!\[[^\[\]]{0,300}\]\([^()\s]{0,500}(?:\s[^()]{0,200})?\)()",
        r"\[\[(?:[^\[\]|]{1,200}\|)?([^\[\]|]{1,200})\]\]",
        r"\[(?:\^[^\[\]\s]{1,40}|\d{1,3}|citation needed)\]()",
        r"\[([^\[\]]{1,400})\]\((?:[^()]|\([^()]{0,100}\)){0,500}\)",
        r"\[([^\[\]]{1,400})\]\[[^\[\]]{0,100}\]",
        r"<?(?:https?://|www\.)[^\s<>)\]]+[^\s<>)\].,;:!?]>?()",
        r"(?<!\w)(?:\*\*|__)(?=\S)(.{1,800}?)(?<=\S)(?:\*\*|__)",
        r"(?<![\w*_])[*_](?=[^\s*_])([^*_]{1,800}?)(?<=\S)[*_](?![\w*])",
        r"~~(?=\S)([^~\n]{1,500})~~",
        r"``?([^`]{1,300})``?",
        r"\\(?=[!-/:-@\[-`{-~])()",
    )
)


def without_marks(text: str) -> str:
    """Blank out link targets, emphasis and other marks; all other letters keep their positions.

    >>> without_marks("**Lang** made [M](http://m.org).")
    '  Lang   made  M               .'
    """
    for marks in _MARKS:
        text = marks.sub(_blanked, text)
    return text


def _blanked(match: re.Match[str]) -> str:
    start, end = match.span(1)
    if start < 0:
        return " " * len(match[0])
    return " " * (start - match.start()) + match[1] + " " * (match.end() - end)
