"""Walk the decision graph for one error, and tally what many errors turned out to be."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from feverfew.errors import ScoreError
from feverfew.score.errors_graph import GRAPH, Graph, Outcome, Question
from feverfew.score.join import Pair
from feverfew.score.sheet import Sheet

__all__ = ["Coding", "Error", "Share", "Tally", "errors_of", "tally", "walk"]


class Error(Struct, frozen=True):
    """A claim on which the system missed the point, and what the data says of it."""

    pair: Pair
    facts: dict[str, bool]


class Coding(Struct, frozen=True):
    """How a person coded one error."""

    id: int | str
    outcome: str
    answers: dict[str, bool]
    note: str = ""


class Share(Struct, frozen=True):
    """A count, its share, and the share's 95 % interval (Wilson)."""

    count: int
    share: float
    low: float
    high: float


class Tally(Struct, frozen=True):
    """What the coded errors turned out to be."""

    coded: int
    outcomes: dict[str, Share]
    facets: dict[str, Share]
    answers: dict[str, dict[str, int]]
    """How often each question that a person answered got a yes and a no."""


def errors_of(sheet: Sheet) -> tuple[Error, ...]:
    """Return the claims without the headline's point: a wrong label, or not the evidence."""
    point = sheet.columns[0].values
    right = sheet.column("label_accuracy").values
    recall = sheet.column("recall").values
    return tuple(
        Error(
            pair,
            {
                "label_right": bool(right[place]),
                "gold_has_evidence": bool(pair.gold),
                "gold_complete": bool(pair.gold) and recall[place] == 1.0,
                "gold_touched": any(ref in pair.found for refs in pair.gold for ref in refs),
            },
        )
        for place, pair in enumerate(sheet.pairs)
        if not point[place]
    )


def walk(
    facts: Mapping[str, bool], answers: Mapping[str, bool], graph: Graph = GRAPH
) -> Question | Outcome:
    """Follow what is known; return the question that a person must answer next, or the outcome."""
    name = graph.start
    while name not in graph.outcomes:
        question = graph.questions[name]
        known = facts.get(question.fact) if question.fact else answers.get(name)
        if known is None:
            return question
        name = question.yes if known else question.no
    return graph.outcomes[name]


def tally(codings: Sequence[Coding], graph: Graph = GRAPH) -> Tally:
    """Count outcomes and facets, most frequent outcomes first."""
    if not codings:
        raise ScoreError("no error has been coded yet, so there is nothing to tally")
    counts = Counter(c.outcome for c in codings)
    if unknown := sorted(counts.keys() - graph.outcomes.keys()):
        raise ScoreError(f"unknown outcome {unknown[0]!r}; known are {', '.join(graph.outcomes)}")
    answers: dict[str, dict[str, int]] = {}
    for name in graph.questions:
        given = [c.answers[name] for c in codings if name in c.answers]
        if given:
            answers[name] = {"yes": sum(given), "no": len(given) - sum(given)}
    total = len(codings)
    return Tally(
        total,
        {name: _share(n, total) for name, n in counts.most_common()},
        {f.text: _share(sum(counts[o] for o in f.outcomes), total) for f in graph.facets},
        answers,
    )


def _share(count: int, total: int) -> Share:
    """Wilson's interval: it stays between 0 and 1, also for a handful of errors."""
    z = 1.959964
    share = count / total
    middle = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    below = 1 + z * z / total
    return Share(
        count, share, max(0.0, (middle - spread) / below), min(1.0, (middle + spread) / below)
    )
