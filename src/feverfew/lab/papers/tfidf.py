"""TF-IDF over hashed words and pairs of words, as DrQA counts them (Chen et al., 2017).

DrQA hashes every n-gram by itself; here words are hashed once and pairs are mixed from two hashes,
so that numpy can count a corpus. The bins differ from DrQA's; how they are spread does not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.errors import InputError, MissingExtra
from feverfew.retrieve import Candidate
from feverfew.text import words
from feverfew.types import Page

BINS = 1 << 24
_SHIFT = np.uint64(64 - 24)
_ODD, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_LEFT_OUT = """
a about above after again against all am an and any are as at be because been before being
below between both but by can could d did do does doing don down during each few for from
further had has have having he her here hers herself him himself his how i if in into is it its
itself just ll m me more most my myself no nor not now o of off on once only or other our ours
ourselves out over own re s same she should so some such t than that the their theirs them
themselves then there these they this those through to too under until up ve very was we were
what when where which while who whom why will with would you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_LEFT_OUT.split())
_MATRIX = ("weights", "places", "starts")
_AT_ONCE = 64
"""Claims that are searched at once: each may match a tenth of all sentences."""


class _Hashes(dict[str, int]):
    """A word's hash, made once; 0 for stop words."""

    def __init__(self, left_out: frozenset[str]) -> None:
        super().__init__()
        self._left_out = left_out

    def __missing__(self, word: str) -> int:
        digest = blake2b(word.encode(errors="replace"), digest_size=8).digest()
        value = 0 if word in self._left_out else int.from_bytes(digest, "big") | 1
        self[word] = value
        return value


class Grams:
    """Turns texts into the bins of their words and of their pairs of neighbours."""

    def __init__(self, *, pairs: bool = True, stop_words: bool = False) -> None:
        self._pairs = pairs
        self._hashes = _Hashes(frozenset() if stop_words else STOP_WORDS)

    def bins(self, text: str) -> NDArray[np.int64]:
        """Return a bin for every n-gram, in order; those with a stop word have none."""
        split = words(text)
        hashes = np.fromiter(map(self._hashes.__getitem__, split), np.uint64, len(split))
        kept = hashes[hashes > 0]
        found = [kept * _MIX >> _SHIFT]
        if self._pairs and len(hashes) > 1:
            first, second = hashes[:-1], hashes[1:]
            both = (first > 0) & (second > 0)
            mixed = first[both] * _ODD ^ second[both]
            found.append((mixed ^ mixed >> np.uint64(31)) * _MIX >> _SHIFT)
        return np.concatenate(found).astype(np.int64)


class _Settings(Struct, frozen=True):
    corpus: str
    """The fingerprint of what was indexed."""
    rows: int


