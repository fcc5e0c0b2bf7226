"""The nouns: a document and its elements, a claim and its evidence.

All are frozen values. They are stored as compact arrays (`array_like`), so the order of
their fields is part of the corpus format: add fields at the end only. None can be part of a
cycle, so Python's collector need not watch them (`gc=False`), which makes reading faster.
"""

from bisect import bisect_right
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from feverfew.refs import Kind, Ref

__all__ = [
    "VIRTUAL_ROW",
    "Block",
    "Cell",
    "Claim",
    "Context",
    "Evidence",
    "Excerpt",
    "Finding",
    "Hop",
    "ItemList",
    "Kind",
    "Link",
    "ListItem",
    "OpenReason",
    "Page",
    "Prediction",
    "Provenance",
    "Reasoning",
    "Redirect",
    "Ref",
    "Report",
    "Section",
    "Sentence",
    "Shape",
    "Table",
    "Verdict",
]


class Verdict(StrEnum):
    """What the evidence says of a claim."""

    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    NOT_ENOUGH_INFO = "NOT ENOUGH INFO"
    NOT_SUPPORTED = "NOT_SUPPORTED"
    """Only in HoVer's gold labels, which do not tell refuted from open."""


class Link(Struct, frozen=True, gc=False, array_like=True):
    """A hyperlink: the title of the page it leads to, and the words that carry it."""

    target: str
    text: str


class Section(Struct, frozen=True, gc=False, array_like=True, tag=0):
    """A heading; level 1 is the outermost below the title."""

    index: int
    text: str
    level: int = 1


class Sentence(Struct, frozen=True, gc=False, array_like=True, tag=1):
    """A sentence; its index is its official line number, so numbers may have gaps."""

    index: int
    text: str
    links: tuple[Link, ...] = ()


VIRTUAL_ROW = -1
"""The row of a cell that its table does not have: an infobox's title, a list's heading."""


class Cell(Struct, frozen=True, gc=False, array_like=True):
    """A table cell; row and column are those of its official id."""

    row: int
    column: int
    text: str
    header: bool = False
    row_span: int = 1
    column_span: int = 1
    links: tuple[Link, ...] = ()


class Table(Struct, frozen=True, gc=False, array_like=True, tag=2):
    """A table or an infobox: rows as written, spans not expanded."""

    index: int
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    infobox: bool = False

    def ref(self, page: str, cell: Cell) -> Ref:
        """Address one of its cells."""
        kind = Kind.HEADER_CELL if cell.header else Kind.CELL
        return Ref(page, kind, (self.index, cell.row, cell.column))


class ListItem(Struct, frozen=True, gc=False, array_like=True):
    """One item of a list; level 0 is the outermost."""

    index: int
    text: str
    level: int = 0
    links: tuple[Link, ...] = ()


class ItemList(Struct, frozen=True, gc=False, array_like=True, tag=3):
    """A bulleted or numbered list, nested by its items' levels."""

    index: int
    items: tuple[ListItem, ...]
    ordered: bool = False


Block = Section | Sentence | Table | ItemList

_KINDS: dict[Kind, type[Block]] = {
    Kind.SENTENCE: Sentence,
    Kind.SECTION: Section,
    Kind.CELL: Table,
    Kind.HEADER_CELL: Table,
    Kind.CAPTION: Table,
    Kind.ITEM: ItemList,
}


class Provenance(Struct, frozen=True, gc=False):
    """Where in the user's own files something stands."""

    path: str
    """The file, relative to what was indexed."""
    page: int | None = None
    """Of a PDF: the page, from 1, as `#page=3` counts them."""


