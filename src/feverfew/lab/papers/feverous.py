"""Run FEVEROUS's baseline (Aly et al., 2021): pages, sentences and tables, cells, a verdict.

Every step is a named part, and ours can stand in its place: `cells` are those that the labeller
calls needed (`labelled`), its 25 likeliest (`ranked`), or our own choice (`ours`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from feverfew.check.checker import Checker
from feverfew.check.verify import predict
from feverfew.corpus.tables import tables_of
from feverfew.errors import NotFound
from feverfew.judge import VERDICTS, Judge, Probabilities
from feverfew.judge.label_policy import FEVER, LabelPolicy, label_policy
from feverfew.judge.reading import Piece
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.feverouslearning import cell_labeller, verdict_network
from feverfew.lab.papers.nearesttables import TfIdfTables
from feverfew.lab.papers.withcontext import evidence_at, of_page, written
from feverfew.tables import TableView
from feverfew.tables.cells import CELLS, Cells
from feverfew.tables.search import CorpusTables, TableHit
from feverfew.text import display_title
from feverfew.types import VIRTUAL_ROW, Cell, Claim, Evidence, Kind, Page, Prediction, Ref

if TYPE_CHECKING:
    from feverfew.lab.papers.systems import Runner

__all__ = ["EXTRACTORS", "answer", "as_pieces"]

EXTRACTORS = ("labelled", "ranked", "ours")
_AT_ONCE = 32
_SURE = {"majority": 0, "open": 2}


class _Found(Struct, frozen=True):
    evidence: list[list[Evidence]]
    pages: list[tuple[str, ...]]
    """Ranked, where nothing else was asked for."""


def answer(lab: "Runner", system: System, claims: Sequence[Claim]) -> list[Prediction]:
    """Answer claims with a system; without a judge, with what it found."""
    whole = (system.retrieve, system.select, system.cells, system.judge, system.evidence)
    if whole == ("ours", "ours", "ours", "ours", "found"):
        return _by_our_checker(lab, system, claims)
    found = _looked_up(lab, system, claims)
    evidence, pages = found.evidence, found.pages
    if not system.judge:
        shares: list[Probabilities] = [(0.0, 0.0, 1.0)] * len(claims)
        rule: LabelPolicy = FEVER
    else:
        shares, rule = _judged(lab, system, claims, evidence)
    return [
        Prediction(
            id=claim.id,
            label=rule.verdict(own),
            evidence=tuple(piece.ref for piece in pieces),
            pages=titles,
            probabilities=dict(zip(VERDICTS, own, strict=True)),
        )
        for claim, own, pieces, titles in zip(claims, shares, evidence, pages, strict=True)
    ]


def _looked_up(lab: "Runner", system: System, claims: Sequence[Claim]) -> _Found:
    """Take gold evidence, or find some; systems that differ in their judge alone share it."""
    if system.evidence == "gold":
        gold = [evidence_at(lab.world.corpus, claim.evidence[0]) for claim in claims]
        return _Found(gold, [()] * len(claims))
    plain = System()
    shaped = replace(
        system, judge="", learn=plain.learn, sampling=plain.sampling, titles=plain.titles
    )
    key = (shaped, lab.own(shaped), [claim.id for claim in claims], lab.world.fingerprint)
    return lab.cache.value("evidence", key, _Found, lambda: _find(lab, system, claims))


def _by_our_checker(lab: "Runner", system: System, claims: Sequence[Claim]) -> list[Prediction]:
    checker = Checker(lab.world.corpus, Judge.open(reading="feverous"), tables=system.tables)
    starts = range(0, len(claims), _AT_ONCE)
    groups = (claims[start : start + _AT_ONCE] for start in starts)
    return [said for group in groups for said in predict(checker, group, "feverous")]


def _find(lab: "Runner", system: System, claims: Sequence[Claim]) -> _Found:
    """Find sentences and cells; tables alone are named by their captions."""
    texts = [claim.text for claim in claims]
    evidence: list[list[Evidence]] = [[] for _ in claims]
    titles: list[tuple[str, ...]] = [()] * len(claims)
    if system.evidence == "gold-tables":
        hits = [_gold_tables(lab, claim) for claim in claims]
    else:
        pages = lab.pages(system, claims)
        titles = [tuple(page.title for page in own) for own in pages]
        if system.select:
            evidence = lab.sentences(system, claims, pages)
            titles = [()] * len(claims)
        search = TfIdfTables(lab.world.corpus)
        ours = CorpusTables.open(lab.world.corpus) if system.retrieve == "ours" else None
        hits = (ours or search).find(texts, pages, system.tables)
    if any(hits):
        shown = _cells(lab, system, texts, hits) if system.cells else map(_captions, hits)
        evidence = [[*own, *cells] for own, cells in zip(evidence, shown, strict=True)]
    return _Found(evidence, titles)


def _cells(
    lab: "Runner", system: System, claims: Sequence[str], hits: Sequence[Sequence[TableHit]]
) -> list[list[Evidence]]:
    if system.cells not in EXTRACTORS:
        known = ", ".join(EXTRACTORS)
        raise NotFound(f"no choice of cells is called {system.cells!r}; there are {known}")
    if system.cells == "ours":
        ours = Cells.open()
        return [
            _best([(hit, *chosen) for hit in own for chosen in _ours(ours, claim, hit)])
            for claim, own in zip(claims, hits, strict=True)
        ]
    labeller = cell_labeller(lab)
    least = labeller.threshold if system.cells == "labelled" else 0.0
    return [
        _best(
            [
                (hit, cell, share)
                for hit in own
                for cell, share in labeller.shares(claim, hit.table)
                if share >= least
            ]
        )
        for claim, own in zip(claims, hits, strict=True)
    ]


def _ours(cells: Cells, claim: str, hit: TableHit) -> list[tuple[Cell, float]]:
    view = TableView.of(hit.table, display_title(hit.page.title))
    chosen = cells.choose([claim], [view])[0]
    placed = [(view.places[one.row][one.column], one.score) for one in chosen]
    return [(cell, score) for cell, score in placed if cell.row != VIRTUAL_ROW]


def _best(chosen: Sequence[tuple[TableHit, Cell, float]]) -> list[Evidence]:
    """Keep the likeliest cells of all tables, as many as FEVEROUS's score counts."""
    best = sorted(chosen, key=lambda one: -one[2])[:CELLS]
    named: dict[Ref, tuple[Page, float]] = {}
    for hit, cell, score in best:
        named.setdefault(hit.table.ref(hit.page.title, cell), (hit.page, score))
    pages = {page.title: page for page, _ in named.values()}
    read = {
        piece.ref: piece
        for title, page in pages.items()
        for piece in of_page(page, [ref for ref in named if ref.page == title])
    }
    return [replace(read[ref], score=score) for ref, (_, score) in named.items()]


