"""`feverfew check`: check claims or a document."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.options import (
    checker_settings,
    corpus_option,
    html_option,
    json_option,
    open_corpus,
)
from feverfew.cli.output import (
    plural,
    print_json,
    require_writable,
    stderr_console,
    stdout,
    write_page,
)
from feverfew.types import Claim, Verdict

if TYPE_CHECKING:
    from feverfew.render.audit import Settings
    from feverfew.render.signing import SigningKey
    from feverfew.types import Report

_FAILURES = {"refuted": Verdict.REFUTED, "not-enough-info": Verdict.NOT_ENOUGH_INFO}
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("check")
@click.argument("claim", nargs=-1, metavar="[CLAIM]...")
@corpus_option
@click.option("--claims", type=_FILE, metavar="FILE", help="A file of claims; - for stdin.")
@click.option(
    "--document",
    type=_FILE,
    metavar="FILE",
    help="A text whose sentences to check; - for stdin. Arguments are further documents.",
)
@checker_settings
@click.option(
    "--fail-on",
    multiple=True,
    type=click.Choice(list(_FAILURES)),
    help="Exit with 1 if a claim gets this verdict; may be repeated.",
)
@html_option
@click.option(
    "--csv",
    "table",
    type=_FILE,
    metavar="FILE",
    help="Write a row for each claim; a table's other columns are kept.",
)
@click.option(
    "--sarif", type=_FILE, metavar="FILE", help="With --document: write a SARIF log, for CI."
)
@click.option(
    "--github", is_flag=True, help="With --document: print GitHub annotations instead of reports."
)
@click.option(
    "--audit",
    type=_FILE,
    metavar="FILE",
    help="Write an audit report for 'feverfew replay': HTML if FILE ends in .html, else JSON.",
)
@click.option(
    "--sign",
    type=_FILE,
    metavar="KEY",
    help="With --audit: sign it with this private Ed25519 key (PEM).",
)
@click.option(
    "--workers", type=click.IntRange(1), help="Processes for many claims; one per core by default."
)
@json_option
def check(
    claim: tuple[str, ...],
    claims: Path | None,
    document: Path | None,
    settings: "Settings",
    fail_on: tuple[str, ...],
    html: Path | None,
    table: Path | None,
    sarif: Path | None,
    github: bool,
    audit: Path | None,
    sign: Path | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Check claims against a corpus: supported, refuted, or not enough info, with evidence.

    Claims are arguments, or come from a file (text, Markdown, a table with a column `claim`, FEVER,
    FEVEROUS, HoVer and other JSON), or are the sentences of documents. Repeated claims are checked
    once. Without --fail-on, the exit code is 0 whatever the verdicts are. With --json, prints one
    line per claim; docs/reference/reports.md lists the fields.

    \b
    feverfew check "The director of Metropolis was born in Vienna."
    feverfew check --corpus my.corpus --claims claims.txt --html report.html
    feverfew check --corpus my.corpus --claims claims.csv --csv checked.csv
    feverfew check --corpus my.corpus --document draft.md
    feverfew check --document docs/*.md --fail-on refuted --sarif feverfew.sarif
    echo "Vienna lies on the Rhine." | feverfew check --json
    """
    if claims is not None and (claim or document is not None):
        raise click.UsageError("give one of: CLAIM, --claims FILE, --document FILE")
    if document is None and (sarif is not None or github):
        raise click.UsageError("--sarif and --github need --document: they refer to its lines")
    if as_json and github:
        raise click.UsageError("give --json or --github, not both")
    if claim == ("-",) and document is None:
        claim, claims = (), Path("-")
    if sign is not None and audit is None:
        raise click.UsageError("--sign needs --audit")
    if document is not None and table is not None:
        raise click.UsageError("--csv works with claims, not with --document")
    for path in (html, table, sarif, audit):
        require_writable(path)
    key = _signing_key(sign)
    if document is not None:
        from feverfew.cli.check_document import DocumentOutput, check_documents

        out = DocumentOutput(html, sarif, github, as_json)
        reports = check_documents([document, *map(Path, claim)], settings, out, workers)
    else:
        reports = _check_claims(claim, claims, settings, (html, table), workers, as_json)
    _write_audit(audit, settings, reports, key)
    failing = [report for report in reports if report.verdict in map(_FAILURES.get, fail_on)]
    if failing:
        words = " or ".join(fail_on).replace("-", " ")
        stderr_console().print(f"{plural(len(failing), 'claim')} {words}: exit code 1")
        raise SystemExit(1)


def _check_claims(
    words: Sequence[str],
    file: Path | None,
    settings: "Settings",
    outputs: tuple[Path | None, Path | None],
    workers: int | None,
    as_json: bool,
) -> "list[Report]":
    from feverfew.check.batch import check_many
    from feverfew.cli.check_document import with_progress

    html, table = outputs
    claims = _given_claims(words, file)
    reports: list[Report] = []
    checked = check_many([claim.text for claim in claims], settings.options(), workers)
    for claim, report in zip(claims, with_progress(checked, len(claims)), strict=True):
        if as_json:
            _print_json(report, {} if words else {"id": claim.id})
        else:
            _print(report, first=not reports)
        reports.append(report)
    if not as_json:
        _print_tally(reports)
    if html is not None:
        from feverfew.render.check_html import reports_page

        write_page(html, reports_page("Checked claims", reports, _links(settings)))
    if table is not None:
        from feverfew.render.exports import claims_csv

        table.write_bytes(claims_csv(claims, reports))
        stderr_console().print(f"wrote {table}", markup=False)
    return reports


def _links(settings: "Settings") -> dict[str, str]:
    """Return where the sources of the corpus are, for links to them."""
    from feverfew.corpus.folders import source_links

    return source_links(settings.corpus) if settings.corpus else {}


def _signing_key(path: Path | None) -> "SigningKey | None":
    """Read the key first: a wrong one must fail before the work is done."""
    from feverfew.render.signing import SigningKey

    return SigningKey.open(path) if path else None


def _write_audit(
    path: Path | None,
    settings: "Settings",
    reports: Sequence["Report"],
    key: "SigningKey | None",
) -> None:
    if path is None:
        return
    from feverfew.render.audit import audit_of, write_audit

    if reports:
        model = reports[0].model
    else:
        with settings.open() as checker:
            model = checker.fingerprint
    with open_corpus(Path(settings.corpus) if settings.corpus else None) as corpus:
        write_audit(path, audit_of(reports, corpus, model, settings), key=key)
    stderr_console().print(f"wrote {path}", markup=False)


def _print(report: "Report", *, first: bool) -> None:
    from feverfew.render.terminal import print_report

    if not first:
        stdout().print()
    print_report(report, stdout())


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
    from feverfew.readers.bounded import bounded
    from feverfew.readers.files import STDIN

    if words:
        # An argument may hold bytes that are no UTF-8; Python hides them in lone surrogates.
        texts = [os.fsencode(word).decode(errors="replace") for word in words]
        return [Claim(id=number, text=text) for number, text in enumerate(texts, 1)]
    if file is None and sys.stdin.isatty():
        raise click.UsageError("give a CLAIM, --claims FILE or --document FILE")
    claims = list(bounded(read_claims, STDIN if file is None else file))
    if not claims:
        raise click.UsageError(f"{file or 'the standard input'} has no claims")
    return claims
