"""The data types: a document and its elements, a claim and its evidence.

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
    """What the evidence says about a claim."""

    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    NOT_ENOUGH_INFO = "NOT ENOUGH INFO"
    NOT_SUPPORTED = "NOT_SUPPORTED"
    """Only in HoVer's gold labels, which do not distinguish refuted and not enough info."""


class Link(Struct, frozen=True, gc=False, array_like=True):
    """A hyperlink: the title of its target, and its anchor text."""

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
    """A position in the user's own files."""

    path: str
    """The file, relative to the indexed folder."""
    page: int | None = None
    """Of a PDF: the page, from 1, as `#page=3` counts them."""


class Page(Struct, frozen=True, gc=False, array_like=True):
    """A document in reading order. The title is spelled as its source spells it.

    The title is also the id: unique, and the same when the document is indexed again. A document's
    title is its path, so it also has a `name` for people.
    """

    title: str
    blocks: tuple[Block, ...] = ()
    aliases: tuple[str, ...] = ()
    disambiguation: bool = False
    source: str = ""
    """Its source: a file name, relative if possible."""
    name: str = ""
    """Its name for people, if the title is only a path; otherwise empty."""
    page_breaks: tuple[int, ...] = ()
    """In a document with page numbers: how many blocks precede each page."""

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(b for b in self.blocks if isinstance(b, Sentence))

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(b for b in self.blocks if isinstance(b, Table))

    def provenance(self, place: int = 0) -> Provenance | None:
        """Locate a block by its index in `blocks`; None if no file is known."""
        if not self.source:
            return None
        if not self.page_breaks:
            return Provenance(self.source)
        return Provenance(self.source, max(bisect_right(self.page_breaks, place), 1))

    def provenance_of(self, ref: Ref) -> Provenance | None:
        """Locate an element in its file."""
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
        """Yield every hyperlink with the element that contains it, in reading order."""
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
    """Another name for a page, from a separate record of the source."""

    alias: str
    target: str


class Claim(Struct, frozen=True, kw_only=True):
    """A statement to check, with its gold label and alternative evidence sets, if known."""

    id: int | str
    text: str
    label: Verdict | None = None
    evidence: tuple[tuple[Ref, ...], ...] = ()
    """Alternatives; the Refs of one inner tuple are needed jointly."""
    hops: int | None = None
    challenge: str = ""
    group: str = ""
    """The group that a split must keep together, such as HoVer's question id."""
    columns: dict[str, str] = {}
    """For a claim from a table: all cells of its row, by column name."""


class Context(Struct, frozen=True, gc=False):
    """What a reader needs to understand a sentence out of context."""

    title: str
    """The page's title, as shown to readers: 'Savages (2012 film)'."""
    section: str = ""
    """The headings down to it, outermost first: 'Career › Early work'."""
    name: str = ""
    """What the sentence's first pronoun refers to, if not the page's subject."""


class Hop(Struct, frozen=True):
    """How a search got from one page to another."""

    page: str
    """The page that was reached."""
    by: Ref
    """The sentence that led to it."""
    how: str
    """By a link in it, by a name in it, or by a full-text search with its words."""


class Shape(StrEnum):
    """The shape of the graph of the pages behind a verdict."""

    SINGLE = "single page"
    CHAIN = "chain"
    """Each leads to the next."""
    STAR = "star"
    """All are connected to one of them."""
    TREE = "tree"
    """They branch in some other way."""
    COMPARISON = "comparison"
    """Some are connected only by the claim, which compares them."""


class Reasoning(Struct, frozen=True):
    """The pages behind a verdict, as a graph; `Report.chain` says how they were reached."""

    shape: Shape
    pages: tuple[str, ...]
    """The pages of the evidence and those on the way to them, each after the page that led to
    it."""
    joins: tuple[Hop, ...] = ()
    """Further connections: evidence that names another page of the graph."""


