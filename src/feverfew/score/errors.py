"""Why a system was wrong: the manual error coding of FEVER's appendix B, as a decision graph.

The paper draws its process as a figure and gives its findings in section 5.8. This graph asks
for what that section counts: claims against the guidelines, wrong gold labels, evidence that was
not found, new evidence that the annotators had not listed (with the action that the appendix
recommends), verdicts that are wrong although the evidence is there. Names are our own.

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

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from feverfew.errors import ScoreError
from feverfew.score.intervals import wilson
from feverfew.score.join import Pair
from feverfew.score.sheet import Sheet


class Question(Struct, frozen=True):
    """A question and where its two answers lead."""

    name: str
    text: str
    yes: str
    no: str
    help: str = ""
    fact: str = ""
    """The fact that answers it; empty where a person must."""


class Outcome(Struct, frozen=True):
    """What an error turned out to be, and what is best done about it."""

    name: str
    text: str
    action: str = ""


class Facet(Struct, frozen=True):
    """Outcomes that section 5.8 counts together; facets overlap."""

    text: str
    outcomes: tuple[str, ...]


class Graph(Struct, frozen=True):
    """Questions and outcomes by name, and the question to begin with."""

    start: str
    questions: dict[str, Question]
    outcomes: dict[str, Outcome]
    facets: tuple[Facet, ...]


_QUESTIONS = (
    Question(
        "guidelines",
        "Does the claim meet the guidelines?",
        yes="gold_label",
        no="without_evidence",
        help="One statement of fact, clear, grammatical, neither vague nor a matter of opinion, "
        "about what a reader could look up. A name that only looks odd is no fault.",
    ),
    Question(
        "without_evidence",
        "Can it be judged without any evidence?",
        yes="claim-needs-no-evidence",
        no="claim-against-guidelines",
        help="Because it is a tautology, or contradicts itself.",
    ),
    Question(
        "gold_label",
        "Is the gold label right?",
        yes="gold_found",
        no="annotator-error",
        help="Judge by the gold evidence, not by the system's. For an open claim: by what the "
        "annotators could have found.",
    ),
    Question(
        "gold_found",
        "Was one complete gold set of evidence among what the system returned?",
        yes="verdict-wrong",
        no="new_evidence",
        fact="gold_complete",
    ),
    Question(
        "new_evidence",
        "Does the evidence that the system returned settle the claim by itself?",
        yes="same_verdict",
        no="gold_needed",
        help="It is not a gold set; but a reader who had only this could tell whether the claim "
        "is true or false.",
    ),
    Question(
        "same_verdict",
        "Does this new evidence lead to the gold label?",
        yes="new_evidence_label",
        no="evidence-contradicts-gold",
        help="No, if it speaks for another label than the gold one.",
    ),
    Question(
        "new_evidence_label",
        "Did the system give the gold label?",
        yes="new-evidence-label-right",
        no="new-evidence-label-wrong",
        fact="label_right",
    ),
    Question(
        "gold_needed",
        "Has the gold evidence to be found?",
        yes="label_right",
        no="verdict-without-evidence",
        fact="gold_has_evidence",
    ),
    Question(
        "label_right",
        "Did the system give the gold label?",
        yes="gold_touched_label_right",
        no="gold_touched",
        fact="label_right",
    ),
    Question(
        "gold_touched_label_right",
        "Is any gold element among what the system returned?",
        yes="label-right-evidence-incomplete",
        no="label-right-evidence-not-found",
        fact="gold_touched",
    ),
    Question(
        "gold_touched",
        "Is any gold element among what the system returned?",
        yes="evidence-incomplete",
        no="evidence-not-found",
        fact="gold_touched",
    ),
)

_OUTCOMES = (
    Outcome(
        "claim-needs-no-evidence",
        "The claim is a tautology or contradicts itself.",
        "Take the claim out of the data set.",
    ),
    Outcome(
        "claim-against-guidelines",
        "The claim does not meet the guidelines.",
        "Take the claim out of the data set, or rewrite it.",
    ),
    Outcome("annotator-error", "The gold label is wrong.", "Correct the label and its evidence."),
    Outcome("verdict-wrong", "The evidence was found, but the verdict drawn from it was wrong."),
    Outcome(
        "evidence-contradicts-gold",
        "New evidence contradicts the gold evidence.",
        "Look for a mix-up of names, or for pages that disagree; have the claim labelled anew.",
    ),
    Outcome(
        "new-evidence-label-right",
        "The label is right, by evidence that the annotators had not listed.",
        "Add the evidence to the gold as another set; the prediction then counts as right.",
    ),
    Outcome(
        "new-evidence-label-wrong",
        "Evidence was found that the annotators had not listed, but the verdict was wrong.",
        "Add the evidence to the gold as another set.",
    ),
    Outcome("verdict-without-evidence", "The claim is open, but the system gave a verdict on it."),
    Outcome(
        "label-right-evidence-incomplete",
        "The label is right, but only a part of the evidence was found.",
    ),
    Outcome("label-right-evidence-not-found", "The label is right, but no evidence was found."),
    Outcome("evidence-incomplete", "Only a part of the evidence was found; the label is wrong."),
    Outcome("evidence-not-found", "No evidence was found; the label is wrong."),
)

GRAPH = Graph(
    "guidelines",
    {q.name: q for q in _QUESTIONS},
    {o.name: o for o in _OUTCOMES},
    (
        Facet(
            "the label is right, the evidence is not",
            (
                "new-evidence-label-right",
                "label-right-evidence-incomplete",
                "label-right-evidence-not-found",
            ),
        ),
        Facet(
            "no correct evidence was found",
            ("evidence-not-found", "label-right-evidence-not-found"),
        ),
        Facet(
            "evidence was found, the verdict is wrong",
            ("verdict-wrong", "new-evidence-label-wrong"),
        ),
        Facet(
            "new evidence was found",
            ("new-evidence-label-right", "new-evidence-label-wrong", "evidence-contradicts-gold"),
        ),
        Facet(
            "the claim does not meet the guidelines",
            ("claim-against-guidelines", "claim-needs-no-evidence"),
        ),
        Facet("the gold label is wrong", ("annotator-error",)),
    ),
)


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
    around = wilson(count, total)
    return Share(count, count / total, around.low, around.high)
