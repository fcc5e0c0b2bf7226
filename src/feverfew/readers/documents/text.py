"""Plain text and Markdown.

Plain text is paragraphs between blank lines, with simple lists. Markdown is rendered to HTML and
read as such, so that both give the same blocks. Code blocks are kept, one sentence per line: what
they state (a port, a default) can be evidence. Front matter is not content; its title is an alias.
What is too large or too tangled to be hand-written Markdown is read as plain text.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from markdown_it import MarkdownIt

from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Content, Entry
from feverfew.readers.files import read_as_text
from feverfew.readers.html.page import read_markup
from feverfew.readers.html.sites import document_site
from feverfew.readers.html.text import read_text

__all__ = ["read_markdown", "read_markdown_into", "read_paragraphs", "read_plain_text"]

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


_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\n(.*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_BRACKETS = re.compile(r"[\[\]]|\n\s*\n")
_LONGEST = 4 << 20
_DEEPEST = 20
_KEYS = re.compile(r"(?:[\w.-]+\s*[:=]|\s|-\s|#|\[|\Z)")
_TITLE = re.compile(r"""^title\s*[:=]\s*(["']?)(.+?)\1\s*$""", re.MULTILINE | re.IGNORECASE)


@cache
def _renderer() -> MarkdownIt:
    # Lists within lists cost two levels each; what lies deeper than this, nobody wrote.
    return MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])


def read_markdown(record: Record, source: Source) -> Content:
    """Read Markdown with tables; links to other files lead to their pages."""
    text = read_as_text(record, source)
    titles: list[str] = []
    front = _FRONT_MATTER.match(text)
    if front and all(_KEYS.match(line) for line in front[2].split("\n")):
        text = text[front.end() :]
        if written := _TITLE.search(front[2]):
            titles.append(written[2])
    blocks = Blocks()
    titles.append(read_markdown_into(blocks, text, source))
    return Content(blocks.done(), tuple(titles))


def read_markdown_into(blocks: Blocks, text: str, source: Source) -> str:
    """Read Markdown into blocks; return its first heading, or its title in plain text."""
    if len(text) > _LONGEST or _tangled(text):
        read_paragraphs(text, blocks)
        return _title(text)
    site = document_site(source.name)
    tree = read_markup(_renderer().render(text), blocks, site, source.name)
    heading = tree.css_first("h1") or tree.css_first("h2, h3, h4, h5, h6")
    return read_text(heading, site) if heading else ""


def _tangled(text: str) -> bool:
    """Say whether brackets are nested as in no text: each level costs the parser a look ahead."""
    depth = 0
    for mark in _BRACKETS.findall(text):
        depth = depth + 1 if mark == "[" else max(depth - 1, 0) if mark == "]" else 0
        if depth > _DEEPEST:
            return True
    return False
