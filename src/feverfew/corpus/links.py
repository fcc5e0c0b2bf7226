"""The links between pages, in both directions; memory-mapped arrays, and what changed since.

Links out of a page, and into it, are runs of page numbers. Links to what is no page are kept apart,
by the number of the name, so that whoever adds such a page finds who links to it. Pages whose
links have changed since the arrays were written stand in the store, each whole.
"""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.corpus.layout import durable
from feverfew.corpus.pages import LinkRow
from feverfew.errors import CorpusDamaged

__all__ = ["LinkGraph", "Linked", "Links", "link_files", "link_rows", "write_links"]

_PARTS = ("out_starts", "out", "in_starts", "in", "missing_keys", "missing_from")
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


class Links(Struct, frozen=True):
    """Where a page leads to, and what leads to it, by title."""

    out: tuple[str, ...]
    into: tuple[str, ...]
    missing: tuple[str, ...]
    """What it links to and the corpus does not hold."""


class Linked(Struct, frozen=True):
    """The links of some pages: pairs in order, each once."""

    sources: NDArray[np.uint32]
    targets: NDArray[np.uint32]
    missing_sources: NDArray[np.uint32]
    missing_keys: NDArray[np.uint64]
    """What is linked to and is no page, as `hash_of_key` numbers it."""


def link_files(version: int) -> dict[str, str]:
    """Name the files of one version of the links."""
    return {part: f"links-{version}.{part}.npy" for part in _PARTS}


def write_links(folder: Path, version: int, last: int, found: Iterable[Linked]) -> None:
    """Write links; pages come in the order of their numbers, the last of which is `last`."""
    parts = list(found)
    none, no_key = np.zeros(0, np.uint32), np.zeros(0, np.uint64)
    sources = np.concatenate([none, *(part.sources for part in parts)])
    targets = np.concatenate([none, *(part.targets for part in parts)])
    from_ = np.concatenate([none, *(part.missing_sources for part in parts)])
    keys = np.concatenate([no_key, *(part.missing_keys for part in parts)])
    del parts
    back = np.argsort(targets, kind="stable")
    by_key = np.argsort(keys, kind="stable")
    arrays: dict[str, NDArray[np.generic]] = {
        "out_starts": _starts(sources, last),
        "out": targets,
        "in_starts": _starts(targets, last),
        "in": sources[back],
        "missing_keys": keys[by_key],
        "missing_from": from_[by_key],
    }
    for part, name in link_files(version).items():
        with durable(folder / name) as file:
            np.save(file, arrays[part])


def _starts(numbers: NDArray[np.uint32], last: int) -> NDArray[np.uint64]:
    """Say where the run of each page starts, and the last one ends."""
    starts = np.zeros(last + 2, np.uint64)
    np.cumsum(np.bincount(numbers, minlength=last + 1), out=starts[1:])
    return starts


def link_rows(numbers: Iterable[int], linked: Linked) -> list[LinkRow]:
    """Write the links of some pages as the store keeps them; of one that has none, too."""

    def run(sources: NDArray[np.uint32], of: NDArray[np.generic], number: int) -> bytes:
        first, last = (int(np.searchsorted(sources, np.uint32(number), side)) for side in _SIDES)
        return of[first:last].tobytes()

    return [
        (
            number,
            run(linked.sources, linked.targets, number),
            run(linked.missing_sources, linked.missing_keys, number),
        )
        for number in numbers
    ]


class LinkGraph:
    """Follows links; made by `open`."""

    def __init__(self, arrays: dict[str, NDArray[np.generic]], newer: Iterable[LinkRow]) -> None:
        self._arrays = arrays
        self._newer: dict[int, list[int]] = {}
        self._newer_into: dict[int, list[int]] = {}
        self._newer_missing: dict[int, list[int]] = {}
        for page, targets, missing in newer:
            self._newer[page] = np.frombuffer(targets, np.uint32).tolist()
            for target in self._newer[page]:
                self._newer_into.setdefault(target, []).append(page)
            for key in np.frombuffer(missing, np.uint64).tolist():
                self._newer_missing.setdefault(key, []).append(page)

    @classmethod
    def open(cls, folder: Path, version: int, newer: Iterable[LinkRow]) -> "LinkGraph":
        """Map the files of a version, and lay the newer links on top."""
        arrays: dict[str, NDArray[np.generic]] = {}
        try:
            for part, name in link_files(version).items():
                # asarray: still mapped, but without the slow indexing of numpy's memmap class
                arrays[part] = np.asarray(np.load(folder / name, mmap_mode="r"))
        except (OSError, ValueError) as error:
            raise CorpusDamaged(f"{folder / name} is damaged ({error}); build again") from None
        for starts, run in (("out_starts", "out"), ("in_starts", "in")):
            if not len(arrays[starts]) or int(arrays[starts][-1]) != len(arrays[run]):
                raise CorpusDamaged(f"{folder}: the links do not fit; build the corpus again")
        return cls(arrays, newer)

    def out(self, page: int) -> list[int]:
        """List the pages that a page leads to, in the order of their numbers."""
        if page in self._newer:
            return sorted(self._newer[page])
        return self._run("out_starts", "out", page)

    def into(self, page: int) -> list[int]:
        """List the pages that lead to a page, in the order of their numbers."""
        old = [source for source in self._run("in_starts", "in", page) if source not in self._newer]
        return sorted(old + self._newer_into.get(page, []))

    def missing(self, key: int) -> list[int]:
        """List the pages that link to what is no page, by its `hash_of_key`."""
        keys = self._arrays["missing_keys"]
        first, last = (int(np.searchsorted(keys, np.uint64(key), side)) for side in _SIDES)
        old = [n for n in self._arrays["missing_from"][first:last].tolist() if n not in self._newer]
        return sorted(old + self._newer_missing.get(key, []))

    def counts(self) -> tuple[int, int]:
        """Count the links between pages, and those to what is no page."""
        keys = self._arrays["missing_from"]
        gone = sum(len(self._run("out_starts", "out", page)) for page in self._newer)
        found = len(self._arrays["out"]) - gone + sum(map(len, self._newer.values()))
        lost = int(np.isin(keys, list(self._newer)).sum()) if self._newer else 0
        return found, len(keys) - lost + sum(map(len, self._newer_missing.values()))

    def damage(self, pages: Collection[int]) -> list[str]:
        """Say what is wrong: the directions must mirror each other, and lead to pages."""
        out, back = self._pairs("out_starts", "out"), self._pairs("in_starts", "in")
        order = np.lexsort((back[0], back[1]))
        if not (np.array_equal(out[0], back[1][order]) and np.array_equal(out[1], back[0][order])):
            return ["links into pages are not those out of them"]
        counted = out[:, ~np.isin(out[0], list(self._newer))]
        ends = {*np.unique(counted).tolist(), *self._newer_into}
        ends.update(page for page, targets in self._newer.items() if targets)
        strange = sorted(ends.difference(pages))
        return [f"links lead to or from page {strange[0]}, which is not there"] if strange else []

    def _pairs(self, starts: str, run: str) -> NDArray[np.uint32]:
        bounds = self._arrays[starts].astype(np.int64)
        owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        return np.stack([owner.astype(np.uint32), self._arrays[run].astype(np.uint32)])

    def _run(self, starts: str, run: str, page: int) -> list[int]:
        bounds = self._arrays[starts]
        if not 0 <= page < len(bounds) - 1:
            return []
        found: list[int] = self._arrays[run][int(bounds[page]) : int(bounds[page + 1])].tolist()
        return found
