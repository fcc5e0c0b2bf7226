"""Walk an HTML tree and collect what a reader sees: headings, paragraphs, lists and tables.

Tables that only lay out the page are read as text. The walk keeps its own stack, so that no depth
of nesting exhausts Python's.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Protocol

from selectolax.lexbor import LexborNode

from feverfew.readers.blocks import Blocks, Entry, Run, TableCell, flatten
from feverfew.readers.html.sites import Site, is_dropped, names
from feverfew.types import Link

_INFOBOX = re.compile(r"(?:^|\s)(?:infobox(?:_v\d)?|taxobox)(?:\s|$)")
_DATA = re.compile(r"(?:^|\s)(?:wikitable|sortable|dataframe)(?:\s|$)")
_NUMBER = re.compile(r"\s*(\d{1,6})")
_BLOCK_CONTENT = "p, ul, ol, dl, h1, h2, h3, h4, h5, h6, blockquote, pre, hr"
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)

_ReadCell = Callable[[LexborNode], Sequence[Run]]


def is_infobox(table: LexborNode) -> bool:
    """Say whether a table is Wikipedia's box of facts beside an article."""
    return bool(_INFOBOX.search(table.attributes.get("class") or ""))


def is_layout(table: LexborNode) -> bool:
    """Say whether a table only places things on the page, and is to be read as text.

    That is one that says so, one of a single cell, and one that names no headers and holds
    other tables or paragraphs and lists.
    """
    attributes = table.attributes
    if attributes.get("role") in {"presentation", "none"}:
        return True
    names = attributes.get("class") or ""
    cells = (cell for row in _rows(table) for cell in _cells(row))
    first = list(islice(cells, 2))
    if len(first) < 2:
        return True
    if _INFOBOX.search(names) or _DATA.search(names):
        return False
    if any(cell.tag == "th" for cell in chain(first, cells)):
        return False
    nested = table.css("table")
    return len(nested) > 1 or bool(table.css(_BLOCK_CONTENT))


def read_table(table: LexborNode, read: _ReadCell) -> tuple[str, list[list[TableCell]]]:
    """Return a table's caption and its rows, each cell read by `read`."""
    caption = ""
    for child in table.iter():
        if child.tag == "caption":
            runs = read(child)
            caption = "".join(run if isinstance(run, str) else run.text for run in runs)
            break
    rows: list[list[TableCell]] = []
    for row in _rows(table):
        parent = row.parent
        heading = parent is not None and parent.tag == "thead"
        rows.append(
            [
                TableCell(
                    read(cell),
                    heading or cell.tag == "th",
                    _span(cell.attributes.get("rowspan")),
                    _span(cell.attributes.get("colspan")),
                )
                for cell in _cells(row)
            ]
        )
    return caption, rows


def _span(written: str | None) -> int:
    """Read a span leniently: '2;' is two, nonsense is one."""
    match = _NUMBER.match(written or "")
    return max(int(match[1]), 1) if match else 1


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """Yield a table's own rows, not those of tables within it."""
    for child in table.iter():
        if child.tag == "tr":
            if not _hidden(child):
                yield child
        elif child.tag in {"thead", "tbody", "tfoot"}:
            for row in child.iter():
                if row.tag == "tr" and not _hidden(row):
                    yield row


def _cells(row: LexborNode) -> Iterator[LexborNode]:
    for cell in row.iter():
        if cell.tag in {"td", "th"} and not _hidden(cell):
            yield cell


def _hidden(node: LexborNode) -> bool:
    style = node.attributes.get("style")
    return bool(style) and bool(_HIDDEN.search(style or ""))


_BLOCKS = names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset"
    " figcaption footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre"
    " search section summary table tbody td tfoot th thead tr ul"
)
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_ITEMS = frozenset({"li", "dt", "dd"})
# Soft hyphens and zero-width characters are for the eye of a browser alone.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u2060\ufeff\u200e\u200f"))
_DISPLAYSTYLE = re.compile(r"^\{\\displaystyle\s*(.*)\}$", re.DOTALL)


class _Inline:
    """Gather runs of text and links."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._target = ""
        self._anchor: list[str] = []
        self._broken = False

    def text(self, text: str) -> None:
        """Add a text node's characters."""
        text = text.translate(_INVISIBLE)
        if not text.isspace():
            self._broken = False
        (self._anchor if self._target else self._runs).append(text)

    def gap(self) -> None:
        """Keep what stands on either side of a block's border apart."""
        (self._anchor if self._target else self._runs).append(" ")

    def line_break(self) -> bool:
        """Add a line break; the second in a row ends a paragraph."""
        self.gap()
        again, self._broken = self._broken, True
        return again

    def open_link(self, target: str) -> None:
        """Take what follows for the words of a link."""
        self.close_link()
        self._target = target

    def close_link(self) -> None:
        """Go back to plain text; a link without words is none."""
        words = "".join(self._anchor)
        self._anchor.clear()
        if text := " ".join(words.split()):
            before, after = " " * words[0].isspace(), " " * words[-1].isspace()
            self._runs += [before, Link(self._target, text), after]
        elif words:
            self._runs.append(" ")
        self._target = ""

    def take(self) -> list[Run]:
        """Return the runs so far and start afresh; a link that is still open goes on."""
        target = self._target
        self.close_link()
        runs, self._runs, self._target, self._broken = self._runs, [], target, False
        return runs


class _Visitor(Protocol):
    def enter(self, node: LexborNode, tag: str) -> bool: ...
    def leave(self, tag: str) -> None: ...
    def text(self, text: str) -> None: ...


