"""Let a table speak in a report: its cells as evidence, its program as a reason, its drawing."""

from msgspec.structs import replace

from feverfew.check.excerpt import excerpt_of
from feverfew.check.explain import Looked
from feverfew.check.tables import TableLooked, joined
from feverfew.judge import VERDICTS, likeliest
from feverfew.judge.rules import FEVER
from feverfew.judge.tables import TableView
from feverfew.model import Context, Evidence, Finding, Ref, Report, Verdict
from feverfew.text import display_title

__all__ = ["left_open", "with_table"]

_SHOWN_CELLS = 6
_LEANS = 0.25
"""A sentence that says it this surely, as far as it matters at all, stands beside the cells."""


def with_table(report: Report, looked: TableLooked | None, texts: Looked | None = None) -> Report:
    """Let a table speak where a report that was made from texts leaves the claim open.

    Where the table alone would leave it open too, the sentences that lean the same way are part of
    the evidence: both are needed. What they say together is read as the texts were.
    """
    if looked is None or not looked.heard or report.parts or not left_open(report):
        return report
    supported, refuted, still_open = (report.probabilities[verdict] for verdict in VERDICTS)
    shares = joined((supported, refuted, still_open), looked)
    rule = texts.judgement.rule if texts else FEVER
    verdict = rule.verdict(shares)
    made = replace(report, probabilities=dict(zip(VERDICTS, shares, strict=True)), verdict=verdict)
    if verdict is Verdict.NOT_ENOUGH_INFO:
        return made
    says = likeliest((looked.shares[0], looked.shares[1], 0.0))
    if says is not verdict:
        return report  # the texts lean the other way, and outweigh it
    # Where cells do not suffice, or were read as one with the texts, these are part of it.
    enough = likeliest(looked.shares) is verdict and not looked.with_texts
    beside = [] if enough or texts is None else _leaning(texts, verdict)
    said = (f"The table says: {looked.verdict.reason}.",) if looked.verdict.reason else ()
    cells = looked.refs(looked.verdict.cells or looked.places)
    return replace(
        made,
        evidence=(*_findings(looked, says), *beside),
        sets=((*(finding.evidence.ref for finding in beside), *cells),),
        against=(),
        why=None,
        missing="",
        reasons=said,
        tables=(excerpt_of(looked),),
    )


def left_open(report: Report) -> bool:
    """Say whether nothing is likelier than that a claim is open, however that is read."""
    return max(VERDICTS, key=lambda verdict: report.probabilities[verdict]) is VERDICTS[2]


def _leaning(texts: Looked, verdict: Verdict) -> list[Finding]:
    """List the sentences that lean to a verdict."""
    own = VERDICTS.index(verdict)
    judgement = texts.judgement
    return [
        Finding(
            evidence=piece,
            says=likeliest(alone),
            probabilities=dict(zip(VERDICTS, alone, strict=True)),
        )
        for piece, alone, matters in zip(
            texts.evidence, judgement.alone, judgement.relevance, strict=True
        )
        if alone[own] * matters >= _LEANS
    ]


def _findings(looked: TableLooked, says: Verdict) -> tuple[Finding, ...]:
    """Name the cells that the table's verdict rests on, each with the start of its row."""
    shares = dict(zip(VERDICTS, looked.shares, strict=True))
    places = (looked.verdict.cells or looked.places)[:_SHOWN_CELLS]
    context = Context(display_title(looked.page), looked.section)
    found: dict[Ref, Finding] = {}
    for place in places:
        ref = next(iter(looked.refs([place])), None)
        if ref is None:
            continue
        text = _in_words(looked.view, *place)
        piece = Evidence(ref=ref, text=text, context=context, score=looked.verdict.speaks)
        found.setdefault(ref, Finding(evidence=piece, says=says, probabilities=shares))
    return tuple(found.values())


def _in_words(view: TableView, row: int, column: int) -> str:
    first = view.columns[0].texts[row].strip()
    own = f"{view.header_of(column)}: {view.columns[column].texts[row].strip()}"
    return own if column == 0 or not first or view.height == 1 else f"{first} › {own}"
