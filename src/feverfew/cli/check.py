"""`feverfew check`: check claims, or a whole document, against a corpus."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from feverfew.cli.common import (
    corpus_option,
    json_option,
    print_json,
    reading_option,
    stdout,
    tables_option,
    talk,
)
from feverfew.cli.output import html_option, require_writable, write_page

if TYPE_CHECKING:
    from feverfew.check import Checker
    from feverfew.check.documents import Passage
    from feverfew.render.check_document import CheckedPassage
    from feverfew.types import Report

__all__ = ["command"]

_BATCH = 32
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("check")
@click.argument("claims", nargs=-1, metavar="[CLAIM]...")
@corpus_option
@click.option("--file", type=_FILE, metavar="FILE", help="A file of claims; - for stdin.")
@click.option(
    "--document", type=_FILE, metavar="FILE", help="A text whose sentences to check; - for stdin."
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A model of your own; without it, the one that is shipped.",
)
@click.option(
    "--hops", is_flag=True, help="Search in rounds, for claims that need up to four pages."
)
@reading_option
@tables_option
@html_option
@click.option(
    "--audit",
    type=_FILE,
    metavar="FILE",
    help="Write what 'feverfew replay' needs: JSON, or a page that holds it if FILE ends in .html.",
)
@json_option
def command(
    claims: tuple[str, ...],
    directory: Path | None,
    file: Path | None,
    document: Path | None,
    model: Path | None,
    hops: bool,
    reading: str | None,
    tables: int,
    html: Path | None,
    audit: Path | None,
    as_json: bool,
) -> None:
    """Check claims against a corpus: supported, refuted, or not enough info, and by what.

    Claims come from the command line, from a file (FEVER, FEVEROUS, HoVer, or plain text with a
    claim a line), or from the standard input; or they are the sentences of a document. The exit
    code is 0 whatever the verdicts are. With --json, a line a claim: docs/checking.md names
    the fields.

    \b
    feverfew check "The director of Metropolis was born in Vienna."
    feverfew check --corpus my.corpus --file claims.txt --html report.html
    feverfew check --corpus my.corpus --document draft.md
    echo "Vienna lies on the Rhine." | feverfew check --json
    """
    if bool(claims) + (file is not None) + (document is not None) > 1:
        raise click.UsageError("give one of: CLAIM, --file FILE, --document FILE")
    if claims == ("-",):
        claims, file = (), Path("-")
    for path in (html, audit):
        require_writable(path)
    opening = _Opening(directory, model, hops, reading or "fever", tables, audit)
    if document is not None:
        _check_document(document, opening, html, as_json)
    else:
        _check_claims(claims, file, opening, html, as_json)


class _Opening(NamedTuple):
    """What a checker is opened with, and where to write that down."""

    corpus: Path | None
    model: Path | None
    hops: bool
    reading: str
    tables: int
    audit: Path | None


def _check_claims(
    words: Sequence[str],
    file: Path | None,
    opening: _Opening,
    html: Path | None,
    as_json: bool,
) -> None:
    from feverfew.cli.check_files import given_claims

    claims = given_claims(words, file)
    reports: list[Report] = []
    with _open(opening) as checker:
        checked = _reports(checker, [claim.text for claim in claims])
        for claim, report in zip(claims, checked, strict=True):
            if as_json:
                _print_json(report, {} if words else {"id": claim.id})
            else:
                _print(report, first=not reports)
            reports.append(report)
        _write_audit(opening, checker, reports)
    if not as_json:
        _print_tally(reports)
    if html is not None:
        from feverfew.render.check_html import reports_page

        write_page(html, reports_page("Checked claims", reports))


def _check_document(path: Path, opening: _Opening, html: Path | None, as_json: bool) -> None:
    from feverfew.check.documents import passages
    from feverfew.cli.check_files import document_text

    text = document_text(path)
    found = passages(text)
    with _open(opening) as checker:
        reports = _reports(checker, [one.claim for one in found if not one.passed])
        checked = list(_show_document(found, reports, as_json))
        _write_audit(opening, checker, [one.report for one in checked if one.report])
    if html is not None:
        from feverfew.render.check_document import document_page

        write_page(html, document_page(f"{path.name}, checked", text, checked))


def _show_document(
    found: Sequence["Passage"], reports: Iterator["Report"], as_json: bool
) -> Iterator["CheckedPassage"]:
    """Print a document's passages in order, and yield them with their reports."""
    from feverfew.render.check_document import CheckedPassage
    from feverfew.render.check_text import print_passed

    done: list[Report] = []
    for passage in found:
        report = None if passage.passed else next(reports)
        if as_json:
            place = {"text": passage.text, "start": passage.start, "end": passage.end}
            if report is None:
                print_json({**place, "passed": passage.passed})
            else:
                _print_json(report, place)
        elif report is not None:
            _print(report, first=not done, heading=passage.text)
        if report is not None:
            done.append(report)
        yield CheckedPassage(passage, report)
    if not as_json:
        if passed := [passage for passage in found if passage.passed]:
            if done:
                stdout().print()
            print_passed(passed, stdout())
        _print_tally(done)


def _open(opening: _Opening) -> "Checker":
    from feverfew.check import Checker

    return Checker.open(
        opening.corpus,
        opening.model,
        hops=opening.hops,
        reading=opening.reading,
        tables=opening.tables,
    )


def _write_audit(opening: _Opening, checker: "Checker", reports: Sequence["Report"]) -> None:
    if opening.audit is None:
        return
    from feverfew.render.audit import Settings, audit_of, write_audit

    # Whoever replays it may stand elsewhere.
    corpus, model = (str(p.absolute()) if p else "" for p in (opening.corpus, opening.model))
    settings = Settings(corpus, model, opening.hops, opening.reading, opening.tables)
    audit = audit_of(reports, checker.corpus, checker.fingerprint, settings)
    write_audit(opening.audit, audit, reports)
    talk().print(f"wrote {opening.audit}", markup=False)


def _reports(checker: "Checker", claims: Sequence[str]) -> Iterator["Report"]:
    """Check in batches, so that the first results of many show early."""
    for start in range(0, len(claims), _BATCH):
        yield from checker.check(claims[start : start + _BATCH])


def _print(report: "Report", *, first: bool, heading: str = "") -> None:
    from feverfew.render.check_text import print_report

    if not first:
        stdout().print()
    print_report(report, stdout(), heading=heading)


def _print_json(report: "Report", more: dict[str, object]) -> None:
    from feverfew.render.check_json import report_json

    print_json({**more, **report_json(report)})


def _print_tally(reports: "Sequence[Report]") -> None:
    from feverfew.render.wording import tally

    if len(reports) != 1:
        said = tally([report.verdict for report in reports])
        stdout().print(f"\n{said}", style="bold", markup=False)
