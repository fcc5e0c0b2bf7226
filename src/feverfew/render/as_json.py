"""Reports and pages as JSON, with stable field names."""

import hashlib
from collections.abc import Iterator

import msgspec

from feverfew.render.wording import FACES
from feverfew.text import page_name
from feverfew.types import (
    Evidence,
    Excerpt,
    Finding,
    Hop,
    Page,
    Provenance,
    Reasoning,
    Report,
    Verdict,
)


def report_json(report: Report) -> dict[str, object]:
    """Return a report as `feverfew check --json` prints it."""
    return {
        "claim": report.claim,
        "verdict": report.verdict,
        "probabilities": _probabilities(report.probabilities),
        "evidence": [_finding(finding) for finding in report.evidence],
        "sets": [[str(ref) for ref in one] for one in report.sets],
        "against": [_finding(finding) for finding in report.against],
        "considered": [{**_piece(e), "score": e.score, "hop": e.hop} for e in report.considered],
        "open_reason": report.open_reason,
        "missing": report.missing,
        "reasons": report.reasons,
        "parts": [report_json(part) for part in report.parts],
        "seconds": report.seconds,
        "corpus": report.corpus,
        "model": report.model,
        "chain": [_hop(hop) for hop in report.chain],
        "tables": [_excerpt(excerpt) for excerpt in report.tables],
        "label_policy": report.label_policy,
        "reasoning": _reasoning(report.reasoning) if report.reasoning else None,
        "leaning": report.leaning,
        "marks": report.marks,
        "generation": report.generation,
    }


def _hop(hop: Hop) -> dict[str, object]:
    return {"page": hop.page, "by": str(hop.by), "how": hop.how}


def _reasoning(reasoning: Reasoning) -> dict[str, object]:
    return {
        "shape": reasoning.shape,
        "pages": reasoning.pages,
        "joins": [_hop(hop) for hop in reasoning.joins],
    }


def _excerpt(excerpt: Excerpt) -> dict[str, object]:
    return {
        "page": excerpt.page,
        "table": excerpt.index,
        "caption": excerpt.caption,
        "header": excerpt.header,
        "rows": excerpt.rows,
        "marked": excerpt.marked,
        "left_out": excerpt.left_out,
        "levels": excerpt.levels,
        "row_headers": excerpt.row_headers,
        "merged": excerpt.merged,
        "listed": excerpt.listed,
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        **_piece(finding),
        "says": finding.says,
        "probabilities": _probabilities(finding.probabilities),
        "decisive": finding.decisive,
        "hop": finding.hop,
        "marks": finding.marks,
    }


def _piece(piece: Evidence) -> dict[str, object]:
    return {
        "id": str(piece.ref),
        "page": piece.context.title,
        "section": piece.context.section,
        "name": piece.context.name,
        "text": piece.text,
        "source": source_json(piece.source),
    }


def source_json(source: Provenance | None) -> dict[str, object] | None:
    """Return the file and, in a PDF, the page."""
    return None if source is None else {"path": source.path, "page": source.page}


def _probabilities(given: dict[Verdict, float]) -> dict[str, float]:
    return {verdict.value: given.get(verdict, 0.0) for verdict in FACES}


def page_json(page: Page) -> dict[str, object]:
    """Return a page as `feverfew show --json` prints it."""
    return {
        "title": page.title,
        "name": page_name(page),
        "aliases": page.aliases,
        "disambiguation": page.disambiguation,
        "source": page.source,
        "elements": list(_elements(page)),
        "links": [
            {"id": str(ref), "target": link.target, "text": link.text} for ref, link in page.links()
        ],
        "fingerprint": page_fingerprint(page),
    }


def _elements(page: Page) -> Iterator[dict[str, object]]:
    for ref, text in page.elements():
        made: dict[str, object] = {"id": str(ref), "text": text}
        if page.page_breaks and (source := page.provenance_of(ref)):
            made["page"] = source.page
        yield made


def page_fingerprint(page: Page) -> str:
    """Return a fingerprint of a page's content: equal for equal pages in any corpus."""
    return hashlib.blake2b(msgspec.msgpack.encode(page), digest_size=8).hexdigest()
