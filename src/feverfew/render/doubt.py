"""How sure a report is, in words, and what would change its verdict."""

from collections.abc import Iterator, Sequence

from feverfew.render.wording import FACES, clean, judged, percent, share, where
from feverfew.types import Finding, OpenReason, Report, Verdict

_SURE = ((0.95, "Very sure"), (0.8, "Fairly sure"), (0.6, "Not very sure"), (0.0, "Unsure"))
_RIVAL = 0.2
"""From this probability on, the second verdict is mentioned."""


def sureness(report: Report) -> str:
    """Describe the confidence of a verdict: 'Fairly sure: of 100 claims …'.

    >>> sureness(Report(claim="", verdict=Verdict.REFUTED, probabilities={Verdict.REFUTED: 0.87}))
    'Fairly sure: of 100 claims judged as firmly as this, about 87 are judged correctly.'
    """
    if not judged(report):
        return ""
    value = share(report, report.verdict)
    word = next(word for least, word in _SURE if value >= least)
    right = "more than 99" if value > 0.99 else f"about {round(100 * value)}"
    return f"{word}: of 100 claims judged as firmly as this, {right} are judged correctly."


def changes(report: Report) -> list[str]:
    """List what would change the verdict, one sentence each."""
    if not judged(report):
        return ["It would have to be a statement: something that is either true or false."]
    if report.parts:
        return list(_by_parts(report))
    made = _open(report) if report.open_reason is not None else _settled(report)
    return [*made, *_rival(report)]


def _by_parts(report: Report) -> Iterator[str]:
    """The verdict follows from the parts: the weakest decides."""
    word = FACES[report.verdict].word
    deciding = [part for part in report.parts if part.verdict is report.verdict]
    if report.verdict is Verdict.SUPPORTED:
        yield "It is supported because every part is: one part refuted would refute the whole."
    elif report.verdict is Verdict.REFUTED and len(deciding) == 1:
        yield f"Only one part is {word}: without “{clean(deciding[0].claim)}” it would not be."
    elif deciding:
        yield f"{len(deciding)} of {len(report.parts)} parts are {word}: all of them would change."


def _settled(report: Report) -> Iterator[str]:
    word = FACES[report.verdict].word
    decisive = [finding for finding in report.evidence if finding.decisive]
    if decisive:
        yield f"Without {_named(decisive)}, it would not be {word}."
    elif report.tables:
        yield "Other values in the cells that are marked."
    elif len(report.sets) > 1:
        yield f"No single piece: without any one of these, it would still be {word}."
    else:
        yield "A source that says otherwise; nothing that was read does."
    if report.against:
        yield f"The verdict would be another if you trust {_named(report.against)} more."


def _open(report: Report) -> Iterator[str]:
    match report.open_reason:
        case OpenReason.UNSURE:
            yield "A source that says it more clearly."
        case OpenReason.CONFLICT:
            one, other = _named(report.evidence), _named(report.against)
            yield f"Decide whom to trust: {one}, or {other}."
        case OpenReason.PARTLY:
            missing = f" about “{clean(report.missing)}”" if report.missing else ""
            yield f"A source{missing} would decide the rest."
        case OpenReason.NO_PAGE:
            yield "A page about it would have to be in the corpus: 'feverfew add' puts one there."
        case _:
            missing = f"“{clean(report.missing)}”" if report.missing else "exactly this"
            yield f"A sentence or a table in the corpus about {missing}."


def _rival(report: Report) -> Iterator[str]:
    """Mention the second most probable verdict, if it is probable enough."""
    others = [verdict for verdict in FACES if verdict is not report.verdict]
    rival = max(others, key=lambda verdict: share(report, verdict))
    if share(report, rival) >= _RIVAL:
        yield f"The next likeliest verdict is {rival} ({percent(share(report, rival))})."


def _named(findings: Sequence[Finding]) -> str:
    places = list(dict.fromkeys(f"“{where(finding)}”" for finding in findings))
    return " and ".join(places[:3]) + (" and others" if len(places) > 3 else "")
