"""Try to break Feverfew, and count how often that succeeds.

Each module here is one way of breaking it, with one function `run(tries, seed, folder)`: it works
in `folder` alone, does the same for the same seed, and returns a `Result`.
"""

import random
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Result:
    """What came of one way of breaking things."""

    name: str
    tries: int
    failures: tuple[str, ...]
    """One line for each try that went wrong: what was done, and what came of it."""
    peak_mb: float
    """The most memory that this process, or any process that it started, has held so far."""
    slowest_seconds: float
    """The longest that one try took."""
    notes: dict[str, int] = field(default_factory=dict)
    """How often each harmless outcome came about."""

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.tries} tries, {len(self.failures)} failures, "
            f"{self.peak_mb:.0f} MB, slowest {self.slowest_seconds:.1f} s"
        )


class Tally:
    """Counts tries while they are made; `result` gives the sum."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.random = random.Random(f"{name} {seed}")
        """What is chosen by chance is chosen here, so that a seed repeats a run."""
        self.tries = 0
        self.failures: list[str] = []
        self.notes: dict[str, int] = {}
        self.slowest = 0.0

    @contextmanager
    def one_try(self) -> Iterator[None]:
        """Count and time one try."""
        self.tries += 1
        started = time.monotonic()
        try:
            yield
        finally:
            self.slowest = max(self.slowest, time.monotonic() - started)

    def fail(self, what: str) -> None:
        """Note that the current try went wrong."""
        self.failures.append(what)

    def note(self, outcome: str, count: int = 1) -> None:
        """Note a harmless outcome of the current try."""
        self.notes[outcome] = self.notes.get(outcome, 0) + count

    def result(self) -> Result:
        """Sum up."""
        return Result(
            self.name, self.tries, tuple(self.failures), peak_mb(), self.slowest, self.notes
        )


def tallied(*results: Result) -> str:
    """Write results as a table in Markdown.

    >>> print(tallied(Result("flips", 10, (), 80.0, 0.25)))
    | | tries | failures | peak memory | slowest |
    | --- | ---: | ---: | ---: | ---: |
    | flips | 10 | 0 | 80 MB | 0.25 s |
    """
    lines = [
        "| | tries | failures | peak memory | slowest |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {r.name} | {r.tries:,} | {len(r.failures):,} | {r.peak_mb:,.0f} MB "
        f"| {r.slowest_seconds:.2f} s |"
        for r in results
    ]
    return "\n".join(lines)


def peak_mb() -> float:
    """Say how much memory this process, or the largest of those it started, has held at most."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(one).ru_maxrss for one in who) / 1024
