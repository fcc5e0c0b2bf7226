"""Numbers for runs of words: one run has one number, in whatever text it stands.

All runs of a text are numbered without a loop over its words: a prefix sum of its letters, each
weighed by a power of one odd number, gives the number of any run by a subtraction and a product.
"""

import numpy as np
from numpy.typing import NDArray

from feverfew.text import cased

__all__ = ["BETWEEN", "Bools", "Counts", "Numbers", "Spans"]

Numbers = NDArray[np.uint64]
Counts = NDArray[np.int64]
Bools = NDArray[np.bool_]

BETWEEN = "\n\0\n"
"""Stands between texts that are numbered together; no run reaches over it."""
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_BLANK, _SIGN, _LINE, _TEXT = ord(" "), ord("\t"), ord("\n"), 0


def _is_word(code: int) -> bool:
    return code > 127 or chr(code).isalnum()


def _kept(code: int) -> int:
    return code if _is_word(code) or code in (_BLANK, _LINE, _TEXT) else _SIGN


_SIGNS = bytes(map(_kept, range(256)))
_WORD = np.array([_is_word(code) for code in range(256)])
_NAME = np.array([code > 127 or chr(code).isdigit() or chr(code).isupper() for code in range(256)])
_LOWERED = np.frombuffer(bytes(range(256)).lower(), np.uint8).astype(np.uint64)
_LOWERED[_SIGN] = _BLANK


class _Powers:
    """Powers of the base and of its inverse, as many as were asked for."""

    def __init__(self) -> None:
        self.base: Numbers = np.ones(1, np.uint64)
        self.inverse: Numbers = np.ones(1, np.uint64)

    def reach(self, count: int) -> None:
        if len(self.base) < count:
            self.base, self.inverse = _powers(_BASE, count), _powers(_INVERSE, count)


def _powers(of: int, count: int) -> Numbers:
    factors = np.full(count, of, np.uint64)
    factors[0] = 1
    return np.multiply.accumulate(factors)


_known = _Powers()


class Spans:
    """The words of a text, and a number for every run of them; made by `of`."""

    def __init__(
        self, letters: NDArray[np.uint8], starts: Counts, ends: Counts, joined: Bools
    ) -> None:
        self._letters = letters
        self._starts, self._ends = starts, ends
        self.joined = joined
        """Whether nothing but a blank stands between each word and the next."""
        _known.reach(len(letters) + 1)
        self._sums: Numbers = np.zeros(len(letters) + 1, np.uint64)
        weighed = _LOWERED[letters] * _known.base[: len(letters)]
        np.cumsum(weighed, out=self._sums[1:])

    @classmethod
    def of(cls, text: str) -> "Spans":
        """Split a text."""
        data = cased(text).encode(errors="replace").translate(_SIGNS)
        letters = np.frombuffer(data, np.uint8)
        word = _WORD[letters]
        edges = np.flatnonzero(np.diff(word, prepend=False, append=False))
        starts, ends = edges[::2], edges[1::2]
        joined = np.zeros(len(starts), bool)
        joined[:-1] = (starts[1:] - ends[:-1] == 1) & (letters[ends[:-1]] == _BLANK)
        # Of several signs between two words, the first stays: names have one blank there.
        void = ~word & (letters != _LINE) & (letters != _TEXT)
        kept = np.ones(len(letters), bool)
        kept[1:] = ~(void[1:] & void[:-1])
        place = np.cumsum(kept) - 1
        return cls(letters[kept], place[starts], place[ends - 1] + 1, joined)

    def __len__(self) -> int:
        return len(self._starts)

    def numbers(self, first: Counts, last: Counts) -> Numbers:
        """Number the runs from each first word to its last."""
        start = self._starts[first]
        return (self._sums[self._ends[last]] - self._sums[start]) * _known.inverse[start]

    def begin_names(self) -> Bools:
        """Say of each word whether a name may begin with it: by a capital, a digit, or a letter
        of another script."""
        return _NAME[self._letters[self._starts]]

    def lines(self) -> Counts:
        """Say in which line each word stands."""
        return np.searchsorted(np.flatnonzero(self._letters == _LINE), self._starts)

    def texts(self) -> Counts:
        """Say in which of several texts each word stands."""
        return np.searchsorted(np.flatnonzero(self._letters == _TEXT), self._starts)
