"""`feverfew check --document`: check the sentences of documents."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from feverfew.check.batch import check_many
from feverfew.check.document_text import DocumentText, read_document
from feverfew.check.documents import Passage, passages
from feverfew.cli.output import plain, print_json, stderr_console, stdout, write_file, write_page
from feverfew.corpus.folders import source_links
from feverfew.render.annotations import CheckedDocument, LineIndex, github_lines, sarif
from feverfew.render.as_json import report_json
from feverfew.render.check_html import CheckedPassage, document_page
from feverfew.render.terminal import print_report, print_skipped
from feverfew.render.wording import clean, reasons, tally
from feverfew.types import Report, Verdict

if TYPE_CHECKING:
    from feverfew.render.audit import Settings

_LONG = 20
"""With more sentences than this, the refuted ones are listed again at the end."""


class DocumentOutput(Struct, frozen=True):
    """What to write about checked documents, and where."""

    html: Path | None = None
    sarif: Path | None = None
    github: bool = False
    as_json: bool = False


def check_documents(
    paths: Sequence[Path], settings: "Settings", out: DocumentOutput, workers: int | None
) -> list[Report]:
    """Check documents and show a report for each sentence that was checked."""
    if out.html is not None and len(paths) > 1:
        raise click.UsageError("--html shows one document; give them one at a time")
    texts = [read_document(path) for path in paths]
    found = [passages(one.text) for one in texts]
    claims = [one.claim for own in found for one in own if not one.skipped]
    reports = with_progress(check_many(claims, settings.options(), workers), len(claims))
    documents = []
    for path, text, own in zip(paths, texts, found, strict=True):
        several = str(path) if len(paths) > 1 else ""
        checked = tuple(_shown(text, own, reports, out, several))
        documents.append(CheckedDocument(str(path), text.text, text.lines, checked))
    done = [one.report for doc in documents for one in doc.checked if one.report is not None]
    _summarise(documents, done, len(set(claims)), out)
    if out.html is not None:
        write_page(
            out.html,
            document_page(
                f"{paths[0].name}, checked",
                texts[0].text,
                documents[0].checked,
                source_links(settings.corpus) if settings.corpus else {},
            ),
        )
    if out.sarif is not None:
        write_file(out.sarif, sarif(documents))
    return done


def with_progress(reports: Iterator[Report], total: int) -> Iterator[Report]:
    """Show a progress bar on stderr, if that is a terminal and the work takes a while."""
    if total <= _LONG or not stderr_console().is_terminal:
        yield from reports
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("checking", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Results that go to the same terminal are printed above the bar.
    both = sys.stdout.isatty()
    with Progress(
        *columns, console=stderr_console(), transient=True, redirect_stdout=both
    ) as progress:
        yield from progress.track(reports, total=total)


def _shown(
    text: DocumentText,
    found: Sequence[Passage],
    reports: Iterator[Report],
    out: DocumentOutput,
    name: str,
) -> Iterator[CheckedPassage]:
    """Print a document's passages in order, and yield them with their reports."""
    first, lines = True, LineIndex(text.text) if text.lines else None
    for passage in found:
        report = None if passage.skipped else next(reports)
        if out.as_json:
            print_json({**_place(lines, passage, name), **_said(passage, report)})
        elif report is not None and not out.github:
            if not first:
                stdout().print()
            print_report(report, stdout(), heading=passage.text)
            first = False
        yield CheckedPassage(passage, report)
    skipped = [passage for passage in found if passage.skipped]
    if skipped and not (out.as_json or out.github):
        if not first:
            stdout().print()
        print_skipped(skipped, stdout())


def _place(lines: LineIndex | None, passage: Passage, name: str) -> dict[str, object]:
    place: dict[str, object] = {"file": name} if name else {}
    place |= {"text": passage.text, "start": passage.start, "end": passage.end}
    if lines is not None:
        place["line"] = lines.place(passage.start, passage.end).line
    return place


def _said(passage: Passage, report: Report | None) -> dict[str, object]:
    return {"skipped": passage.skipped} if report is None else report_json(report)


def _summarise(
    documents: Sequence[CheckedDocument], done: Sequence[Report], distinct: int, out: DocumentOutput
) -> None:
    """Count verdicts; after a long document, list the refuted sentences again."""
    if out.github:
        for line in (line for document in documents for line in github_lines(document)):
            click.echo(plain(line))
    if out.as_json:
        return
    said = tally([report.verdict for report in done])
    if repeated := len(done) - distinct:
        said += f" ({repeated:,} repeated, checked once)"
    console = stderr_console() if out.github else stdout()
    if len(done) > _LONG and not out.github:
        refuted = [line for document in documents for line in _refutations(document)]
        if refuted:
            console.print("\nRefuted", style="bold")
        for line in refuted:
            console.print(f"  {line}", markup=False, soft_wrap=True)
    if len(done) != 1 or out.github:
        console.print(f"\n{said}" if not out.github else said, style="bold", markup=False)


def _refutations(document: CheckedDocument) -> Iterator[str]:
    """List each refuted sentence with its position and what is wrong with it."""
    lines = LineIndex(document.text)
    for one in document.checked:
        if one.report is None or one.report.verdict is not Verdict.REFUTED:
            continue
        place = lines.place(one.passage.start, one.passage.end)
        at = f"{document.name}:{place.line}:{place.column}: " if document.lines else ""
        yield " ".join([at + clean(one.passage.text), *reasons(one.report)[-1:]])
