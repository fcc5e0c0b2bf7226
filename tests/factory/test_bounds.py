"""True numbers said as bounds: the checks of numbers, written apart from them, find the same."""

import random

import pytest

from feverfew.english.checks import FEATURES, features
from feverfew.factory.bounds import bounds

TRUE = (
    "The firm has 2,794 employees.",
    "The choir gave 12 concerts.",
    "The film earned $104.9 million.",
    "The bill was backed by 62% of voters.",
    "Night Ferry was released in 2005.",
    "In 1890 the bridge was built.",
)


@pytest.mark.parametrize("text", TRUE)
def test_labels_are_those_of_the_numbers(text: str) -> None:
    found = {
        (bound.claim, bound.supported)
        for seed in range(60)
        for bound in bounds(text, random.Random(seed))
    }
    assert len(found) > 20
    assert {supported for _, supported in found} == {True, False}
    for claim, supported in found:
        found_by_checks = dict(zip(FEATURES, features(claim, text), strict=True))
        agrees = found_by_checks["date_agrees"] + found_by_checks["number_agrees"]
        assert (agrees, found_by_checks["conflict"]) == (supported, not supported), claim


@pytest.mark.parametrize(
    "text",
    [
        "It has more than 2,794 employees.",  # a bound already
        "It was the 12th concert.",
        "Route 66 runs west.",
        "It was written between 1890 and 1895.",
        "It ran from 3 May to 9 June 1961.",
        "Nobody was there.",
        "It has 1 employee.",
    ],
)
def test_what_is_no_plain_number_is_left_alone(text: str) -> None:
    assert not list(bounds(text, random.Random(1)))


def test_the_rest_of_the_text_stays() -> None:
    for bound in bounds("The choir gave 12 concerts in Leeds.", random.Random(1)):
        assert bound.claim.startswith("The choir gave ")
        assert bound.claim.endswith(" concerts in Leeds.")
        assert bound.number == "12"
