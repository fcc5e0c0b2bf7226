"""HoVer's neural stages (Jiang et al., 2020) as parts: pages, sentences and claims read by a head.

The paper fine-tunes a BERT-base for every stage, which takes longer on a CPU than a table may. Our
encoder reads the same pairs and stays frozen; one small network per stage is trained on its states.
Each part scores by how likely its head says yes, from 0 to 1, so that the paper's thresholds apply.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.papers.judges import Opinion
from feverfew.lab.papers.sentences import evidence_of, read_sentences
from feverfew.models.inputs import linearise, plain
from feverfew.retrieve import Candidate, Retriever
from feverfew.select.context import Statement
from feverfew.types import Evidence

Pair = tuple[str, str]
"""A claim, and a text that may matter to it."""
_AT_ONCE = 512
_WORDS = 90
"""Words of a page that are read, to tell what it is about."""
_HIDDEN = 32
_HELD = 10
"""One owner in this many is held out for early stopping."""


class Reads(Protocol):
    """Reads pairs: a row of states for each."""

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]: ...


class Reader:
    """Remembers what an encoder read."""

    def __init__(self, encoder: Reads) -> None:
        self._encoder = encoder
        self._known: dict[Pair, NDArray[np.float16]] = {}

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Return the states of pairs, one or more; those read before are not read again."""
        asked = [(plain(claim), text) for claim, text in pairs]
        new = list(dict.fromkeys(pair for pair in asked if pair not in self._known))
        for start in range(0, len(new), _AT_ONCE):
            group = new[start : start + _AT_ONCE]
            rows = self._encoder.states(group).astype(np.float16)
            self._known.update(zip(group, rows, strict=True))
        return np.stack([self._known[pair] for pair in asked]).astype(np.float32)


class Head:
    """Says from a pair's states how likely the answer to one question is yes."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        from feverfew.lab.papers.networks import Mlp

        self._mean, self._spread = arrays["mean"], arrays["spread"]
        self._network = Mlp.of(arrays)

    def __call__(self, states: NDArray[np.float32]) -> NDArray[np.float64]:
        return self._network.probabilities((states - self._mean) / self._spread)[:, 1]

    @staticmethod
    def train(
        states: NDArray[np.float32], yes: Sequence[bool], owners: Sequence[str], seed: int = 1
    ) -> dict[str, NDArray[Any]]:
        """Fit a head; rows of one owner, a question or a page, are held out together."""
        from feverfew.lab.papers.networks import Mlp, fit

        if len(set(yes)) < 2:
            raise InputError("a head needs pairs of both kinds to learn from")
        mean, spread = states.mean(0), states.std(0) + 1e-3
        rows, labels = (states - mean) / spread, np.array(yes, np.int64)
        names = sorted(set(owners))
        np.random.default_rng(seed).shuffle(names)
        held = np.isin(np.array(owners), names[:: max(2, min(_HELD, len(names)))])
        if held.all():
            held = np.arange(len(labels)) % 2 == 0
        model = Mlp(rows.shape[1], hidden=_HIDDEN, outputs=2).drawn(seed)
        checked = rows[held], labels[held]
        settings: dict[str, Any] = {"seed": seed, "epochs": 40, "rate": 3e-3, "patience": 8}
        fit(model, rows[~held], labels[~held], checked, **settings)
        return {**model.arrays(), "mean": mean, "spread": spread}


def page_pair(corpus: Corpus, claim: str, page: Candidate) -> Pair:
    """Write a page's beginning next to a claim."""
    (own,) = read_sentences(corpus, [page])
    begun: list[str] = []
    for said in own:
        begun += said.text.split()
        if len(begun) >= _WORDS:
            break
    return claim, linearise([(page.title, " ".join(begun[:_WORDS]))]) or page.title


def sentence_pair(claim: str, said: Statement) -> Pair:
    """Write a sentence, under its page's title, next to a claim."""
    return claim, linearise([(said.ref.page, said.text)])


def evidence_pair(claim: str, pieces: Sequence[Evidence]) -> Pair:
    """Write all pieces as one text next to a claim."""
    return claim, linearise([(piece.ref.page, piece.text) for piece in pieces])


class CachedRetriever:
    """Asks another retriever only once for each claim."""

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
    """Puts a claim's gold pages before what another retriever finds: a perfect search."""

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
        scored = [[evidence_of(own, at, next(likely)) for own, at in places] for places in said]
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
