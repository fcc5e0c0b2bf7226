"""Something to click for who comes first: claims of the sample that the corpus can speak of."""

from functools import lru_cache

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from feverfew.types import Ref

__all__ = ["Starter", "starters"]

_CHOSEN = {
    1028: "a date to compare",
    4007: "cells of a table to count",
    1026: "one word that matters",
    4001: "a row of a table to find",
    1054: "something that nobody may have written down",
}
_TEXT = (
    "Fritz Lang was born in Vienna. He died in 1995. Was he famous? He owned a parrot. "
    "His wife was the novelist Thea von Harbou."
)
_TEXT_NEEDS = ("Fritz Lang", "Thea von Harbou")


class Starter(Struct, frozen=True):
    """A claim to try, and what it shows."""

    claim: str
    shows: str


@lru_cache
def _claims() -> dict[int | str, tuple[str, tuple[tuple[Ref, ...], ...]]]:
    return {
        claim.id: (claim.text, claim.evidence)
        for path in sample_claims()
        for claim in read_claims(path)
    }


def starters(corpus: Corpus) -> list[Starter]:
    """List claims whose pages the corpus has; none for a corpus of other things."""
    known = _claims()
    found = []
    for number, shows in _CHOSEN.items():
        text, evidence = known[number]
        if all(ref.page in corpus for one in evidence for ref in one):
            found.append(Starter(text, shows))
    if found and all(title in corpus for title in _TEXT_NEEDS):
        found.append(Starter(_TEXT, "a whole paragraph, sentence by sentence"))
    return found
