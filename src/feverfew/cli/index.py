"""`feverfew index`, `add`, `replace` and `remove`: build a corpus, and change it."""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from feverfew.cli.options import json_option, workers_option
from feverfew.cli.output import plural, print_json, stderr_console
from feverfew.errors import BadRecord
from feverfew.types import Page, Redirect

if TYPE_CHECKING:
    from feverfew.corpus.folders import Refreshed

_SHOWN = 20


@click.command("index")
@click.argument("sources", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The corpus.")
@click.option("--format", "format_", help="The sources' format; recognised from their content.")
@click.option("--sample", is_flag=True, help="Index the sample encyclopedia.")
@click.option("--strict", is_flag=True, help="Stop at the first record that cannot be read.")
@click.option("--rebuild", is_flag=True, help="Read all sources again, changed or not.")
@click.option("--resume", is_flag=True, help="Continue an interrupted build.")
@click.option(
    "--link-mentions/--no-link-mentions",
    default=None,
    help="Link every page to the titles it mentions, or never do so. Unless said, pages "
    "without links are linked so when links are first needed.",
)
@click.option(
    "--shards",
    type=click.IntRange(1, 4096),
    help="Shards of about equal size to write; by default as many as there are, or 1.",
)
@workers_option(0, "Parsing processes")
@click.option(
    "--record-seconds",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="CPU time that one page or document may take; a slower one is skipped.",
)
@click.option(
    "--record-memory",
    default=512,
    show_default=True,
    type=click.IntRange(128),
    metavar="MB",
    help="Memory that one page or document may take; a larger one is skipped.",
)
@json_option
def index(
    sources: tuple[Path, ...],
    output: Path,
    format_: str | None,
    sample: bool,
    strict: bool,
    rebuild: bool,
    resume: bool,
    link_mentions: bool | None,
    shards: int | None,
    workers: int | str | None,
    record_seconds: float,
    record_memory: int,
    as_json: bool,
) -> None:
    """Build a corpus from files and folders.

    Reads FEVER, FEVEROUS and HotpotQA pages, MediaWiki dumps, HTML, text, Markdown, CSV, TSV, PDF,
    Word and Excel documents, compressed or not. If two sources have the same title, the first wins.
    The old corpus stays in use until the new one is complete. If you run it again with the same
    sources, it reads only new and changed files, and removes the pages of deleted ones. A file that
    cannot be read within its limits is reported and skipped.

    \b
    feverfew index my-documents/ -o my.corpus
    feverfew index my-documents/ -o my.corpus --rebuild
    feverfew index wiki-pages/ -o fever.corpus
    feverfew index enwiki-latest-pages-articles.xml.bz2 -o wiki.corpus --resume
    """
    from feverfew.corpus.folders import refresh
    from feverfew.sample import sample_sources
    from feverfew.workers import Budget

    if bool(sources) == sample:
        raise click.UsageError("name one or more SOURCES, or --sample")
    with _Bar() as bar:
        done = refresh(
            sample_sources() if sample else sources,
            output,
            format=format_,
            rebuild=rebuild,
            strict=strict,
            resume=resume,
            link_mentions=link_mentions,
            shards=shards,
            workers=workers,
            budget=Budget(record_seconds, record_memory << 20),
            on_bad=bar.bad,
            on_progress=bar.move,
        )
    if as_json:
        print_json(done.built or done)
    else:
        _say(output, done)


def _say(output: Path, done: "Refreshed") -> None:
    """Print a summary of the build."""
    summary = done.built
    if summary is None:
        print_refreshed(output, done)
        return
    rate = summary.pages / summary.seconds if summary.seconds else 0
    lines = [f"{plural(summary.pages, 'page')} in {summary.seconds:.1f} s ({rate:,.0f} a second)"]
    if summary.redirects:
        dangling = f"{summary.dangling_redirects:,} of them to no page"
        lines.append(f"{plural(summary.redirects, 'redirect')}, {dangling}")
    if summary.duplicates:
        lines.append(f"{plural(summary.duplicates, 'page')} left out as duplicate titles")
    if summary.bad:
        lines.append(f"{plural(summary.bad, 'record')} could not be read")
    stderr_console().print(f"{output}: " + "; ".join(lines), markup=False, soft_wrap=True)


def print_refreshed(output: Path, done: "Refreshed") -> None:
    """Print in one line what changed."""
    counts = [(done.added, "added"), (done.changed, "changed"), (done.removed, "removed")]
    told = [f"{number:,} {what}" for number, what in counts if number] or ["up to date"]
    told.append(f"{plural(done.unchanged, 'file')} unchanged")
    if done.bad:
        told.append(f"{plural(done.bad, 'record')} could not be read")
    said = f"{output}: {', '.join(told)}; {plural(done.pages, 'page')} ({done.seconds:.2f} s)"
    stderr_console().print(said, markup=False, soft_wrap=True)


class _Bar:
    """Progress on stderr: pages, rate and time left; bad records above it."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[pages]:>10,} pages  {task.fields[rate]:>7,.0f}/s"),
            TimeRemainingColumn(),
            console=stderr_console(),
            transient=True,
            disable=not stderr_console().is_terminal,
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
            stderr_console().print(f"… and {self._bad - _SHOWN:,} more")

    def move(self, progress: object) -> None:
        """Show the progress of the build."""
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
        """Show a record that could not be read; only count them after the first few."""
        self._bad += 1
        if self._bad <= _SHOWN:
            self._progress.console.print(str(bad), markup=False, soft_wrap=True)


F = TypeVar("F", bound=Callable[..., Any])


def changing_options(command: F) -> F:
    """Add the options of all changing commands: sources, the corpus, the format, `--json`."""
    for option in (
        json_option,
        click.option("--format", "format_", help="The sources' format; else recognised."),
        click.option(
            "--root",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="The folder that was indexed: titles of documents are relative to it.",
        ),
        click.option(
            "--corpus",
            "directory",
            required=True,
            type=click.Path(path_type=Path),
            envvar="FEVERFEW_CORPUS",
            help="The corpus directory to change. [env: FEVERFEW_CORPUS]",
        ),
        click.argument(
            "sources", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)
        ),
    ):
        command = option(command)
    return command


def change(
    work: Callable[[Path, Iterable[Page | Redirect]], int],
    verb: str,
    sources: Iterable[Path],
    directory: Path,
    format_: str | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Apply a change to a corpus and report it."""
    from feverfew.corpus.folders import read_registry
    from feverfew.readers.bounded import read_pages_bounded

    registry = read_registry(directory)

    def pages() -> Iterator[Page | Redirect]:
        for source in sources:
            # A file of an indexed folder keeps its title.
            known = registry.root_of(source) if registry else None
            yield from read_pages_bounded([source], format_, root=root or known)

    count = work(directory, pages())
    if as_json:
        print_json({verb: count})
    else:
        stderr_console().print(f"{directory}: {verb} {plural(count, 'page')}")


@click.command("add")
@changing_options
def add(
    sources: tuple[Path, ...],
    directory: Path,
    format_: str | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Add pages to a corpus; all of them or, if one cannot be added, none.

    The change is on disk when the command returns. A title that already exists is an error.

    \b
    feverfew add --corpus my.corpus new-report.md
    """
    from feverfew.corpus.update import add

    change(add, "added", sources, directory, format_, root, as_json)


@click.command("replace")
@changing_options
def replace(
    sources: tuple[Path, ...],
    directory: Path,
    format_: str | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Replace pages of a corpus with new versions; pages with new titles are added.

    The change is on disk when the command returns.

    \b
    feverfew replace --corpus my.corpus report.md
    feverfew replace --corpus my.corpus --root my-documents my-documents/policies/travel.md
    """
    from feverfew.corpus.update import replace

    change(replace, "replaced", sources, directory, format_, root, as_json)


@click.command("remove")
@click.argument("titles", nargs=-1, required=True)
@click.option(
    "--corpus",
    "directory",
    required=True,
    type=click.Path(path_type=Path),
    envvar="FEVERFEW_CORPUS",
    help="The corpus directory to change. [env: FEVERFEW_CORPUS]",
)
@json_option
def remove(titles: tuple[str, ...], directory: Path, as_json: bool) -> None:
    """Remove pages from a corpus by title: all of them or none.

    \b
    feverfew remove --corpus my.corpus "report.md" "old/notes.md"
    """
    from feverfew.corpus.update import remove

    count = remove(directory, titles)
    if as_json:
        print_json({"removed": count})
    else:
        stderr_console().print(f"{directory}: removed {plural(count, 'page')}")
