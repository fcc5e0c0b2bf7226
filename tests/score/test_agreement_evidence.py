import pytest

from feverfew.errors import ScoreError
from feverfew.score.agreement import Annotation
from feverfew.score.agreement_evidence import against_supers, overlap
from feverfew.types import Ref


def said(item: str, annotator: str, lines: str | None, label: str = "S") -> Annotation:
    """Make an annotation whose evidence is the lines that the digits name."""
    if lines is None:
        return Annotation(item, annotator, label)
    evidence = frozenset(Ref.sentence("Page", int(n)) for n in lines)
    return Annotation(item, annotator, label, evidence)


def test_precision_and_recall_against_a_super_annotator() -> None:
    everyone, ann, bob = against_supers(
        [
            said("1", "expert", "0123"),
            said("1", "ann", "01"),  # 2 of 2, 2 of 4
            said("1", "bob", "09"),  # 1 of 2, 1 of 4
            said("2", "expert", "5"),
            said("2", "ann", "5"),  # 1 of 1, 1 of 1
            said("3", "ann", "7"),  # the expert did not see item 3
        ],
        ["expert"],
        samples=200,
    )
    assert (everyone.annotator, everyone.annotations) == ("", 3)
    assert everyone.precision.value == pytest.approx(4 / 5)
    assert everyone.recall.value == pytest.approx(4 / 9)
    assert everyone.precision.mean == pytest.approx((1 + 0.5 + 1) / 3)
    assert everyone.recall.mean == pytest.approx((0.5 + 0.25 + 1) / 3)
    assert (ann.annotator, ann.precision.value, ann.recall.value) == ("ann", 1, 3 / 5)
    assert (bob.precision.value, bob.recall.value) == (0.5, 0.25)
    assert everyone.recall.low is not None
    assert everyone.recall.high is not None
    assert everyone.recall.low <= 4 / 9 <= everyone.recall.high


def test_several_experts_are_united() -> None:
    rows = [said("1", "x", "0"), said("1", "y", "1"), said("1", "ann", "01")]
    everyone = against_supers(rows, ["x", "y"], samples=10)[0]
    assert (everyone.precision.value, everyone.recall.value) == (1, 1)


def test_an_annotator_who_gave_nothing_has_no_precision() -> None:
    everyone = against_supers([said("1", "x", "0"), said("1", "a", "")], ["x"], samples=10)[0]
    assert everyone.precision.value is None
    assert (everyone.recall.value, everyone.recall.low) == (0, 0)


def test_an_unknown_super_annotator_lists_those_there_are() -> None:
    with pytest.raises(ScoreError, match="'z'; there are: a, b"):
        against_supers([said("1", "a", "0"), said("1", "b", "0")], ["z"])
    with pytest.raises(ScoreError, match="no item has evidence"):
        against_supers([said("1", "a", None), said("1", "b", "0")], ["b"])


def test_shares_of_identical_overlapping_and_nested_evidence() -> None:
    found = overlap(
        [
            *(said("1", "a", "01"), said("1", "b", "01")),  # identical
            *(said("2", "a", "0123"), said("2", "b", "012", "R")),  # nested, 3/3, 3/4
            *(said("3", "a", "0123"), said("3", "b", "0")),  # nested, 1/1, 1/4
            *(said("4", "a", "01"), said("4", "b", "12")),  # 1/2, 1/3
            *(said("5", "a", "0"), said("5", "b", "1")),  # disjoint
            *(said("6", "a", "0"), said("6", "b", "")),  # left out
            *(said("7", "a", "0"), said("7", "b", None)),  # left out
        ],
        samples=50,
    )
    assert (found.pairs, found.left_out) == (5, 2)
    assert (found.identical, found.nested, found.disjoint) == (0.2, 0.4, 0.2)
    assert (found.overlapping, found.overlapping_union) == (0.6, 0.4)
    assert (found.agreement, found.agreement_if_identical) == (0.8, 1)
    assert found.kappa_if_identical is not None
    assert found.kappa_if_identical.value is None  # one pair, one label: nothing but chance


def test_three_annotators_make_three_pairs() -> None:
    found = overlap([said("1", name, "0") for name in "abc"], samples=10)
    assert (found.pairs, found.identical) == (3, 1)


def test_no_evidence_is_an_error() -> None:
    with pytest.raises(ScoreError, match="no two annotators"):
        overlap([said("1", "a", None), said("1", "b", None)])
