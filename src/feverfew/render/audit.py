"""The audit report: one file that says what was checked, against what, by what, and when.

It is JSON, or an HTML page with the same JSON inside; `feverfew replay` reads both, runs the check
again and compares.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from feverfew.check.checker import MIN_CONFIDENCE, Checker
from feverfew.check.pipeline import MAX_HOPS, MAX_TABLES
from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.render.as_json import page_fingerprint, report_json
from feverfew.render.check_html import reports_page
from feverfew.types import Report


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """How a checker is opened; "" is the sample, or the built-in model."""

    corpus: str = ""
    model: str = ""
    max_hops: int = MAX_HOPS
    max_tables: int = MAX_TABLES
    label_policy: str = "fever"
    min_confidence: float = MIN_CONFIDENCE

    def open(self) -> Checker:
        """Open the checker."""
        return Checker.open(**self.options())

    def options(self) -> dict[str, Any]:
        """Return them as `Checker.open` takes them."""
        options = msgspec.structs.asdict(self)
        return {**options, "corpus": self.corpus or None, "model": self.model or None}


class Audit(Struct, frozen=True, kw_only=True):
    """Enough to run a check again, and to see what has changed since."""

    audit: Literal[2] = 2
    """The version of this form."""
    time: str
    feverfew: str
    settings: Settings
    corpus: str
    """The fingerprint of the corpus."""
    model: str
    """The fingerprint of all weights."""
    pages: dict[str, str]
    """The fingerprint of each page that was read from, by its title."""
    reports: tuple[dict[str, Any], ...]
    """As `feverfew check --json` writes them."""


def audit_of(
    reports: Sequence[Report],
    corpus: Corpus,
    model: str,
    settings: Settings,
    *,
    also: Iterable[str] = (),
) -> Audit:
    """Write down reports with the fingerprints of all that they rest on, and of pages `also`."""
    read = dict.fromkeys(title for report in reports for title in _pages_of(report))
    titles = [title for title in {**read, **dict.fromkeys(also)} if title in corpus]
    return Audit(
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        feverfew=version("feverfew"),
        settings=settings,
        corpus=corpus.fingerprint,
        model=model,
        pages={title: page_fingerprint(corpus.page(title)) for title in titles},
        reports=tuple(_plain(report) for report in reports),
    )


def _plain(report: Report) -> dict[str, Any]:
    """Write a report as it will be read back: lists for tuples, words for enumerations."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(report_json(report)))
    return plain


def _pages_of(report: Report) -> Iterator[str]:
    for finding in (*report.evidence, *report.against):
        yield finding.ref.page
    for piece in report.considered:
        yield piece.ref.page
    for excerpt in report.tables:
        yield excerpt.page
    for part in report.parts:
        yield from _pages_of(part)


_OPENING = '<script type="application/json" id="feverfew-audit">'
_INSIDE = re.compile(re.escape(_OPENING).encode() + rb"(.*?)</script>", re.DOTALL)


def audit_file(audit: Audit, reports: Sequence[Report], *, html: bool) -> bytes:
    """Return an audit report as a file holds it: a page, or JSON."""
    data = msgspec.json.encode(audit)
    if not html:
        return msgspec.json.format(data) + b"\n"
    # No text of a claim or a page can end the element that the JSON is in.
    inside = data.replace(b"<", b"\\u003c").decode()
    page = reports_page("Checked claims", reports)
    before, end, after = page.rpartition("</body>")
    return f"{before}{_OPENING}{inside}</script>\n{end}{after}".encode()


def write_audit(path: Path, audit: Audit, reports: Sequence[Report]) -> None:
    """Write an audit report: a page if the file's name ends in .html, else JSON."""
    html = path.suffix.lower() in (".html", ".htm")
    try:
        path.write_bytes(audit_file(audit, reports, html=html))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def read_audit(path: Path) -> Audit:
    """Read an audit report, JSON or HTML."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    found = _INSIDE.search(data)
    try:
        return msgspec.json.decode(found[1] if found else data, type=Audit)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{path}: is not an audit report, as 'feverfew check --audit' writes it: {error}"
        ) from None


_SAME = 0.01
"""Probabilities that differ by less are called the same."""


class Replayed(Struct, frozen=True):
    """What became of one claim."""

    claim: str
    holds: bool
    """The verdict is the same, and so is all that it rests on."""
    verdict: str
    was: str
    changes: tuple[str, ...] = ()


class Replay(Struct, frozen=True):
    """What became of an audit report."""

    holds: bool
    time: str
    """When the old check was made."""
    changes: tuple[str, ...]
    """What is another than then: corpus, pages, model, program."""
    claims: tuple[Replayed, ...]


def compare(old: Audit, new: Audit) -> Replay:
    """Set a check against its repetition, claim by claim."""
    claims = tuple(_compare_claim(a, b) for a, b in zip(old.reports, new.reports, strict=True))
    return Replay(
        all(one.holds for one in claims), old.time, tuple(_circumstances(old, new)), claims
    )


def _circumstances(old: Audit, new: Audit) -> Iterator[str]:
    for name in ("corpus", "model", "feverfew"):
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            yield f"{name}: {was} then, {now} now"
    for title, fingerprint in old.pages.items():
        now = new.pages.get(title)
        if now is None:
            yield f"page {title!r}: gone"
        elif now != fingerprint:
            yield f"page {title!r}: changed"


def _compare_claim(old: dict[str, Any], new: dict[str, Any]) -> Replayed:
    was, verdict = old.get("verdict", ""), new["verdict"]
    before, after = _cited(old), _cited(new)
    changes = []
    if was != verdict:
        changes.append(f"the verdict is {verdict}, and was {was}")
    for name, text in before.items():
        if name not in after:
            changes.append(f"no longer rests on {name}")
        elif after[name] != text:
            changes.append(f"{name} now reads {after[name]!r}, and read {text!r}")
    changes += [f"now rests on {name}" for name in after if name not in before]
    holds = not changes
    likely, likely_now = (_probability(one, verdict) for one in (old, new))
    if abs(likely - likely_now) >= _SAME:
        changes.append(f"{verdict} has probability {likely_now:.2f}, and had {likely:.2f}")
    return Replayed(new["claim"], holds, verdict, was, tuple(changes))


def _cited(report: dict[str, Any]) -> dict[str, str]:
    """List the evidence of a report and of its parts: texts by id."""
    parts: Sequence[dict[str, Any]] = (report, *report.get("parts", ()))
    return {piece["id"]: piece["text"] for part in parts for piece in part.get("evidence", ())}


def _probability(report: dict[str, Any], verdict: str) -> float:
    return float(report.get("probabilities", {}).get(verdict, 0.0))
