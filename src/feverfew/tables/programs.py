"""Run a claim's candidate programs over a table, and combine their results.

Every program gets an attention and a vote from one hidden layer over its features and the claim's;
the score is the sum of the votes, weighted by attention, and of a second layer over the claim's
features.
"""

import hashlib
from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import FeverfewError
from feverfew.models.weights_io import shipped_weights
from feverfew.tables.candidates import KINDS, Candidate, candidates
from feverfew.tables.execute import Outcome, Runner
from feverfew.tables.language import columns_of
from feverfew.tables.linking import OPERATIONS, Links, link
from feverfew.tables.view import TableView, rows_of

Array = NDArray[np.float32]

PROGRAM = (
    *KINDS,
    *(f"{kind}_true" for kind in KINDS),
    "true",
    "silent",
    "covered",
    "left",
    "numbers_left",
    "known_left",
    "asked",
    "against",
    "weakest_cell",
    "mean_cell",
    "exact_cells",
    "cells",
    "weakest_column",
    "no_column",
    "one_row",
    "no_row",
    "ambiguous",
    "off_by_one",
    "denied",
    "denied_true",
    "spelled",
    "compared",
    "covered_true",
    "known_left_true",
    "number_elsewhere",
    "headers_used",
    "headers_left",
    "headers_left_true",
)
"""`…_true` is +1 if the program is true, -1 if it is false, 0 if it is of another kind."""
STATEMENT = (
    *(f"says_{name}" for name in OPERATIONS),
    "words",
    "numbers",
    "numbers_unknown",
    "numbers_beside",
    "known",
    "row_covers",
    "row_beats",
    "row_lacks",
    "row_lacks_numbers",
    "pair_covers",
    "named_columns",
    "exact_links",
    "height",
    "width",
    "agree",
    "programs",
    "lookups_agree",
    "counts_agree",
    "extremes_agree",
    "spelled_number",
)
_ROWS = 400
"""In tables with more rows, no best row is searched."""
_NAMED = 0.9
"""The share of a header that the claim must contain to name its column."""
_AT = {kind: at for at, kind in enumerate(KINDS)}


def program_features(found: list[Candidate], outcomes: list[Outcome], links: Links) -> Array:
    """Compute a row of features for every candidate."""
    made = np.zeros((len(found), len(PROGRAM)), np.float32)
    base = 2 * len(KINDS)
    content = links.content & ~links.caption
    total = content.bit_count() or 1
    numerals = _numerals(links)
    count = numerals.bit_count() or 1
    whole = {column for column, linked in links.columns.items() if linked.share > _NAMED}
    denied = float(links.triggers.has("none"))
    for row, (one, outcome) in enumerate(zip(found, outcomes, strict=True)):
        at = _AT[one.kind]
        sign = 0.0 if outcome.truth is None else 1.0 if outcome.truth else -1.0
        used = columns_of(one.program)
        places = one.places
        for column in used:
            if column in links.columns:
                places |= links.columns[column].places
        named = sum(1 for column in used if column in whole) / (len(used) or 1)
        unused = min(sum(1 for column in whole if column not in used), 3) / 2
        left = content & ~places
        shares = [cell.share for cell in one.cells]
        gap = _gap(one, outcome)
        covered = 1 - left.bit_count() / total
        known_left = (left & links.known).bit_count() / total
        number = one.number
        made[row, at] = 1.0
        made[row, len(KINDS) + at] = sign
        made[row, base:] = (
            sign,
            float(outcome.truth is None),
            covered,
            min(left.bit_count(), 8) / 4,
            (numerals & ~places).bit_count() / count,
            known_left,
            max(one.asked, 0.0),
            max(-one.asked, 0.0),
            min(shares, default=1.0),
            sum(shares) / len(shares) if shares else 1.0,
            sum(cell.exact for cell in one.cells) / (len(shares) or 1),
            len(shares) / 2,
            min(one.columns, default=0.5),
            float(bool(one.columns) and min(one.columns) == 0.0),
            float(outcome.value == 1.0),
            float(outcome.value == 0.0),
            max((cell.columns for cell in one.cells), default=1) - 1,
            float(gap == 1.0),
            denied,
            denied * sign,
            float(number is not None and number.spelled),
            float(number is not None and number.relation != "="),
            covered * sign,
            known_left * sign,
            float(number is not None and bool(number.places & links.known)),
            named,
            unused,
            unused * sign,
        )
    return made


