"""How the pages of a trail were reached: a forest whose roots are what the claim itself names."""

from feverfew.corpus.names import NameKind
from feverfew.retrieve.claim_coverage import Floats
from feverfew.retrieve.multihop import Edge, MultiHopSearch
from feverfew.types import Hop, Ref

__all__ = ["ways"]


def ways(trail: MultiHopSearch, scores: Floats) -> dict[int, Hop]:
    """Say, for each place that the claim does not name, which sentence led to it.

    Pages are joined layer by layer, so that the shortest way is told, and no loop: first those
    that names and links lead to, then those that only a search of the text does. Of several
    ways, the one from the best page counts.
    """
    incoming: dict[int, list[Edge]] = {}
    for edge in trail.edges:
        incoming.setdefault(edge.child, []).append(edge)
    joined = {at for at in range(len(trail)) if _named(trail, at) or at not in incoming}
    found: dict[int, Hop] = {}
    while layer := _layer(incoming, joined, scores, by_text=False) or _layer(
        incoming, joined, scores, by_text=True
    ):
        for at, edge in layer.items():
            found[at] = Hop(trail.titles[at], _sentence(trail, edge), edge.how)
        joined |= set(layer)
    return found


def _layer(
    incoming: dict[int, list[Edge]], joined: set[int], scores: Floats, *, by_text: bool
) -> dict[int, Edge]:
    """Find what can be joined next, and how."""
    return {
        at: max(known, key=lambda edge: scores[edge.parent])
        for at, edges in incoming.items()
        if at not in joined
        if (
            known := [
                edge for edge in edges if edge.parent in joined and (edge.how == "text") is by_text
            ]
        )
    }


def _named(trail: MultiHopSearch, place: int) -> bool:
    """Say whether the claim names a page: not by a common word in small letters."""
    spelled = trail.query.words.spelled
    return any(
        mention.kind <= NameKind.WITHOUT_PARENTHESIS
        and any(not word[0].islower() for word in spelled[mention.start :][: mention.length])
        for mention in trail.mentions.get(trail.numbers[place], ())
    )


def _sentence(trail: MultiHopSearch, edge: Edge) -> Ref:
    """Name the sentence that led on; where the whole page was asked with, the best of it."""
    at = edge.sentence if edge.sentence >= 0 else trail.best_sentence(edge.parent)
    sentences = trail.leads[edge.parent].sentences
    index = sentences[at].index if at >= 0 else 0
    return Ref.sentence(trail.titles[edge.parent], index)
