"""Markdown: rendered to HTML and read as such, so that both give the same blocks.

Code blocks are kept, a sentence a line: what they state (a port, a default) can be evidence.
Front matter is not content; its title is an alias. What is too large or too tangled to be a text
that someone wrote as Markdown is read as plain text.
"""

import re
from functools import cache

from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks
from feverfew.readers.content import Content
from feverfew.readers.htmlnesting import check_nesting
from feverfew.readers.htmlsites import document_site
from feverfew.readers.htmltext import read_blocks, read_text
from feverfew.readers.plaintext import read_plain_text
from feverfew.readers.wholefile import read_as_text

__all__ = ["read_markdown"]

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
    if len(text) > _LONGEST or _tangled(text):
        return read_plain_text(record, source)
    titles: list[str] = []
    front = _FRONT_MATTER.match(text)
    if front and all(_KEYS.match(line) for line in front[2].split("\n")):
        text = text[front.end() :]
        if written := _TITLE.search(front[2]):
            titles.append(written[2])
    rendered = _renderer().render(text)
    check_nesting(rendered, source.name)
    tree = LexborHTMLParser(rendered)
    site = document_site(source.name)
    if heading := tree.css_first("h1") or tree.css_first("h2, h3, h4, h5, h6"):
        titles.append(read_text(heading, site))
    blocks = Blocks()
    if tree.body is not None:
        read_blocks(tree.body, blocks, site)
    return Content(blocks.done(), tuple(titles))


def _tangled(text: str) -> bool:
    """Say whether brackets are nested as in no text: each level costs the parser a look ahead."""
    depth = 0
    for mark in _BRACKETS.findall(text):
        depth = depth + 1 if mark == "[" else max(depth - 1, 0) if mark == "]" else 0
        if depth > _DEEPEST:
            return True
    return False
