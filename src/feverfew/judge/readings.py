"""What the encoders say of a claim and its evidence: each piece alone, and the best few together.

The small encoder reads every piece. The large one, where the model has one, reads what decides:
the best pieces alone, and the sets that may decide together. Without it, the small one does.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.models.encoder import CELLS, CHAIN, TEXT, PairReader
from feverfew.models.inputs import linearise, plain
from feverfew.tables.programs import ProgramVotes

__all__ = ["Piece", "Readings", "read"]

Array = NDArray[np.float32]

_ALONE = 4
"""Pieces that the large encoder reads alone: the best ranked, and those that say most."""
_FEW, _FEWER = 5, 3
"""How many of the best pieces are read together."""
_PAGES = 4
_BESIDE_TABLE = 2
"""Sentences that are read together with a table."""


class Piece(Struct, frozen=True):
    """A piece of evidence as the judge reads it: a sentence, or some cells of a table in words."""

    title: str
    """The page's; empty where it is unknown, and for cells, whose text names it."""
    text: str
    votes: ProgramVotes | None = None
    """Of cells: what the programs over their table say of the claim."""
    section: str = ""
    """The heading that a sentence stands under."""
    place: int = 0
    """Where on its page it stands: sentences of one page are read in their order."""


class Readings(Struct, frozen=True):
    """A claim with its evidence, read. Rows of logits are S, R, N; NaN where not read."""

    claim: str
    pieces: list[Piece]
    """Best first."""
    texts: list[str]
    """Each piece as it was read."""
    small: Array
    relevance: Array
    """A logit for each piece: does it matter to the claim at all?"""
    close: Array
    """What the encoder that decides says of each piece."""
    sets: list[tuple[int, ...]]
    """Which pieces were read together; the first set is the main one."""
    close_sets: Array
    by_large: bool
    """Whether that is the large encoder."""

    @property
    def deciding(self) -> list[int]:
        """The pieces that may decide a claim: those that were read closely."""
        return np.flatnonzero(~np.isnan(self.close[:, 0])).tolist()

    def only(self, at: int) -> "Readings":
        """Take one piece, as if it were all the evidence."""
        kept = slice(at, at + 1)
        return Readings(
            self.claim,
            self.pieces[kept],
            self.texts[kept],
            self.small[kept],
            self.relevance[kept],
            self.close[kept],
            [],
            np.zeros((0, 3), np.float32),
            self.by_large,
        )

    def of_set(self, number: int) -> "Readings":
        """Take one set, as if its pieces were all the evidence."""
        kept = list(self.sets[number])
        return Readings(
            self.claim,
            [self.pieces[at] for at in kept],
            [self.texts[at] for at in kept],
            self.small[kept],
            self.relevance[kept],
            self.close[kept],
            [tuple(range(len(kept)))],
            self.close_sets[number : number + 1],
            self.by_large,
        )

    def text_of(self, pieces: Sequence[int], *, sections: bool = True) -> str:
        """Write pieces as one text, as they are read together.

        Only the large encoder has learned to read headings of sections beside titles.
        """
        return _together([self.pieces[at] for at in pieces], sections=sections)


def read(
    small: PairReader,
    large: PairReader | None,
    claims: Sequence[str],
    evidence: Sequence[Sequence[Piece]],
) -> list[Readings]:
    """Read many claims, each with its own pieces, best first; one batch for all of them."""
    pieces = [list(own) for own in evidence]
    texts = [[_together([piece]) for piece in own] for own in pieces]
    spoken = [plain(claim) for claim in claims]
    logits = small.logits(
        [(claim, text) for claim, own in zip(spoken, texts, strict=True) for text in own]
    )
    readings, at = [], 0
    for claim, own, written in zip(claims, pieces, texts, strict=True):
        alone = logits[at : at + len(own)]
        at += len(own)
        heads = np.array([CELLS if piece.votes else TEXT for piece in own], int).reshape(-1, 4)
        says = np.take_along_axis(alone, heads[:, :3], 1)
        sets = _sets(own)
        readings.append(
            Readings(
                claim,
                own,
                written,
                says,
                alone[:, 3],
                says if large is None else np.full((len(own), 3), np.nan, np.float32),
                sets,
                np.full((len(sets), 3), np.nan, np.float32),
                large is not None,
            )
        )
    _read_closely(small, large, readings)
    return readings


