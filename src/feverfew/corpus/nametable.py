"""Every name that means one page, as arrays in which the names of a whole text are looked up.

What a name means is kept strict, as no one reads what is linked: the page that bears it in full,
or, for several words, the only one that bears it but for a parenthesis. A name that two pages bear
alike means neither. A single word, and a name without its parenthesis, must stand alone: not the
'Arthur' of Arthur Kill, nor the 'World Cup' of a Cricket World Cup, nor a line's first word.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from feverfew.corpus.names import NameKind
from feverfew.corpus.spans import BETWEEN, Bools, Counts, Numbers, Spans
from feverfew.corpus.titles import TitleIndex

__all__ = ["LONGEST", "NameTable", "may_name", "unique_page"]

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
        """Make a table of names, each with what it means as `the_one` says."""
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
                known = [bearer for bearer in titles.pages_named(key) if alive[bearer[0]]]
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
