"""A candidate: a program that a claim may mean, with what led to it."""

from msgspec import Struct

from feverfew.tables.language import Program
from feverfew.tables.linking import CellLink, NumberLink

__all__ = ["KINDS", "Candidate"]

KINDS = (
    "lookup",
    "all",
    "value",
    "value_than",
    "count",
    "count_than",
    "distinct",
    "extreme_is",
    "extreme_value",
    "nth",
    "compare",
    "difference",
    "alike",
    "sum",
    "mean",
    "only",
    "every",
    "none",
    "most",
    "conjunction",
)


class Candidate(Struct, frozen=True):
    """A program, with what led to it."""

    program: Program
    kind: str
    places: int
    """The words of the claim that it explains."""
    cells: tuple[CellLink, ...] = ()
    columns: tuple[float, ...] = ()
    """How well the claim names each column that is computed with."""
    asked: float = 0.0
    """Whether words of the claim ask for this operation: 1, against: -1."""
    number: NumberLink | None = None
