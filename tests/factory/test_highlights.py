"""Claims about highlights: three each, cells as evidence, the prescribed mutations."""

from collections import Counter

from feverfew.corpus import Corpus
from feverfew.factory.claims import R, S
from feverfew.factory.facts import subject_of
from feverfew.factory.highlights import draw_highlight_claims
from feverfew.factory.sources import popular_pages
from feverfew.factory.table_claims import Readable, TableWriter, sayable
from feverfew.rules.mutations import MUTATIONS
from feverfew.rules.sampling import rng_of
from feverfew.types import Cell, Page, Table

ROWS = [
    ("Name", "Capacity", "City", "Opened"),
    ("North Arena", "12,000", "Norwick", "1901"),
    ("South Arena", "8,000", "Sudham", "1950"),
    ("East Arena", "30,500", "Norwick", "1999"),
    ("West Arena", "4,100", "Norwick", "2004"),
]


def stadiums() -> Readable:
    table = Table(
        0,
        tuple(
            tuple(Cell(r, c, text, r == 0) for c, text in enumerate(row))
            for r, row in enumerate(ROWS)
        ),
        "Arenas",
    )
    found = Readable.of(Page("Arenas of Surrey", (table,)), table)
    assert found is not None
    return found


def written(way: str, true: bool) -> set[str]:
    found = set()
    for seed in range(60):
        writer = TableWriter(stadiums(), {"city": ["Linz"]}, rng_of(seed))
        made = getattr(writer, way)(true)
        if made is not None:
            assert made.true == true
            found.add(made.text)
    return found


def test_extremes_counts_and_comparisons_are_computed() -> None:
    assert (
        "East Arena has the highest capacity in the table “Arenas” of “Arenas of Surrey”."
        in written("most", True)
    )
    assert not any("East Arena has" in text for text in written("most", False))
    assert all("three" in text for text in written("counted", True))
    assert not any("three" in text for text in written("counted", False))
    name = "the table “Arenas” of “Arenas of Surrey”"
    assert f"According to {name}, North Arena has a higher capacity than West Arena." in written(
        "compared", True
    )
    assert f"According to {name}, West Arena has a higher capacity than North Arena." in written(
        "compared", False
    )


def test_a_cell_is_said_rightly_wrongly_and_denied() -> None:
    right, wrong = written("lookup", True), written("lookup", False)
    assert right
    assert not right & wrong
    writer = TableWriter(stadiums(), {}, rng_of(3))
    denied = writer.lookup(True, "denied")
    assert denied is not None
    assert not denied.true
    assert "not" in denied.text


def test_a_cell_that_cannot_be_said_is_left_out() -> None:
    assert not sayable("see [3]")
    assert not sayable("n/a")
    assert sayable("12,000")


def test_highlights_of_the_sample_give_three_claims_each() -> None:
    with Corpus.sample() as corpus:
        numbers = popular_pages(corpus, 10, 500)
        found = (corpus.store.page(n) for n in numbers)
        read = [s for n, p in zip(numbers, found, strict=True) if p and (s := subject_of(p, n))]
        drawn = list(draw_highlight_claims(corpus, numbers, read, 60, 1, 0.0))
        assert len(drawn) >= 9
        by_page = Counter(claim.page for claim in drawn)
        assert set(by_page.values()) == {3}
        assert Counter(claim.kind for claim in drawn) == {
            kind: len(by_page) for kind in ("I", "II", "III")
        }
        known = {mutation.name for mutation in MUTATIONS["feverous"]}
        assert {claim.operation for claim in drawn if claim.kind == "III"} <= known
        assert {claim.label for claim in drawn} == {S, R}
        for claim in drawn:
            for ref in claim.evidence[0]:
                assert corpus.element(ref)
