"""A report as the page shows it: evidence between its neighbours, tables, what else was read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from feverfew.render.excerpts import apart
from feverfew.render.wording import FACES, Face, Piece, also_read, groups
from feverfew.types import Evidence, Excerpt, ItemList, Kind, Page, Ref, Report, Sentence

__all__ = ["Card", "CardGroup", "Shown", "pages_of", "shown"]


class Card(Struct, frozen=True):
    """A piece of evidence, and what stands before and after it on its page."""

    piece: Piece
    face: Face | None
    before: str = ""
    after: str = ""

    @property
    def evidence(self) -> Evidence:
        """The piece itself."""
        return self.piece.evidence


class CardGroup(Struct, frozen=True):
    """Cards under one heading; "" where they are what the verdict rests on."""

    heading: str
    cards: tuple[Card, ...]


class Shown(Struct, frozen=True):
    """A report, arranged."""

    report: Report
    face: Face
    groups: tuple[CardGroup, ...]
    tables: tuple[tuple[Excerpt, tuple[Piece, ...]], ...]
    others: tuple[Card, ...]
    parts: tuple["Shown", ...]


def pages_of(reports: Iterable[Report]) -> Iterator[str]:
    """Name the pages whose texts a page of reports shows."""
    for report in reports:
        for finding in (*report.evidence, *report.against):
            yield finding.ref.page
        for piece in report.considered:
            yield piece.ref.page
        yield from pages_of(report.parts)


def shown(report: Report, pages: Mapping[str, Page]) -> Shown:
    """Arrange a report; `pages` has the pages that evidence is on, as far as they are at hand."""
    found = groups(report)
    _, drawn = apart(report, [piece for group in found for piece in group.pieces])
    cards = (
        CardGroup(group.heading, tuple(_cards(apart(report, group.pieces)[0], pages)))
        for group in found
    )
    return Shown(
        report,
        FACES[report.verdict],
        tuple(group for group in cards if group.cards),
        tuple((excerpt, tuple(pieces)) for excerpt, pieces in drawn.items()),
        tuple(_cards(also_read(report), pages)),
        tuple(shown(part, pages) for part in report.parts),
    )


def _cards(pieces: Sequence[Piece], pages: Mapping[str, Page]) -> Iterator[Card]:
    for piece in pieces:
        face = FACES[piece.says] if piece.says else None
        before, after = _neighbours(piece.evidence.ref, pages.get(piece.evidence.ref.page))
        yield Card(piece, face, before, after)


def _neighbours(ref: Ref, page: Page | None) -> tuple[str, str]:
    """Return what a reader of the page sees right before and after an element."""
    if page is None or ref.kind not in (Kind.SENTENCE, Kind.ITEM):
        return "", ""
    line = _line(ref, page)
    for place, (position, _) in enumerate(line):
        if position == ref.position:
            before = line[place - 1][1] if place else ""
            return before, line[place + 1][1] if place + 1 < len(line) else ""
    return "", ""


def _line(ref: Ref, page: Page) -> list[tuple[tuple[int, ...], str]]:
    """List the elements among which one stands: the sentences up to a heading, or the list."""
    line: list[tuple[tuple[int, ...], str]] = []
    for block in page.blocks:
        if isinstance(block, Sentence):
            if ref.kind is Kind.SENTENCE:
                line.append(((block.index,), block.text))
        elif isinstance(block, ItemList) and ref.kind is Kind.ITEM:
            if block.index == ref.position[0]:
                return [((block.index, item.index), item.text) for item in block.items]
        else:
            if any(position == ref.position for position, _ in line):
                return line
            line = []
    return line
