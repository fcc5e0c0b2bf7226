from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import ScoreError
from feverfew.score.agreement import (
    Annotation,
    Coefficient,
    annotators,
    coefficients,
    cohen,
    disagreements,
    pairwise,
)

# Fleiss 1971, table 1: thirty patients, six psychiatrists, five diagnoses; κ = 0.430.
# fmt: off
FLEISS_1971 = [
    "00060", "03003", "01401", "00006", "03030", "20400", "00402", "20310", "20040", "00006",
    "10050", "11040", "03300", "10050", "02031", "00501", "30012", "51000", "02040", "10203",
    "00006", "01050", "02013", "20040", "10041", "05010", "40002", "02040", "10500", "00006",
]
# fmt: on

# Gwet's handbook: twelve units, four raters, some labels missing. Krippendorff's of 2011 is the
# same table: α = 0.743.
FOUR_RATERS = ["11-1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "-555"]
FOUR_RATERS += ["--11", "--3-"]

# The well-known three-coder example of Krippendorff's α; nominal: 0.691.
THREE_CODERS = ["--1", "---", "-22", "-11", "-33", "334", "444", "13-", "2-2", "1-1", "1-1"]
THREE_CODERS += ["3-3", "3-3", "---", "3-4"]


def from_rows(rows: Sequence[str]) -> list[Annotation]:
    """Read a row an item, a column an annotator; '-' is a label that is missing."""
    return [
        Annotation(f"item {i}", f"rater {j}", label)
        for i, row in enumerate(rows)
        for j, label in enumerate(row)
        if label != "-"
    ]


def from_counts(rows: Sequence[str]) -> list[Annotation]:
    return from_rows(["".join(str(k) * int(n) for k, n in enumerate(row)) for row in rows])


def values(annotations: Sequence[Annotation]) -> dict[str, Coefficient]:
    return {c.name: c for c in coefficients(annotations, samples=200)}


def test_fleiss_1971() -> None:
    kappa = values(from_counts(FLEISS_1971))["Fleiss κ"]
    assert kappa.observed == pytest.approx(0.5556, abs=1e-4)
    assert kappa.expected == pytest.approx(0.2199, abs=1e-4)
    assert kappa.value == pytest.approx(0.4302, abs=1e-4)
    assert kappa.items == 30


def test_fleiss_of_ten_items_and_fourteen_raters() -> None:
    rows = [
        "0000e",
        "02642",
        "00356",
        "03920",
        "22811",
        "77000",
        "32630",
        "25322",
        "65210",
        "02237",
    ]
    spelled = [[int(n, 16) for n in row] for row in rows]
    made = ["".join(str(k) * n for k, n in enumerate(row)) for row in spelled]
    assert values(from_rows(made))["Fleiss κ"].value == pytest.approx(0.20993, abs=1e-5)


def test_gwets_four_raters() -> None:
    found = values(from_rows(FOUR_RATERS))
    assert found["Gwet AC1"].value == pytest.approx(0.77544, abs=1e-5)
    assert found["Gwet AC1"].expected == pytest.approx(0.19032, abs=1e-5)
    assert found["Fleiss κ"].value == pytest.approx(0.76117, abs=1e-5)
    assert found["Krippendorff α"].value == pytest.approx(0.74342, abs=1e-5)
    assert found["Krippendorff α"].items == 11


def test_krippendorffs_three_coders() -> None:
    found = values(from_rows(THREE_CODERS))
    assert found["Krippendorff α"].value == pytest.approx(0.691, abs=5e-4)


def test_gwets_paradox() -> None:
    """Of 125 items 118 agree, yet κ is below zero; AC1 was made for this table."""
    rows = ["aa"] * 118 + ["ab"] * 5 + ["ba"] * 2
    assert values(from_rows(rows))["Gwet AC1"].value == pytest.approx(0.9408, abs=1e-4)
    assert cohen([[118, 5], [2, 0]]).value == pytest.approx(-0.0234, abs=1e-4)


def test_cohen_by_hand() -> None:
    """Observed (20 + 15) / 50; chance .5 × .6 + .5 × .4 = .5; (.7 - .5) / .5."""
    kappa = cohen([[20, 5], [10, 15]])
    assert (kappa.observed, kappa.expected) == (0.7, 0.5)
    assert kappa.value == pytest.approx(0.4)
    # Fleiss, Cohen and Everitt's large-sample standard error is 0.1265, give or take.
    assert kappa.low == pytest.approx(0.4 - 1.96 * 0.1265, abs=0.04)
    assert kappa.high == pytest.approx(0.4 + 1.96 * 0.1265, abs=0.04)


def literal_alpha(annotations: Sequence[Annotation]) -> float | None:
    """Krippendorff's definition, pair by pair: 1 - observed / expected disagreement."""
    items: dict[str, list[str]] = {}
    for a in annotations:
        items.setdefault(a.item, []).append(a.label)
    units = [labels for labels in items.values() if len(labels) > 1]
    n = sum(map(len, units))
    seen = sum(
        sum(a != b for a, b in permutations(labels, 2)) / (len(labels) - 1) for labels in units
    )
    every = [label for labels in units for label in labels]
    chance = sum(a != b for a, b in permutations(every, 2)) / (n - 1)
    return 1 - seen / chance if chance else None


tables = st.lists(
    st.lists(st.sampled_from("abc-"), min_size=3, max_size=4).map("".join), min_size=2, max_size=12
).filter(lambda rows: any(len(r.replace("-", "")) > 1 for r in rows))


@given(tables)
def test_alpha_equals_its_definition(rows: list[str]) -> None:
    found = values(from_rows(rows))["Krippendorff α"].value
    assert found == (None if (w := literal_alpha(from_rows(rows))) is None else pytest.approx(w))


@given(tables)
def test_names_and_order_do_not_matter(rows: list[str]) -> None:
    turned = [r[::-1].translate(str.maketrans("abc", "zxy")) for r in rows[::-1]]
    for one, other in zip(
        coefficients(from_rows(rows), samples=10),
        coefficients(from_rows(turned), samples=10),
        strict=True,
    ):
        assert one.value == (None if other.value is None else pytest.approx(other.value))


@given(tables)
def test_never_above_one_and_never_nan(rows: list[str]) -> None:
    for c in coefficients(from_rows(rows), samples=50):
        for v in (c.value, c.low, c.high):
            assert v is None or v <= 1 + 1e-9
        assert 0 <= c.observed <= 1 + 1e-9
        assert 0 <= c.expected <= 1 + 1e-9


def test_perfect_agreement_is_one_with_a_closed_interval() -> None:
    for c in coefficients(from_rows(["aa", "bb", "aa", "bb", "aa"]), samples=500):
        assert (c.value, c.low, c.high) == (1, 1, 1)


def test_one_label_only_has_no_value() -> None:
    for c in coefficients(from_rows(["aa", "aa"])):
        assert (c.value, c.low, c.high, c.observed) == (None, None, None, 1)


def test_the_interval_holds_the_value_and_follows_the_seed() -> None:
    rows = from_counts(FLEISS_1971)
    one, again, other = (coefficients(rows, seed=s)[0] for s in (1, 1, 2))
    assert one == again != other
    assert one.low is not None
    assert one.value is not None
    assert one.high is not None
    assert one.low < one.value < one.high


def test_a_label_given_twice_is_refused() -> None:
    twice = [Annotation("i", "x", "a"), Annotation("i", "x", "b"), Annotation("i", "y", "a")]
    with pytest.raises(ScoreError, match="'x' labelled item 'i' twice"):
        coefficients(twice)


def test_nothing_to_compare_is_an_error() -> None:
    with pytest.raises(ScoreError, match="two annotators"):
        coefficients(from_rows(["a-", "-b"]))
    with pytest.raises(ScoreError, match="square"):
        cohen([[0, 0], [0, 0]])


def test_pairs_and_annotators() -> None:
    rows = from_rows(["aaa", "abb", "bb-", "ba-", "--b"])
    labels, pairs = pairwise(rows, samples=50)
    assert labels == ("a", "b")
    tables = {(p.first, p.second): p.table for p in pairs}
    assert tables == {
        ("rater 0", "rater 1"): ((1, 1), (1, 1)),
        ("rater 0", "rater 2"): ((1, 1), (0, 0)),
        ("rater 1", "rater 2"): ((1, 0), (0, 1)),
    }
    first, second, third = annotators(rows, pairs)
    assert (first.items, first.shared, first.agreement) == (4, 6, 0.5)
    assert (second.agreement, second.kappa) == pytest.approx((4 / 6, 2 / 6))
    assert (third.items, third.shared) == (3, 4)
    assert disagreements(rows) == {("a", "b"): 3}
