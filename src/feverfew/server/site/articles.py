"""Pages of the corpus as people read them: with links both ways, listed, and found."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import sqrt

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.render.as_json import page_fingerprint
from feverfew.retrieve import Candidate
from feverfew.server.site.urls import anchor, page_at
from feverfew.text import display_title, fold, page_name, words
from feverfew.types import Cell, ItemList, Kind, Link, Page, Ref, Section, Sentence, Table

__all__ = [
    "Article",
    "Found",
    "Row",
    "Text",
    "TitleList",
    "describe",
    "list_titles",
    "read_article",
]

_MOST = 60
"""Links of one direction that are listed."""


class Span(Struct, frozen=True):
    """Words, and where they lead, if anywhere."""

    text: str
    href: str = ""


class Text(Struct, frozen=True):
    """An element that can be pointed at."""

    anchor: str
    spans: tuple[Span, ...]


class Heading(Struct, frozen=True):
    """A section's heading; level 2 stands below the title."""

    anchor: str
    text: str
    level: int


class Paragraph(Struct, frozen=True):
    """Sentences that follow each other."""

    sentences: tuple[Text, ...]


class TableCell(Struct, frozen=True):
    """A cell, with what it spans."""

    text: Text
    header: bool
    rows: int
    columns: int


Row = tuple[TableCell, ...]


class TableBlock(Struct, frozen=True):
    """A table, or an infobox."""

    anchor: str
    caption: str
    infobox: bool
    rows: tuple[Row, ...]


class Item(Struct, frozen=True):
    """An item of a list; the outermost level is 0."""

    text: Text
    level: int


class ListBlock(Struct, frozen=True):
    """A list, its items in order."""

    items: tuple[Item, ...]


class PageBreak(Struct, frozen=True):
    """Where a page of a PDF begins."""

    number: int


Block = Heading | Paragraph | TableBlock | ListBlock | PageBreak


class Neighbours(Struct, frozen=True):
    """Pages that links join to this one, the first of them, and how many there are."""

    titles: tuple[str, ...]
    count: int


class Article(Struct, frozen=True):
    """Everything that is shown of a page."""

    title: str
    name: str
    """What people call it."""
    aliases: tuple[str, ...]
    disambiguation: bool
    source: str
    fingerprint: str
    blocks: tuple[Block, ...]
    out: Neighbours | None
    into: Neighbours | None
    """None where the corpus was built without finding links."""

    @property
    def headings(self) -> list[Heading]:
        """The table of contents."""
        return [block for block in self.blocks if isinstance(block, Heading)]


def read_article(corpus: Corpus, title: str) -> Article:
    """Read a page by its title in any spelling, or by an alias."""
    page = corpus.page(title)
    out = into = None
    if corpus.linked:
        links = corpus.links_of(page.title)
        out, into = (Neighbours(own[:_MOST], len(own)) for own in (links.out, links.into))
    return Article(
        page.title,
        page_name(page),
        tuple(alias for alias in page.aliases if alias != page.name),
        page.disambiguation,
        page.source,
        page_fingerprint(page),
        tuple(_blocks(page, lambda target: target in corpus)),
        out,
        into,
    )


def _blocks(page: Page, known: Callable[[str], bool]) -> Iterator[Block]:
    def text(kind: Kind, position: tuple[int, ...], said: str, links: Sequence[Link]) -> Text:
        return Text(anchor(Ref(page.title, kind, position)), tuple(_spans(said, links, known)))

    paragraph: list[Text] = []
    breaks = Counter(page.page_breaks)
    number = 0
    for place, block in enumerate(page.blocks):
        if place in breaks:
            if paragraph:
                yield Paragraph(tuple(paragraph))
                paragraph = []
            number += breaks[place]
            yield PageBreak(number)
        if isinstance(block, Sentence):
            paragraph.append(text(Kind.SENTENCE, (block.index,), block.text, block.links))
            continue
        if paragraph:
            yield Paragraph(tuple(paragraph))
            paragraph = []
        match block:
            case Section():
                at = anchor(Ref(page.title, Kind.SECTION, (block.index,)))
                yield Heading(at, block.text, min(block.level + 1, 5))
            case Table():
                yield _table(page, block, text)
            case ItemList():
                items = (
                    Item(
                        text(Kind.ITEM, (block.index, item.index), item.text, item.links),
                        item.level,
                    )
                    for item in block.items
                )
                yield ListBlock(tuple(items))
    if paragraph:
        yield Paragraph(tuple(paragraph))