def _captions(hits: Sequence[TableHit]) -> list[Evidence]:
    refs = [(hit, Ref(hit.page.title, Kind.CAPTION, (hit.table.index,))) for hit in hits]
    return [piece for hit, ref in refs for piece in of_page(hit.page, [ref], hit.score)]


def _gold_tables(lab: "Runner", claim: Claim) -> list[TableHit]:
    """Take the tables that hold a claim's cells."""
    wanted = dict.fromkeys(
        (ref.page, ref.position[0])
        for ref in (claim.evidence[0] if claim.evidence else ())
        if ref.kind in (Kind.CELL, Kind.HEADER_CELL)
    )
    found = []
    for title, index in wanted:
        page = lab.world.corpus.page(title)
        found += [TableHit(page, one, 0.0) for one in tables_of(page) if one.table.index == index]
    return found


def _judged(
    lab: "Runner",
    system: System,
    claims: Sequence[Claim],
    evidence: Sequence[Sequence[Evidence]],
) -> tuple[list[Probabilities], LabelPolicy]:
    texts = [claim.text for claim in claims]
    if system.judge in _SURE:
        s, r, n = (float(at == _SURE[system.judge]) for at in range(3))
        return [(s, r, n)] * len(claims), FEVER
    if system.judge == "ours":
        told: list[Probabilities] = []
        for start in range(0, len(claims), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            pieces = [as_pieces(own) for own in evidence[part]]
            told += [one.probabilities for one in lab.own_judge.judge(texts[part], pieces)]
        return told, label_policy("feverous")
    model = verdict_network(lab, system)
    read = [written(own, titles=system.titles) for own in evidence]
    rows = model.probabilities(model.prepare(texts, read)).tolist()
    return [(s, r, n) for s, r, n in rows], FEVER


def as_pieces(evidence: Sequence[Evidence]) -> list[Piece]:
    """Write evidence for our judge: a sentence is a piece, and so are all cells of a table."""
    pieces: dict[tuple[str, str], list[str]] = {}
    for piece in evidence:
        one = piece.ref.kind is Kind.SENTENCE
        name = str(piece.ref) if one else f"{piece.ref.page} {piece.ref.position[:1]}"
        pieces.setdefault((piece.context.title, name), []).append(piece.text)
    return [(title, ", ".join(texts)) for (title, _), texts in pieces.items()]
