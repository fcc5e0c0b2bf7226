"""Word pairs and words hashed into 2^24 bins, as DrQA counts them (Chen et al., 2017).

DrQA hashes every n-gram by itself; here words are hashed once and pairs mixed from two hashes, so
that a corpus is counted with numpy. The bins differ from DrQA's; how they are spread does not.
"""

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from feverfew.text import words

__all__ = ["BINS", "STOP_WORDS", "Grams"]

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


class _Hashes(dict[str, int]):
    """A word's hash, made once; 0 for words that are left out."""

    def __init__(self, left_out: frozenset[str]) -> None:
        super().__init__()
        self._left_out = left_out

    def __missing__(self, word: str) -> int:
        digest = blake2b(word.encode(errors="replace"), digest_size=8).digest()
        value = 0 if word in self._left_out else int.from_bytes(digest, "big") | 1
        self[word] = value
        return value


class Grams:
    """Turns texts into the bins of their words, and of their pairs of neighbours."""

    def __init__(self, *, pairs: bool = True, stop_words: bool = False) -> None:
        self._pairs = pairs
        self._hashes = _Hashes(frozenset() if stop_words else STOP_WORDS)

    def bins(self, text: str) -> NDArray[np.int64]:
        """Return a bin for every n-gram, in order; those with a word left out have none."""
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
