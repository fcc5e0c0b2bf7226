"""Metric names parse and print the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import NotFound, ScoreError
from feverfew.score.retrieval import MEASURES
from feverfew.score.sheet import DEFAULT_LIMITS, Metric


@pytest.mark.parametrize("text", ["FEVER@5", "FEVEROUS@5,25", "HoVer@10", "Hit@100"])
def test_parses_and_prints_the_same(text: str) -> None:
    assert str(Metric.parse(text)) == text


@given(st.sampled_from(list(DEFAULT_LIMITS)), st.data())
def test_every_name_survives_the_round_trip(name: str, data: st.DataObject) -> None:
    wanted = len(DEFAULT_LIMITS[name])
    limits = data.draw(st.lists(st.integers(1, 10**6), min_size=wanted, max_size=wanted))
    metric = Metric.of(name, *limits)
    assert Metric.parse(str(metric)) == metric


def test_without_limits_the_usual_ones_are_taken() -> None:
    assert str(Metric.parse("FEVEROUS")) == "FEVEROUS@5,25"
    assert str(Metric.parse("Hit")) == "Hit@10"


def test_case_does_not_matter_when_reading() -> None:
    assert str(Metric.parse("hover@10")) == "HoVer@10"


def test_an_unknown_name_lists_those_that_exist() -> None:
    with pytest.raises(NotFound, match="'BLEU'; there are FEVER, FEVEROUS, HoVer"):
        Metric.parse("BLEU@4")


@pytest.mark.parametrize("text", ["FEVER@5,25", "FEVEROUS@5", "FEVER@0", "Hit@1,2"])
def test_wrong_limits_show_the_right_ones(text: str) -> None:
    with pytest.raises(ScoreError, match="as in"):
        Metric.parse(text)


@pytest.mark.parametrize("text", ["", "FEVER@", "FEVER@five", "@5", "FEVER@-1"])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ScoreError, match="such as FEVER@5"):
        Metric.parse(text)


def test_every_measure_of_retrieval_has_a_name() -> None:
    assert set(MEASURES) <= set(DEFAULT_LIMITS)
