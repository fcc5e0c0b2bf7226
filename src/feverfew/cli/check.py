"""`feverfew check` and `replay`: check claims or a document, and check them again."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from feverfew.cli.options import (
    checker_settings,
    corpus_option,
    html_option,
    json_option,
)
from feverfew.cli.output import (
    print_json,
    require_writable,
    stderr_console,
    stdout,
    write_page,
)
from feverfew.errors import BadRecord
from feverfew.types import Claim, ItemList, Page, Section, Sentence

if TYPE_CHECKING:
    from feverfew.check import Checker
    from feverfew.check.documents import Passage
    from feverfew.render.audit import Replay, Settings
    from feverfew.render.check_html import CheckedPassage
    from feverfew.types import Report

_BATCH = 32
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("check")
@click.argument("claim", nargs=-1, metavar="[CLAIM]...")
@corpus_option
@click.option("--claims", type=_FILE, metavar="FILE", help="A file of claims; - for stdin.")
@click.option(
    "--document", type=_FILE, metavar="FILE", help="A text whose sentences to check; - for stdin."
)
@checker_settings
@html_option
@click.option(
    "--audit",
    type=_FILE,
    metavar="FILE",
    help="Write an audit report for 'feverfew replay': HTML if FILE ends in .html, else JSON.",
)
@json_option
def check(
    claim: tuple[str, ...],
    claims: Path | None,
    document: Path | None,
    settings: "Settings",
    html: Path | None,
    audit: Path | None,
    as_json: bool,
) -> None:
    """Check claims against a corpus: supported, refuted, or not enough info, with evidence.

    Claims are arguments, lines of a file (FEVER, FEVEROUS, HoVer or plain text) or of the
    standard input, or the sentences of a document. The exit code is 0 whatever the verdicts are.
    With --json, prints one line for each claim; docs/reference/reports.md lists the fields.

    \b
    feverfew check "The director of Metropolis was born in Vienna."
    feverfew check --corpus my.corpus --claims claims.txt --html report.html
    feverfew check --corpus my.corpus --document draft.md
    echo "Vienna lies on the Rhine." | feverfew check --json
    """
    if bool(claim) + (claims is not None) + (document is not None) > 1:
        raise click.UsageError("give one of: CLAIM, --claims FILE, --document FILE")
    if claim == ("-",):
        claim, claims = (), Path("-")
    for path in (html, audit):
        require_writable(path)
    if document is not None:
        _check_document(document, settings, html, audit, as_json)
    else:
        _check_claims(claim, claims, settings, html, audit, as_json)


def _check_claims(
    words: Sequence[str],
    file: Path | None,
    settings: "Settings",
    html: Path | None,
    audit: Path | None,
    as_json: bool,
) -> None:
    claims = _given_claims(words, file)
    reports: list[Report] = []
    with settings.open() as checker:
        checked = _reports(checker, [claim.text for claim in claims])
        for claim, report in zip(claims, checked, strict=True):
            if as_json:
                _print_json(report, {} if words else {"id": claim.id})
            else:
                _print(report, first=not reports)
            reports.append(report)
        _write_audit(audit, settings, checker, reports)
    if not as_json:
        _print_tally(reports)
    if html is not None:
        from feverfew.render.check_html import reports_page

        write_page(html, reports_page("Checked claims", reports))


def _check_document(
    path: Path, settings: "Settings", html: Path | None, audit: Path | None, as_json: bool
) -> None:
    from feverfew.check.documents import passages

    text = _document_text(path)
    found = passages(text)
    with settings.open() as checker:
        reports = _reports(checker, [one.claim for one in found if not one.skipped])
        checked = list(_show_document(found, reports, as_json))
        _write_audit(audit, settings, checker, [one.report for one in checked if one.report])
    if html is not None:
        from feverfew.render.check_html import document_page

        write_page(html, document_page(f"{path.name}, checked", text, checked))


def _show_document(
    found: Sequence["Passage"], reports: Iterator["Report"], as_json: bool
) -> Iterator["CheckedPassage"]:
    """Print a document's passages in order, and yield them with their reports."""
    from feverfew.render.check_html import CheckedPassage
    from feverfew.render.terminal import print_skipped

    done: list[Report] = []
    for passage in found:
        report = None if passage.skipped else next(reports)
        if as_json:
            place = {"text": passage.text, "start": passage.start, "end": passage.end}
            if report is None:
                print_json({**place, "skipped": passage.skipped})
            else:
                _print_json(report, place)
        elif report is not None:
            _print(report, first=not done, heading=passage.text)
        if report is not None:
            done.append(report)
        yield CheckedPassage(passage, report)
    if not as_json:
        if skipped := [passage for passage in found if passage.skipped]:
            if done:
                stdout().print()
            print_skipped(skipped, stdout())
        _print_tally(done)


def _write_audit(
    path: Path | None, settings: "Settings", checker: "Checker", reports: Sequence["Report"]
) -> None:
    if path is None:
        return
    from feverfew.render.audit import audit_of, write_audit

    write_audit(path, audit_of(reports, checker.corpus, checker.fingerprint, settings), reports)
    stderr_console().print(f"wrote {path}", markup=False)


