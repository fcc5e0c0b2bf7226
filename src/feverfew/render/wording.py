"""The wording and order of a report, shared by all output formats."""

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from feverfew.text import display_title, fold, padded, without_parenthesis, words
from feverfew.types import Evidence, Finding, Hop, OpenReason, Report, Verdict


class Face(Struct, frozen=True):
    """The symbols and words of a verdict, so that colour is never the only sign."""

    symbol: str
    mark: str
    """The mark of a piece of evidence with this verdict."""
    ascii_mark: str
    word: str
    css_class: str
    says: str
    """The verb for a piece of evidence with this verdict."""


FACES = {
    Verdict.SUPPORTED: Face("✓", "+", "+", "supported", "supported", "supports"),
    Verdict.REFUTED: Face("✗", "−", "-", "refuted", "refuted", "refutes"),
    Verdict.NOT_ENOUGH_INFO: Face("?", "·", ".", "not enough info", "nei", "neutral alone"),
}
"""The verdicts of a report, in display order."""

_WHY = {
    OpenReason.NOT_A_CLAIM: "It is not a statement that can be checked.",
    OpenReason.NO_PAGE: "No page about it was found.",
    OpenReason.SILENT: "Pages were found, but they do not say.",
    OpenReason.PARTLY: "Part of it is supported; nothing was found that decides the rest.",
    OpenReason.CONFLICT: "The sources contradict each other.",
    OpenReason.UNSURE: "The evidence is not clear enough for a verdict.",
}
NEAREST = 3
"""Number of neutral pieces shown."""


class Piece(Struct, frozen=True):
    """A piece of evidence as it is shown."""

    evidence: Evidence
    says: Verdict | None
    """None if it was not read alone."""
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text as it is shown."""
        return reading(self.evidence)

    @property
    def conflicts(self) -> list[tuple[int, int]]:
        """Where the shown text contradicts the claim."""
        marks = self.evidence.marks if isinstance(self.evidence, Finding) else ()
        return located(self.text, self.evidence.text, marks)


class Group(Struct, frozen=True):
    """A group of pieces; the heading is empty for the main group."""

    heading: str
    pieces: tuple[Piece, ...]


def groups(report: Report, nearest: int = NEAREST) -> list[Group]:
    """Group a report's evidence: decisive, contradicting, closest."""
    below = {f.ref for part in report.parts for f in _findings(part)}
    settles, against = (
        [f for f in findings if f.ref not in below]
        for findings in (report.evidence, report.against)
    )
    if report.verdict is Verdict.NOT_ENOUGH_INFO:
        settles, against = [], settles + against  # nothing is decided: all of it is a side
    found = [Group("", tuple(_piece(f, report) for f in settles))]
    for heading, verdict in (
        ("Supporting evidence", Verdict.SUPPORTED),
        ("Refuting evidence", Verdict.REFUTED),
        ("Neutral evidence", Verdict.NOT_ENOUGH_INFO),
    ):
        side = [finding for finding in against if finding.says is verdict]
        found.append(Group(heading, tuple(_piece(f, report) for f in side)))
    if report.verdict is Verdict.NOT_ENOUGH_INFO and not report.parts:
        found.append(Group("Closest evidence", _unshown(report)[:nearest]))
    return [group for group in found if group.pieces]


def also_read(report: Report) -> tuple[Piece, ...]:
    """List the considered evidence that is in no group."""
    if report.parts:
        return ()
    nearest = NEAREST if report.verdict is Verdict.NOT_ENOUGH_INFO else 0
    return _unshown(report)[nearest:]


def _unshown(report: Report) -> tuple[Piece, ...]:
    shown = {finding.ref for finding in (*report.evidence, *report.against)}
    return tuple(
        Piece(piece, None, _notes(piece, report))
        for piece in report.considered
        if piece.ref not in shown
    )


def _findings(report: Report) -> Iterator[Finding]:
    yield from report.evidence
    yield from report.against
    for part in report.parts:
        yield from _findings(part)


def _piece(finding: Finding, report: Report) -> Piece:
    decisive = ("decisive",) if finding.decisive else ()
    notes = (FACES[finding.says].says, *decisive, *_notes(finding, report))
    return Piece(finding, finding.says, notes)


def _notes(piece: Evidence, report: Report) -> tuple[str, ...]:
    if not piece.hop:
        return ()
    title = padded(without_parenthesis(piece.context.title))
    pages = (
        other.context.title
        for other in report.considered
        if other.hop < piece.hop and title in padded(other.text)
    )
    return (f"found by following {next(pages, 'other evidence')}",)


def explanation(report: Report) -> str:
    """Explain why the verdict is NOT ENOUGH INFO; "" for other verdicts."""
    if report.open_reason is None:
        return ""
    missing = f"Missing: {report.missing}" if report.missing else ""
    # The parts of a claim say themselves what stands in their way.
    own = () if report.parts else report.reasons
    return clean(" ".join([_WHY[report.open_reason], missing, *own]))


def reasons(report: Report) -> list[str]:
    """List the reasons for a verdict, one sentence each."""
    if report.open_reason is not None or report.parts:
        return []
    return [*map(clean, report.reasons), *_together(report)]


_HOW = {
    "link": "linked from",
    "name": "named in",
    "text": "found with the words of",
}


def chain(report: Report) -> list[str]:
    """List how the search reached pages that the claim does not name."""
    return [clean(f"{display_title(hop.page)}: {step(hop)}") for hop in report.chain]


def step(hop: Hop) -> str:
    """Describe how a page was reached: 'named in Ada_Quill_sentence_1'."""
    return clean(f"{_HOW.get(hop.how, hop.how)} {hop.by}")


