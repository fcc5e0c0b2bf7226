"""The sample's claims that need sentences and cells together: whole, and with one kind missing."""

from feverfew.judge.reading import Piece

from feverfew.corpus import Corpus
from feverfew.judge.label_policy import VERDICTS
from feverfew.lab.train.tableclaims import TableClaim
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from feverfew.tables import TableView
from feverfew.text import display_title
from feverfew.types import Claim, Kind, Ref, Table

__all__ = ["sample_sets"]

_CELLS = (Kind.CELL, Kind.HEADER_CELL, Kind.CAPTION)


def sample_sets() -> list[TableClaim]:
    """List each claim three ways: with both kinds, without its sentences, without its table."""
    whole: list[TableClaim] = []
    with Corpus.sample() as corpus:
        for path in sample_claims():
            for claim in read_claims(path, "feverous"):
                whole += _whole(corpus, claim)
    made = list(whole)
    for at, one in enumerate(whole):
        other = whole[(at + 7) % len(whole)]
        made.append(TableClaim(one.claim, one.view, 2, one.table, other.texts))
        made.append(TableClaim(one.claim, other.view, 2, one.table, one.texts))
    return made


def _whole(corpus: Corpus, claim: Claim) -> list[TableClaim]:
    """Return the claim if every gold set holds both kinds, with the first of one table."""
    if not claim.label or claim.label not in VERDICTS[:2]:
        return []
    sets = [
        (tables_of(refs), [r for r in refs if r.kind is Kind.SENTENCE]) for refs in claim.evidence
    ]
    if not all(tables and told for tables, told in sets):
        return []
    for tables, told in sets:
        if len(tables) == 1:
            page, index = next(iter(tables))
            found = corpus.page(page)
            table = next(b for b in found.blocks if isinstance(b, Table) and b.index == index)
            view = TableView.of(table, display_title(found.title))
            texts: list[Piece] = [(display_title(r.page), corpus.element(r)) for r in told]
            label = VERDICTS.index(claim.label)
            return [TableClaim(claim.text, view, label, page, tuple(texts))]
    return []


def tables_of(refs: tuple[Ref, ...]) -> set[tuple[str, int]]:
    return {(ref.page, ref.position[0]) for ref in refs if ref.kind in _CELLS}
