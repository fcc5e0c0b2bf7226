"""Aggregation: from what several people said of a claim to its label and its evidence.

FEVER and FEVEROUS count one annotation; further ones measure agreement. Where FEVER has a claim
labelled five times, the papers give no rule: here the majority decides, and a tie goes to
discussion. HoVer keeps a claim if three of five agree (section 2.3), and a claim that people wrote
from a question if two of three accept it (section 2.1.1).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

from feverfew.errors import InputError
from feverfew.types import Ref, Verdict

T = TypeVar("T", bound=Hashable)

POLICIES = ("first", "majority", "three-of-five")
"""Which annotation counts: the first regular one, the most frequent verdict, or three of five."""


class Judgement(Struct, frozen=True):
    """What one person said of a claim, in the order in which it was said."""

    verdict: Verdict
    sets: tuple[tuple[Ref, ...], ...] = ()
    person: str = ""
    counts: bool = True
    """False for what only measures quality: it never decides."""


class Decision(Struct, frozen=True):
    """The label of a claim, or why it has none."""

    label: Verdict | None
    sets: tuple[tuple[Ref, ...], ...] = ()
    votes: dict[str, int] = {}
    reason: str = ""
    """Why there is no label: nobody said anything, a tie, or too few who agree."""
    supersets: int = 0
    """Sets that hold another one whole."""


def majority(votes: Iterable[T], needed: int | None = None) -> T | None:
    """Return the vote that enough people share, or None; without `needed`, that no other equals.

    >>> majority(["S", "R", "S"]), majority(["S", "R"]), majority(["S", "S", "R", "R", "N"], 3)
    ('S', None, None)
    """
    counted = Counter(votes).most_common(2)
    if not counted:
        return None
    best, count = counted[0]
    if needed is not None:
        return best if count >= needed else None
    return best if len(counted) == 1 or count > counted[1][1] else None


def unite_sets(
    several: Iterable[Iterable[Sequence[Ref]]], order: dict[Ref, int] | None = None
) -> tuple[tuple[Ref, ...], ...]:
    """Unite people's evidence sets: each once, its elements and the sets in document order.

    Without an order, pages go by the alphabet and elements by their kind and position.
    """

    def place(ref: Ref) -> tuple[int, Ref]:
        return (order or {}).get(ref, 0), ref

    sets = {
        tuple(sorted(set(one), key=place)) for sets_ in several for one in sets_ if len(one) > 0
    }
    return tuple(sorted(sets, key=lambda one: [place(ref) for ref in one]))


def aggregate(
    judgements: Sequence[Judgement], policy: str = "first", order: dict[Ref, int] | None = None
) -> Decision:
    """Decide on a claim; evidence is united over those who said what was decided."""
    if policy not in POLICIES:
        raise InputError(f"unknown policy {policy!r}; known are {', '.join(POLICIES)}")
    counted = [one for one in judgements if one.counts]
    votes = dict(Counter(str(one.verdict) for one in counted))
    if not counted:
        return Decision(None, votes=votes, reason="nobody has judged it yet")
    if policy == "first":
        counted = counted[:1]
        label: Verdict | None = counted[0].verdict
    else:
        needed = 3 if policy == "three-of-five" else None
        label = majority((one.verdict for one in counted), needed)
    if label is None:
        reason = "a tie" if policy == "majority" else "fewer than three agree"
        return Decision(None, votes=votes, reason=reason)
    sets = unite_sets((one.sets for one in counted if one.verdict is label), order)
    nested = sum(any(set(other) < set(one) for other in sets) for one in sets)
    return Decision(label, sets, votes, supersets=nested)
