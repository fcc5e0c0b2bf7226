"""The reasoning graph: what hangs on what, and which shape that is."""

import pytest

from feverfew.check.evidence_graph import reasoning_of, shape_of
from feverfew.types import Context, Evidence, Hop, Ref, Shape


def piece(page: str, text: str = "Something is said.") -> Evidence:
    return Evidence(ref=Ref.sentence(page, 0), text=text, context=Context(page), score=1.0)


def hop(page: str, by: str) -> Hop:
    return Hop(page, Ref.sentence(by, 0), "name")


@pytest.mark.parametrize(
    ("pages", "edges", "shape"),
    [
        ("A", [], Shape.SINGLE),
        ("AB", ["AB"], Shape.CHAIN),
        ("AB", [], Shape.COMPARISON),
        ("ABC", ["AB", "BC"], Shape.CHAIN),
        ("ABC", ["BA", "BC"], Shape.CHAIN),
        ("ABCD", ["AB", "BC", "CD"], Shape.CHAIN),
        ("ABCD", ["AB", "BC", "BD"], Shape.STAR),
        ("ABCD", ["AB", "CD"], Shape.COMPARISON),
        ("ABCDE", ["AB", "BC", "BD", "DE"], Shape.TREE),
    ],
)
def test_the_shapes_of_hovers_claims(pages: str, edges: list[str], shape: Shape) -> None:
    assert shape_of(list(pages), [(edge[0], edge[1]) for edge in edges]) is shape


def test_pages_on_the_way_are_part_of_the_graph() -> None:
    graph = reasoning_of([piece("C"), piece("X")], [hop("B", "A"), hop("C", "B")])
    assert graph.pages == ("A", "X", "B", "C")
    assert graph.shape is Shape.COMPARISON
    assert graph.joins == ()


def test_evidence_that_names_another_page_joins_what_stood_apart() -> None:
    told = [piece("Metropolis_-LRB-film-RRB-", "Fritz Lang made it."), piece("Fritz_Lang")]
    graph = reasoning_of(told, [])
    assert graph.joins == (Hop("Fritz_Lang", told[0].ref, "name"),)
    assert graph.shape is Shape.CHAIN
    # What is joined already is not joined again, whoever names whom.
    both = [told[0], piece("Fritz_Lang", "He made Metropolis.")]
    assert len(reasoning_of(both, []).joins) == 1
    assert reasoning_of(both, [hop("Fritz_Lang", "Metropolis_-LRB-film-RRB-")]).joins == ()