def _gap(one: Candidate, outcome: Outcome) -> float:
    if one.number is None or outcome.value is None:
        return -1.0
    return abs(one.number.number - outcome.value)


def _numerals(links: Links) -> int:
    found = 0
    for number in links.numbers:
        found |= number.places
    return found & links.content


def statement_features(
    found: list[Candidate], outcomes: list[Outcome], links: Links, runner: Runner
) -> Array:
    """Compute the features of a claim and its table."""
    content = links.content & ~links.caption
    numerals = _numerals(links)
    total, count = content.bit_count() or 1, numerals.bit_count() or 1
    view = runner.view
    best, second, lacks, pair = _best_rows(links, runner)
    digits = 0
    for number in links.numbers:
        if not number.spelled:
            digits |= number.places
    digits &= links.content
    signs = [0 if o.truth is None else 1 if o.truth else -1 for o in outcomes]
    made = [
        *(float(links.triggers.has(name)) for name in OPERATIONS),
        min(total, 20) / 10,
        min(count, 4) / 2 if numerals else 0.0,
        (digits & ~links.known).bit_count() / (digits.bit_count() or 1),
        float(bool(digits & ~links.known)),
        (content & links.known).bit_count() / total,
        best / total,
        (best - second) / total,
        lacks.bit_count() / total,
        (lacks & digits).bit_count() / (digits.bit_count() or 1),
        pair / total,
        min(len(links.columns), 6) / 3,
        min(sum(cell.exact for cell in links.cells), 6) / 3,
        min(view.height, 50) / 25,
        min(len(view.columns), 20) / 10,
        sum(signs) / (len(signs) or 1),
        len(found) / 50,
        _agreement(found, signs, ("lookup", "all", "value", "conjunction")),
        _agreement(found, signs, ("count", "count_than", "distinct")),
        _agreement(found, signs, ("extreme_is", "extreme_value", "nth")),
        float(any(n.spelled and not n.ordinal for n in links.numbers)),
    ]
    return np.array(made, np.float32)


def _agreement(found: list[Candidate], signs: list[int], kinds: tuple[str, ...]) -> float:
    own = [s for one, s in zip(found, signs, strict=True) if one.kind in kinds]
    return sum(own) / len(own) if own else 0.0


def _best_rows(links: Links, runner: Runner) -> tuple[int, int, int, int]:
    """Return how much of the claim the best two rows cover, and what the best one lacks."""
    view = runner.view
    if view.height > _ROWS or not links.cells:
        return 0, 0, links.known & links.content, 0
    held = [0] * view.height
    for cell in links.cells:
        for row in rows_of(runner.rows(cell.condition)):
            held[row] |= cell.places
    held = [places & links.content for places in held]
    order = sorted(range(view.height), key=lambda row: -held[row].bit_count())
    first = held[order[0]]
    second = held[order[1]].bit_count() if len(order) > 1 else 0
    every = 0
    for places in held:
        every |= places
    pair = max((first | places).bit_count() for places in held)
    return first.bit_count(), second, every & ~first, pair


FILE = "tables.json"


class ScorerWeights(Struct, frozen=True):
    """The weights of the scorer, with its calibration temperature."""

    program: list[str]
    statement: list[str]
    mean: list[float]
    spread: list[float]
    """Over the program's features, then the claim's."""
    hidden: list[list[float]]
    hidden_bias: list[float]
    attention: list[float]
    vote: list[float]
    own: list[list[float]]
    own_bias: list[float]
    own_vote: list[float]
    bias: float
    speaks: list[float] = []
    """Over the claim's features: whether the table is relevant to the claim."""
    speaks_bias: float = 0.0