def _together(report: Report) -> Iterator[str]:
    """Say which pieces are needed together, if there are several."""
    ids = [[clean(str(ref)) for ref in one] for one in report.sets]
    if sum(map(len, ids)) < 2:
        return
    if len(ids) == 1:
        yield "It takes all of these together."
    elif all(len(one) == 1 for one in ids):
        yield "Each of these is enough alone."
    else:
        yield "Decided by " + ", or by ".join(" with ".join(one) for one in ids) + "."


def share(report: Report, verdict: Verdict) -> float:
    """Return a probability, clipped to the range from 0 to 1."""
    value = report.probabilities.get(verdict, 0.0)
    return min(max(value, 0.0), 1.0) if math.isfinite(value) else 0.0


def percent(value: float) -> str:
    """Format a probability; never as 0 or 100 %.

    >>> percent(0.874), percent(0.9996)
    ('87 %', '>99 %')
    """
    if value > 0.99:
        return ">99 %"
    return f"{value:.0%}".replace("%", " %") if value >= 0.01 else "<1 %"


def judged(report: Report) -> bool:
    """Say whether the claim was judged; otherwise its probabilities mean nothing."""
    return report.open_reason is not OpenReason.NOT_A_CLAIM


def leaning(report: Report) -> str:
    """Describe the leaning of an unsure verdict: 'leaning refuted'."""
    return f"leaning {FACES[report.leaning].word}" if report.leaning else ""


def tally(verdicts: Sequence[Verdict]) -> str:
    """Count verdicts: '3 claims: 2 supported, 1 not enough info'."""
    counts = {face.word: verdicts.count(verdict) for verdict, face in FACES.items()}
    parts = ", ".join(f"{count:,} {word}" for word, count in counts.items() if count)
    claims = "1 claim" if len(verdicts) == 1 else f"{len(verdicts):,} claims"
    return f"{claims}: {parts}" if parts else claims


def where(piece: Evidence) -> str:
    """Name the page and the headings of a piece of evidence."""
    return clean(f"{piece.context.title} › {piece.context.section}".removesuffix(" › "))


def reading(piece: Evidence) -> str:
    """Resolve a piece's first pronoun, if the title does not: 'She [Ada Quill] was'."""
    pronoun, blank, rest = piece.text.partition(" ")
    name = piece.context.name
    return clean(f"{pronoun} [{name}]{blank}{rest}" if name else piece.text)


def read_as(report: Report, text: str) -> str:
    """Say how a sentence was read, if pronouns were replaced."""
    return "" if words(report.claim) == words(text) else f"read as “{clean(report.claim)}”"


# A page may hold what would move a terminal's cursor or turn the direction of the text.
_UNSEEN = {"Cc", "Cs", "Co", "Cn"}
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def clean(text: str) -> str:
    """Put text on one line, without control characters."""
    flat = " ".join(text.split())
    if flat.isascii() and flat.isprintable():
        return flat
    return "".join(
        "\ufffd" if unicodedata.category(c) in _UNSEEN else c for c in flat if c not in _TURNING
    )


_WORD = re.compile(r"[^\W_]+")
_PREFIX = 5
_EMPTY = frozenset(
    _WORD.findall(
        "a an the of in on at by to for from with as and or but not no is are was were be been "
        "being has have had do does did it its he she they his her their this that these those "
        "which who whom whose there than then into only also both one"
    )
)


def matching(text: str, claim: str) -> list[tuple[int, int]]:
    """Find the spans of the claim's words, or of words with the same beginning, in a text.

    Adjacent words are merged:

    >>> matching("The director is Fritz Lang.", "Fritz Lang directed it.")
    [(4, 12), (16, 26)]
    """
    sought = {fold(word) for word in _WORD.findall(claim)} - _EMPTY
    prefixes = {word[:_PREFIX] for word in sought if len(word) >= _PREFIX}
    spans: list[tuple[int, int]] = []
    for found in _WORD.finditer(text):
        if _matches(found[0], sought, prefixes):
            joins = spans and text[spans[-1][1] : found.start()] == " "
            start = spans.pop()[0] if joins else found.start()
            spans.append((start, found.end()))
    return spans


def _matches(spelled: str, sought: set[str], prefixes: set[str]) -> bool:
    word = fold(spelled)
    if len(word) < 2 and not word.isdigit():
        return False
    # Two numbers that begin alike have nothing in common.
    alike = word[:_PREFIX] in prefixes and not word.isdigit()
    return word in sought or alike


def located(shown: str, text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Map spans of a text to the shown text, which is cleaned and has names added.

    >>> located("She [Ada Quill] was born in 1890.", "She was born  in 1890.", [(17, 21)])
    [(28, 32)]
    """
    found = []
    for start, end in spans:
        words_there, at = text[start:end], -1
        for _ in range(text[:start].count(words_there) + 1):
            at = shown.find(clean(words_there), at + 1)
        if at >= 0 and words_there:
            found.append((at, at + len(clean(words_there))))
    return found


def highlights(
    text: str, claim: str = "", conflicts: Sequence[tuple[int, int]] = ()
) -> Iterator[tuple[str, str]]:
    """Split a text into spans: "conflict", "match" for the claim's words, or "".

    >>> list(highlights("Lang was born in 1890.", "Lang was born in 1975.", [(17, 21)]))[-2:]
    [('1890', 'conflict'), ('.', '')]
    """
    kinds = [""] * len(text)
    for spans, kind in ((matching(text, claim), "match"), (conflicts, "conflict")):
        for start, end in spans:
            kinds[start:end] = [kind] * (end - start)
    at = 0
    for kind, run in groupby(kinds):
        end = at + len(list(run))
        yield text[at:end], kind
        at = end