def _reports(checker: "Checker", claims: Sequence[str]) -> Iterator["Report"]:
    """Check in batches, so that the first results of many show early."""
    for start in range(0, len(claims), _BATCH):
        yield from checker.check(claims[start : start + _BATCH])


def _print(report: "Report", *, first: bool, heading: str = "") -> None:
    from feverfew.render.terminal import print_report

    if not first:
        stdout().print()
    print_report(report, stdout(), heading=heading)


def _print_json(report: "Report", more: dict[str, object]) -> None:
    from feverfew.render.as_json import report_json

    print_json({**more, **report_json(report)})


def _print_tally(reports: "Sequence[Report]") -> None:
    from feverfew.render.wording import tally

    if len(reports) != 1:
        said = tally([report.verdict for report in reports])
        stdout().print(f"\n{said}", style="bold", markup=False)


def _given_claims(words: Sequence[str], file: Path | None) -> list[Claim]:
    """Collect the claims of the command line, of a file, or of the standard input."""
    from feverfew.readers import read_claims
    from feverfew.readers.files import STDIN

    if words:
        # An argument may hold bytes that are no UTF-8; Python hides them in lone surrogates.
        texts = [os.fsencode(word).decode(errors="replace") for word in words]
        return [Claim(id=number, text=text) for number, text in enumerate(texts, 1)]
    if file is None and sys.stdin.isatty():
        raise click.UsageError("give a CLAIM, --claims FILE or --document FILE")
    claims = list(read_claims(STDIN if file is None else file))
    if not claims:
        raise click.UsageError(f"{file or 'the standard input'} holds no claim")
    return claims


def _document_text(path: Path) -> str:
    """Return the text of a document: as it stands, or as a reader finds it in PDF, Word, HTML."""
    from feverfew.readers.base import Record, Source
    from feverfew.readers.files import LARGEST_FILE, STDIN, head, read_as_text, whole_file

    source = Source(path, str(path))
    if path == STDIN:
        return read_as_text(Record(sys.stdin.buffer.read(LARGEST_FILE), 1), source)
    if _is_laid_out(head(path), source.name):
        from feverfew.readers import read_pages

        pages = [page for page in read_pages(path) if isinstance(page, Page)]
        text = "\n\n".join(part for page in pages for part in _paragraphs(page))
        if not text.strip():
            raise BadRecord("the document holds no text", path=source.name)
        return text
    return read_as_text(next(whole_file(source)), source)


def _is_laid_out(start: bytes, name: str) -> bool:
    """Say whether a file's bytes are not the text that people see in it."""
    from feverfew.readers import FORMATS
    from feverfew.readers.base import Source

    return start.startswith((b"%PDF-", b"PK\x03\x04")) or FORMATS["html"].recognises(
        start, Source(Path(name), name)
    )


def _paragraphs(page: Page) -> Iterator[str]:
    """Yield running text, headings and list items; tables hold no sentences."""
    running: list[str] = []
    for block in page.blocks:
        if isinstance(block, Sentence):
            running.append(block.text)
            continue
        if running:
            yield " ".join(running)
            running = []
        if isinstance(block, Section):
            yield block.text
        elif isinstance(block, ItemList):
            yield from (item.text for item in block.items)
    if running:
        yield " ".join(running)


@click.command("replay")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--corpus",
    "directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A corpus directory; the one that the file names by default.",
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A model; the one that the file names by default.",
)
@json_option
def replay(file: Path, directory: Path | None, model: Path | None, as_json: bool) -> None:
    """Run the checks of an audit report again, and say whether they still hold.

    FILE is what 'feverfew check --audit' wrote, JSON or HTML. A check holds if its verdict and
    all that it rests on are the same. Exit codes: 0 everything holds, 1 something does not.

    \b
    feverfew check "Fritz Lang directed Metropolis." --audit lang.json
    feverfew replay lang.json
    """
    from feverfew.render.audit import audit_of, compare, read_audit

    old = read_audit(file)
    settings = replace(
        old.settings,
        corpus=str(directory or old.settings.corpus),
        model=str(model or old.settings.model),
    )
    with settings.open() as checker:
        reports = checker.check([str(report.get("claim", "")) for report in old.reports])
        new = audit_of(reports, checker.corpus, checker.fingerprint, settings, also=old.pages)
    found = compare(old, new)
    print_json(found) if as_json else _print_replay(found)
    if not found.holds:
        raise SystemExit(1)


def _print_replay(replay: "Replay") -> None:
    for change in replay.changes:
        stdout().print(f"changed since {replay.time}: {change}", markup=False)
    for one in replay.claims:
        stdout().print(
            f"{'holds' if one.holds else 'DOES NOT HOLD'}  {one.verdict}  {one.claim}", markup=False
        )
        for change in one.changes:
            stdout().print(f"  • {change}", markup=False)
    held = sum(one.holds for one in replay.claims)
    stdout().print(f"{held} of {len(replay.claims)} still hold", style="bold")
