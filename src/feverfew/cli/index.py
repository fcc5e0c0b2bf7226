"""`feverfew index`: build a corpus from files."""

import time
from pathlib import Path

import click

from feverfew.cli.common import json_option, print_json, talk
from feverfew.errors import BadRecord

__all__ = ["command"]

_SHOWN = 20


@click.command("index")
@click.argument("sources", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The corpus.")
@click.option("--format", "format_", help="The sources' format; recognised from their content.")
@click.option("--sample", is_flag=True, help="Index the sample encyclopedia.")
@click.option("--strict", is_flag=True, help="Stop at the first record that cannot be read.")
@click.option("--resume", is_flag=True, help="Go on with a build that was interrupted.")
@click.option(
    "--link-mentions/--no-link-mentions",
    default=None,
    help="Link every page to the titles it mentions, now; or none, ever. Unless said, pages "
    "without links are linked so when links are first needed.",
)
@click.option("--workers", type=click.IntRange(0), help="Processes that parse; one per core.")
@json_option
def command(
    sources: tuple[Path, ...],
    output: Path,
    format_: str | None,
    sample: bool,
    strict: bool,
    resume: bool,
    link_mentions: bool | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Build a corpus from files and folders.

    Reads FEVER, FEVEROUS and HotpotQA pages, MediaWiki dumps, HTML, text, Markdown, CSV, TSV,
    PDF and Word documents, compressed or not. When two sources hold the same title, the first
    wins. The old corpus stays in use until the new one is whole.

    \b
    feverfew index my-documents/ -o my.corpus
    feverfew index wiki-pages/ -o fever.corpus
    feverfew index enwiki-latest-pages-articles.xml.bz2 -o wiki.corpus --resume
    """
    from feverfew.corpus.build import build
    from feverfew.sample import sample_sources

    if bool(sources) == sample:
        raise click.UsageError("name one or more SOURCES, or --sample")
    with _Bar() as bar:
        summary = build(
            sample_sources() if sample else sources,
            output,
            format=format_,
            strict=strict,
            resume=resume,
            link_mentions=link_mentions,
            workers=workers,
            on_bad=bar.bad,
            on_progress=bar.move,
        )
    if as_json:
        print_json(summary)
        return
    rate = summary.pages / summary.seconds if summary.seconds else 0
    lines = [f"{summary.pages:,} pages in {summary.seconds:.1f} s ({rate:,.0f} a second)"]
    if summary.redirects:
        lines.append(
            f"{summary.redirects:,} redirects, {summary.dangling_redirects:,} of them to no page"
        )
    if summary.duplicates:
        lines.append(f"{summary.duplicates:,} pages left out: their title came earlier")
    if summary.bad:
        lines.append(f"{summary.bad:,} records could not be read")
    talk().print(f"{output}: " + "; ".join(lines), markup=False, soft_wrap=True)


class _Bar:
    """Progress on stderr: pages, rate and time left; bad records above it."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[pages]:>10,} pages  {task.fields[rate]:>7,.0f}/s"),
            TimeRemainingColumn(),
            console=talk(),
            transient=True,
            disable=not talk().is_terminal,
        )
        self._bad = 0

    def __enter__(self) -> "_Bar":
        self._started = time.monotonic()
        self._task = self._progress.add_task("reading", total=1.0, pages=0, rate=0.0)
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        if self._bad > _SHOWN:
            talk().print(f"… and {self._bad - _SHOWN:,} more")

    def move(self, progress: object) -> None:
        """Show how far the build is."""
        from feverfew.corpus.build import Progress

        if isinstance(progress, Progress):
            rate = progress.pages / max(time.monotonic() - self._started, 0.001)
            self._progress.update(
                self._task,
                completed=progress.fraction,
                description=progress.stage,
                pages=progress.pages,
                rate=rate,
            )

    def bad(self, bad: BadRecord) -> None:
        """Show a record that could not be read; after some, only count them."""
        self._bad += 1
        if self._bad <= _SHOWN:
            self._progress.console.print(str(bad), markup=False, soft_wrap=True)