def _read_closely(
    small: PairReader, large: PairReader | None, readings: Sequence[Readings]
) -> None:
    """Let the encoder that decides read the best pieces and sets; fills the arrays."""
    places: list[tuple[Array, int, list[int]]] = []
    asked: list[tuple[str, str]] = []
    for one in readings:
        claim = plain(one.claim)
        for at in _to_read(one) if large and one.pieces else ():
            places.append((one.close, at, TEXT))
            asked.append((claim, one.text_of([at])))
        for number in _main_sets(one.sets):
            head = TEXT if large else _set_head(one.pieces, one.sets[number])
            places.append((one.close_sets, number, head))
            asked.append((claim, one.text_of(one.sets[number], sections=large is not None)))
    for (array, at, head), row in zip(places, (large or small).logits(asked), strict=True):
        array[at] = row[head[:3]]


def _to_read(one: Readings) -> list[int]:
    """Choose the pieces to read alone: tables, the first two, and those that say most."""
    tables = [at for at, piece in enumerate(one.pieces) if piece.votes]
    says = np.minimum(one.small[:, :2] - one.small[:, 2:], one.relevance[:, None])
    order = [0, 1, *says.argmax(0).tolist(), *np.argsort(-says.max(1), kind="stable").tolist()]
    chosen = [at for at in dict.fromkeys(order) if at < len(one.pieces) and at not in tables]
    return [*chosen[:_ALONE], *tables]


def _main_sets(sets: Sequence[tuple[int, ...]]) -> list[int]:
    """Choose the sets to read: the main one, and, of several rounds, the best of each page."""
    return sorted({0, len(sets) - 1}) if sets else []


def _sets(pieces: Sequence[Piece]) -> list[tuple[int, ...]]:
    """List the sets that are read together: the best; of many, also the best of each page."""
    every = tuple(range(len(pieces)))
    tables = tuple(at for at, piece in enumerate(pieces) if piece.votes)
    if len(every) < 2:
        return []
    if tables and len(every) <= _FEW + 1:  # more sentences would leave no room for the table
        sentences = tuple(at for at in every if at not in tables)
        return [(*sentences[:_BESIDE_TABLE], *tables)]
    if len(every) <= _FEW:
        return [every]
    first: dict[str, int] = {}
    for at, piece in enumerate(pieces):
        first.setdefault(piece.title or piece.text, at)
    of_pages = tuple(first.values())[:_PAGES]
    return list(dict.fromkeys([every[:_FEW], every[:_FEWER], of_pages]))


def _set_head(pieces: Sequence[Piece], chosen: Sequence[int]) -> list[int]:
    """Choose the small encoder's head: sentences of several pages have one of their own."""
    titles = {pieces[at].title for at in chosen}
    return CHAIN if len(pieces) > _FEW + 1 and len(titles) > 1 else TEXT


def _together(pieces: Sequence[Piece], *, sections: bool = False) -> str:
    """Write pieces as one text: sentences under their titles, then cells."""
    own = sorted((p for p in pieces if p.votes is None), key=lambda p: p.place)
    pages = {title: at for at, title in enumerate(dict.fromkeys(p.title for p in pieces))}
    own.sort(key=lambda p: pages[p.title])  # pages stay in the order of their best pieces
    sentences = linearise([(_heading(p) if sections else p.title, p.text) for p in own])
    return " | ".join(part for part in (sentences, *(p.text for p in pieces if p.votes)) if part)


def _heading(piece: Piece) -> str:
    return ", ".join(part for part in (piece.title, piece.section) if part)