class TfIdfIndex:
    """A sparse matrix of TF-IDF weights in a folder of memory-mapped arrays."""

    what = ""
    columns: tuple[str, ...] = ()
    """Arrays that say which page or sentence a row is."""

    def __init__(self, corpus: Corpus, matrix: Any, arrays: dict[str, NDArray[Any]]) -> None:
        self._corpus, self._matrix, self._arrays, self._grams = corpus, matrix, arrays, Grams()

    @classmethod
    def write(
        cls, corpus: Corpus, folder: Path, texts: Iterable[str], columns: Mapping[str, list[int]]
    ) -> None:
        """Index texts into a folder; `columns` are filled while the texts are read."""
        csr_matrix, grams = _csr(), Grams()
        bins, counts, starts = _counted(map(grams.bins, texts))
        frequency = np.bincount(bins, minlength=BINS).astype(np.float32)
        rows = len(starts) - 1
        # As DrQA weighs: log(1 + tf) · log((N - df + ½) / (df + ½)), never below 0.
        rarity = np.log((rows - frequency + 0.5) / (frequency + 0.5)).clip(0).astype(np.float32)
        weights = np.log1p(counts).astype(np.float32) * rarity[bins]
        matrix = csr_matrix((weights, bins, starts), shape=(rows, BINS))
        by_bin = matrix.T.tocsr()
        arrays = dict(zip(_MATRIX, (by_bin.data, by_bin.indices, by_bin.indptr), strict=True))
        arrays |= {name: np.array(own, np.int64) for name, own in columns.items()}
        arrays |= {"lengths": _lengths(matrix), "rarity": rarity}
        folder.mkdir(parents=True, exist_ok=True)
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)
        # The settings come last, so that an interrupted build is no index.
        settings = _Settings(corpus.fingerprint, rows)
        (folder / "settings.json").write_bytes(msgspec.json.encode(settings))

    @classmethod
    def read(cls, corpus: Corpus, folder: Path) -> tuple[Any, dict[str, NDArray[Any]]]:
        """Open the matrix and the arrays; they must be of this very corpus."""
        csr_matrix = _csr()
        try:
            found = msgspec.json.decode((folder / "settings.json").read_bytes(), type=_Settings)
            names = (*_MATRIX, *cls.columns, "lengths", "rarity")
            arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in names}
        except (OSError, ValueError, msgspec.DecodeError):
            raise InputError(f"{folder} is no index of {cls.what}; build it again") from None
        if found.corpus != corpus.fingerprint:
            raise InputError(f"{folder} indexes another corpus than {corpus.path}; build it again")
        parts = tuple(arrays.pop(name) for name in _MATRIX)
        shape = (len(parts[2]) - 1, found.rows)
        return csr_matrix(parts, shape=shape, copy=False), arrays

    def nearest(
        self, questions: Sequence[str], k: int, *, cosine: bool
    ) -> Iterator[list[tuple[int, float]]]:
        """Yield the k nearest rows of the index for each question, with their scores."""
        csr_matrix = _csr()
        for start in range(0, len(questions), _AT_ONCE):
            group = questions[start : start + _AT_ONCE]
            bins, counts, starts = _counted(map(self._grams.bins, group))
            weights = np.log1p(counts).astype(np.float32) * self._arrays["rarity"][bins]
            asked = csr_matrix((weights, bins, starts), shape=(len(group), BINS))
            scores = asked @ self._matrix
            ranges = zip(scores.indptr, scores.indptr[1:], _lengths(asked), strict=False)
            for a, b, length in ranges:
                rows, own = scores.indices[a:b], scores.data[a:b]
                if cosine:
                    own = own / (self._arrays["lengths"][rows] * length)
                if len(own) > k:
                    kept = np.argpartition(-own, k)[:k]
                    rows, own = rows[kept], own[kept]
                order = np.lexsort((rows, -own))  # of equals, the row that came first
                yield list(zip(rows[order].tolist(), own[order].tolist(), strict=True))


def page_text(page: Page) -> str:
    """Return what the papers index of a page: its sentences."""
    return " ".join(sentence.text for sentence in page.sentences)


class DrQA(TfIdfIndex):
    """Retrieves the pages whose TF-IDF vectors are nearest to the claim's.

    `cosine` is what the papers describe; DrQA's own code leaves the length of pages out, as
    `cosine=False` does.
    """

    what, columns = "pages", ("numbers",)
    cosine = True

    @classmethod
    def build(cls, corpus: Corpus, folder: Path, text: Callable[[Page], str] = page_text) -> None:
        """Index a corpus's pages into a folder."""
        numbers: list[int] = []

        def texts() -> Iterator[str]:
            for number, page in corpus.store.numbered_pages(0, corpus.store.last_number()):
                numbers.append(number)
                yield text(page)

        cls.write(corpus, folder, texts(), {"numbers": numbers})

    @classmethod
    def open(cls, corpus: Corpus, folder: Path, *, cosine: bool = True) -> "DrQA":
        """Open an index; it must be of this very corpus."""
        index = cls(corpus, *cls.read(corpus, folder))
        index.cosine = cosine
        return index

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k nearest pages for each claim."""
        found = []
        for own in self.nearest(claims, k, cosine=self.cosine):
            pages = [(int(self._arrays["numbers"][row]), score) for row, score in own]
            titles = self._corpus.store.titles(number for number, _ in pages)
            found.append([Candidate(n, titles[n], score) for n, score in pages if n in titles])
        return found


def _csr() -> Any:
    try:
        from scipy.sparse import csr_matrix
    except ModuleNotFoundError:
        raise MissingExtra("the papers' TF-IDF search", "papers") from None
    return csr_matrix


def _counted(texts: Iterable[NDArray[np.int64]]) -> tuple[NDArray[Any], ...]:
    """Count each text's bins: all bins one after another, their counts, where each text starts."""
    bins, counts, starts = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)], [0]
    for found in texts:
        own, often = np.unique(found, return_counts=True)
        bins.append(own.astype(np.int32))
        counts.append(often.astype(np.int32))
        starts.append(starts[-1] + len(own))
    return np.concatenate(bins), np.concatenate(counts), np.array(starts, np.int64)


def _lengths(matrix: Any) -> NDArray[np.float32]:
    squares = np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()
    lengths: NDArray[np.float32] = (np.sqrt(squares) + 1e-9).astype(np.float32)
    return lengths
