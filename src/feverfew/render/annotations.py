"""Findings in a document as SARIF and as GitHub workflow commands."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from feverfew.render.check_html import CheckedPassage
from feverfew.render.wording import clean, explanation, percent, reasons, share, where
from feverfew.types import Report, Verdict

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Verdict.REFUTED: "error", Verdict.NOT_ENOUGH_INFO: "note"}
"""The levels of findings; supported sentences have none."""
_RULES = {
    Verdict.REFUTED: ("refuted", "The corpus says otherwise."),
    Verdict.NOT_ENOUGH_INFO: ("not-enough-info", "The corpus does not decide it."),
}
_COMMANDS = {"error": "error", "note": "notice"}


class CheckedDocument(Struct, frozen=True):
    """A document and the reports of its sentences."""

    name: str
    """Its path, as given."""
    text: str
    lines: bool
    """Whether the lines of the text are those of the file."""
    checked: tuple[CheckedPassage, ...]


class Place(Struct, frozen=True):
    """Where a span of text begins and ends; lines and columns count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


class LineIndex:
    r"""Finds the lines and columns of spans of a text.

    >>> LineIndex("One.\nTwo. Three.").place(10, 16)
    Place(line=2, column=6, end_line=2, end_column=12)
    """

    def __init__(self, text: str) -> None:
        self._starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]

    def place(self, start: int, end: int) -> Place:
        """Find where a span begins and ends."""
        starts = self._starts
        first, last = bisect_right(starts, start), bisect_right(starts, end)
        return Place(first, start - starts[first - 1] + 1, last, end - starts[last - 1] + 1)


class _Remark(Struct, frozen=True):
    """A sentence that is not supported."""

    report: Report
    level: str
    place: Place | None
    text: str

    @property
    def message(self) -> str:
        """Describe the problem and the evidence in one line."""
        report = self.report
        face = f"{report.verdict.capitalize()}, {percent(share(report, report.verdict))}."
        said = [explanation(report), *reasons(report)]
        cited = [f"{where(one)}: “{clean(one.text)}”" for one in report.evidence[:1]]
        return " ".join(filter(None, [face, *dict.fromkeys(said), *cited]))


def _remarks(document: CheckedDocument) -> Iterator[_Remark]:
    lines = LineIndex(document.text)
    for one in document.checked:
        if one.report is not None and one.report.verdict in _LEVELS:
            passage = one.passage
            place = lines.place(passage.start, passage.end) if document.lines else None
            yield _Remark(one.report, _LEVELS[one.report.verdict], place, passage.text)


def github_lines(document: CheckedDocument) -> Iterator[str]:
    """Yield workflow commands, which GitHub shows as annotations of lines."""
    for one in _remarks(document):
        named = {"file": document.name}
        if one.place is not None:
            named |= {"line": str(one.place.line), "endLine": str(one.place.end_line)}
            named |= {"col": str(one.place.column), "endColumn": str(one.place.end_column)}
        named["title"] = f"{one.report.verdict.capitalize()}: {clean(one.text)[:80]}"
        properties = ",".join(f"{key}={_property(value)}" for key, value in named.items())
        yield f"::{_COMMANDS[one.level]} {properties}::{_escaped(one.message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def sarif(documents: Sequence[CheckedDocument]) -> dict[str, Any]:
    """Write documents as one SARIF 2.1.0 log: a result for each sentence that is not supported."""
    rules = [
        {
            "id": id_,
            "shortDescription": {"text": said},
            "defaultConfiguration": {"level": _LEVELS[verdict]},
        }
        for verdict, (id_, said) in _RULES.items()
    ]
    driver = {"name": "Feverfew", "semanticVersion": version("feverfew"), "rules": rules}
    results = [_result(document, one) for document in documents for one in _remarks(document)]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(document: CheckedDocument, one: _Remark) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(document.name)}
    if one.place is not None:
        location["region"] = {
            "startLine": one.place.line,
            "startColumn": one.place.column,
            "endLine": one.place.end_line,
            "endColumn": one.place.end_column,
            "snippet": {"text": one.text},
        }
    report = one.report
    claim = hashlib.blake2b(report.claim.encode(errors="replace"), digest_size=8).hexdigest()
    return {
        "ruleId": _RULES[report.verdict][0],
        "level": one.level,
        "message": {"text": one.message},
        "locations": [{"physicalLocation": location}],
        # The same sentence elsewhere in the file is the same finding.
        "partialFingerprints": {"feverfewClaim/v1": claim},
        "properties": {
            "claim": report.claim,
            "probabilities": {str(k): v for k, v in report.probabilities.items()},
            "evidence": [str(piece.ref) for piece in report.evidence],
        },
    }


def _artifact(name: str) -> dict[str, str]:
    """Return a file's URI for SARIF: relative to the source root, or absolute."""
    path = Path(name)
    if path.is_absolute():
        try:
            path = path.relative_to(Path.cwd())
        except ValueError:
            return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": "%SRCROOT%"}
