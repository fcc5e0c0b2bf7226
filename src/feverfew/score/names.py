"""What a measure is called: a name and the limits that shaped it, as in `FEVER@5`.

Declared here, computed elsewhere: this file knows no claim and no prediction.
"""

import re

from msgspec import Struct

from feverfew.errors import NotFound, ScoreError

__all__ = ["DEFAULT_LIMITS", "Metric"]

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
