"""The audit report: one file that says what was checked, against what, by what, and when.

It is JSON, or an HTML page with the same JSON inside. A digest covers all of it, so edits by hand
are detected. A forger can recompute the digest, but not a signature.

    {"audit": {"version": 3, "time": …, "settings": …, "pages": …, "reports": […]},
     "digest": "…", "signature": "…"}

A file must equal, byte for byte, what we would write for its content, so nothing can hide in it.
The page is rendered from the reports, and its digest is part of the content.
"""

import hashlib
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
from feverfew.errors import CorpusChanged, InputError, Tampered
from feverfew.render.as_json import page_fingerprint
from feverfew.render.check_html import reports_page
from feverfew.render.signing import SigningKey, VerifyKey
from feverfew.types import Report


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a checker; "" is the sample, or the built-in model."""

    corpus: str = ""
    model: str = ""
    max_hops: int = MAX_HOPS
    max_tables: int = MAX_TABLES
    label_policy: str = "fever"
    min_confidence: float = MIN_CONFIDENCE
    judge: str = ""
    """The address of an external judge; "" for none."""
    judge_model: str = ""
    judge_calibration: str = ""

    def open(self) -> Checker:
        """Open the checker."""
        return Checker.open(**self.options())

    def options(self) -> dict[str, Any]:
        """Return them as `Checker.open` takes them."""
        options = msgspec.structs.asdict(self)
        return {**options, "corpus": self.corpus or None, "model": self.model or None}


class Audit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is needed to repeat a check and to see what has changed."""

    version: Literal[3] = 3
    """The version of this format."""
    time: str
    feverfew: str
    settings: Settings
    corpus: str
    """The fingerprint of the corpus."""
    generation: str
    """The state of the corpus: which build, and how many changes followed it."""
    model: str
    """The fingerprint of all weights."""
    pages: dict[str, str]
    """The fingerprint of each page that was read from, by its title."""
    reports: tuple[Report, ...]
    """In the library's own format, from which they can be rendered again."""
    html: str = ""
    """A digest of the visible page, if the file is HTML."""


class AuditFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a file."""

    audit: Audit
    digest: str
    """The digest of the audit in canonical form."""
    signature: str = ""
    """The Ed25519 signature of the same bytes; empty if the file is not signed."""


def audit_of(
    reports: Sequence[Report],
    corpus: Corpus,
    model: str,
    settings: Settings,
    *,
    also: Iterable[str] = (),
) -> Audit:
    """Record reports with the fingerprints of everything they depend on, and of pages `also`."""
    if any(report.corpus != corpus.fingerprint for report in reports):
        raise CorpusChanged(
            f"{corpus.path} was changed while claims were checked; check them again"
        )
    read = dict.fromkeys(title for report in reports for title in _pages_of(report))
    titles = [title for title in {**read, **dict.fromkeys(also)} if title in corpus]
    return Audit(
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        feverfew=version("feverfew"),
        settings=settings,
        corpus=corpus.fingerprint,
        generation=corpus.generation,
        model=model,
        pages={title: page_fingerprint(corpus.page(title)) for title in titles},
        reports=tuple(reports),
    )


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
_INSIDE = re.compile(re.escape(_OPENING).encode() + rb"(.*?)</script>\n", re.DOTALL)


def _content(audit: Audit) -> bytes:
    """Return the canonical form of an audit, which the digest and the signature cover."""
    return msgspec.json.encode(audit, order="deterministic")


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=32).hexdigest()


def _page(audit: Audit) -> tuple[str, str]:
    """Render the page in two parts; the JSON goes between them."""
    before, end, after = reports_page("Checked claims", audit.reports).rpartition("</body>")
    return before, end + after


def audit_file(audit: Audit, *, html: bool, key: SigningKey | None = None) -> bytes:
    """Return an audit report as a file: an HTML page, or JSON."""
    before, after = _page(audit) if html else ("", "")
    drawn = _digest((before + after).encode()) if html else ""
    content = _content(audit := msgspec.structs.replace(audit, html=drawn))
    made = AuditFile(audit, _digest(content), key.sign(content) if key else "")
    return _written(made, before.encode(), after.encode())


def _written(made: AuditFile, before: bytes, after: bytes) -> bytes:
    data = msgspec.json.encode(made, order="deterministic")
    if not made.audit.html:
        return msgspec.json.format(data) + b"\n"
    # No text of a claim or a page can end the element that the JSON is in.
    inside = data.replace(b"<", b"\\u003c")
    return before + _OPENING.encode() + inside + b"</script>\n" + after


def write_audit(path: Path, audit: Audit, *, key: SigningKey | None = None) -> None:
    """Write an audit report: HTML if the file's name ends in .html, otherwise JSON."""
    html = path.suffix.lower() in (".html", ".htm")
    try:
        path.write_bytes(audit_file(audit, html=html, key=key))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def read_audit(path: Path) -> AuditFile:
    """Read an audit report, JSON or HTML, and verify that it is unchanged."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    found = _INSIDE.search(data)
    try:
        made = msgspec.json.decode(found[1] if found else data, type=AuditFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{path}: is not an audit report, as 'feverfew check --audit' writes it: {error}"
        ) from None
    if made.digest != _digest(_content(made.audit)):
        raise Tampered(f"{path}: was changed since it was written: its content has another digest")
    before, after = (data[: found.start()], data[found.end() :]) if found else (b"", b"")
    if data != _written(made, before, after):
        raise Tampered(f"{path}: was changed since it was written: it holds more than its content")
    if made.audit.html != (_digest(before + after) if found else ""):
        raise Tampered(f"{path}: was changed since it was written: the page has another digest")
    # Another version may draw reports in another way; ours must draw these just so.
    ours = found and made.audit.feverfew == version("feverfew")
    if ours and "".join(_page(made.audit)).encode() != before + after:
        raise Tampered(f"{path}: the page does not show the reports that are in it")
    _require_consistent(path, made.audit)
    return made


def require_signature(file: AuditFile, key: VerifyKey) -> None:
    """Reject an audit report that is not signed with a key."""
    if not file.signature:
        raise Tampered("the file is not signed")
    if not key.verifies(_content(file.audit), file.signature):
        raise Tampered("the signature is not by this key, or not of this content")


def _require_consistent(path: Path, audit: Audit) -> None:
    """Reject content that we cannot have written, whatever its digest."""
    try:
        past = datetime.fromisoformat(audit.time) <= datetime.now(UTC)
    except (ValueError, TypeError):
        past = False
    named = {(one.corpus, one.model, one.generation) for one in audit.reports}
    if not past:
        raise Tampered(f"{path}: its time, {audit.time!r}, is not in the past")
    if not named <= {(audit.corpus, audit.model, audit.generation)}:
        raise Tampered(f"{path}: its reports name another corpus or model than itself")
