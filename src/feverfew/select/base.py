"""What a selector is: claims and their candidate pages in, the evidence out, a batch at a time."""

from collections.abc import Sequence
from typing import Protocol

from feverfew.retrieve import Candidate
from feverfew.types import Evidence

__all__ = ["Selector"]


class Selector(Protocol):
    """Chooses evidence; selectors are combined by wrapping one in another."""

    def select(
        self, claims: Sequence[str], pages: Sequence[Sequence[Candidate]], k: int
    ) -> list[list[Evidence]]:
        """Return the k best pieces of evidence on each claim's pages, best first."""
        ...
