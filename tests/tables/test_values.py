"""What cells hold: numbers with their signs and units, dates in many spellings, words."""

import math

import pytest

from feverfew.tables.values import DATE, NUMBER, TEXT, cell_words, read_value


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        ("1,234,567", 1234567),
        ("1 234 567", 1234567),
        ("−5.5", -5.5),
        ("–3", -3),
        ("-0.25", -0.25),
        ("+7", 7),
        ("$1,200", 1200),
        ("€ 3.5 million", 3.5e6),
        ("£5m", 5e6),
        ("5 m", 5),
        ("45%", 45),
        ("3rd", 3),
        ("12[a]", 12),
        ("12 [3]", 12),
        ("99*", 99),
        ("2 km", 2000),
        ("1370 lb (635 kg)", 1370 * 0.45359237),
        ("3:30", 210),
        ("1:02:03.5", 3723.5),
        ("t5", 5),
    ],
)
def test_numbers(text: str, number: float) -> None:
    value = read_value(text)
    assert value.kind == NUMBER
    assert value.number == pytest.approx(number)


@pytest.mark.parametrize(
    "text",
    [
        "3 May 1890",
        "May 3, 1890",
        "3rd of May 1890",
        "May 3rd , 1890",
        "1890-05-03",
        "1890 - 05 - 03",
        "03/05/1890",
        "3.5.1890",
        "Saturday, 3 May 1890",
        "1890 May 3",
        "3-may-1890",
        "may 3 1890[2]",
    ],
)
def test_a_day_in_many_spellings(text: str) -> None:
    value = read_value(text)
    assert (value.kind, value.number) == (DATE, 1890 * 372 + 4 * 31 + 2)


def test_days_without_a_year_keep_their_order() -> None:
    early, late = read_value("december 1"), read_value("friday , 22 december")
    assert early.kind == late.kind == DATE
    assert early.number < late.number


@pytest.mark.parametrize(
    "text", ["", "-", "won", "w 24 - 19", "27 - 0", "2 / 3", "see note 4 for more", "²", "x" * 500]
)
def test_other_texts_hold_neither(text: str) -> None:
    assert read_value(text).kind == TEXT
    assert math.isnan(read_value(text).number)


def test_units_are_measured_alike() -> None:
    assert read_value("1 km").number == read_value("1,000 m").number
    assert read_value("1 km").unit != read_value("1 kg").unit


def test_words_are_spelled_one_way() -> None:
    assert cell_words("Żory’s Bulldogs (27–0), 1,200.50") == (
        "zory", "s", "bulldog", "27", "0", "1200.5",
    )  # fmt: skip
