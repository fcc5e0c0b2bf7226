"""Votes and evidence sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import InputError
from feverfew.rules import Judgement, aggregate, majority, unite_sets
from feverfew.types import Ref, Verdict

A, B = Ref.sentence("Page", 2), Ref.sentence("Page", 10)
S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO


def test_the_first_annotation_counts_and_checks_do_not() -> None:
    said = [Judgement(R, counts=False), Judgement(S, ((A,),)), Judgement(R, ((B,),))]
    decision = aggregate(said)
    assert decision.label is S
    assert decision.sets == ((A,),)


def test_majority_unites_the_evidence_of_those_who_agree() -> None:
    said = [Judgement(S, ((B, A),)), Judgement(R, ((B,),)), Judgement(S, ((A, B), (A,)))]
    decision = aggregate(said, "majority")
    assert decision.label is S
    assert decision.sets == ((A,), (A, B))
    assert decision.supersets == 1
    assert aggregate(said[:2], "majority").reason == "a tie"


def test_hover_needs_three() -> None:
    votes = [S, S, R, R, N]
    assert aggregate([Judgement(v) for v in votes], "three-of-five").label is None
    assert aggregate([Judgement(v) for v in [*votes[:3], S]], "three-of-five").label is S


def test_nothing_said_is_no_label() -> None:
    assert aggregate([]).label is None
    with pytest.raises(InputError, match="known are first"):
        aggregate([], "loudest")


@given(st.lists(st.sampled_from("abc"), max_size=9))
def test_a_majority_is_what_most_said(votes: list[str]) -> None:
    found = majority(votes)
    if found is not None:
        assert all(votes.count(found) > votes.count(other) for other in set(votes) - {found})


@given(st.lists(st.lists(st.lists(st.sampled_from([A, B]), max_size=3), max_size=3), max_size=3))
def test_united_sets_do_not_depend_on_who_came_first(several: list[list[list[Ref]]]) -> None:
    assert unite_sets(several) == unite_sets(reversed(several))
    united = unite_sets(several)
    assert unite_sets([united]) == united