class Page(Struct, frozen=True, gc=False, array_like=True):
    """A document in reading order. The title is spelled as its source spells it.

    The title is also the id: unique, and the same when the document is indexed again. A document's
    is its path, so it has a `name` beside: what people call it.
    """

    title: str
    blocks: tuple[Block, ...] = ()
    aliases: tuple[str, ...] = ()
    disambiguation: bool = False
    source: str = ""
    """Where it came from: a file's name, relative where possible."""
    name: str = ""
    """What people call it, where the title is only an address; else empty."""
    page_breaks: tuple[int, ...] = ()
    """Of a document with page numbers: how many blocks come before each of its pages."""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(b for b in self.blocks if isinstance(b, Sentence))

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(b for b in self.blocks if isinstance(b, Table))

    def provenance(self, place: int = 0) -> Provenance | None:
        """Say where a block stands, by its place among `blocks`; None if no file is known."""
        if not self.source:
            return None
        if not self.page_breaks:
            return Provenance(self.source)
        return Provenance(self.source, max(bisect_right(self.page_breaks, place), 1))

    def provenance_of(self, ref: Ref) -> Provenance | None:
        """Say where an element stands."""
        for place, block in enumerate(self.blocks if self.page_breaks else ()):
            if _KINDS.get(ref.kind) is type(block) and ref.position[:1] == (block.index,):
                return self.provenance(place)
        return self.provenance()

    def texts(self) -> Iterator[str]:
        """Yield the text of every element below the title, in reading order."""
        for block in self.blocks:
            match block:
                case Sentence() | Section():
                    yield block.text
                case Table():
                    yield block.caption
                    for row in block.rows:
                        yield from (cell.text for cell in row)
                case ItemList():
                    yield from (item.text for item in block.items)

    def elements(self) -> Iterator[tuple[Ref, str]]:
        """Yield every addressable element with its text, in reading order."""
        yield Ref(self.title), self.title
        for block in self.blocks:
            match block:
                case Section():
                    yield Ref(self.title, Kind.SECTION, (block.index,)), block.text
                case Sentence():
                    yield Ref(self.title, Kind.SENTENCE, (block.index,)), block.text
                case Table():
                    if block.caption:
                        yield Ref(self.title, Kind.CAPTION, (block.index,)), block.caption
                    for row in block.rows:
                        for cell in row:
                            yield block.ref(self.title, cell), cell.text
                case ItemList():
                    for item in block.items:
                        yield Ref(self.title, Kind.ITEM, (block.index, item.index)), item.text

    def links(self) -> Iterator[tuple[Ref, Link]]:
        """Yield every hyperlink with the element that carries it, in reading order."""
        for block in self.blocks:
            match block:
                case Sentence():
                    for link in block.links:
                        yield Ref(self.title, Kind.SENTENCE, (block.index,)), link
                case Table():
                    for row in block.rows:
                        for cell in row:
                            for link in cell.links:
                                yield block.ref(self.title, cell), link
                case ItemList():
                    for item in block.items:
                        for link in item.links:
                            yield Ref(self.title, Kind.ITEM, (block.index, item.index)), link


class Redirect(Struct, frozen=True, gc=False, array_like=True):
    """Another name for a page, found in the source as a record of its own."""

    alias: str
    target: str


class Claim(Struct, frozen=True, kw_only=True):
    """A statement to check; with its gold label and alternative evidence sets where known."""

    id: int | str
    text: str
    label: Verdict | None = None
    evidence: tuple[tuple[Ref, ...], ...] = ()
    """Alternatives; the Refs of one inner tuple are needed jointly."""
    hops: int | None = None
    challenge: str = ""
    group: str = ""
    """What a fair split keeps together: HoVer's question id, for example."""
    columns: dict[str, str] = {}
    """Of a claim in a table: all cells of its row, by their column's name."""


class Context(Struct, frozen=True, gc=False):
    """What a reader must know to understand a sentence that stands alone."""

    title: str
    """The page's, as a reader expects it: 'Savages (2012 film)'."""
    section: str = ""
    """The headings down to it, outermost first: 'Career › Early work'."""
    name: str = ""
    """Whom or what the sentence's first pronoun means, where that is not the page's subject."""


class Hop(Struct, frozen=True):
    """How a search came from one page to another."""

    page: str
    """The page that was reached."""
    by: Ref
    """The sentence that led to it."""
    how: str
    """By a link in it, by a name in it, or by its words in a search of the text."""


class Shape(StrEnum):
    """How the pages that a verdict rests on hang together."""

    SINGLE = "single page"
    CHAIN = "chain"
    """Each leads to the next."""
    STAR = "star"
    """All hang on one of them."""
    TREE = "tree"
    """They branch in some other way."""
    COMPARISON = "comparison"
    """Some are joined by nothing but the claim, which lays them side by side."""


class Reasoning(Struct, frozen=True):
    """The pages that a verdict rests on, as a graph; how they were reached is the chain."""

    shape: Shape
    pages: tuple[str, ...]
    """Those of the evidence and those on the way to them, each after what led to it."""
    joins: tuple[Hop, ...] = ()
    """Where evidence names a page that the search did not need it for."""


class Evidence(Struct, frozen=True, kw_only=True):
    """An element that may settle a claim."""

    ref: Ref
    text: str
    context: Context
    score: float
    """Orders the evidence of one claim; not a probability."""
    hop: int = 0
    """0 where the claim itself leads to its page, 1 where other evidence names the page."""
    cells: tuple[Ref, ...] = ()
    """Of a table: the cells that it consists of, the first of which is `ref`."""
    source: Provenance | None = None
    """The file that it stands in, and the page of a PDF."""


