"""The way of a claim: retrieve, select, judge; and once more with tables and further pages.

A claim is first judged by the sentences of the pages that it leads to. Where these do not decide
it, the tables and lists of those pages are read as well; where a part of the claim stands on none
of what was found, the search goes on over links and names to further pages. All of it is weighed
by the same judge, so more evidence never changes what a verdict means.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.english.decompose import facts_of, sentences_of
from feverfew.judge import Judge, Judgement
from feverfew.judge.judge import PIECES
from feverfew.judge.readings import Piece
from feverfew.models.encoder import PairReader
from feverfew.models.inputs import linearise, plain
from feverfew.retrieve import Candidate, Hops, Ranked
from feverfew.select import PAGES, Sentences
from feverfew.select.sentences import MultiHopSentences
from feverfew.tables.evidence import TableEvidence, TableReader
from feverfew.tables.search import CorpusTables
from feverfew.tables.view import TableView
from feverfew.text import padded, page_name, spelled_words, words
from feverfew.types import Context, Evidence, Hop, Verdict

__all__ = ["MAX_HOPS", "MAX_TABLES", "ClaimResult", "Pipeline", "best_sentences", "missing_part"]

MAX_HOPS = 4
"""Pages that a claim may need."""
MAX_TABLES = 3
_READ = 8
"""Sentences that the small encoder reads to choose the five that are judged."""
_RELEVANCE = 0.5
"""What the encoder's view of relevance, a logit, counts beside the selector's score."""
_SURE = 0.7
"""A claim is decided where a verdict is at least this likely; set by hand, not tuned."""
_MULTIHOP_PIECES = 10
"""Sentences that a claim over several pages is judged by: as many as HoVer's score counts."""
_KEPT = 3
"""Sentences of the first round that stay in front when the search goes on."""
_RANKED = 100
"""Pages that are ranked for HoVer's measures of retrieval; the first few are read."""
_FEW = 3
"""Fewer words than this, none of them a name, are no part of a claim that could be missing."""


class ClaimResult(Struct, frozen=True):
    """A claim, what was found for it, and what that says."""

    claim: str
    evidence: tuple[Evidence, ...]
    """What it was judged by, best first: sentences, then the cells of a table."""
    judgement: Judgement
    seconds: dict[str, float]
    pages: tuple[Candidate, ...] = ()
    tables: tuple[TableEvidence, ...] = ()
    """The tables that were looked at, best first."""
    parts: tuple["ClaimResult", ...] = ()
    """The facts that it states, where they were judged one by one."""

    @property
    def hop_paths(self) -> dict[str, Hop]:
        """How each page was reached that the claim itself does not lead to."""
        return {page.title: page.via for page in self.pages if page.via is not None}

    @property
    def table(self) -> TableEvidence | None:
        """The table that was judged, if any."""
        return self.tables[0] if self.tables and len(self.evidence[-1].cells) else None


