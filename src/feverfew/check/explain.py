"""From a judgement to a report: the evidence and the reasons that the judge weighed."""

from collections.abc import Sequence

from msgspec.structs import replace

from feverfew.check.evidence_graph import chain_of, reasoning_of
from feverfew.check.excerpt import excerpt_of
from feverfew.check.pipeline import ClaimResult, missing_part
from feverfew.english.checks import checks
from feverfew.judge import VERDICTS, Probabilities, likeliest
from feverfew.types import Evidence, Finding, OpenReason, Ref, Report, Verdict

_NEAREST = 5
"""Number of pieces whose pages are named if the claim is not decided."""
_CITED_CELLS = 6
_SAYS = {Verdict.SUPPORTED: "supports", Verdict.REFUTED: "refutes"}
_UNDECIDED = Verdict.NOT_ENOUGH_INFO


def explain(result: ClaimResult, min_confidence: float = 0.0) -> Report:
    """Write the report of a claim; a verdict below `min_confidence` becomes a leaning."""
    report = _of_parts(result) if result.parts else _of_evidence(result)
    verdict = report.verdict
    share = result.judgement.policy.confidence(result.judgement.probabilities)
    if verdict is _UNDECIDED or share >= min_confidence:
        return report
    return replace(
        report,
        verdict=_UNDECIDED,
        leaning=verdict,
        open_reason=OpenReason.UNSURE,
        reasons=(
            f"The evidence leans to {verdict}, but only with {share:.0%} confidence.",
            *report.reasons,
        ),
    )


def not_checked(claim: str, reason: str) -> Report:
    """Report on a text that is not a statement: a question, or an empty one."""
    return Report(
        claim=claim,
        verdict=_UNDECIDED,
        probabilities=_named((0.0, 0.0, 1.0)),
        open_reason=OpenReason.NOT_A_CLAIM,
        reasons=(f"This is {reason}.",),
    )


def _of_evidence(result: ClaimResult) -> Report:
    judgement = result.judgement
    verdict = judgement.verdict
    cited = list(dict.fromkeys(at for one in judgement.cited for at in one))
    open_reason = _open_reason(result) if verdict is _UNDECIDED else None
    if verdict is _UNDECIDED and open_reason is not OpenReason.CONFLICT:
        cited = []
    pieces = [result.evidence[at] for at in cited] or result.evidence[:_NEAREST]
    chain = chain_of(pieces, result.hop_paths)
    marks = _conflicts(result, cited) if verdict is Verdict.REFUTED else {}
    several = bool(chain) or len({piece.ref.page for piece in pieces}) > 1
    table = result.table if any(result.evidence[at].cells for at in cited) else None
    sets = _sets(result, verdict)
    known = {ref for one in sets for ref in one}
    against = [at for at in judgement.against if result.evidence[at].ref not in known]
    return Report(
        claim=result.claim,
        verdict=verdict,
        probabilities=_named(judgement.probabilities),
        evidence=tuple(f for at in cited for f in _findings(result, at, marks)),
        sets=sets,
        against=tuple(f for at in against for f in _findings(result, at, {})),
        considered=result.evidence,
        open_reason=open_reason,
        missing=missing_part(result.claim, result.evidence)
        if open_reason is OpenReason.SILENT
        else "",
        reasons=_reasons(result, open_reason, cited),
        seconds=result.seconds,
        chain=chain,
        tables=(excerpt_of(table, table.cited(verdict is Verdict.SUPPORTED)),) if table else (),
        reasoning=reasoning_of(pieces, chain) if cited and several else None,
        marks=tuple(dict.fromkeys(claimed for claimed, _ in marks.values())),
    )


def _of_parts(result: ClaimResult) -> Report:
    """Conclude from the parts, as the pipeline did."""
    parts = [_of_evidence(part) for part in result.parts]
    verdict = result.judgement.verdict
    bearing = [part for part in parts if part.verdict is verdict]
    left = [part for part in parts if part.verdict is _UNDECIDED]
    open_reason = OpenReason.PARTLY if verdict is _UNDECIDED else None
    considered = (piece for part in parts for piece in part.considered)
    return Report(
        claim=result.claim,
        verdict=verdict,
        probabilities=_named(result.judgement.probabilities),
        evidence=tuple(finding for part in bearing for finding in part.evidence),
        sets=_sets_of_parts(bearing, verdict),
        against=tuple(finding for part in bearing for finding in part.against),
        considered=tuple(dict.fromkeys(considered)),
        open_reason=open_reason,
        missing=" ".join(part.claim for part in left) if open_reason else "",
        reasons=tuple(f"{part.claim} {part.verdict}." for part in parts),
        parts=tuple(parts),
        seconds=result.seconds,
        chain=tuple(dict.fromkeys(hop for part in parts for hop in part.chain)),
        tables=tuple(dict.fromkeys(table for part in bearing for table in part.tables)),
    )


