"""Plain text: paragraphs between blank lines, with simple lists."""

import re
from collections.abc import Iterator

from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Entry
from feverfew.readers.content import Content
from feverfew.readers.wholefile import read_as_text

__all__ = ["read_plain_text"]

_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*•–]|(?P<number>\d{1,3})[.)])\s+(?P<text>\S.*)")
_LONGEST_TITLE = 100


def read_plain_text(record: Record, source: Source) -> Content:
    """Read paragraphs and lists; a short first line that stands alone is the title."""
    text = read_as_text(record, source).expandtabs(4)
    paragraphs = [lines for lines in _paragraphs(text) if lines]
    blocks = Blocks()
    for lines in paragraphs:
        _read_paragraph(lines, blocks)
    return Content(blocks.done(), (_title(paragraphs),))


def _paragraphs(text: str) -> Iterator[list[str]]:
    lines: list[str] = []
    for line in text.replace("\f", "\n\n").split("\n"):
        if line.strip():
            lines.append(line.rstrip())
        else:
            yield lines
            lines = []
    yield lines


def _title(paragraphs: list[list[str]]) -> str:
    if not paragraphs or len(paragraphs) == 1 or len(paragraphs[0]) > 1:
        return ""
    first = paragraphs[0][0].strip(" \t#=*_-")
    return first if len(first) <= _LONGEST_TITLE and not first.endswith((".", ",", ";")) else ""


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
    entries: list[Entry] = []
    indents: list[int] = []
    while at < len(lines):
        if item := _ITEM.fullmatch(lines[at]):
            indent = len(item["indent"])
            while indents and indents[-1] > indent:
                indents.pop()
            if not indents or indents[-1] < indent:
                indents.append(indent)
            entries.append(Entry([item["text"]], len(indents) - 1))
        elif indents and lines[at].startswith(" " * (indents[-1] + 1)):
            words = f"{entries[-1].runs[0]} {lines[at].strip()}"
            entries[-1] = Entry([words], entries[-1].level)
        else:
            break
        at += 1
    blocks.item_list(entries, ordered)
    return at