class Scorer:
    """Scores the programs of a claim."""

    def __init__(self, weights: ScorerWeights) -> None:
        if (tuple(weights.program), tuple(weights.statement)) != (PROGRAM, STATEMENT):
            odd = {*weights.program, *weights.statement} ^ {*PROGRAM, *STATEMENT}
            raise FeverfewError(f"the tables' weights are of another version: {sorted(odd)}")
        self.fingerprint = hashlib.blake2b(msgspec.json.encode(weights), digest_size=8).hexdigest()
        self._mean, self._spread = (_array(part) for part in (weights.mean, weights.spread))
        self._hidden, self._hidden_bias = _array(weights.hidden), _array(weights.hidden_bias)
        self._attention, self._vote = _array(weights.attention), _array(weights.vote)
        self._own, self._own_bias = _array(weights.own), _array(weights.own_bias)
        self._own_vote, self._bias = _array(weights.own_vote), weights.bias
        self._relevance, self._relevance_bias = _array(weights.speaks), weights.speaks_bias

    @classmethod
    def shipped(cls) -> "Scorer":
        """Load the scorer that comes with feverfew."""
        return cls(msgspec.json.decode(shipped_weights(FILE), type=ScorerWeights))

    def score(self, programs: Array, statement: Array) -> tuple[float, Array, Array]:
        """Return the probability that the claim is true, and every program's attention and vote."""
        split = len(PROGRAM)
        own = (statement - self._mean[split:]) / self._spread[split:]
        logit = float(np.maximum(own @ self._own + self._own_bias, 0) @ self._own_vote) + self._bias
        if not len(programs):
            nothing = np.zeros(0, np.float32)
            return _share(logit), nothing, nothing
        rows = (programs - self._mean[:split]) / self._spread[:split]
        inner = rows @ self._hidden[:split] + own @ self._hidden[split:] + self._hidden_bias
        active = np.maximum(inner, 0)
        pull = active @ self._attention
        powers = np.exp(pull - pull.max())
        attention: Array = powers / powers.sum()
        votes: Array = active @ self._vote
        return _share(logit + float(attention @ votes)), attention, votes

    def relevance(self, statement: Array) -> float:
        """Return the probability that the table is relevant to the claim."""
        split = len(PROGRAM)
        own = (statement - self._mean[split:]) / self._spread[split:]
        return _share(float(own @ self._relevance) + self._relevance_bias)


def _array(numbers: object) -> Array:
    return np.array(numbers, np.float32)


def _share(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(logit, -30, 30))))


class ProgramRuns(Struct, frozen=True):
    """A claim's candidate programs over a table, with outcomes and features."""

    links: Links
    candidates: list[Candidate]
    outcomes: list[Outcome]
    programs: Array
    statement: Array
    runner: Runner


class ProgramVotes(Struct, frozen=True):
    """The votes of a claim's programs."""

    tried: ProgramRuns
    probability: float
    """The probability that the claim is true, if the table is relevant to it."""
    relevance: float
    """The probability that the table is relevant to the claim."""
    votes: Array
    """The vote of each program, weighted by its attention: above 0 for true."""

    def top_program(self, supported: bool) -> int | None:
        """Return the program with the strongest vote for one side, or None."""
        votes = self.votes if supported else -self.votes
        return int(votes.argmax()) if len(votes) and votes.max() > 0 else None


class Programs:
    """Ranks a claim's candidate programs."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self.fingerprint = scorer.fingerprint

    @classmethod
    def open(cls) -> "Programs":
        """Open the scorer that comes with feverfew."""
        return cls(Scorer.shipped())

    def run(self, claims: Sequence[str], tables: Sequence[TableView]) -> list[ProgramVotes]:
        """Run the programs of each claim over its table, and count their votes."""
        return [self._one(claim, view) for claim, view in zip(claims, tables, strict=True)]

    def _one(self, claim: str, view: TableView) -> ProgramVotes:
        tried = try_programs(claim, view)
        probability, attention, votes = self._scorer.score(tried.programs, tried.statement)
        relevance = self._scorer.relevance(tried.statement) if tried.candidates else 0.0
        return ProgramVotes(
            tried, probability, relevance, np.asarray(attention * votes, np.float32)
        )


def try_programs(claim: str, view: TableView) -> ProgramRuns:
    """Build and run a claim's candidate programs, and compute their features."""
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
