"""Claims beside a table and texts: what the verdict on both kinds of evidence learns from.

Few claims at hand were written for sentences and cells together, so most are made: cells that a
claim names are moved from its table into a sentence; the sentence is dropped, and the claim stays
open, as FEVEROUS makes its open claims; or one kind of evidence says all, and the other nothing.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.judge.reading import Piece
from feverfew.lab.train.feverousclaims import SentenceClaim, read_sentence_claims
from feverfew.lab.train.hybridclaims import hybrid_claims
from feverfew.lab.train.tableclaims import TableClaim
from feverfew.tables.execute import Runner
from feverfew.tables.linking import link
from feverfew.tables.view import TableView, rows_of
from feverfew.types import VIRTUAL_ROW, Cell, Table

__all__ = ["beside_tables", "both_claims", "divided"]

_MOVED, _SAID = 2, 7
"""Rows that are moved into sentences, and cells of each that are said."""


def both_claims(
    data: Path, claims: Sequence[TableClaim], corpus: Corpus | None, count: int, seed: int
) -> list[TableClaim]:
    """Draw so many claims beside both kinds of evidence, a third of them FEVEROUS's own."""
    rng = random.Random(seed)
    hybrid = list(hybrid_claims(data, corpus, seed)) if corpus else []
    sentences = [one for one in read_sentence_claims(data) if one.learned]
    own = rng.sample(list(claims), min(len(claims), count))
    texts = [piece for one in sentences for piece in one.pieces]
    made = [
        *hybrid[: count // 5],
        *beside_tables(rng.sample(sentences, min(len(sentences), count // 3)), own, rng),
    ]
    made += [divided(one, texts, rng) for one in own[: max(0, count - len(made))]]
    return made


def beside_tables(
    sentences: Sequence[SentenceClaim], tables: Sequence[TableClaim], rng: random.Random
) -> Iterator[TableClaim]:
    """Set FEVEROUS's claims beside a table of something else; some with a sentence missing."""
    for one in sentences:
        pieces = list(one.pieces)
        rng.shuffle(pieces)
        label = one.label
        if label == 0 and len(pieces) > 1 and rng.random() < 0.4:
            pieces, label = pieces[1:], 2
        view = rng.choice(tables).view
        yield TableClaim(one.claim, view, label, one.page, tuple(pieces))


def divided(one: TableClaim, texts: Sequence[Piece], rng: random.Random) -> TableClaim:
    """Set a table's claim beside a text: one that says nothing, or what was cells of the table."""
    way = rng.choice(("beside", "moved", "moved", "dropped"))
    part = None if way == "beside" or one.label == 2 else _named(one.claim, one.view)
    if part is None:
        return replace(one, texts=(rng.choice(texts),))
    rows, columns = part
    lacking = _without(one.view, rows, columns)
    if way == "dropped":
        return replace(one, view=lacking, label=2, texts=(rng.choice(texts),))
    return replace(one, view=lacking, texts=_in_sentences(one.view, rows, columns))


Part = tuple[list[int], list[int]]
"""Rows of a table, or columns of an infobox."""


def _named(claim: str, view: TableView) -> Part | None:
    """Find the part of a table that a claim names first; None where it names none, or all."""
    links = link(claim, view)
    if view.height == 1:
        said = sorted(links.columns.values(), key=lambda own: -own.share)
        columns = [own.column for own in said] + [own.condition.column for own in links.cells]
        inner = [at for at in columns if view.places[0][at].row != VIRTUAL_ROW]
        return ([], inner[:1]) if inner and len(view.columns) > 2 else None
    if not links.cells:
        return None
    rows = rows_of(Runner(view).rows(links.cells[0].condition))[:_MOVED]
    return (rows, []) if rows and len(rows) < view.height else None


def _without(view: TableView, rows: Sequence[int], columns: Sequence[int]) -> TableView:
    """Leave out rows, or, of an infobox, columns."""
    kept = [at for at in range(len(view.columns)) if at not in columns]
    if view.height == 1:
        cells = [
            (Cell(at, 0, view.header_of(at), True), Cell(at, 1, view.columns[at].texts[0]))
            for at in kept
            if view.places[0][at].row != VIRTUAL_ROW
        ]
        return TableView.of(Table(0, tuple(cells), view.caption, infobox=True), view.title)
    body = [
        [view.columns[at].texts[row] for at in kept]
        for row in range(view.height)
        if row not in rows
    ]
    heads = [view.columns[at].header for at in kept]
    return TableView.of_rows([heads, *body], view.caption, view.title)


def _in_sentences(
    view: TableView, rows: Sequence[int], columns: Sequence[int]
) -> tuple[Piece, ...]:
    """Say in sentences what cells hold."""
    title = view.title or view.caption or ""
    if columns:
        at = columns[0]
        text = view.columns[at].texts[0]
        return ((title, f"The {view.header_of(at).lower()} of {title} is {text}."),)
    said = []
    for row in rows:
        first, *rest = [column for column in view.columns if column.texts[row].strip()][:_SAID]
        named = ", ".join(f"the {column.header} is {column.texts[row]}" for column in rest)
        said.append((title, f"For {first.header} {first.texts[row]}, {named}."))
    return tuple(said)
