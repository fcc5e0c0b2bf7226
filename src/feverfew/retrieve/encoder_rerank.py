"""What a reader says of the best pages that a round follows: whether they matter to the claim.

A page that the claim only describes matters because of the page that led to it, so its best
sentence is read beside the one that names it.
"""

from collections.abc import Sequence
from typing import Protocol

from feverfew.retrieve.claim_coverage import Floats
from feverfew.retrieve.multihop import MultiHopSearch

__all__ = ["Reader", "hear", "told"]


class Reader(Protocol):
    """Says how likely evidence matters to its claim, from 0 to 1: the encoder does."""

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]: ...


def hear(
    reader: Reader,
    trails: Sequence[MultiHopSearch],
    ahead: Sequence[Sequence[int]],
    scores: Sequence[Floats],
) -> None:
    """Read the better half of the pages that each trail is about to follow, all in one batch."""
    # Heavy, as the whole room is, and no other retriever needs it.
    from feverfew.models.linearise import linearise, plain

    asked = [
        (trail, place, told(trail, place, own))
        for trail, places, own in zip(trails, ahead, scores, strict=True)
        for place in places[: (len(places) + 1) // 2]
    ]
    said = reader.relevance([(plain(trail.claim), linearise(own)) for trail, _, own in asked])
    for (trail, place, _), relevance in zip(asked, said, strict=True):
        trail.relevance[place] = relevance


def told(trail: MultiHopSearch, place: int, scores: Floats) -> list[tuple[str, str]]:
    """Return the sentence that led to a page, if one did, and its own best, with their titles."""
    pieces = []
    led = [edge for edge in trail.edges if edge.child == place]
    if led:
        edge = max(led, key=lambda edge: scores[edge.parent])
        pieces.append(_piece(trail, edge.parent, edge.sentence))
    return [*pieces, _piece(trail, place, -1)]


def _piece(trail: MultiHopSearch, place: int, sentence: int) -> tuple[str, str]:
    at = sentence if sentence >= 0 else trail.best_sentence(place)
    sentences = trail.leads[place].sentences
    return trail.titles[place], sentences[at].text if at >= 0 else ""
