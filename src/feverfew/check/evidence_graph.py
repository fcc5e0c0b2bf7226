"""The reasoning graph of a claim over several pages, and its shape.

HoVer's claims (table 1 of its paper) are chains, or stars if a fourth page is connected to the
middle one. Two pages may also be compared, connected only by the claim.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from feverfew.text import display_title, padded, without_parenthesis
from feverfew.types import Evidence, Hop, Reasoning, Shape

Edge = tuple[str, str]


def chain_of(evidence: Sequence[Evidence], hop_paths: dict[str, Hop]) -> tuple[Hop, ...]:
    """List the hops that led to the pages of the evidence, each after the one before it."""
    chain: dict[str, Hop] = {}
    for piece in evidence:
        way: list[Hop] = []
        page = piece.ref.page
        while page in hop_paths and page not in chain and all(hop.page != page for hop in way):
            way.append(hop_paths[page])
            page = hop_paths[page].by.page
        chain.update((hop.page, hop) for hop in reversed(way))
    return tuple(chain.values())


def reasoning_of(evidence: Sequence[Evidence], chain: Sequence[Hop]) -> Reasoning:
    """Draw the graph of the pages of evidence, and of those on the way to them."""
    known = [piece.ref.page for piece in evidence]
    reached = {hop.page for hop in chain}
    first = [page for page in (*(hop.by.page for hop in chain), *known) if page not in reached]
    pages = tuple(dict.fromkeys((*first, *(hop.page for hop in chain))))
    joins = tuple(_joins(evidence, chain))
    edges = [(hop.by.page, hop.page) for hop in (*chain, *joins)]
    return Reasoning(shape_of(pages, edges), pages, joins)


def shape_of(pages: Sequence[str], edges: Iterable[Edge]) -> Shape:
    """Name the shape of a graph without loops.

    >>> shape_of(["A", "B", "C"], [("A", "B"), ("B", "C")])
    <Shape.CHAIN: 'chain'>
    """
    if len(pages) < 2:
        return Shape.SINGLE
    joined = list(edges)
    if len(set(_components(pages, joined).values())) > 1:
        return Shape.COMPARISON
    degrees = Counter(page for edge in joined for page in edge)
    if max(degrees.values()) <= 2:
        return Shape.CHAIN
    return Shape.STAR if max(degrees.values()) == len(pages) - 1 else Shape.TREE


def _joins(evidence: Sequence[Evidence], chain: Sequence[Hop]) -> Iterator[Hop]:
    """Find where evidence names a page of other evidence, and so connects separate parts."""
    pages = [*(piece.ref.page for piece in evidence), *(hop.by.page for hop in chain)]
    pages = list(dict.fromkeys((*pages, *(hop.page for hop in chain))))
    part = _components(pages, [(hop.by.page, hop.page) for hop in chain])
    for piece in evidence:
        text = padded(piece.text)
        for page in pages:
            own, other = part[piece.ref.page], part[page]
            name = padded(without_parenthesis(display_title(page)))
            if own != other and name.strip() and name in text:
                yield Hop(page, piece.ref, "name")
                part = {p: own if at == other else at for p, at in part.items()}


def _components(pages: Iterable[str], edges: Iterable[Edge]) -> dict[str, str]:
    """Map each page to a representative of its connected component."""
    part = {page: page for page in pages}
    for one, other in edges:
        own, lost = part.setdefault(one, one), part.setdefault(other, other)
        part = {page: own if at == lost else at for page, at in part.items()}
    return part