class Pipeline:
    """Finds evidence for claims and judges it."""

    def __init__(
        self,
        corpus: Corpus,
        judge: Judge,
        *,
        max_hops: int = MAX_HOPS,
        max_tables: int = MAX_TABLES,
    ) -> None:
        self._judge = judge.cached()
        self._max_hops, self._max_tables = max_hops, max_tables
        self._ranked = Ranked.open(corpus)
        self._sentences = Sentences.open(corpus)
        self._hops = Hops.open(corpus, self._judge.encoder, rounds=max_hops - 1)
        self._multihop = MultiHopSentences.open(corpus)
        self._table_search = CorpusTables.open(corpus)
        self._table_reader = TableReader.open()

    # Products of finite numbers warn of invalid values, now and then: BLAS reads past the arrays.
    @np.errstate(divide="ignore", invalid="ignore", over="ignore")
    def run(self, claims: Sequence[str]) -> list[ClaimResult]:
        """Find evidence for each claim, and judge it."""
        try:
            results = self._single_round(claims)
            if self._max_hops > 1:
                results = _again(results, _ungrounded, self._further_rounds)
            return _again(self._decided(results), _undecided, self._by_parts)
        finally:
            self._judge.forget()

    def _single_round(self, claims: Sequence[str]) -> list[ClaimResult]:
        results = self._first_sentences(claims)
        return _again(results, _undecided, self._with_tables) if self._max_tables else results

    def _decided(self, results: Sequence[ClaimResult]) -> list[ClaimResult]:
        """Rest each verdict on the evidence that says so."""
        start = time.perf_counter()
        decided = self._judge.decide([result.judgement.readings for result in results])
        spent = (time.perf_counter() - start) / max(1, len(results))
        return [
            replace(
                result,
                judgement=judgement,
                seconds={**result.seconds, "judge": result.seconds["judge"] + spent},
            )
            for result, judgement in zip(results, decided, strict=True)
        ]

    def _first_sentences(self, claims: Sequence[str]) -> list[ClaimResult]:
        start = time.perf_counter()
        pages = self._ranked.retrieve(claims, PAGES)
        near = self._sentences.select(claims, pages, _READ)
        evidence = best_sentences(self._judge.encoder, claims, near)
        return self._judged(claims, evidence, pages, start)

    def _with_tables(self, results: Sequence[ClaimResult]) -> list[ClaimResult]:
        """Read the best table or list of the pages found beside the sentences."""
        start = time.perf_counter()
        tables = [self._tables(one.claim, one.pages) for one in results]
        return self._judged(
            [one.claim for one in results],
            [_sentences(one) for one in results],
            [one.pages for one in results],
            start,
            tables,
            results,
        )

    def _tables(self, claim: str, pages: Sequence[Candidate]) -> list[TableEvidence]:
        """Read the tables that a claim leads to, those about it first, as they were ranked."""
        hits = self._table_search.find([claim], [[page.number for page in pages]], self._max_tables)
        read = [
            self._table_reader.read(
                claim,
                hit.table,
                TableView.of(hit.table, page_name(hit.page)),
                hit.page.title,
                " › ".join(hit.section),
                hit.source,
            )
            for hit in hits[0]
        ]
        return sorted(read, key=lambda one: not one.about)

    def _further_rounds(self, results: Sequence[ClaimResult]) -> list[ClaimResult]:
        """Follow links and names to further pages, and judge by all of them together."""
        start = time.perf_counter()
        claims = [one.claim for one in results]
        pages = self._hops.retrieve(claims, _RANKED)
        further = self._multihop.select(claims, pages, _MULTIHOP_PIECES)
        evidence = [
            _joined(_sentences(one), own) for one, own in zip(results, further, strict=True)
        ]
        tables = [list(one.tables) for one in results]
        return self._judged(claims, evidence, pages, start, tables, results)

    def _by_parts(self, results: Sequence[ClaimResult]) -> list[ClaimResult]:
        """Judge the facts of an undecided claim one by one: the whole follows from them."""
        facts = [_facts(one.claim) for one in results]
        judged = iter(self._decided(self._single_round([fact for own in facts for fact in own])))
        return [
            _concluded(one, [next(judged) for _ in own]) if own else one
            for one, own in zip(results, facts, strict=True)
        ]

    def _judged(
        self,
        claims: Sequence[str],
        evidence: Sequence[Sequence[Evidence]],
        pages: Sequence[Sequence[Candidate]],
        start: float,
        tables: Sequence[Sequence[TableEvidence]] | None = None,
        before: Sequence[ClaimResult] = (),
    ) -> list[ClaimResult]:
        """Judge claims by sentences and, where it is about the claim, the best table."""
        looked_at = tables or [()] * len(claims)
        found = [
            [*own, *(_table_piece(one) for one in seen[:1] if one.about and one.text)]
            for own, seen in zip(evidence, looked_at, strict=True)
        ]
        pieces = [
            [_piece(one, seen) for one in own] for own, seen in zip(found, looked_at, strict=True)
        ]
        middle = time.perf_counter()
        judged = self._judge.weigh(claims, pieces)
        share = 1 / max(1, len(claims))
        spent = {
            "find": (middle - start) * share,
            "judge": (time.perf_counter() - middle) * share,
        }
        earlier = [one.seconds for one in before] or [{}] * len(claims)
        return [
            ClaimResult(
                claim,
                tuple(own),
                judgement,
                {step: spent[step] + sofar.get(step, 0.0) for step in spent},
                tuple(ranked),
                tuple(seen),
            )
            for claim, own, judgement, ranked, seen, sofar in zip(
                claims, found, judged, pages, looked_at, earlier, strict=True
            )
        ]


def best_sentences(
    encoder: PairReader, claims: Sequence[str], near: Sequence[Sequence[Evidence]]
) -> list[list[Evidence]]:
    """Keep the sentences that matter most, by the selector and the small encoder together."""
    pairs = [
        (plain(claim), linearise([(piece.context.title, piece.text)]))
        for claim, own in zip(claims, near, strict=True)
        for piece in own
    ]
    logits = iter(encoder.logits(pairs)[:, 3].tolist())
    found = []
    for own in near:
        ranked = [replace(p, score=p.score + _RELEVANCE * next(logits)) for p in own]
        found.append(sorted(ranked, key=lambda piece: -piece.score)[:PIECES])
    return found


