"""Plain text: paragraphs between blank lines, with simple lists."""

import re
from collections.abc import Iterator
from itertools import islice

from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Entry
from feverfew.readers.content import Content
from feverfew.readers.wholefile import read_as_text

__all__ = ["read_paragraphs", "read_plain_text"]

_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*•–]|(?P<number>\d{1,3})[.)])\s+(?P<text>\S.*)")
_LONGEST_TITLE = 100


def read_plain_text(record: Record, source: Source) -> Content:
    """Read paragraphs and lists; a short first line that stands alone is the title."""
    text = read_as_text(record, source)
    blocks = Blocks()
    read_paragraphs(text, blocks)
    return Content(blocks.done(), (_title(text),))


def read_paragraphs(text: str, blocks: Blocks) -> None:
    """Read paragraphs and lists into blocks, lines that were broken to a width joined."""
    for lines in _paragraphs(text):
        _read_paragraph(lines, blocks)


def _paragraphs(text: str) -> Iterator[list[str]]:
    lines: list[str] = []
    for line in text.expandtabs(4).replace("\f", "\n\n").split("\n"):
        if line.strip():
            lines.append(line.rstrip())
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _title(text: str) -> str:
    first, *following = islice(_paragraphs(text), 2)
    line = first[0].strip(" #=*_-")
    alone = len(first) == 1 and following and not line.endswith((".", ",", ";"))
    return line if alone and len(line) <= _LONGEST_TITLE else ""


def _read_paragraph(lines: list[str], blocks: Blocks) -> None:
    width = max(map(len, lines))
    at = 0
    while at < len(lines):
        if _ITEM.fullmatch(lines[at]):
            at = _read_list(lines, at, blocks)
            continue
        start = at
        at += 1
        while at < len(lines) and _goes_on(lines[at - 1], lines[at], width):
            at += 1
        blocks.paragraph([" ".join(lines[start:at])])


def _goes_on(line: str, following: str, width: int) -> bool:
    """Say whether a line was broken only because it was full, and not to begin anew."""
    if _ITEM.fullmatch(following):
        return False
    begin = following.split(None, 1)[0]
    # Rough, for nobody breaks lines exactly; but a line that had room for the next word was
    # ended on purpose, unless the sentence visibly goes on.
    return begin[0].islower() or line.endswith(",") or len(line) + len(begin) >= 0.8 * width


def _read_list(lines: list[str], at: int, blocks: Blocks) -> int:
    """Read the items from a line on; return the number of the line behind them."""
    first = _ITEM.fullmatch(lines[at])
    ordered = first is not None and first["number"] is not None
    items: list[tuple[list[str], int]] = []
    indents: list[int] = []
    while at < len(lines):
        if item := _ITEM.fullmatch(lines[at]):
            indent = len(item["indent"])
            while indents and indents[-1] > indent:
                indents.pop()
            if not indents or indents[-1] < indent:
                indents.append(indent)
            items.append(([item["text"]], len(indents) - 1))
        elif indents and lines[at].startswith(" " * (indents[-1] + 1)):
            items[-1][0].append(lines[at].strip())
        else:
            break
        at += 1
    blocks.item_list([Entry([" ".join(words)], level) for words, level in items], ordered)
    return at
