"""Claims that need several pages: evidence from all of them, and the chain that led there."""

from collections.abc import Sequence

from feverfew.retrieve import Candidate
from feverfew.text import display_title, padded, spelled_words, words
from feverfew.types import Evidence, Hop

__all__ = ["broken", "chain_of", "hop_paths_of"]

_FEW = 3
"""Fewer words than this, none of them a name, are no part of a claim that could be missing."""


def hop_paths_of(found: Sequence[Candidate]) -> dict[str, Hop]:
    """Take from candidates how they were reached."""
    return {candidate.title: candidate.via for candidate in found if candidate.via is not None}


def chain_of(evidence: Sequence[Evidence], ways: dict[str, Hop]) -> tuple[Hop, ...]:
    """List the hops that led to the pages of the evidence, each after the one before it."""
    chain: dict[str, Hop] = {}
    for piece in evidence:
        way: list[Hop] = []
        page = piece.ref.page
        while page in ways and page not in chain and all(hop.page != page for hop in way):
            way.append(ways[page])
            page = ways[page].by.page
        chain.update((hop.page, hop) for hop in reversed(way))
    return tuple(chain.values())


def broken(claim: str, evidence: Sequence[Evidence]) -> str:
    """Return the longest run of the claim's words that no page of the evidence speaks of.

    Short words do not end a run. Nothing is returned where only a word or two are left.
    """
    told = b" ".join(padded(f"{display_title(e.ref.page)} {e.text}") for e in evidence)
    runs: list[list[str]] = [[]]
    for word in spelled_words(claim):
        said = all(padded(part) in told for part in words(word))
        if said and len(word) > _FEW:
            runs.append([])
        elif runs[-1] or not said:
            runs[-1].append(word)
    longest = max(runs, key=len)
    names = sum(word[0].isupper() for word in longest)
    return " ".join(longest) if len(longest) > _FEW or names > 1 else ""