def _table(page: Page, table: Table, text: Callable[..., Text]) -> TableBlock:
    def cell(one: Cell) -> TableCell:
        ref = table.ref(page.title, one)
        said = text(ref.kind, ref.position, one.text, one.links)
        return TableCell(said, one.header, max(1, one.row_span), max(1, one.column_span))

    at = anchor(Ref(page.title, Kind.CAPTION, (table.index,)))
    rows = tuple(tuple(map(cell, row)) for row in table.rows)
    return TableBlock(at, table.caption, table.infobox, rows)


def _spans(text: str, links: Sequence[Link], known: Callable[[str], bool]) -> Iterator[Span]:
    """Cut a text where its links are; one whose words are not in it, in order, is left out."""
    at = 0
    for link in links:
        start = text.find(link.text, at) if link.text else -1
        if start < 0 or not known(link.target):
            continue
        if start > at:
            yield Span(text[at:start])
        at = start + len(link.text)
        yield Span(text[start:at], page_at(link.target))
    if at < len(text):
        yield Span(text[at:])


_SMALL = 5_000
"""Pages of a corpus that is listed by the alphabet; a larger one, in its own order."""
_PER_LIST = 120


class TitleList(Struct, frozen=True):
    """A run of titles."""

    titles: tuple[str, ...]
    start: int
    """Where it starts: how many titles come before, or the number of the page before."""
    following: int | None
    """Where the next one starts."""
    by_alphabet: bool


class Found(Struct, frozen=True):
    """A page that was found, and what it says about what was asked."""

    title: str
    name: str
    opening: str
    """The sentence, item or cell that has most of the query's words."""
    ref: Ref


def list_titles(corpus: Corpus, start: int) -> TitleList:
    """Return the run of titles that starts somewhere."""
    if len(corpus) <= _SMALL:
        titles = sorted((title for _, title in corpus.store.all_titles()), key=_sort_key)
        end = start + _PER_LIST
        more = end if end < len(titles) else None
        return TitleList(tuple(titles[start:end]), start, more, True)
    rows = [row for row, _ in zip(corpus.store.rows(start), range(_PER_LIST), strict=False)]
    last = rows[-1][0] if len(rows) == _PER_LIST else None
    return TitleList(tuple(row[1] for row in rows), start, last, False)


def _sort_key(title: str) -> str:
    return fold(display_title(title))


def describe(corpus: Corpus, found: Iterable[Candidate], query: str) -> Sequence[Found]:
    """Say which sentence of each page is about what was asked; else how the page begins."""
    pages = [corpus.page(one.title) for one in found if one.title in corpus]
    # "of" and "the" are everywhere.
    asked = {word for word in words(query) if len(word) > 3} or set(words(query))
    elements = [
        [(ref, text, asked & set(words(text))) for ref, text in page.elements() if ref.position]
        for page in pages
    ]
    seen = Counter(word for own in elements for _, _, has in own for word in has)
    return [_best(page, own, seen) for page, own in zip(pages, elements, strict=True)]


def _best(
    page: Page, elements: Sequence[tuple[Ref, str, set[str]]], seen: Mapping[str, int]
) -> Found:
    """Take the element with the rarest of the words; of equal ones the first."""

    def weight(has: set[str]) -> float:
        return sum(1 / sqrt(1 + seen[word]) for word in has)

    telling = [one for one in elements if one[0].kind in (Kind.SENTENCE, Kind.ITEM)] or elements
    ref, text, _ = max(
        [*telling, *elements], key=lambda one: weight(one[2]), default=(Ref(page.title), "", set())
    )
    return Found(page.title, page_name(page), text, ref)
