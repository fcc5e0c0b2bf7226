"""Cut a sheet by what the claims are like; each slice is a sheet of its own."""

from bisect import bisect_right
from collections.abc import Callable, Iterable

from feverfew.errors import NotFound
from feverfew.score.sheet import Sheet
from feverfew.types import Claim, Kind, Ref, Verdict

Key = tuple[int, str]
"""Where the slice stands among its kind, and its name."""

_KINDS = {
    Kind.SENTENCE: "sentences",
    Kind.CELL: "cells",
    Kind.HEADER_CELL: "cells",
    Kind.CAPTION: "cells",
    Kind.ITEM: "list items",
}
_LABELS = {label: (place, label.value) for place, label in enumerate(Verdict)}
_KIND_ORDER = ("sentences", "cells", "list items", "other elements")
_LENGTHS = (1, 8, 12, 20, 30)
"""Where the buckets begin: FEVER's claims have about 9 words, HoVer's 20, FEVEROUS's 25."""
_MOST = 5


def _label(claim: Claim) -> Key | None:
    return None if claim.label is None else _LABELS[claim.label]


def _hops(claim: Claim) -> Key | None:
    return None if claim.hops is None else (claim.hops, f"{claim.hops} hops")


def _evidence_type(claim: Claim) -> Key:
    """Name the kinds of element that any of the claim's gold sets holds."""
    names = {_KINDS.get(ref.kind, "other elements") for refs in claim.evidence for ref in refs}
    if not names:
        return 99, "no evidence"
    ordered = [name for name in _KIND_ORDER if name in names]
    alone = " only" if len(ordered) == 1 else ""
    return len(ordered) * 10 + _KIND_ORDER.index(ordered[0]), " + ".join(ordered) + alone


def _challenge(claim: Claim) -> Key | None:
    return (0, claim.challenge) if claim.challenge else None


def _gold_sentences(claim: Claim) -> Key | None:
    """Count the sentences of the gold set that needs the fewest elements."""
    if not claim.evidence:
        return None
    smallest: set[Ref] = min((set(refs) for refs in claim.evidence), key=len)
    count = sum(ref.kind is Kind.SENTENCE for ref in smallest)
    if count >= _MOST:
        return _MOST, f"{_MOST} or more"
    return count, str(count)


def _length(claim: Claim) -> Key:
    place = max(0, bisect_right(_LENGTHS, len(claim.text.split())) - 1)
    start = _LENGTHS[place]
    if place + 1 == len(_LENGTHS):
        return place, f"{start} words or more"
    return place, f"{start}–{_LENGTHS[place + 1] - 1} words"


SLICES: dict[str, Callable[[Claim], Key | None]] = {
    "label": _label,
    "hops": _hops,
    "evidence": _evidence_type,
    "challenge": _challenge,
    "sentences": _gold_sentences,
    "length": _length,
}
"""What a sheet can be cut by; None leaves a claim out of every slice of that kind."""


def slice_by(sheet: Sheet, by: Iterable[str] = SLICES) -> dict[str, dict[str, Sheet]]:
    """Cut a sheet by each property: {"hops": {"2 hops": Sheet, "3 hops": Sheet}, …}.

    A property that no claim has is absent.
    """
    cut: dict[str, dict[str, Sheet]] = {}
    for name in by:
        if name not in SLICES:
            raise NotFound(f"no slice is called {name!r}; there are {', '.join(SLICES)}")
        places: dict[Key, list[int]] = {}
        for place, pair in enumerate(sheet.pairs):
            key = SLICES[name](pair.claim)
            if key is not None:
                places.setdefault(key, []).append(place)
        if places:
            cut[name] = {key[1]: sheet.only(places[key]) for key in sorted(places)}
    return cut
