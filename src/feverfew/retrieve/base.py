"""What a retriever is: claims in, ranked pages out, a batch at a time."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from feverfew.types import Hop

__all__ = ["Candidate", "Retriever"]


class Candidate(Struct, frozen=True, gc=False):
    """A page that may matter to a claim."""

    number: int
    title: str
    score: float
    via: Hop | None = None
    """How a search in rounds came to it; None where the claim itself leads there."""


class Retriever(Protocol):
    """Finds pages for claims; retrievers are combined by wrapping one in another."""

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k best pages for each claim, best first."""
        ...
