"""Let a table speak in a report: its cells as evidence, its program as a reason, its drawing."""

from msgspec.structs import replace

from feverfew.check.excerpt import excerpt_of
from feverfew.check.explain import ClaimResult, leaning
from feverfew.check.tables import TableResult, joined
from feverfew.judge import VERDICTS, Probabilities, likeliest
from feverfew.judge.label_policy import FEVER
from feverfew.tables import TableView
from feverfew.text import display_title
from feverfew.types import Context, Evidence, Finding, Ref, Report, Verdict

__all__ = ["left_open", "with_table"]

_SHOWN_CELLS = 6
_LEANS = 0.25
"""A sentence that says it this surely, as far as it matters at all, stands beside the cells."""
_TOGETHER = "Neither the sentences nor the cells settle it alone; read as one, they do."


def with_table(
    report: Report, looked: TableResult | None, texts: ClaimResult | None = None
) -> Report:
    """Let a table speak where a report that was made from texts leaves the claim open.

    Where the table alone would leave it open too, the sentences that lean the same way are part of
    the evidence: both are needed. Where it is not heard alone, both are read as one.
    What they say together is read as the texts were.
    """
    if looked is None or report.parts or not left_open(report):
        return report
    if not looked.heard and not looked.with_texts:
        return report
    supported, refuted, still_open = (report.probabilities[verdict] for verdict in VERDICTS)
    shares = joined((supported, refuted, still_open), looked)
    rule = texts.judgement.rule if texts else FEVER
    verdict = rule.verdict(shares)
    made = replace(report, probabilities=dict(zip(VERDICTS, shares, strict=True)), verdict=verdict)
    if verdict is Verdict.NOT_ENOUGH_INFO:
        return made
    if not looked.heard:
        return _as_one(made, looked, texts)
    if _leans(looked) is not verdict:
        return report  # the texts lean the other way, and outweigh it
    enough = likeliest(looked.shares) is verdict
    beside = [] if enough or texts is None else _leaning(texts, verdict)
    return _resting(made, looked, looked.shares, beside)


def _as_one(report: Report, looked: TableResult, texts: ClaimResult | None) -> Report:
    """Rest a report on sentences and cells that settle the claim when they are read as one."""
    if texts is None:
        return report
    shares = looked.with_texts or looked.shares
    beside = [_finding(texts, at) for at in leaning(texts, report.verdict)]
    if _leans(looked) is not report.verdict:  # nor does its program say it
        looked = replace(looked, verdict=replace(looked.verdict, reason="", cells=()))
    made = _resting(report, looked, shares, beside)
    return replace(made, reasons=(*made.reasons, _TOGETHER))


def _resting(
    report: Report, looked: TableResult, shares: Probabilities, beside: list[Finding]
) -> Report:
    """Rest a report on cells, with what they say, and on the sentences beside them."""
    what = "list" if looked.view.listed else "table"
    said = (f"The {what} says: {looked.verdict.reason}.",) if looked.verdict.reason else ()
    cells = looked.refs(looked.rests_on)
    return replace(
        report,
        evidence=(*_findings(looked, report.verdict, shares), *beside),
        sets=((*(finding.ref for finding in beside), *cells),),
        against=(),
        open_reason=None,
        missing="",
        reasons=said,
        tables=(excerpt_of(looked),),
    )


def _leans(looked: TableResult) -> Verdict:
    """Say which way a table leans, however openly."""
    return likeliest((looked.shares[0], looked.shares[1], 0.0))


def left_open(report: Report) -> bool:
    """Say whether nothing is likelier than that a claim is open, however that is read."""
    return max(VERDICTS, key=lambda verdict: report.probabilities[verdict]) is VERDICTS[2]


def _leaning(texts: ClaimResult, verdict: Verdict) -> list[Finding]:
    """List the sentences that lean to a verdict."""
    own = VERDICTS.index(verdict)
    said = zip(texts.judgement.alone, texts.judgement.relevance, strict=True)
    leans = [at for at, (alone, matters) in enumerate(said) if alone[own] * matters >= _LEANS]
    return [_finding(texts, at) for at in leans]


def _finding(texts: ClaimResult, at: int) -> Finding:
    alone = texts.judgement.alone[at]
    return Finding.of(
        piece=texts.evidence[at],
        says=likeliest(alone),
        probabilities=dict(zip(VERDICTS, alone, strict=True)),
    )


def _findings(looked: TableResult, says: Verdict, shares: Probabilities) -> tuple[Finding, ...]:
    """Name the cells that a verdict rests on, each with the start of its row."""
    said = dict(zip(VERDICTS, shares, strict=True))
    context = Context(display_title(looked.page), looked.section)
    found: dict[Ref, Finding] = {}
    for place in looked.rests_on[:_SHOWN_CELLS]:
        ref = next(iter(looked.refs([place])), None)
        if ref is None:
            continue
        text = _in_words(looked.view, *place)
        piece = Evidence(ref=ref, text=text, context=context, score=looked.verdict.speaks)
        found.setdefault(ref, Finding.of(piece, says=says, probabilities=said))
    return tuple(found.values())


def _in_words(view: TableView, row: int, column: int) -> str:
    first = view.columns[0].texts[row].strip()
    own = f"{view.header_of(column)}: {view.columns[column].texts[row].strip()}"
    return own if column == 0 or not first or view.height == 1 else f"{first} › {own}"