def _visit(root: LexborNode, visitor: _Visitor) -> None:
    """Show a visitor every node below the root, in reading order."""
    above: list[tuple[LexborNode, str]] = []
    node = root.child
    while node is not None or above:
        if node is None:
            parent, tag = above.pop()
            visitor.leave(tag)
            node = parent.next
            continue
        if node.is_text_node:
            visitor.text(node.text_content or "")
        elif node.is_element_node:
            tag = node.tag or ""
            if visitor.enter(node, tag):
                above.append((node, tag))
                node = node.child
                continue
        node = node.next


class _Runs:
    """Read what an element holds as one piece of text with links."""

    def __init__(self, site: Site) -> None:
        self.inline = _Inline()
        self._site = site

    def enter(self, node: LexborNode, tag: str) -> bool:
        if tag == "br" or tag in _BLOCKS:
            self.inline.gap()
        if is_dropped(node, tag, self._site):
            return False
        _enter_inline(node, tag, self.inline, self._site)
        return True

    def leave(self, tag: str) -> None:
        if tag == "a":
            self.inline.close_link()
        elif tag in _BLOCKS:
            self.inline.gap()

    def text(self, text: str) -> None:
        self.inline.text(text)


def _enter_inline(node: LexborNode, tag: str, inline: _Inline, site: Site) -> None:
    if tag == "a":
        attributes = node.attributes
        # Links between wikis look like our own, but lead to another one.
        if "extiw" not in (attributes.get("class") or ""):
            inline.open_link(site.target(attributes.get("href") or ""))
    elif tag == "img":
        attributes = node.attributes
        if "mwe-math" in (attributes.get("class") or ""):
            inline.text(_DISPLAYSTYLE.sub(r"\1", attributes.get("alt") or ""))


def read_runs(node: LexborNode, site: Site) -> list[Run]:
    """Return an element's whole content as runs of text and links."""
    visitor = _Runs(site)
    _visit(node, visitor)
    return visitor.inline.take()


def read_text(node: LexborNode, site: Site) -> str:
    """Return an element's whole content as one line of text."""
    return flatten(read_runs(node, site))[0]


class _Reader:
    """Read an element's content into blocks."""

    def __init__(self, blocks: Blocks, site: Site) -> None:
        self._blocks, self._site = blocks, site
        self._inline = _Inline()
        self._lists: list[str] = []
        self._entries: list[Entry] = []
        self._described: list[bool] = []
        """For each open list, whether a term is being described: that stands one level below it."""
        self._verbatim = 0

    def enter(self, node: LexborNode, tag: str) -> bool:
        if is_dropped(node, tag, self._site):
            return False
        if tag == "table":
            return not self._table(node)
        if tag == "br":
            if self._inline.line_break() and not self._lists:
                self.end_paragraph()
        elif tag in _LISTS:
            self._open_list(tag)
        elif tag in _ITEMS and self._lists:
            self._end_item()
            self._described[-1] = tag == "dd" and self._lists[-1] == "dl"
        elif tag in _HEADINGS and not self._lists:
            self.end_paragraph()
            level = max(_HEADINGS[tag] - self._site.level, 1)
            self._blocks.section(read_text(node, self._site), level)
            return False
        elif tag in _BLOCKS:
            self._border()
            self._verbatim += tag == "pre"
        else:
            _enter_inline(node, tag, self._inline, self._site)
        return True

    def leave(self, tag: str) -> None:
        if tag == "a":
            self._inline.close_link()
        elif tag in _LISTS:
            self._close_list()
        elif tag in _ITEMS and self._lists:
            self._end_item()
        elif tag in _BLOCKS:
            self._border()
            self._verbatim -= tag == "pre"

    def text(self, text: str) -> None:
        if not self._verbatim or self._lists:
            self._inline.text(text)
            return
        for number, line in enumerate(text.split("\n")):
            if number:
                self.end_paragraph()
            self._inline.text(line)

    def end_paragraph(self) -> None:
        """Hand over the text that stands outside of lists."""
        runs = self._inline.take()
        if any(isinstance(run, Link) or not run.isspace() for run in runs if run):
            self._blocks.paragraph(runs)

    def _border(self) -> None:
        if self._lists:
            self._inline.gap()
        else:
            self.end_paragraph()

    def _table(self, node: LexborNode) -> bool:
        """Read a table of data; leave one that only lays out its page to be walked through."""
        if is_layout(node):
            self._border()
            return False
        if self._lists:
            # A list cannot hold a table: it ends here, and its rest is another list.
            self._end_item()
            self._end_list()
        else:
            self.end_paragraph()
        caption, rows = read_table(node, lambda cell: read_runs(cell, self._site))
        self._blocks.table(rows, caption, is_infobox(node))
        return True

    def _open_list(self, tag: str) -> None:
        if self._lists:
            self._end_item()
        else:
            self.end_paragraph()
        self._lists.append(tag)
        self._described.append(False)

    def _close_list(self) -> None:
        self._end_item()
        if len(self._lists) == 1:
            self._end_list()
        self._lists.pop()
        self._described.pop()

    def _end_item(self) -> None:
        runs = self._inline.take()
        if runs:
            level = len(self._lists) - 1 + sum(self._described)
            self._entries.append(Entry(runs, level))

    def _end_list(self) -> None:
        self._blocks.item_list(self._entries, self._lists[0] == "ol")
        self._entries = []


def read_blocks(root: LexborNode, blocks: Blocks, site: Site) -> None:
    """Read an element's content into blocks, in reading order."""
    reader = _Reader(blocks, site)
    _visit(root, reader)
    reader.end_paragraph()