def _again(
    results: Sequence[ClaimResult],
    asks: Callable[[ClaimResult], bool],
    step: Callable[[Sequence[ClaimResult]], Sequence[ClaimResult]],
) -> list[ClaimResult]:
    """Take the results that ask for it one step further, all in one batch."""
    asking = [at for at, one in enumerate(results) if asks(one)]
    found = list(results)
    if asking:
        for at, one in zip(asking, step([results[at] for at in asking]), strict=True):
            found[at] = one
    return found


def _undecided(result: ClaimResult) -> bool:
    return max(result.judgement.probabilities[:2]) < _SURE


def _ungrounded(result: ClaimResult) -> bool:
    """Say whether further pages may help: a part of the claim stands on nothing that was found.

    Where all of it does and the evidence leaves it open, other pages would hardly say more.
    """
    if missing_part(result.claim, result.evidence):
        return True
    return _undecided(result) and result.judgement.probabilities[2] < _SURE


def missing_part(claim: str, evidence: Sequence[Evidence]) -> str:
    """Return the longest run of the claim's words that no piece of evidence has.

    Short words do not end a run. Nothing is returned where only a word or two are left.
    """
    told = b" ".join(padded(f"{e.context.title} {e.text}") for e in evidence)
    runs: list[list[str]] = [[]]
    for word in spelled_words(claim):
        said = all(padded(part) in told for part in words(word))
        if said and len(word) > _FEW:
            runs.append([])
        elif runs[-1] or not said:
            runs[-1].append(word)
    longest = max(runs, key=len)
    names = sum(word[0].isupper() for word in longest)
    return " ".join(longest) if len(longest) > _FEW or names > 1 else ""


def _facts(claim: str) -> list[str]:
    """Split a claim into the facts that it states; none where it states but one."""
    said = [part.text for sentence in sentences_of(claim) for part in facts_of(sentence.text)]
    return said if len(said) > 1 else []


def _concluded(whole: ClaimResult, parts: Sequence[ClaimResult]) -> ClaimResult:
    """Conclude from the parts: all must be supported, and one that is refuted refutes."""
    verdicts = [part.judgement.verdict for part in parts]
    if all(verdict is Verdict.NOT_ENOUGH_INFO for verdict in verdicts):
        return whole
    if Verdict.REFUTED in verdicts:
        side = 1
        deciding = max(parts, key=lambda part: part.judgement.probabilities[1])
    elif all(verdict is Verdict.SUPPORTED for verdict in verdicts):
        side = 0
        deciding = min(parts, key=lambda part: part.judgement.probabilities[0])
    else:  # partly supported: what is missing decides
        missing = max(parts, key=lambda part: part.judgement.probabilities[2])
        judgement = replace(missing.judgement, cited=(), against=(), conflict=False)
        return replace(whole, judgement=judgement, parts=tuple(parts))
    shares = deciding.judgement.probabilities
    if shares[side] <= whole.judgement.probabilities[side]:
        return whole
    pieces = dict.fromkeys(
        piece
        for part in parts
        if part.judgement.verdict is not Verdict.NOT_ENOUGH_INFO
        for chosen in part.judgement.cited
        for piece in (part.evidence[at] for at in chosen)
    )
    return replace(
        whole,
        evidence=tuple(dict.fromkeys((*pieces, *whole.evidence))),
        judgement=replace(whole.judgement, probabilities=shares, cited=(), against=()),
        parts=tuple(parts),
    )


def _joined(first: Sequence[Evidence], further: Sequence[Evidence]) -> list[Evidence]:
    """Keep the best of the first round before what further rounds found, each piece once."""
    pieces = {piece.ref: piece for piece in (*further, *first[:_KEPT])}
    order = dict.fromkeys(piece.ref for piece in (*first[:_KEPT], *further))
    return [pieces[ref] for ref in order][:_MULTIHOP_PIECES]


def _sentences(result: ClaimResult) -> list[Evidence]:
    return [piece for piece in result.evidence if not piece.cells]


def _table_piece(table: TableEvidence) -> Evidence:
    cells = table.refs(table.places)
    return Evidence(
        ref=cells[0],
        text=table.text,
        context=Context(table.view.title, table.section),
        score=table.votes.relevance,
        cells=tuple(cells),
        source=table.source,
    )


def _piece(evidence: Evidence, tables: Sequence[TableEvidence]) -> Piece:
    if evidence.cells:
        return Piece("", evidence.text, tables[0].votes)
    # The innermost heading: those around it say little more than the title.
    section = evidence.context.section.rpartition(" › ")[2]
    return Piece(evidence.context.title, evidence.text, None, section, evidence.ref.position[0])
