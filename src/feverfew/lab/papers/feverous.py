"""Run FEVEROUS's baseline (Aly et al., 2021): pages, sentences and tables, cells, a verdict.

Every step is a named part, and ours can stand in its place: `cells` are those that the labeller
calls needed (`labelled`), its 25 likeliest (`ranked`), or our own choice (`ours`).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus.tables import tables_of
from feverfew.errors import NotFound
from feverfew.judge import VERDICTS, Probabilities, likeliest
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.feverous_context import TfIdfTables, evidence_at, of_page, written
from feverfew.lab.papers.ours import GivenJudge, feverous_verdict
from feverfew.tables.evidence import CELLS
from feverfew.tables.search import TableHit
from feverfew.types import Cell, Claim, Evidence, Kind, Page, Prediction, Ref, Verdict

if TYPE_CHECKING:
    from feverfew.lab.papers.runner import Runner

EXTRACTORS = ("labelled", "ranked", "ours")
_ALWAYS: dict[str, Probabilities] = {
    "majority": (1.0, 0.0, 0.0),
    "open": (0.0, 0.0, 1.0),
    "": (0.0, 0.0, 1.0),
}


class _Found(Struct, frozen=True):
    evidence: list[list[Evidence]]
    pages: list[tuple[str, ...]]
    """Ranked titles, if only pages were wanted."""


def answer(runner: "Runner", system: System, claims: Sequence[Claim]) -> list[Prediction]:
    """Answer claims with a system; without a judge, with what it found."""
    whole = (system.retrieve, system.select, system.cells, system.judge, system.evidence)
    if whole == ("ours", "ours", "ours", "ours", "found"):
        return runner.ours.feverous(claims, system.tables)
    found = _looked_up(runner, system, claims)
    evidence, pages = found.evidence, found.pages
    shares, verdict = _judged(runner, system, claims, evidence)
    return [
        Prediction(
            id=claim.id,
            label=verdict(own),
            evidence=tuple(piece.ref for piece in pieces),
            pages=titles,
            probabilities=dict(zip(VERDICTS, own, strict=True)),
        )
        for claim, own, pieces, titles in zip(claims, shares, evidence, pages, strict=True)
    ]


def _looked_up(runner: "Runner", system: System, claims: Sequence[Claim]) -> _Found:
    """Take gold evidence, or find some; systems that differ in their judge alone share it."""
    if system.evidence == "gold":
        gold = [evidence_at(runner.dataset.corpus, claim.evidence[0]) for claim in claims]
        return _Found(gold, [()] * len(claims))
    plain = System()
    shaped = replace(
        system, judge="", learn=plain.learn, sampling=plain.sampling, titles=plain.titles
    )
    key = (shaped, runner.own(shaped), [claim.id for claim in claims], runner.dataset.fingerprint)
    return runner.cache.value("evidence", key, _Found, lambda: _find(runner, system, claims))


def _find(runner: "Runner", system: System, claims: Sequence[Claim]) -> _Found:
    """Find sentences and cells; tables alone are named by their captions."""
    texts = [claim.text for claim in claims]
    evidence: list[list[Evidence]] = [[] for _ in claims]
    titles: list[tuple[str, ...]] = [()] * len(claims)
    if system.evidence == "gold-tables":
        hits = [_gold_tables(runner, claim) for claim in claims]
    else:
        pages = runner.pages(system, claims)
        titles = [tuple(page.title for page in own) for own in pages]
        if system.select:
            evidence = runner.sentences(system, claims, pages)
            titles = [()] * len(claims)
        ours = system.retrieve == "ours"
        find = runner.ours.tables if ours else TfIdfTables(runner.dataset.corpus).find
        hits = find(texts, pages, system.tables)
    if any(hits):
        shown = _cells(runner, system, texts, hits) if system.cells else map(_captions, hits)
        evidence = [[*own, *cells] for own, cells in zip(evidence, shown, strict=True)]
    return _Found(evidence, titles)


def _cells(
    runner: "Runner", system: System, claims: Sequence[str], hits: Sequence[Sequence[TableHit]]
) -> list[list[Evidence]]:
    if system.cells not in EXTRACTORS:
        known = ", ".join(EXTRACTORS)
        raise NotFound(f"no choice of cells is called {system.cells!r}; there are {known}")
    if system.cells == "ours":
        return [_best(own) for own in runner.ours.cells(claims, hits)]
    from feverfew.lab.papers.feverous_verdict import cell_labeller

    labeller = cell_labeller(runner)
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


def _gold_tables(runner: "Runner", claim: Claim) -> list[TableHit]:
    """Take the tables that hold a claim's cells."""
    wanted = dict.fromkeys(
        (ref.page, ref.position[0])
        for ref in (claim.evidence[0] if claim.evidence else ())
        if ref.kind in (Kind.CELL, Kind.HEADER_CELL)
    )
    found = []
    for title, index in wanted:
        page = runner.dataset.corpus.page(title)
        found += [TableHit(page, one, 0.0) for one in tables_of(page) if one.table.index == index]
    return found


def _judged(
    runner: "Runner",
    system: System,
    claims: Sequence[Claim],
    evidence: Sequence[Sequence[Evidence]],
) -> tuple[list[Probabilities], Callable[[Probabilities], Verdict]]:
    """Judge claims; return the probabilities, and how they become verdicts."""
    texts = [claim.text for claim in claims]
    always = _ALWAYS.get(system.judge)
    if always is not None:
        return [always] * len(claims), likeliest
    if system.judge == "ours":
        opinions = GivenJudge(runner.ours.judge, cells=True).judge(texts, evidence)
        return [one.probabilities for one in opinions], feverous_verdict
    from feverfew.lab.papers.feverous_verdict import verdict_network

    network = verdict_network(runner, system)
    read = [written(own, titles=system.titles) for own in evidence]
    rows = network.probabilities(network.prepare(texts, read)).tolist()
    return [(s, r, n) for s, r, n in rows], likeliest
