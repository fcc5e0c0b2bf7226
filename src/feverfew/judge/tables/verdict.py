"""Judge claims by a table: how likely each is true, the program that says so, and its cells."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from feverfew.judge.tables.candidates import Candidate, candidates
from feverfew.judge.tables.execute import Outcome, Place, Runner
from feverfew.judge.tables.features import Array, program_features, statement_features
from feverfew.judge.tables.language import Compare, Number, Program, written
from feverfew.judge.tables.linking import Links, link
from feverfew.judge.tables.scorer import Scorer
from feverfew.judge.tables.view import TableView

__all__ = ["TableJudge", "TableVerdict", "Tried", "try_programs"]


class Tried(Struct, frozen=True):
    """A claim's candidate programs over a table, run and described."""

    links: Links
    candidates: list[Candidate]
    outcomes: list[Outcome]
    programs: Array
    statement: Array
    runner: Runner


class TableVerdict(Struct, frozen=True):
    """What a table says of a claim."""

    probability: float
    """That the claim is true of the table, if the table speaks of it at all."""
    speaks: float = 0.0
    """That the table speaks of it."""
    program: Program | None = None
    """The program that speaks loudest for this verdict."""
    value: float | None = None
    reason: str = ""
    """For people: 'count(Result = won) = 3, the claim says 4'."""
    cells: tuple[Place, ...] = ()
    """Places of the body (row, column) that the program looked at."""


class TableJudge:
    """Ranks the programs that a claim may mean, and says what they say together."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self.fingerprint = scorer.fingerprint

    @classmethod
    def open(cls) -> "TableJudge":
        """Make the judge with the shipped weights."""
        return cls(Scorer.shipped())

    def judge(self, claims: Sequence[str], tables: Sequence[TableView]) -> list[TableVerdict]:
        """Judge each claim by the table beside it."""
        return [self._one(claim, view) for claim, view in zip(claims, tables, strict=True)]

    def _one(self, claim: str, view: TableView) -> TableVerdict:
        tried = try_programs(claim, view)
        probability, attention, votes = self._scorer.score(tried.programs, tried.statement)
        speaks = self._scorer.speaks(tried.statement) if tried.candidates else 0.0
        loud = attention * votes * (1 if probability >= 0.5 else -1)
        if not len(loud) or float(loud.max()) <= 0:
            return TableVerdict(probability, speaks)
        best = int(np.argmax(loud))
        program, outcome = tried.candidates[best].program, tried.outcomes[best]
        return TableVerdict(
            probability,
            speaks,
            program,
            outcome.value,
            explained(program, outcome, view),
            tuple(tried.runner.cells(program)),
        )


def try_programs(claim: str, view: TableView) -> Tried:
    """Build, run and describe the programs that a claim may mean."""
    links = link(claim, view)
    found = candidates(links, view)
    runner = Runner(view)
    outcomes = [runner.run(one.program) for one in found]
    return Tried(
        links,
        found,
        outcomes,
        program_features(found, outcomes, links),
        statement_features(found, outcomes, links, runner),
        runner,
    )


def explained(program: Program, outcome: Outcome, view: TableView) -> str:
    """Say for people what a program found."""
    if isinstance(program, Compare) and program.relation == "≥" and program.right == Number(1, "1"):
        found = "a row has" if outcome.truth else "no row has"
        return f"{found} {written(program.left, view.header_of)[len('count(') : -1]}"
    if isinstance(program, Compare) and isinstance(program.right, Number):
        left = written(program.left, view.header_of)
        if outcome.value is None:
            return f"{left} is not in the table"
        relation = "" if program.relation == "=" else f"{program.relation} "
        said = f"the claim says {relation}{program.right.text}"
        return f"{left} = {outcome.value:.10g}, {'as ' if outcome.truth else ''}{said}"
    answer = {True: "true", False: "false", None: "not in the table"}[outcome.truth]
    return f"{written(program, view.header_of)}: {answer}"