class Prediction(Struct, frozen=True, kw_only=True):
    """What a system says of a claim, in the order in which it ranks its evidence."""

    id: int | str
    label: Verdict
    evidence: tuple[Ref, ...] = ()
    pages: tuple[str, ...] = ()
    """Pages ranked beyond those of the evidence, where the format has them."""
    probabilities: dict[Verdict, float] | None = None


class Finding(Evidence, frozen=True, kw_only=True):
    """A piece of evidence, and what it says of the claim when it is read alone."""

    says: Verdict
    probabilities: dict[Verdict, float]
    decisive: bool = False
    """Without it, the verdict would be another."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where its text contradicts the claim: starts and ends."""

    @classmethod
    def of(
        cls,
        piece: Evidence,
        says: Verdict,
        probabilities: dict[Verdict, float],
        *,
        decisive: bool = False,
        marks: tuple[tuple[int, int], ...] = (),
    ) -> "Finding":
        """Say what a piece of evidence says."""
        own = {name: getattr(piece, name) for name in Evidence.__struct_fields__}
        return cls(**own, says=says, probabilities=probabilities, decisive=decisive, marks=marks)


class OpenReason(StrEnum):
    """Why the answer is NOT ENOUGH INFO."""

    NOT_A_CLAIM = "not a statement that can be checked"
    NO_PAGE = "no page found"
    SILENT = "pages found, but silent"
    PARTLY = "partly supported"
    CONFLICT = "sources in conflict"
    UNSURE = "too unsure"


class Excerpt(Struct, frozen=True, kw_only=True):
    """The part of a table that a verdict rests on, as it is drawn."""

    page: str
    index: int
    caption: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    marked: tuple[tuple[int, int], ...] = ()
    """The cells that were used: row and column among those here."""
    left_out: int = 0
    """How many rows of the table are not here."""
    levels: tuple[tuple[str, ...], ...] = ()
    """The header's own rows, outermost first, where it has any; `header` joins them."""
    row_headers: tuple[tuple[int, int], ...] = ()
    """The cells here that are headers of their row."""
    merged: tuple[tuple[int, int], ...] = ()
    """The places here that the cell to their left covers too."""
    listed: bool = False
    """Whether it is a list, drawn as a table."""


class Report(Struct, frozen=True, kw_only=True):
    """What was found about a claim, and enough to find it again."""

    claim: str
    verdict: Verdict
    probabilities: dict[Verdict, float]
    """Calibrated: of many claims said to be SUPPORTED with 0.8, eight in ten are."""
    evidence: tuple[Finding, ...] = ()
    """What the verdict rests on, best first; empty where the claim is left open."""
    sets: tuple[tuple[Ref, ...], ...] = ()
    """Alternatives: each settles the claim by itself, its Refs read together."""
    against: tuple[Finding, ...] = ()
    """What speaks for the opposite; both sides are here where sources conflict."""
    considered: tuple[Evidence, ...] = ()
    """All that was judged, best first, whatever it says."""
    open_reason: OpenReason | None = None
    """Why the claim is left open, where it is."""
    missing: str = ""
    """The part of the claim that nothing speaks of: where it is partly supported, and where a
    chain of pages breaks."""
    reasons: tuple[str, ...] = ()
    """For people: what settled it, or what stands in the way, a sentence each."""
    parts: tuple["Report", ...] = ()
    """The parts of a claim that says several things; the whole follows from them."""
    seconds: dict[str, float] = {}
    """How long each step took; claims checked together share their time evenly."""
    corpus: str = ""
    """The fingerprint of the corpus."""
    model: str = ""
    """The fingerprint of the encoder and of what weighs its answers, over tables too."""
    chain: tuple[Hop, ...] = ()
    """How the pages of the evidence were reached that the claim does not name, in order."""
    tables: tuple[Excerpt, ...] = ()
    """The tables that the verdict rests on, with the cells that were used."""
    reasoning: Reasoning | None = None
    """The graph of the pages, where they were searched in rounds."""
    label_policy: str = "fever"
    """How the probabilities became a verdict: when a claim counts as refuted."""
    leaning: Verdict | None = None
    """Where the answer is too unsure: what it leans to."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where the evidence contradicts the claim: starts and ends in the claim."""
    generation: str = ""
    """The state of the corpus: which build, and how many changes followed it."""

    def _repr_html_(self) -> str | None:
        """Let a notebook draw it with whatever the entry point `feverfew.display` names."""
        from importlib.metadata import entry_points

        found = entry_points(group="feverfew.display", name="Report")
        return str(next(iter(found)).load()(self)) if found else None
