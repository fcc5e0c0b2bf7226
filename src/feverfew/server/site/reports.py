"""Claims and texts that people check on the site, and their reports arranged for reading."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fastapi import Request
from msgspec import Struct

from feverfew.check.documents import Passage, passages
from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.render.check_html import CheckedPassage
from feverfew.render.excerpts import apart
from feverfew.render.wording import FACES, Face, Piece, also_read, groups
from feverfew.server.service import State
from feverfew.types import Evidence, Excerpt, ItemList, Kind, Page, Ref, Report, Sentence

__all__ = [
    "LONGEST_CLAIM",
    "LONGEST_TEXT",
    "Card",
    "CardGroup",
    "Shown",
    "Wanted",
    "arrange",
    "check",
    "pages_of",
    "parse",
    "shown",
]

LONGEST_CLAIM = 2_000
"""Letters that fit into an address, and so into a permalink."""
LONGEST_TEXT = 1_000_000
_MOST_SENTENCES = 64
_LONG = 100
"""Sentences beyond which evidence is shown without its neighbours."""


class Wanted(Struct, frozen=True):
    """A text, and its passages if it is read sentence by sentence."""

    text: str
    passages: tuple[Passage, ...] = ()

    @property
    def claims(self) -> list[str]:
        """What has to be checked."""
        if not self.passages:
            return [self.text]
        return [one.claim for one in self.passages if not one.skipped]


class Arranged(Struct, frozen=True):
    """A passage with what was found, as it is shown; None where it was skipped."""

    checked: CheckedPassage
    shown: "Shown | None"


def parse(text: str, reading: str = "", most: int = _MOST_SENTENCES) -> Wanted:
    """Decide how to read a text: `reading` is claim, sentences, or "" for what fits it."""
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise InputError("there is nothing to check: write a sentence, or paste a text")
    if len(text) > LONGEST_TEXT:
        raise InputError(
            f"the text has {len(text):,} characters, and up to {LONGEST_TEXT:,} are checked here; "
            "send it in parts, or use 'feverfew check --document', which has no such limit"
        )
    if reading == "claim":
        return _one(text)
    found = tuple(passages(text))
    if len(found) <= 1 and reading != "sentences":
        return _one(text)
    wanted = Wanted(text, found)
    if len(wanted.claims) > most:
        raise InputError(
            f"the text has {len(wanted.claims):,} sentences to check, and up to {most:,} are "
            "checked here; send it in parts, or use 'feverfew check --document', which has no such "
            "limit"
        )
    return wanted


def _one(text: str) -> Wanted:
    if len(text) > LONGEST_CLAIM:
        raise InputError(
            f"a claim may have {LONGEST_CLAIM:,} characters; this one has {len(text):,}"
        )
    return Wanted(text)


async def check(request: Request, wanted: Wanted) -> list[Report]:
    """Check what is wanted; a report for each claim, in order."""
    state = State.of(request)
    claims = wanted.claims
    state.note(request, claims=len(claims))
    if not claims:
        return []
    async with asyncio.timeout(state.seconds):
        reports = await state.service.check(claims)
    state.metrics.verdicts(report.verdict for report in reports)
    return reports


async def arrange(
    request: Request, wanted: Wanted, reports: Sequence[Report]
) -> "tuple[Arranged, ...] | Shown":
    """Arrange reports for reading: one, or those of a text's passages."""
    service = State.of(request).service
    titles = tuple(dict.fromkeys(pages_of(reports)))
    pages = await service.read(lambda corpus: _pages(corpus, titles))
    if not wanted.passages:
        return shown(reports[0], pages)
    rest = iter(reports)
    made = []
    for passage in wanted.passages:
        report = None if passage.skipped else next(rest)
        own = None if report is None else shown(report, pages)
        made.append(Arranged(CheckedPassage(passage, report), own))
    return tuple(made)


async def arrange_long(
    request: Request, wanted: Wanted, reports: Sequence[Report]
) -> "tuple[Arranged, ...]":
    """Arrange the reports of a document; those of a very long one briefly."""
    if len(reports) <= _LONG and wanted.passages:
        made = await arrange(request, wanted, reports)
        assert isinstance(made, tuple)
        return made
    rest = iter(reports)
    passages = wanted.passages or (Passage(wanted.text, 0, len(wanted.text), wanted.text, ""),)
    found = []
    for passage in passages:
        report = None if passage.skipped else next(rest)
        own = None if report is None else shown(report, {})
        found.append(Arranged(CheckedPassage(passage, report), own))
    return tuple(found)


def _pages(corpus: Corpus, titles: Sequence[str]) -> Mapping[str, Page]:
    return {title: corpus.page(title) for title in titles if title in corpus}


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
