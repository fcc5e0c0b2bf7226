"""Export a checked document as CSV, JSON, HTML, or Word with comments."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from feverfew.errors import MissingExtra
from feverfew.render.annotations import CheckedDocument
from feverfew.render.as_json import report_json
from feverfew.render.check_html import CheckedPassage, document_page
from feverfew.render.wording import clean, explanation, percent, reasons, share, where
from feverfew.types import Claim, Report

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.run import Run

FORMS = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""The export formats and their media types."""
_COLUMNS = ("sentence", "read_as", "verdict", "confidence", "why", "evidence", "source", "skipped")
_AUTHOR, _INITIALS = "Feverfew", "FF"
# A spreadsheet takes a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(document: CheckedDocument, form: str, original: bytes = b"") -> bytes:
    """Export a checked document; `original` is its Word file, if it was one."""
    match form:
        case "csv":
            return _csv(document).encode("utf-8-sig", errors="replace")  # so that Excel knows
        case "json":
            return msgspec.json.encode([_json(one) for one in document.checked])
        case "html":
            title = f"{document.name}, checked"
            return document_page(title, document.text, document.checked).encode(errors="replace")
    return _docx(document, original)


def _csv(document: CheckedDocument) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for one in document.checked:
        writer.writerow([f"'{c}" if c.startswith(_FORMULA) else c for c in _row(one)])
    return out.getvalue()


_ADDED = ("verdict", "confidence", "why", "evidence", "element", "file", "page")


def claims_csv(claims: Sequence[Claim], reports: Sequence[Report]) -> bytes:
    """Write a row for each claim: its original columns, then the findings."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    names = dict.fromkeys(name for claim in claims for name in claim.columns) or {
        "id": None,
        "claim": None,
    }
    added = [f"feverfew_{name}" if name in names else name for name in _ADDED]
    writer.writerow([*names, *added])
    for claim, report in zip(claims, reports, strict=True):
        own = claim.columns or {"id": str(claim.id), "claim": claim.text}
        cells = [own.get(name, "") for name in names] + _found(report)
        writer.writerow([f"'{c}" if c.startswith(_FORMULA) and len(c) > 1 else c for c in cells])
    return out.getvalue().encode("utf-8-sig", errors="replace")


def _found(report: Report) -> list[str]:
    pieces = report.evidence
    files = dict.fromkeys(p.source.path for p in pieces if p.source)
    pages = dict.fromkeys(str(p.source.page) for p in pieces if p.source and p.source.page)
    return [
        report.verdict.value,
        f"{share(report, report.verdict):.3f}",
        _why(report),
        " | ".join(clean(piece.text) for piece in pieces),
        " | ".join(str(piece.ref) for piece in pieces),
        " | ".join(files),
        ", ".join(pages),
    ]


def _row(one: CheckedPassage) -> list[str]:
    text, report = " ".join(one.passage.text.split()), one.report
    if report is None:
        return [text, "", "", "", "", "", "", one.passage.skipped]
    pieces = report.evidence or report.considered[:1]
    cited = [clean(piece.text) for piece in pieces]
    return [
        text,
        report.claim if report.claim != text else "",
        report.verdict.value,
        f"{share(report, report.verdict):.3f}",
        _why(report),
        " | ".join(cited),
        " | ".join(str(piece.ref) for piece in pieces),
        "",
    ]


def _json(one: CheckedPassage) -> dict[str, Any]:
    passage = one.passage
    place = {"text": passage.text, "start": passage.start, "end": passage.end}
    if one.report is None:
        return {**place, "skipped": passage.skipped}
    return {**place, **report_json(one.report)}


def _why(report: Report) -> str:
    return " ".join(filter(None, [explanation(report), *reasons(report)]))


def _comment(report: Report) -> str:
    """Write a finding as a comment."""
    lines = [f"{report.verdict.capitalize()}, {percent(share(report, report.verdict))}"]
    lines += filter(None, [_why(report)])
    lines += [f"{where(one)}: “{clean(one.text)}”" for one in report.evidence[:3]]
    return "\n".join(lines)


def _docx(document: CheckedDocument, original: bytes) -> bytes:
    """Write Word with comments, in the original file or in a new one."""
    try:
        import docx
    except ModuleNotFoundError:
        raise MissingExtra("writing Word documents", "documents") from None

    checked = [one for one in document.checked if one.report is not None]
    if original:
        made = docx.Document(io.BytesIO(original))
        _annotate(made, checked)
    else:
        made = docx.Document()
        _write(made, document)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def _write(made: "Document", document: CheckedDocument) -> None:
    """Write the text, one paragraph per line, with comments."""
    at = 0
    paragraph = made.add_paragraph()
    for one in document.checked:
        for line in document.text[at : one.passage.start].split("\n")[1:]:
            if line.strip() or paragraph.runs:
                paragraph = made.add_paragraph()
        between = document.text[at : one.passage.start].rpartition("\n")[2]
        if between:
            paragraph.add_run(_printable(between))
        run = paragraph.add_run(_printable(" ".join(one.passage.text.split())))
        if one.report is not None:
            _add(made, [run], one.report)
        at = one.passage.end


def _annotate(made: "Document", checked: Sequence[CheckedPassage]) -> None:
    """Comment on the runs that contain a sentence, anywhere in the file."""
    paragraphs = [p for p in _paragraphs(made) if p.runs]
    texts = [" ".join(p.text.split()) for p in paragraphs]
    begin = 0
    for one in checked:
        said = " ".join(one.passage.text.split())
        order = [*range(begin, len(texts)), *range(begin)]
        found = next((place for place in order if said in texts[place]), None)
        if found is None or one.report is None:
            continue
        begin = found
        _add(made, _holding(paragraphs[found].runs, said), one.report)


def _paragraphs(made: "Document") -> Iterator[Any]:
    yield from made.paragraphs
    for table in made.tables:
        for row in table.rows:
            for cell in row.cells:
                yield from cell.paragraphs


def _holding(runs: "Sequence[Run]", said: str) -> "list[Run]":
    """Return the runs of a paragraph that contain a sentence."""
    squeezed, ends = "", []
    for run in runs:
        squeezed += "".join(run.text.split())
        ends.append(len(squeezed))
    start = squeezed.find("".join(said.split()))
    end = start + len("".join(said.split()))
    first = next(place for place, own in enumerate(ends) if own > start)
    last = next(place for place, own in enumerate(ends) if own >= end)
    return list(runs[first : last + 1])


def _add(made: "Document", runs: "Sequence[Run]", report: Report) -> None:
    made.add_comment(runs, text=_printable(_comment(report)), author=_AUTHOR, initials=_INITIALS)


def _printable(text: str) -> str:
    """Remove characters that XML does not allow."""
    return "".join(c for c in text if c in "\n\t" or (c.isprintable() and c not in "\ufffe\uffff"))
