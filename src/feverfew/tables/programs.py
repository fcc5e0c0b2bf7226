"""Try the programs that claims may mean over their tables, and hear what they say together."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from feverfew.tables.candidate import Candidate
from feverfew.tables.candidates import candidates
from feverfew.tables.execute import Outcome, Runner
from feverfew.tables.features import Array, program_features, statement_features
from feverfew.tables.linking import Links, link
from feverfew.tables.scorer import Scorer
from feverfew.tables.view import TableView

__all__ = ["ProgramRuns", "ProgramVotes", "Programs", "try_programs"]


class ProgramRuns(Struct, frozen=True):
    """A claim's candidate programs over a table, run and described."""

    links: Links
    candidates: list[Candidate]
    outcomes: list[Outcome]
    programs: Array
    statement: Array
    runner: Runner


class ProgramVotes(Struct, frozen=True):
    """What the programs of a claim say of it."""

    tried: ProgramRuns
    probability: float
    """That the claim is true of the table, if the table speaks of it at all."""
    speaks: float
    """That the table speaks of it."""
    votes: Array
    """Of each program, weighed by its attention: above 0 for true."""

    def top_program(self, supported: bool) -> int | None:
        """Find the program that speaks loudest for one side; None where none speaks for it."""
        loud = self.votes if supported else -self.votes
        return int(loud.argmax()) if len(loud) and loud.max() > 0 else None


class Programs:
    """Ranks the programs that a claim may mean."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self.fingerprint = scorer.fingerprint

    @classmethod
    def open(cls) -> "Programs":
        """Open the scorer that comes with feverfew."""
        return cls(Scorer.shipped())

    def hear(self, claims: Sequence[str], tables: Sequence[TableView]) -> list[ProgramVotes]:
        """Try the programs of each claim over the table beside it."""
        return [self._one(claim, view) for claim, view in zip(claims, tables, strict=True)]

    def _one(self, claim: str, view: TableView) -> ProgramVotes:
        tried = try_programs(claim, view)
        probability, attention, votes = self._scorer.score(tried.programs, tried.statement)
        speaks = self._scorer.speaks(tried.statement) if tried.candidates else 0.0
        return ProgramVotes(tried, probability, speaks, np.asarray(attention * votes, np.float32))


def try_programs(claim: str, view: TableView) -> ProgramRuns:
    """Build, run and describe the programs that a claim may mean."""
    links = link(claim, view)
    found = candidates(links, view)
    runner = Runner(view)
    outcomes = [runner.run(one.program) for one in found]
    return ProgramRuns(
        links,
        found,
        outcomes,
        program_features(found, outcomes, links),
        statement_features(found, outcomes, links, runner),
        runner,
    )