class Evidence(Struct, frozen=True, kw_only=True):
    """An element that may decide a claim."""

    ref: Ref
    text: str
    context: Context
    score: float
    """Orders the evidence of one claim; not a probability."""
    hop: int = 0
    """0 if the claim itself leads to its page, 1 if other evidence does."""
    cells: tuple[Ref, ...] = ()
    """For a table: its cells; the first one is `ref`."""
    source: Provenance | None = None
    """Its file and, in a PDF, its page."""


class Prediction(Struct, frozen=True, kw_only=True):
    """A system's answer for a claim, with its evidence, best first."""

    id: int | str
    label: Verdict
    evidence: tuple[Ref, ...] = ()
    pages: tuple[str, ...] = ()
    """Further ranked pages, if the format has them."""
    probabilities: dict[Verdict, float] | None = None


class Finding(Evidence, frozen=True, kw_only=True):
    """A piece of evidence, and what it says about the claim when read alone."""

    says: Verdict
    probabilities: dict[Verdict, float]
    decisive: bool = False
    """Without it, the verdict would change."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where its text contradicts the claim: start and end offsets."""

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
        """Make a finding from a piece of evidence."""
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
    """The part of a table behind a verdict, as it is drawn."""

    page: str
    index: int
    caption: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    marked: tuple[tuple[int, int], ...] = ()
    """The cells that were used: row and column within `rows`."""
    left_out: int = 0
    """How many rows of the table are left out."""
    levels: tuple[tuple[str, ...], ...] = ()
    """The rows of the header, outermost first, if it has several; `header` joins them."""
    row_headers: tuple[tuple[int, int], ...] = ()
    """The cells that are headers of their row."""
    merged: tuple[tuple[int, int], ...] = ()
    """The positions that the cell to their left covers too."""
    listed: bool = False
    """Whether it is a list, drawn as a table."""


class Report(Struct, frozen=True, kw_only=True):
    """The result of checking a claim, with what is needed to reproduce it."""

    claim: str
    verdict: Verdict
    probabilities: dict[Verdict, float]
    """Calibrated: of many claims that are SUPPORTED with 0.8, about eight in ten are."""
    evidence: tuple[Finding, ...] = ()
    """The evidence behind the verdict, best first; empty for NOT ENOUGH INFO."""
    sets: tuple[tuple[Ref, ...], ...] = ()
    """Alternatives: each one decides the claim, its Refs read together."""
    against: tuple[Finding, ...] = ()
    """Evidence for the opposite verdict; both sides if sources conflict."""
    considered: tuple[Evidence, ...] = ()
    """All evidence that was judged, best first."""
    open_reason: OpenReason | None = None
    """Why the verdict is NOT ENOUGH INFO."""
    missing: str = ""
    """The part of the claim that no evidence covers, if the claim is partly supported or a chain of
    pages breaks."""
    reasons: tuple[str, ...] = ()
    """For people: what decided the claim, or why nothing did, one sentence each."""
    parts: tuple["Report", ...] = ()
    """The parts of a claim with several facts; its verdict follows from theirs."""
    seconds: dict[str, float] = {}
    """How long each step took; the time of a batch is divided evenly."""
    corpus: str = ""
    """The fingerprint of the corpus."""
    model: str = ""
    """The fingerprint of all weights that can change a verdict."""
    chain: tuple[Hop, ...] = ()
    """How the search reached the pages that the claim does not name, in order."""
    tables: tuple[Excerpt, ...] = ()
    """The tables behind the verdict, with the cells that were used."""
    reasoning: Reasoning | None = None
    """The graph of the pages, for claims over several pages."""
    label_policy: str = "fever"
    """How the probabilities became a verdict: when a claim counts as refuted."""
    leaning: Verdict | None = None
    """If the verdict is too unsure: which one the evidence leans to."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where the evidence contradicts the claim: start and end offsets in the claim."""
    generation: str = ""
    """The state of the corpus: which build, and how many changes followed it."""

    def _repr_html_(self) -> str | None:
        """Render it in a notebook with the function that the entry point `feverfew.display`
        names."""
        from importlib.metadata import entry_points

        found = entry_points(group="feverfew.display", name="Report")
        return str(next(iter(found)).load()(self)) if found else None
