"""Our own system as parts that stand next to the papers'."""

from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from msgspec.structs import replace

from feverfew.check.checker import Checker
from feverfew.check.pipeline import best_sentences
from feverfew.check.verify import predict
from feverfew.corpus import Corpus
from feverfew.judge import Judge, Piece
from feverfew.judge.label_policy import open_policy
from feverfew.lab.papers.cache import fingerprint
from feverfew.lab.papers.judges import Opinion
from feverfew.models.encoder import Encoder, PairReader
from feverfew.models.inputs import linearise, plain
from feverfew.retrieve import Candidate, Hops, Ranked, Retriever
from feverfew.select import Sentences
from feverfew.select.sentences import MultiHopSentences, Selector
from feverfew.tables import TableView
from feverfew.tables.evidence import Cells
from feverfew.tables.search import CorpusTables, TableHit
from feverfew.text import display_title
from feverfew.types import VIRTUAL_ROW, Cell, Claim, Evidence, Kind, Prediction, Verdict

_AT_ONCE = 32
_WEIGHED = 8
"""Sentences that our judge reads, to weigh the five that matter most."""
_NEAR = 24
"""Statements among which sentences are sought for claims over several pages."""


def weight_files() -> list[Path]:
    """List the files of weights that are shipped."""
    return sorted(Path(str(files("feverfew.weights"))).glob("*.json"))


class OurParts:
    """Our retrievers, selectors and judges over one corpus; the judge is opened once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    @cached_property
    def judge(self) -> Judge:
        """Our shipped judge."""
        return Judge.open()

    @cached_property
    def encoder(self) -> Encoder:
        """Our small encoder."""
        return Encoder.shipped()

    def fingerprint(self, *, encoder: bool) -> str:
        """Name our own weights, with or without the encoder's."""
        own = self.judge.fingerprint if encoder else ""
        return fingerprint(own, [path.read_text("utf-8") for path in weight_files()])

    def pages(self) -> Retriever:
        """Open our search of pages."""
        return Ranked.open(self._corpus)

    def multihop_pages(self) -> Retriever:
        """Open our search over several pages."""
        return Hops.open(self._corpus, self.encoder)

    def sentences(self) -> Selector:
        """Open our choice of sentences."""
        return Sentences.open(self._corpus)

    def multihop_sentences(self, *, scored: bool = False) -> Selector:
        """Open our choice of sentences from several pages; `scored` by our encoder, from 0 to 1."""
        chosen = _SentencesOnly(MultiHopSentences.open(self._corpus))
        return _ByRelevance(chosen, self.encoder) if scored else chosen

    def tables(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[TableHit]]:
        """Find tables on each claim's pages and elsewhere."""
        numbers = [[page.number for page in own] for own in pages]
        return CorpusTables.open(self._corpus).find(claims, numbers, k)

    def cells(
        self, claims: Sequence[str], hits: Sequence[Sequence[TableHit]]
    ) -> list[list[tuple[TableHit, Cell, float]]]:
        """Choose the cells of each claim's tables, with their scores."""
        cells = Cells.open()
        found = []
        for claim, own in zip(claims, hits, strict=True):
            chosen = []
            for hit in own:
                view = TableView.of(hit.table, display_title(hit.page.title))
                for one in cells.choose([claim], [view])[0]:
                    cell = view.places[one.row][one.column]
                    if cell.row != VIRTUAL_ROW:
                        chosen.append((hit, cell, one.score))
            found.append(chosen)
        return found

    def feverous(self, claims: Sequence[Claim], tables: int) -> list[Prediction]:
        """Answer claims with our whole checker, as FEVEROUS asks."""
        judge = Judge.open(label_policy="feverous")
        checker = Checker(self._corpus, judge, max_tables=tables)
        groups = (claims[at : at + _AT_ONCE] for at in range(0, len(claims), _AT_ONCE))
        return [said for group in groups for said in predict(checker, group, "feverous")]


def feverous_verdict(probabilities: tuple[float, float, float]) -> Verdict:
    """Decide as our judge does for FEVEROUS."""
    return open_policy("feverous").verdict(probabilities)


def as_pieces(evidence: Sequence[Evidence]) -> list[Piece]:
    """Write evidence for our judge: a sentence is a piece, and so are all cells of a table."""
    pieces: dict[tuple[str, str], list[str]] = {}
    for piece in evidence:
        one = piece.ref.kind is Kind.SENTENCE
        name = str(piece.ref) if one else f"{piece.ref.page} {piece.ref.position[:1]}"
        pieces.setdefault((piece.context.title, name), []).append(piece.text)
    return [Piece(title, ", ".join(texts)) for (title, _), texts in pieces.items()]


class GivenJudge:
    """Our judge, for evidence that is known to matter; `cells` of one table are one piece."""

    def __init__(self, judge: Judge, *, cells: bool = False) -> None:
        self._judge, self._write = judge, as_pieces if cells else _pieces

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Judge by all pieces."""
        opinions = []
        for start in range(0, len(claims), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            judged = self._judge.judge(claims[part], [self._write(own) for own in evidence[part]])
            for one, own in zip(judged, evidence[part], strict=True):
                opinions.append(Opinion(one.probabilities, list(own)))
        return opinions


class FoundJudge:
    """Our judge, for evidence that was found: it keeps the pieces that matter most."""

    def __init__(self, judge: Judge) -> None:
        self._judge, self._given = judge, GivenJudge(judge)

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Choose among the pieces, and judge by those chosen."""
        near = [own[:_WEIGHED] for own in evidence]
        return self._given.judge(claims, best_sentences(self._judge.encoder, claims, near))


class MultiHopJudge:
    """Our judge as HoVer asks it: supported, or not."""

    def __init__(self, judge: Judge) -> None:
        self._given = GivenJudge(judge)

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Say supported or not."""
        return [
            Opinion((one.probabilities[0], 1 - one.probabilities[0], 0.0), one.evidence)
            for one in self._given.judge(claims, evidence)
        ]


def _pieces(evidence: Sequence[Evidence]) -> list[Piece]:
    return [Piece(piece.ref.page, piece.text) for piece in evidence]


class _SentencesOnly:
    """Leaves out the items of lists, which HoVer's claims cannot cite."""

    def __init__(self, inner: Selector) -> None:
        self._inner = inner

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k best sentences for each claim."""
        near = self._inner.select(claims, pages, max(k, _NEAR))
        return [[piece for piece in own if piece.ref.kind is Kind.SENTENCE][:k] for own in near]


class _ByRelevance:
    """Scores what another selector chose by how likely our encoder says it matters."""

    def __init__(self, inner: Selector, encoder: PairReader) -> None:
        self._inner, self._encoder = inner, encoder

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the same pieces in the same order, with a score from 0 to 1."""
        chosen = self._inner.select(claims, pages, k)
        pairs = [
            (plain(claim), linearise([(piece.ref.page, piece.text)]))
            for claim, own in zip(claims, chosen, strict=True)
            for piece in own
        ]
        scores = iter(self._encoder.relevance(pairs))
        return [[replace(piece, score=next(scores)) for piece in own] for own in chosen]
