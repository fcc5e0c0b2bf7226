"""The score sheet: one value for each claim and measure, from which every mean is taken.

Scores, slices and intervals are all read from the same sheet, so they cannot disagree. A measure
has a name and the limits that shaped it, as in `FEVER@5`.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from feverfew.errors import NotFound, ScoreError
from feverfew.score.join import Pair

DEFAULT_LIMITS: dict[str, tuple[int, ...]] = {
    "FEVER": (5,),
    "FEVEROUS": (5, 25),
    "HoVer": (10,),
    "DocumentSupport": (5,),
    "DocumentOracle": (5,),
    "SentenceSupport": (5,),
    "SentenceOracle": (5,),
    "Hit": (10,),
    "DocumentEM": (10,),
    "DocumentF1": (10,),
    "PageEM": (5,),
    "PageF1": (5,),
    "SentenceEM": (10,),
    "SentenceF1": (10,),
    "DocumentRecall": (5,),
    "SentenceRecall": (5,),
    "TableRecall": (3,),
    "CellRecall": (25,),
}
"""Every measure that has a name, with the limits it takes when none are given."""

_WRITTEN = re.compile(r"(?P<name>[A-Za-z0-9]+)(?:@(?P<limits>[0-9]+(?:,[0-9]+)*))?")


class Metric(Struct, frozen=True):
    """A measure's name with its limits; parses and prints the same.

    >>> str(Metric.parse("FEVEROUS@5,25"))
    'FEVEROUS@5,25'
    >>> str(Metric.parse("fever"))
    'FEVER@5'
    """

    name: str
    limits: tuple[int, ...]

    @classmethod
    def of(cls, name: str, *limits: int) -> "Metric":
        """Make a metric from a name that exists, and check its limits."""
        known = {written.lower(): written for written in DEFAULT_LIMITS}
        if name.lower() not in known:
            raise NotFound(f"no measure is called {name!r}; there are {', '.join(DEFAULT_LIMITS)}")
        name = known[name.lower()]
        wanted = len(DEFAULT_LIMITS[name])
        if len(limits) != wanted or min(limits) < 1:
            example = cls(name, DEFAULT_LIMITS[name])
            raise ScoreError(
                f"{cls(name, limits)} is not a measure: {name} takes {wanted} "
                f"{'limit' if wanted == 1 else 'limits'} of at least 1, as in {example}"
            )
        return cls(name, limits)

    @classmethod
    def parse(cls, text: str) -> "Metric":
        """Read a name such as `FEVER@5`; without limits it takes the usual ones."""
        match = _WRITTEN.fullmatch(text.strip())
        if match is None:
            raise ScoreError(f"{text!r} is not the name of a measure, such as FEVER@5")
        if match["limits"] is not None:
            return cls.of(match["name"], *(int(n) for n in match["limits"].split(",")))
        usual = next(
            (v for name, v in DEFAULT_LIMITS.items() if name.lower() == match["name"].lower()), ()
        )
        return cls.of(match["name"], *usual)

    def __str__(self) -> str:
        return f"{self.name}@{','.join(map(str, self.limits))}"


class Column(Struct, frozen=True):
    """One measure's value for each claim; None where the measure leaves the claim out."""

    name: str
    values: tuple[float | None, ...]
    of_nothing: float | None = None
    """What the mean is when every claim is left out: the official tools disagree on that."""

    def count(self) -> int:
        """Count the claims that the measure does not leave out."""
        return sum(value is not None for value in self.values)

    def mean(self) -> float | None:
        """Average the values; None if there are none and no rule says what that means."""
        # Added one by one, as the official tools do: `sum` compensates for rounding since
        # Python 3.12, and numpy adds in pairs, and both may end in another last digit.
        total, count = 0.0, 0
        for value in self.values:
            if value is not None:
                total += value
                count += 1
        return total / count if count else self.of_nothing


class Sheet(Struct, frozen=True):
    """What a scorer found: its pairs, and a column for each measure."""

    metric: str
    """The headline's name with its limits: `FEVER@5`."""
    pairs: tuple[Pair, ...]
    columns: tuple[Column, ...]
    """The headline first."""
    f1_of: tuple[str, str] | None = None
    """Precision and recall, where F1 is taken of the two averages rather than averaged."""

    def __len__(self) -> int:
        return len(self.pairs)

    def column(self, name: str) -> Column:
        """Look up a column by its name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise NotFound(f"no column {name!r}; there are {', '.join(c.name for c in self.columns)}")

    def means(self) -> dict[str, float]:
        """Average every column; one that leaves out every claim is absent."""
        found = {c.name: mean for c in self.columns if (mean := c.mean()) is not None}
        if self.f1_of is not None:
            found["f1"] = harmonic(*(found[name] for name in self.f1_of))
        return found

    def only(self, places: Sequence[int]) -> "Sheet":
        """Keep the claims that stand at these places."""
        return Sheet(
            self.metric,
            tuple(self.pairs[i] for i in places),
            tuple(
                Column(c.name, tuple(c.values[i] for i in places), c.of_nothing)
                for c in self.columns
            ),
            self.f1_of,
        )

    def with_columns(self, *names: str) -> "Sheet":
        """Keep only the named columns, in this order."""
        return Sheet(self.metric, self.pairs, tuple(self.column(name) for name in names))

    @classmethod
    def of_rows(
        cls,
        metric: str,
        pairs: tuple[Pair, ...],
        rows: Iterable[Sequence[float | None]],
        names: Sequence[str],
        *,
        of_nothing: dict[str, float] | None = None,
        f1_of: tuple[str, str] | None = None,
    ) -> "Sheet":
        """Build a sheet from one row of values for each pair."""
        by_name = zip(names, zip(*rows, strict=True), strict=True)
        empty = of_nothing or {}
        columns = tuple(Column(name, values, empty.get(name)) for name, values in by_name)
        return cls(metric, pairs, columns, f1_of)


def harmonic(precision: float, recall: float) -> float:
    """Return F1; 0 where both are 0, on which the official tools divide by zero."""
    if precision + recall == 0.0:
        return 0.0
    return 2.0 * precision * recall / (precision + recall)
