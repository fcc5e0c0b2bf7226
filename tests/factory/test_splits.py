"""Splits: groups whole, near duplicates together, dev and test balanced."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from feverfew.factory.claims import Drafted, N, R, S
from feverfew.factory.splits import near_duplicates, part, shingles
from feverfew.types import Ref

SHARES = {"train": 0.6, "dev": 0.2, "test": 0.2}


def claim(text: str, group: str, label: str = "S") -> Drafted:
    labels = {"S": S, "R": R, "N": N}
    return Drafted(
        text=text, label=labels[label], page=group, evidence=(), operation="original", parent="",
        changed=(), form="", source=Ref.sentence(group, 0), group=group,
    )  # fmt: skip


def test_groups_stay_whole_and_near_duplicates_together() -> None:
    claims = [
        claim(f"Page {n} says number {k} of itself.", f"P{n}") for n in range(200) for k in range(3)
    ]
    long = "One long sentence about a town, its river and the bridge that was built over it in {}."
    claims += [claim(long.format(1900), "P1"), claim(long.format(1901), "P2")]
    claims += [claim(long.format(1902), "P3")]
    parted = part(claims, SHARES, seed=1)
    where = {one.text: name for name, own in parted.items() for one in own}
    groups = {name: {one.group for one in own} for name, own in parted.items()}
    assert not groups["train"] & groups["dev"] | groups["dev"] & groups["test"]
    assert (
        len({where[long.format(year)] for year in (1900, 1901, 1902) if long.format(year) in where})
        == 1
    )
    assert parted == part(claims, SHARES, seed=1)


def test_dev_and_test_are_balanced_by_leaving_out() -> None:
    claims = [
        claim(f"Thing {n} is called {n * 7919}.", f"P{n}", "SSSRRN"[n % 6]) for n in range(600)
    ]
    parted = part(claims, SHARES, seed=1)
    for name in ("dev", "test"):
        counts = Counter(one.label for one in parted[name])
        assert max(counts[S], counts[R]) == min(counts[S], counts[R])
    assert len(parted["train"]) > 300


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcdefg"), min_size=4, max_size=9), min_size=2, max_size=8)
)
def test_near_duplicates_are_all_found(sentences: list[list[str]]) -> None:
    texts = [" ".join(one) for one in sentences]
    sets = [shingles(text) for text in texts]
    expected = {
        (i, j)
        for j in range(len(texts))
        for i in range(j)
        if len(sets[i] & sets[j]) >= 0.85 * len(sets[i] | sets[j])
    }
    assert set(near_duplicates(texts)) == expected
