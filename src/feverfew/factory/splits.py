"""Part claims into train, dev and test so that nothing of one split is known from another.

Groups stay whole: the page that FEVER's claims are made from, FEVEROUS's highlight, HoVer's
question. Groups with claims that are almost the same are put together. Dev and test are balanced by
leaving out claims of the larger classes, as for the shared task of 2018 (section 2.1).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from feverfew.factory.claims import Drafted
from feverfew.rules.sampling import unit
from feverfew.text import words

SPLITS = ("train", "dev", "test")
ALIKE = 0.85
"""Claims that share so much of their words and pairs of words are near duplicates."""


def shingles(text: str) -> frozenset[str]:
    """Return the words of a text and the pairs of neighbouring ones."""
    said = words(text)
    return frozenset([*said, *(f"{a} {b}" for a, b in pairwise(said))])


def near_duplicates(texts: Sequence[str], least: float = ALIKE) -> Iterator[tuple[int, int]]:
    """Yield pairs of texts that are almost the same, by the share of shingles they have in common.

    >>> list(near_duplicates(["Ada Brook was born in Linz in 1890.",
    ...                       "Ada Brook was born in Linz in 1890!", "Linz is a town."]))
    [(0, 1)]
    """
    sets = [shingles(text) for text in texts]
    often = Counter(shingle for own in sets for shingle in own)
    holders: dict[str, list[int]] = defaultdict(list)
    for at, own in enumerate(sets):
        # Two sets that share enough must share one of the rarest shingles of each.
        rarest = sorted(own, key=lambda one: (often[one], one))
        prefix = rarest[: len(own) - int(least * len(own) + 0.9999) + 1]
        near = {other for shingle in prefix for other in holders[shingle]}
        for other in sorted(near):
            if len(own & sets[other]) >= least * len(own | sets[other]):
                yield other, at
        for shingle in prefix:
            holders[shingle].append(at)


def part(
    claims: Sequence[Drafted], shares: dict[str, float], seed: int
) -> dict[str, list[Drafted]]:
    """Part claims into splits; groups, and groups with near duplicates, stay together."""
    leader = {claim.group: claim.group for claim in claims}

    def find(group: str) -> str:
        while leader[group] != group:
            leader[group] = leader[leader[group]]
            group = leader[group]
        return group

    for one, other in near_duplicates([claim.text for claim in claims]):
        leader[find(claims[one].group)] = find(claims[other].group)
    parted: dict[str, list[Drafted]] = {name: [] for name in SPLITS}
    for claim in claims:
        parted[_split_of(unit(seed, "split", find(claim.group)), shares)].append(claim)
    return {name: own if name == "train" else _balanced(own, seed) for name, own in parted.items()}


def _split_of(place: float, shares: dict[str, float]) -> str:
    for name in SPLITS:
        place -= shares[name]
        if place < 0:
            return name
    return max(shares, key=lambda name: shares[name])


def _balanced(claims: Sequence[Drafted], seed: int) -> list[Drafted]:
    """Leave out claims of the larger classes at random; a class of very few is let be.

    FEVEROUS's open claims are few by design: to balance with them would leave nothing.
    """
    counts = Counter(claim.label for claim in claims)
    large = [n for n in counts.values() if n >= len(claims) / 5]
    room = dict.fromkeys(counts, min(large, default=0))
    kept = set()
    for claim in sorted(claims, key=lambda one: unit(seed, "balance", one.text)):
        if room[claim.label] > 0:
            room[claim.label] -= 1
            kept.add(claim.text)
    return [claim for claim in claims if claim.text in kept]
