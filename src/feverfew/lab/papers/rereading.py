"""HoVer's neural stages (Jiang et al., 2020) as parts: pages, sentences and claims read by a head.

Each scores by how likely the head says yes, from 0 to 1, so that the paper's thresholds can be set.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.models.linearise import linearise
from feverfew.lab.papers.judges import Opinion
from feverfew.lab.papers.reader import Head, Pair, Reader
from feverfew.lab.papers.sentences import read_sentences
from feverfew.retrieve import Candidate, Retriever
from feverfew.select.context import Statement, context_of
from feverfew.types import Evidence

__all__ = [
    "CachedRetriever",
    "ReadClaims",
    "ReadPages",
    "ReadSentences",
    "WithGold",
    "evidence_pair",
    "page_pair",
    "sentence_pair",
]

_WORDS = 90
"""Words of a page that are read, to tell what it is about."""


def page_pair(corpus: Corpus, claim: str, page: Candidate) -> Pair:
    """Write a page's beginning beside a claim."""
    (own,) = read_sentences(corpus, [page])
    begun: list[str] = []
    for said in own:
        begun += said.text.split()
        if len(begun) >= _WORDS:
            break
    return claim, linearise([(page.title, " ".join(begun[:_WORDS]))]) or page.title


def sentence_pair(claim: str, said: Statement) -> Pair:
    """Write a sentence, under its page's title, beside a claim."""
    return claim, linearise([(said.ref.page, said.text)])


def evidence_pair(claim: str, pieces: Sequence[Evidence]) -> Pair:
    """Write all pieces as one text beside a claim."""
    return claim, linearise([(piece.ref.page, piece.text) for piece in pieces])


class CachedRetriever:
    """Asks another retriever for each claim once."""

    def __init__(self, inner: Retriever) -> None:
        self._inner = inner
        self._known: dict[tuple[str, int], list[Candidate]] = {}

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return what the other finds."""
        new = list(dict.fromkeys(claim for claim in claims if (claim, k) not in self._known))
        found = self._inner.retrieve(new, k) if new else []
        self._known.update(((claim, k), own) for claim, own in zip(new, found, strict=True))
        return [self._known[claim, k] for claim in claims]


class WithGold:
    """Puts a claim's gold pages before what another retriever finds: search without a fault."""

    def __init__(self, inner: Retriever, gold: Mapping[str, Sequence[Candidate]]) -> None:
        self._inner, self._gold = inner, gold

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return k pages, the gold ones among them."""
        together = []
        for claim, found in zip(claims, self._inner.retrieve(claims, k), strict=True):
            first = self._gold.get(claim, ())
            numbers = {page.number for page in first}
            rest = [page for page in found if page.number not in numbers]
            together.append([*first, *rest][:k])
        return together


class ReadPages:
    """Ranks the pages that another retriever finds by what a head says of their beginnings."""

    def __init__(
        self, corpus: Corpus, inner: Retriever, reader: Reader, head: Head, wide: int
    ) -> None:
        self._corpus, self._inner, self._wide = corpus, inner, wide
        self._reader, self._head = reader, head

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k likeliest of the pages found for each claim."""
        found = self._inner.retrieve(claims, self._wide)
        asked = zip(claims, found, strict=True)
        pairs = [page_pair(self._corpus, claim, page) for claim, own in asked for page in own]
        likely = _likely(self._reader, self._head, pairs)
        scored = [[replace(page, score=next(likely)) for page in own] for own in found]
        return [sorted(own, key=lambda page: -page.score)[:k] for own in scored]


class ReadSentences:
    """Selects the sentences of which a head says most surely that they matter."""

    def __init__(self, corpus: Corpus, reader: Reader, head: Head, most: int) -> None:
        self._corpus, self._reader, self._head, self._most = corpus, reader, head, most

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k likeliest sentences on each claim's pages."""
        said = [self._places(own) for own in pages]
        asked = zip(claims, said, strict=True)
        pairs = [sentence_pair(claim, own[at]) for claim, places in asked for own, at in places]
        likely = _likely(self._reader, self._head, pairs)
        scored = [[_evidence(own, at, next(likely)) for own, at in places] for places in said]
        return [sorted(own, key=lambda piece: -piece.score)[:k] for own in scored]

    def _places(self, pages: Sequence[Candidate]) -> list[tuple[list[Statement], int]]:
        read = read_sentences(self._corpus, pages)
        return [(own, at) for own in read for at in range(min(len(own), self._most))]


class ReadClaims:
    """Judges claims by all their evidence as one text, or by nothing but themselves."""

    def __init__(self, reader: Reader, head: Head, *, blind: bool = False) -> None:
        self._reader, self._head, self._blind = reader, head, blind

    def judge(self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]) -> list[Opinion]:
        """Say supported or not; HoVer does not tell refuted from open."""
        asked = zip(claims, evidence, strict=True)
        pairs = [evidence_pair(c, () if self._blind else own) for c, own in asked]
        likely = _likely(self._reader, self._head, pairs)
        return [
            Opinion((p, 1 - p, 0.0), list(own)) for p, own in zip(likely, evidence, strict=True)
        ]


def _likely(reader: Reader, head: Head, pairs: Sequence[Pair]) -> Iterator[float]:
    """Yield what a head says of pairs, read in one batch."""
    yield from head(reader.states(pairs)).tolist() if pairs else ()


def _evidence(own: Sequence[Statement], at: int, score: float) -> Evidence:
    return Evidence(ref=own[at].ref, text=own[at].text, context=context_of(own, at), score=score)