def _sets_of_parts(bearing: Sequence[Report], verdict: Verdict) -> tuple[tuple[Ref, ...], ...]:
    """One part's set is enough to refute; all are needed to support."""
    if verdict is Verdict.REFUTED:
        return tuple(refs for part in bearing for refs in part.sets)
    if verdict is Verdict.SUPPORTED:
        return (tuple(ref for part in bearing for ref in (part.sets or ((),))[0]),)
    return ()


def _named(shares: Probabilities) -> dict[Verdict, float]:
    return dict(zip(VERDICTS, shares, strict=True))


def _open_reason(result: ClaimResult) -> OpenReason:
    if not result.evidence:
        return OpenReason.NO_PAGE
    return OpenReason.CONFLICT if result.judgement.conflict else OpenReason.SILENT


_Marks = dict[int, tuple[tuple[int, int], tuple[int, int] | None]]
"""For each piece: where the claim and its text contradict each other."""


def _conflicts(result: ClaimResult, cited: Sequence[int]) -> _Marks:
    """Find the words and numbers in which the cited pieces contradict the claim."""
    found: _Marks = {}
    for at in cited:
        read = result.judgement.readings.texts[at]
        for check in checks(result.claim, read):
            if not check.agrees:
                part = read[slice(*check.evidence_span)]
                found[at] = (check.claim_span, _find(result.evidence[at].text, part))
    return found


def _find(text: str, part: str) -> tuple[int, int] | None:
    start = text.find(part) if part else -1
    return (start, start + len(part)) if start >= 0 else None


def _findings(result: ClaimResult, at: int, marks: _Marks) -> list[Finding]:
    """Describe what a piece says alone; for a table, name the cells that were used."""
    piece = result.evidence[at]
    shares = result.judgement.alone[at]
    decisive = at in result.judgement.decisive
    mark = marks[at][1] if at in marks else None
    if piece.cells and result.table:
        return _cells(result, piece, shares, decisive)
    return [
        Finding.of(
            piece,
            likeliest(shares),
            _named(shares),
            decisive=decisive,
            marks=(mark,) if mark else (),
        )
    ]


def _cells(
    result: ClaimResult, piece: Evidence, shares: Probabilities, decisive: bool
) -> list[Finding]:
    table = result.table
    if table is None:
        return []
    says = likeliest(shares)
    found: dict[Ref, Finding] = {}
    supported = result.judgement.verdict is Verdict.SUPPORTED
    for row, column in table.cited(supported)[:_CITED_CELLS]:
        for ref in table.refs([(row, column)]):
            cell = replace(piece, ref=ref, text=_in_words(result, row, column), cells=(ref,))
            found.setdefault(ref, Finding.of(cell, says, _named(shares), decisive=decisive))
    return list(found.values())


def _in_words(result: ClaimResult, row: int, column: int) -> str:
    """Describe a cell with its header and the start of its row."""
    table = result.table
    if table is None:
        return ""
    view = table.view
    first = view.columns[0].texts[row].strip()
    own = f"{view.header_of(column)}: {view.columns[column].texts[row].strip()}"
    return own if column == 0 or not first or view.height == 1 else f"{first} › {own}"


def _sets(result: ClaimResult, verdict: Verdict) -> tuple[tuple[Ref, ...], ...]:
    if verdict is _UNDECIDED:
        return ()
    table = result.table
    cells = table.refs(table.cited(verdict is Verdict.SUPPORTED)) if table else []
    return tuple(
        tuple(
            ref
            for at in one
            for ref in (cells if result.evidence[at].cells else [result.evidence[at].ref])
        )
        for one in result.judgement.cited
    )


def _reasons(
    result: ClaimResult, open_reason: OpenReason | None, cited: Sequence[int]
) -> tuple[str, ...]:
    titles = list(dict.fromkeys(piece.context.title for piece in result.evidence))
    if open_reason is OpenReason.NO_PAGE:
        return ("No page shares a name or a rare word with the claim.",)
    if open_reason is OpenReason.SILENT:
        return (f"The nearest pages do not say: {', '.join(titles[:3])}.",)
    if open_reason is OpenReason.CONFLICT:
        return ("Some of the evidence supports the claim, some refutes it.",)
    verdict = result.judgement.verdict
    pages = list(dict.fromkeys(result.evidence[at].context.title for at in cited))
    says = _SAYS[verdict] if len(pages) == 1 else _SAYS[verdict][:-1]
    reasons = [f"{' and '.join(pages[:2])} {says} it."]
    if any(len(one) > 1 for one in result.judgement.cited):
        reasons.append("No piece of the evidence decides alone; read together, they do.")
    table = result.table
    if table and any(result.evidence[at].cells for at in cited):
        said = table.reason(verdict is Verdict.SUPPORTED)
        reasons += [said] if said else []
    for at in cited[:1]:
        for check in checks(result.claim, result.judgement.readings.texts[at]):
            if check.agrees is (verdict is Verdict.SUPPORTED):
                reasons.append(check.reason)
    return tuple(dict.fromkeys(reasons))
