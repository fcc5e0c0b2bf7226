"""Find in whole texts every name that means one page, without a loop over words.

`Spans` gives every run of words a number that is the same in any text: a prefix sum of letters,
weighted by powers of one odd number, needs a subtraction and a product for any run. `NameTable`
looks these numbers up.

What a name means is kept strict, as no one reads what is linked: the page with that full title or,
for several words, the only one with that title but for a parenthesis. A name that two pages share
means neither. A single word, and a name without its parenthesis, must stand alone: not the
'Arthur' of Arthur Kill, nor the 'World Cup' of a Cricket World Cup, nor a line's first word.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from feverfew.corpus.names import NameKind
from feverfew.corpus.titles import TitleIndex
from feverfew.text import cased

__all__ = ["LONGEST", "NameTable", "Spans", "may_name", "unique_page"]

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


LONGEST = 12
"""Words of the longest name that is looked for."""
_CHUNK = 16_384
_FULL, _LONGER = 1, 2
"""Of a run of words: a name, or the beginning of a longer one."""
_NONE = -1
_ORDINARY = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "had", "has"),
        *("have", "he", "her", "his", "i", "in", "is", "it", "its", "my", "no", "not", "of", "on"),
        *("or", "our", "she", "so", "that", "the", "their", "there", "they", "this", "to", "was"),
        *("we", "were", "what", "when", "who", "with", "you", "your"),
    )
)


def may_name(key: str) -> bool:
    """Say whether a key may be a name: no letter, no bare number, no word of every sentence."""
    return len(key) > 1 and key not in _ORDINARY and not key.replace(" ", "").isdigit()


def unique_page(pages_named: Iterable[tuple[int, NameKind]], length: int) -> int | None:
    """Say what a name of so many words means; None if it is no name.

    → twice the page's number, and 1 more if it must stand alone; 0 if several pages bear it.
    """
    pages_named = list(pages_named)
    sure = {page for page, kind in pages_named if kind <= NameKind.ALIAS}
    loose = {page for page, kind in pages_named if kind == NameKind.WITHOUT_PARENTHESIS}
    meant = sure or (loose if length > 1 else set())
    if not meant:
        return None
    alone = not sure or length == 1
    return min(meant) * 2 + alone if len(meant) == 1 else 0


class NameTable:
    """Names by number; made by `of` or `open`."""

    def __init__(
        self, numbers: Numbers, meant: NDArray[np.uint32], flags: NDArray[np.uint8]
    ) -> None:
        self._numbers, self._meant, self._flags = numbers, meant, flags
        self._shift = np.uint64(64 - len(flags).bit_length() + 1)

    @classmethod
    def of(cls, keys: Sequence[str], meant: Sequence[int]) -> "NameTable":
        """Make a table of names, each with what it means as `unique_page` says."""
        flags = np.zeros(1 << max(10, (16 * len(keys)).bit_length()), np.uint8)
        shift = np.uint64(64 - len(flags).bit_length() + 1)
        found: list[Numbers] = []
        for start in range(0, len(keys), _CHUNK):
            names, longer = _numbered(keys[start : start + _CHUNK])
            flags[longer >> shift] |= _LONGER
            found.append(names)
        numbers = np.concatenate([np.zeros(0, np.uint64), *found])
        flags[numbers >> shift] |= _FULL
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], np.array(meant, np.uint32)[order], flags)

    @classmethod
    def of_titles(cls, titles: TitleIndex, alive: Bools) -> "NameTable":
        """Make the table of a corpus; `alive` says which page numbers are in use."""
        keys, starts, pages_named = titles.every_name()
        pages, kinds = pages_named >> np.uint64(3), pages_named & np.uint64(7)
        owner = np.repeat(np.arange(len(keys)), (starts[1:] - starts[:-1]).astype(np.int64))
        there = alive[np.minimum(pages, len(alive) - 1)] & (pages < len(alive))
        sure = _only(owner, pages, there & (kinds <= NameKind.ALIAS), len(keys))
        loose = _only(owner, pages, there & (kinds == NameKind.WITHOUT_PARENTHESIS), len(keys))
        single = np.array([" " not in key for key in keys], bool)
        meant = np.where(sure > 0, sure * 2 + single, sure)
        meant = np.where(
            (sure == _NONE) & ~single, np.where(loose > 0, loose * 2 + 1, loose), meant
        )
        meant[[not may_name(key) for key in keys]] = _NONE
        for at, key in enumerate(keys):
            if titles.is_newer(key):
                known = [named for named in titles.pages_named(key) if alive[named[0]]]
                one = unique_page(known, key.count(" ") + 1) if may_name(key) else None
                meant[at] = _NONE if one is None else one
        named = np.flatnonzero(meant != _NONE).tolist()
        return cls.of([keys[at] for at in named], meant[named].tolist())

    def write(self, folder: Path) -> None:
        """Write the table for other processes to map."""
        for name, array in self._parts().items():
            np.save(folder / f"{name}.npy", array)

    @classmethod
    def open(cls, folder: Path) -> "NameTable":
        """Map a table that was written."""
        names = ("numbers", "meant", "flags")
        return cls(*(np.asarray(np.load(folder / f"{n}.npy", mmap_mode="r")) for n in names))

    def _parts(self) -> "dict[str, NDArray[np.generic]]":
        return {"numbers": self._numbers, "meant": self._meant, "flags": self._flags}

    def find(self, texts: Sequence[str]) -> tuple[Counts, NDArray[np.uint32]]:
        """Find the pages that texts name: which text, and which page, for each name in order."""
        spans = Spans.of(BETWEEN.join([text.replace("\0", " ") for text in texts]))
        capitals = spans.begin_names()
        starts, lengths, meant = self._longest(spans, np.flatnonzero(capitals))
        kept = _apart(starts, starts + lengths) & (meant > 0)
        weak = kept & (meant & 1 > 0)
        kept[weak] = _alone(spans, capitals, starts[weak], lengths[weak])
        return spans.texts()[starts[kept]], meant[kept] >> np.uint32(1)

    def _longest(self, spans: Spans, first: Counts) -> tuple[Counts, Counts, NDArray[np.uint32]]:
        """Find the longest name that begins with each of some words, where there is one."""
        lengths = np.zeros(len(first), np.int64)
        meant = np.zeros(len(first), np.uint32)
        active = np.arange(len(first))
        for length in range(1, LONGEST + 1):
            active = active[first[active] + length <= len(spans)]
            if not len(active):
                break
            numbers = spans.numbers(first[active], first[active] + length - 1)
            flags = self._flags[numbers >> self._shift]
            full = np.flatnonzero(flags & _FULL)
            at = np.searchsorted(self._numbers, numbers[full])
            at[at == len(self._numbers)] = 0
            hit = self._numbers[at] == numbers[full]
            who = active[full[hit]]
            lengths[who], meant[who] = length, self._meant[at[hit]]
            active = active[(flags & _LONGER) > 0]
        named = np.flatnonzero(lengths)
        return first[named], lengths[named], meant[named]


def _only(owner: Counts, pages: Numbers, counted: Bools, keys: int) -> Counts:
    """Return, for each key, the only page that counts, 0 for several, -1 for none."""
    # Pages stand in order under their key: if the first is the last, it is the only one.
    owner, own = owner[counted], pages[counted].astype(np.int64)
    found = np.full(keys, _NONE, np.int64)
    if len(owner):
        first = np.flatnonzero(np.diff(owner, prepend=-1))
        last = np.append(first[1:], len(owner)) - 1
        found[owner[first]] = np.where(own[first] == own[last], own[first], 0)
    return found


def _numbered(keys: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Number names, and their beginnings of fewer words."""
    spans = Spans.of("\n".join(keys))
    lines = spans.lines()
    words = np.arange(len(spans))
    first = words[np.diff(lines, prepend=-1) > 0]
    counts = np.diff(first, append=len(spans))
    last = first + counts - 1
    beginnings = np.setdiff1d(words, last, assume_unique=True)
    of = np.repeat(first, counts)[beginnings]
    names = np.zeros(len(keys), np.uint64)
    names[lines[first]] = spans.numbers(first, last)  # a name of signs alone has no words
    return names, spans.numbers(of, beginnings)


def _alone(spans: Spans, capitals: Bools, starts: Counts, lengths: Counts) -> Bools:
    """Say which names no capitalised word adjoins, and no line begins with."""
    begins = np.diff(spans.lines(), prepend=-1) > 0
    ends = starts + lengths
    before = spans.joined[starts - 1] & capitals[starts - 1] & ~begins[starts - 1]
    after = spans.joined[ends - 1] & capitals[np.minimum(ends, len(capitals) - 1)]
    alone: Bools = ~begins[starts] & ~before & ~after
    return alone


def _apart(starts: Counts, ends: Counts) -> Bools:
    """Keep names from left to right, none that overlaps one that was kept."""
    kept = np.ones(len(starts), bool)
    reached = np.maximum.accumulate(ends)
    end = 0
    for at in (np.flatnonzero(starts[1:] < reached[:-1]) + 1).tolist():
        if kept[at - 1]:
            end = int(ends[at - 1])
        kept[at] = starts[at] >= end
    return kept
