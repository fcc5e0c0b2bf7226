"""From a claim to programs and a verdict, and back to text."""

import pytest

from feverfew.tables.candidates import candidates
from feverfew.tables.combine import together
from feverfew.tables.execute import Runner
from feverfew.tables.language import written
from feverfew.tables.linearise import linearise_cells
from feverfew.tables.linking import link
from feverfew.tables.programs import Programs, try_programs
from feverfew.tables.scorer import Scorer
from feverfew.tables.view import TableView

RIVERS = TableView.of_rows(
    [
        ["River", "Country", "Length (km)", "Bridges"],
        ["Alva", "Norway", "610", "4"],
        ["Berga", "Sweden", "480", "9"],
        ["Corra", "Norway", "290", "2"],
        ["Dunna", "Finland", "1,020", "9"],
    ],
    "Rivers of the north",
)


@pytest.mark.parametrize(
    ("claim", "program", "truth"),
    [
        ("There are 3 rivers in Norway.", "count(Country = norway) = 3", False),
        ("The Alva has 4 bridges.", "some of (River = alva): Bridges = 4", True),
        # Two rivers have as many.
        (
            "The Dunna has the most bridges of all.",
            "all of (row with the largest Bridges): River = dunna",
            False,
        ),
        ("The longest length is 1,020.", "max(Length (km)) = 1020", True),
        (
            "The Alva is longer in length than the Berga.",
            "Length (km) of (River = alva) > Length (km) of (River = berga)",
            True,
        ),
        ("The average length is 600.", "mean(Length (km)) = 600", True),
        ("The total number of bridges is 25.", "sum(Bridges) = 25", False),
        ("Only the Berga is in Sweden.", "only (River = berga) has Country = sweden", True),
        (
            "The difference in bridges between the Alva and the Corra is 2.",
            "difference of Bridges of (River = alva) and Bridges of (River = corra) = 2",
            True,
        ),
        ("2 rivers have a length over 500.", "count(Length (km) > 500) = 2", True),
        (
            "The Alva and the Corra are in the same country.",
            "Country of (River = alva) = Country of (River = corra)",
            True,
        ),
        ("There are 3 different countries.", "different(Country) = 3", True),
        ("One river is longer in length than 700,000 m.", "count(Length (km) > 700) = one", True),
        ("The Swedish river has nine bridges.", "some of (Country = sweden): Bridges = 9", True),
    ],
)
def test_the_program_that_is_meant_is_among_the_candidates(
    claim: str, program: str, truth: bool
) -> None:
    runner = Runner(RIVERS)
    found = {
        written(one.program, RIVERS.header_of): runner.run(one.program).truth
        for one in candidates(link(claim, RIVERS), RIVERS)
    }
    assert program in found
    assert found[program] is truth


def test_a_year_is_compared_with_dates() -> None:
    view = TableView.of_rows([["Ship", "Built"], ["Ada", "3 May 1890"], ["Eva", "9 June 1901"]])
    runner = Runner(view)
    found = {
        written(one.program, view.header_of): runner.run(one.program).truth
        for claim in ("The Ada was built in 1891.", "1 ship was built after 1900.")
        for one in candidates(link(claim, view), view)
    }
    assert found["year of Built of (Ship = ada) = 1891"] is False
    assert any("count(Built > " in said and truth for said, truth in found.items())
    assert not any(said.startswith(("Built of", "sum(", "max(")) for said in found)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("The Alva is a river in Norway.", True),
        ("The Alva is a river in Sweden.", False),
        ("The length of the Corra is 290 km.", True),
        ("The length of the Corra is 480 km.", False),
        ("There are 2 rivers in Norway.", True),
        ("There are 4 rivers in Norway.", False),
    ],
)
def test_plain_claims_come_out_right(claim: str, true: bool) -> None:
    said = Programs.open().hear([claim], [RIVERS])[0]
    assert (said.probability > 0.5) is true
    best = said.top_program(true)
    assert best is not None
    assert said.tried.outcomes[best].truth is true


def test_a_table_about_other_things_is_silent() -> None:
    own, other = Programs.open().hear(
        ["The Alva is a river in Norway.", "Bees make honey in the summer."], [RIVERS, RIVERS]
    )
    assert own.speaks > 0.5 > other.speaks


def test_no_feature_is_ever_undefined() -> None:
    for claim in ("", "a", "!!!", "0 0 0 zero", "none of all the most least first last 3rd"):
        tried = try_programs(claim, RIVERS)
        assert not any(map(bool, (tried.programs != tried.programs).ravel()))
        assert not any(map(bool, (tried.statement != tried.statement).ravel()))
        assert 0 <= Scorer.shipped().score(tried.programs, tried.statement)[0] <= 1


def test_cells_in_words() -> None:
    assert linearise_cells(RIVERS, [(1, 2), (1, 0), (0, 3)]) == (
        "Rivers of the north: River is Berga, Length (km) is 480. Bridges is 4."
    )
    assert linearise_cells(RIVERS, []) == "Rivers of the north:"


def test_texts_and_tables_speak_together() -> None:
    assert together((0, 0, 1), (0, 0, 1)) == (0, 0, 1)
    supported, refuted, still_open = together((0.9, 0.05, 0.05), (0.6, 0.1, 0.3))
    assert supported + refuted + still_open == pytest.approx(1)
    assert still_open < 0.05
    assert supported > 0.8
    # Two that disagree equally loudly leave it in the balance.
    balance = together((0.8, 0.1, 0.1), (0.1, 0.8, 0.1))
    assert balance[0] == pytest.approx(balance[1])
