"""Qualification: grading a person's work against gold, and what follows for the person.

HoVer asks for 80 % of a quiz, and lets those go who fall below 82 % of the hidden test questions
(section 2.4); FEVEROUS calibrates in two phases of ten with feedback between them (section 3.2).
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from feverfew.types import Ref, Verdict

QUIZ_PASS = 0.80
TEST_PASS = 0.82
LEAST_TESTS = 10
"""Below so many answered tests nobody is suspended: one slip is no judgement."""
CALIBRATION = (10, 10)
"""Tasks in each phase."""


class Answer(Struct, frozen=True):
    """A verdict with its evidence, a person's or the gold."""

    verdict: Verdict
    sets: tuple[frozenset[Ref], ...] = ()
    challenge: str = ""


class Grade(Struct, frozen=True):
    """One answer against the gold."""

    label: bool
    precision: float
    """Of all elements chosen, how many are in a gold set; 1 where none was chosen."""
    recall: float
    """How many gold sets are wholly inside one of the person's; 1 where there are none."""
    complete_sets: int
    challenge: bool | None
    """None where the gold names none."""


def grade(given: Answer, gold: Answer) -> Grade:
    """Grade an answer: a gold set is found only if it is wholly inside one set of the person's."""
    chosen = frozenset().union(*given.sets)
    wanted = frozenset().union(*gold.sets)
    complete = sum(any(one <= own for own in given.sets) for one in gold.sets)
    return Grade(
        given.verdict is gold.verdict,
        len(chosen & wanted) / len(chosen) if chosen else 1.0,
        complete / len(gold.sets) if gold.sets else 1.0,
        complete,
        given.challenge == gold.challenge if gold.challenge else None,
    )


class Standing(StrEnum):
    """What a person's tests say."""

    OPEN = "too few tests to say"
    PASSED = "passed"
    FAILED = "failed"


def standing(
    right: int, answered: int, *, needed: float = TEST_PASS, least: int = LEAST_TESTS
) -> Standing:
    """Decide by the share of right answers once there are enough of them.

    >>> [str(standing(right, answered)) for right, answered in [(9, 10), (8, 10), (3, 4)]]
    ['passed', 'failed', 'too few tests to say']
    """
    if answered < least or not answered:
        return Standing.OPEN
    return Standing.PASSED if right / answered >= needed else Standing.FAILED


def accuracy(grades: Iterable[Grade]) -> float | None:
    """Return the share of right labels; None without any grade."""
    right = [one.label for one in grades]
    return sum(right) / len(right) if right else None


def may_start_phase(
    phase: int, done: Sequence[int], seen: Sequence[int], phases: Sequence[int] = CALIBRATION
) -> bool:
    """Say whether a phase of the calibration may begin: the one before is done and its grades seen.

    `done` and `seen` count the tasks of each phase that were done, and whose grade was looked at.
    """
    return all(done[p] >= phases[p] and seen[p] >= phases[p] for p in range(phase))
