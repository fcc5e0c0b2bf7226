"""Manual error coding as in FEVER's appendix B, as a decision graph.

The paper shows its process in a figure and its findings in section 5.8. This graph covers what that
section counts: claims against the guidelines, wrong gold labels, evidence that was not found, new
evidence that the annotators had not listed (with the action that the appendix recommends), verdicts
that are wrong although the evidence is there. Names are our own.

A question with a `fact` is answered by the data; a person answers the others.

guidelines ─no─► without_evidence ─yes─► claim-needs-no-evidence
    │                   └───────────no─► claim-against-guidelines
   yes
gold_label ─no─► annotator-error
   yes
gold_found* ─yes─► verdict-wrong
    no
new_evidence ─yes─► same_verdict ─no─► evidence-contradicts-gold
    │                   └────────yes─► label_right* ─► new-evidence-label-right | -wrong
    no
gold_needed* ─no─► verdict-without-evidence
   yes
label_right* and gold_touched* ─► (label-right-)evidence-incomplete | -not-found
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files

import msgspec
from msgspec import Struct

from feverfew.errors import ScoreError
from feverfew.score.intervals import wilson
from feverfew.score.join import Pair
from feverfew.score.sheet import Sheet


class Question(Struct, frozen=True):
    """A question and the steps after its two answers."""

    name: str
    text: str
    yes: str
    no: str
    help: str = ""
    fact: str = ""
    """The fact that answers it; empty if a person must answer."""


class Outcome(Struct, frozen=True):
    """A kind of error, and what to do about it."""

    name: str
    text: str
    action: str = ""


class Facet(Struct, frozen=True):
    """Outcomes that section 5.8 counts together; facets overlap."""

    text: str
    outcomes: tuple[str, ...]


class Graph(Struct, frozen=True):
    """Questions and outcomes by name, and the first question."""

    start: str
    questions: dict[str, Question]
    outcomes: dict[str, Outcome]
    facets: tuple[Facet, ...]


def _read() -> Graph:
    """Read the graph that comes with feverfew; a question and an outcome know their own name."""
    data = tomllib.loads(files("feverfew.score").joinpath("errors.toml").read_text("utf-8"))
    for part in ("questions", "outcomes"):
        data[part] = {name: {"name": name, **said} for name, said in data[part].items()}
    return msgspec.convert(data, Graph)


GRAPH = _read()


class Error(Struct, frozen=True):
    """A claim without the official point, and the facts from the data."""

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
    """The counts of the coded errors."""

    coded: int
    outcomes: dict[str, Share]
    facets: dict[str, Share]
    answers: dict[str, dict[str, int]]
    """How often each question that a person answered got a yes and a no."""


def errors_of(sheet: Sheet) -> tuple[Error, ...]:
    """Return the claims without the official point: a wrong label, or incomplete evidence."""
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
    """Follow the known answers; return the next question for a person, or the outcome."""
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
    around = wilson(count, total)
    return Share(count, count / total, around.low, around.high)
