"""Grades and thresholds."""

from feverfew.rules.qualification import Answer, Standing, grade, may_start_phase, standing
from feverfew.types import Ref, Verdict

A, B, C = (Ref.sentence("Page", n) for n in range(3))
S, R = Verdict.SUPPORTED, Verdict.REFUTED


def sets(*given: set[Ref]) -> tuple[frozenset[Ref], ...]:
    return tuple(map(frozenset, given))


def test_a_gold_set_counts_only_whole_and_inside_one_set() -> None:
    gold = Answer(S, sets({A, B}))
    split = grade(Answer(S, sets({A}, {B})), gold)
    assert (split.label, split.precision, split.recall) == (True, 1.0, 0.0)
    whole = grade(Answer(R, sets({A, B, C})), gold)
    assert (whole.label, whole.recall, whole.complete_sets) == (False, 1.0, 1)
    assert whole.precision == 2 / 3


def test_nothing_asked_and_nothing_given() -> None:
    assert grade(Answer(S), Answer(S)).recall == 1.0
    assert grade(Answer(S), Answer(S, challenge="Other")).challenge is False
    assert grade(Answer(S), Answer(S)).challenge is None


def test_nobody_falls_for_one_slip() -> None:
    assert standing(0, 1) is Standing.OPEN
    assert standing(82, 100) is Standing.PASSED
    assert standing(81, 100) is Standing.FAILED
    assert standing(4, 5, needed=0.8, least=5) is Standing.PASSED


def test_phase_two_waits_until_the_grades_were_seen() -> None:
    assert may_start_phase(0, [0, 0], [0, 0])
    assert not may_start_phase(1, [10, 0], [9, 0])
    assert may_start_phase(1, [10, 0], [10, 0])
