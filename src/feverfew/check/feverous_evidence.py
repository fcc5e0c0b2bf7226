"""List the evidence of a claim as FEVEROUS's score counts it: five sentences, then 25 others."""

from feverfew.check.pipeline import ClaimResult
from feverfew.tables.evidence import CELLS, TableEvidence
from feverfew.text import words
from feverfew.types import Cell, Kind, Ref, Verdict

SENTENCES = 5
_OF_OTHERS = 8
"""Number of cells of each other table: the best is not always the right one, and one claim in
fifteen needs cells of two. Chosen on half of the sample's claims (experiments/tables.md)."""
_HEADERS = 3
_USED = 3
"""Columns whose headers may be needed: those of the best cells."""


def cited_elements(result: ClaimResult) -> tuple[Ref, ...]:
    """List official ids in the order in which they count.

    At most five sentences come first. Then come the 25 other places: list items, the cells of the
    best table, headers and caption that the claim names, cells of other tables.
    """
    sentences = [p.ref for p in result.evidence if p.ref.kind is Kind.SENTENCE][:SENTENCES]
    items = [p.ref for p in result.evidence if p.ref.kind is not Kind.SENTENCE and not p.cells]
    if not result.tables:
        return (*sentences, *items[:CELLS])
    best, *others = result.tables
    used = best.refs(best.cited(result.judgement.verdict is Verdict.SUPPORTED))
    cells = [*used, *best.refs(best.places)] if result.table else best.refs(best.places)
    over = _over(result.claim, best)
    further = [ref for other in others for ref in other.refs(other.places)[:_OF_OTHERS]]
    room = CELLS - len(items) - len(over) - len(further)
    rest = dict.fromkeys((*items, *cells[: max(room, 0)], *over, *further, *cells))
    return (*sentences, *list(rest)[:CELLS])


def _over(claim: str, table: TableEvidence) -> list[Ref]:
    """List the headers of the best cells, and the caption, if the claim has words of theirs."""
    asked = _telling(claim)
    columns = dict.fromkeys(column for _, column in table.places)
    heads = [cell for column in list(columns)[:_USED] for cell in table.view.heads[column]]
    found = table.named([cell for cell in heads if _named(cell, asked)])[:_HEADERS]
    if asked & _telling(table.table.caption):
        found.append(Ref(table.page, Kind.CAPTION, (table.table.index,)))
    return found


def _named(cell: Cell, asked: set[str]) -> bool:
    return bool(asked & _telling(cell.text))


def _telling(text: str) -> set[str]:
    """Return the words that discriminate: not the shortest, which occur everywhere."""
    return {word for word in words(text) if len(word) > 3 or word.isdecimal()}
