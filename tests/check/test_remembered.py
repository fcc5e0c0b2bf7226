"""A retriever that is not asked twice."""

from collections.abc import Sequence

from feverfew.retrieve import Candidate
from feverfew.retrieve.cached import CachedRetriever


class Asked:
    """Finds as many pages as it is asked for, and keeps count."""

    def __init__(self) -> None:
        self.claims: list[str] = []

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        self.claims += claims
        return [[Candidate(n, f"{claim} {n}", -n) for n in range(k)] for claim in claims]


def test_only_what_is_new_or_wider_is_asked() -> None:
    inner = Asked()
    kept = CachedRetriever(inner)
    assert [len(own) for own in kept.retrieve(["a", "b", "a"], 5)] == [5, 5, 5]
    (few,) = kept.retrieve(["a"], 3)
    assert [page.title for page in few] == ["a 0", "a 1", "a 2"]
    assert inner.claims == ["a", "b"]
    assert len(kept.retrieve(["b"], 9)[0]) == 9
    assert inner.claims == ["a", "b", "b"]


def test_it_does_not_remember_for_ever() -> None:
    inner = Asked()
    kept = CachedRetriever(inner)
    for n in range(1_000):
        assert kept.retrieve(["a", str(n)], 1)[1][0].title == f"{n} 0"
    assert inner.claims.count("a") < 5
    assert len(kept._found) <= 600
