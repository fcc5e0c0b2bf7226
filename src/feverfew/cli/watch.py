"""`feverfew watch`: keep a corpus up to date while its files change."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from feverfew.cli.index import print_refreshed
from feverfew.cli.options import json_option
from feverfew.cli.output import plural, print_json, stderr_console
from feverfew.errors import BadRecord, CorpusBusy, InputError, MissingExtra

_PATIENCE = 5_000
"""Milliseconds after which sources are checked even without a notification."""


@click.command("watch")
@click.argument("sources", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The corpus.")
@click.option("--format", "format_", help="The sources' format; recognised from their content.")
@click.option(
    "--settle",
    type=click.FloatRange(0.05, 3600),
    default=1.0,
    show_default=True,
    help="Seconds to wait after the last change before reading.",
)
@json_option
def watch(
    sources: tuple[Path, ...], output: Path, format_: str | None, settle: float, as_json: bool
) -> None:
    """Keep a corpus up to date: index the sources, then read each change as it happens.

    Prints one line per update. A file that cannot be read is reported and skipped. Servers see the
    changes when they reload. Stop it with Ctrl-C.

    \b
    feverfew watch my-documents/ -o my.corpus
    """
    from feverfew.corpus.folders import refresh

    told: set[str] = set()

    def tell(problem: BadRecord | CorpusBusy | InputError) -> None:
        if str(problem) not in told:
            told.add(str(problem))
            stderr_console().print(str(problem), markup=False, soft_wrap=True)

    def update(*, first: bool = False) -> None:
        try:
            done = refresh(sources, output, format=format_, on_bad=tell)
        except (CorpusBusy, InputError) as error:
            # Another writer, or an empty folder: try again later.
            tell(error)
            return
        if not (first or done.built or done.added or done.changed or done.removed):
            return
        if as_json:
            print_json(done)
            sys.stdout.flush()
        elif done.built is None:
            print_refreshed(output, done)
        else:
            said = f"{output}: {plural(done.pages, 'page')} of {plural(done.added, 'file')}"
            stderr_console().print(said, markup=False, soft_wrap=True)

    changes = _changes(sources, output, settle)
    update(first=True)
    for _ in changes:
        update()


def _changes(sources: tuple[Path, ...], output: Path, settle: float) -> Iterator[object]:
    """Yield on every change outside the corpus itself, and every few seconds, until Ctrl-C.

    Some file systems send no notifications, and changes before the watch starts send none. So all
    sources are checked every few seconds, which costs almost nothing.
    """
    try:
        from watchfiles import watch as watched
    except ImportError:
        raise MissingExtra("watching folders", "documents") from None
    corpus = output.resolve()

    def outside(_: object, path: str) -> bool:
        changed = Path(path)
        hidden = any(part.startswith(".") for part in changed.parts[-1:])
        return not hidden and not changed.is_relative_to(corpus)

    found: Iterator[object] = watched(
        *sources,
        watch_filter=outside,
        debounce=max(int(settle * 4000), 200),
        step=max(int(settle * 1000), 50),
        rust_timeout=_PATIENCE,
        yield_on_timeout=True,
        raise_interrupt=False,
    )
    return found
