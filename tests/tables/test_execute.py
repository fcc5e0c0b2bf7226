"""The language: each operation over a small table, in print, and fast over large ones."""

import random
import time

import pytest

from feverfew.tables.execute import Runner
from feverfew.tables.language import (
    Aggregate,
    Alike,
    Compare,
    Count,
    Difference,
    Distinct,
    Extreme,
    Is,
    Number,
    Of,
    Program,
    Quantified,
    Than,
    Where,
    columns_of,
)
from feverfew.tables.programs import Programs, try_programs
from feverfew.tables.view import TableView
from feverfew.tables.words import in_words

CLUBS = TableView.of_rows(
    [
        ["Club", "City", "Points", "Founded", "Result"],
        ["Ravens", "Oslo", "10", "3 May 1890", "Won"],
        ["Larks", "Oslo", "−4", "1890-06-01", "Lost"],
        ["Owls", "Bergen", "1,010", "June 2, 1901", "Won"],
        ["Wrens", "Bergen", "", "", "Won"],
    ]
)
WON, OSLO = Is(4, ("won",)), Is(1, ("oslo",))
RAVENS, LARKS, OWLS = (Where((Is(0, (name,)),)) for name in ("raven", "lark", "owl"))
ALL = Where()


def number(value: float) -> Number:
    return Number(value, f"{value:g}")


@pytest.mark.parametrize(
    ("program", "truth", "value"),
    [
        (Compare(Count(Where((WON,))), "=", number(4)), False, 3),
        (Compare(Count(Where((WON, OSLO))), "=", number(1)), True, 1),
        (Compare(Count(Where((Than(2, ">", 5),))), "≥", number(2)), True, 2),
        (Compare(Distinct(ALL, 1), "=", number(2)), True, 2),
        (Compare(Aggregate("sum", ALL, 2), "=", number(1016)), True, 1016),
        (Compare(Aggregate("mean", Where((OSLO,)), 2), "=", number(3)), True, 3),
        (Compare(Aggregate("max", ALL, 2), "=", number(10)), False, 1010),
        (Compare(Aggregate("min", ALL, 2), "<", number(0)), True, -4),
        (Quantified("all", Extreme(ALL, 2, True), Is(0, ("owl",))), True, 1),
        (Quantified("all", Extreme(ALL, 2, False), Is(0, ("owl",))), False, 0),
        (Quantified("all", Extreme(ALL, 2, True, 2), Is(0, ("raven",))), True, 1),
        (Quantified("all", Extreme(ALL, 3, False), Is(0, ("raven",))), True, 1),
        (Compare(Of(RAVENS, 2), ">", Of(LARKS, 2)), True, 10),
        (Compare(Of(LARKS, 3), "<", Of(RAVENS, 3)), False, None),
        (Compare(Of(OWLS, 3, year=True), "=", number(1901)), True, 1901),
        (Compare(Difference(Of(RAVENS, 2), Of(OWLS, 2)), "=", number(1000)), True, 1000),
        (Quantified("some", Where((OSLO,)), WON), True, 1),
        (Quantified("all", Where((OSLO,)), WON), False, 1),
        (Quantified("none", Where((OSLO,)), WON), False, 1),
        (Quantified("most", ALL, WON), True, 3),
        (Quantified("only", Where((OSLO,)), Is(4, ("lost",))), True, 1),
        (Quantified("only", Where((OSLO,)), WON), False, 1),
        (Alike(RAVENS, LARKS, 1), True, None),
        (Alike(RAVENS, OWLS, 1), False, None),
    ],
)
def test_operations(program: Program, truth: bool, value: float | None) -> None:
    outcome = Runner(CLUBS).run(program)
    assert outcome.truth is truth
    if value is not None:
        assert outcome.value == pytest.approx(value)
    assert Runner(CLUBS).cells(program)
    assert in_words(program, Runner(CLUBS).run(program), CLUBS).endswith(".")
    assert columns_of(program) <= set(range(5))


def test_what_is_missing_says_nothing() -> None:
    runner = Runner(CLUBS)
    nobody = Where((Is(0, ("gull",)),))
    assert runner.run(Quantified("all", nobody, WON)).truth is None
    assert runner.run(Compare(Of(nobody, 2), "=", number(1))).truth is None
    assert runner.run(Compare(Aggregate("mean", nobody, 2), "=", number(1))).truth is None
    assert runner.run(Alike(nobody, RAVENS, 1)).truth is None


def test_a_claim_may_round_but_not_miscount() -> None:
    view = TableView.of_rows([["a"], ["1.26"], ["1.27"]])
    runner = Runner(view)
    mean = Aggregate("mean", ALL, 0)
    assert runner.run(Compare(mean, "=", number(1.3))).truth
    assert not runner.run(Compare(mean, "=", number(1.4))).truth
    assert not runner.run(Compare(Count(ALL), "=", number(2.4))).truth


def test_it_says_what_it_found() -> None:
    program = Compare(Count(Where((WON,))), "=", number(4))
    said = in_words(program, Runner(CLUBS).run(program), CLUBS)
    assert said == "The table has 3 rows with Result Won; the claim says 4."
    assert sorted(Runner(CLUBS).cells(program)) == [(0, 4), (2, 4), (3, 4)]


def test_a_row_that_is_not_there_shows_what_is_there_instead() -> None:
    program = Compare(Count(Where((Is(0, ("lark",)), WON))), "≥", Number(1, "1"))
    runner = Runner(CLUBS)
    said = in_words(program, runner.run(program), CLUBS)
    assert said == "The table has no row with Club Larks and Result Won."
    assert runner.cells(program) == [(1, 0), (1, 4)]


def test_the_rows_of_a_condition_are_all_that_hold_its_words() -> None:
    view = TableView.of_rows([["a"], ["red fox"], ["fox"], ["the red fox den"]])
    runner = Runner(view)
    assert runner.rows(Is(0, ("fox", "red"))) == 0b101
    assert runner.rows(Is(0, ("fox",), whole=True)) == 0b010


def large(rows: int, columns: int) -> TableView:
    chance = random.Random(1)
    header = [f"measure {c}" for c in range(columns)]
    body = [
        [
            f"name{r}",
            chance.choice(("won", "lost")),
            *(f"{chance.random():.3f}" for _ in header[2:]),
        ]
        for r in range(rows)
    ]
    return TableView.of_rows([header, *body])


def test_a_thousand_rows_of_forty_columns_are_fast() -> None:
    view = large(1000, 40)
    claim = "name7 won more than 3 times and has the highest measure 5, above name9 by 2"
    try_programs(claim, view)  # the index of words is made once for a table
    spent = []
    for _ in range(3):
        start = time.process_time()
        assert len(try_programs(claim, view).candidates) > 20
        spent.append(time.process_time() - start)
    assert min(spent) < 0.05


def test_a_hundred_thousand_rows_are_no_harm() -> None:
    view = large(100_000, 3)
    said = Programs.open().run(["name99999 won."], [view])[0]
    assert said.tried.candidates
    assert all(len(said.tried.runner.cells(c.program)) <= 25 for c in said.tried.candidates)
