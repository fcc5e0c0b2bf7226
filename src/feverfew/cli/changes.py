"""What `add` and `replace` share: reading the pages, and saying what was done."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from feverfew.cli.common import json_option, print_json, talk
from feverfew.types import Page, Redirect

__all__ = ["change", "changing_options"]

F = TypeVar("F", bound=Callable[..., Any])


def changing_options(command: F) -> F:
    """Add what every changing command takes: sources, the corpus, the format, `--json`."""
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
    """Put the pages of some sources into a corpus, and report."""
    from feverfew.readers import read_pages

    def pages() -> Iterator[Page | Redirect]:
        for source in sources:
            yield from read_pages(source, format_, root=root)

    count = work(directory, pages())
    if as_json:
        print_json({verb: count})
    else:
        talk().print(f"{directory}: {verb} {count:,} pages")
