"""What several commands share: the `--json` option, and the two ways of talking."""

import io
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

if TYPE_CHECKING:
    from rich.console import Console

    from feverfew.corpus import Corpus

__all__ = [
    "corpus_option",
    "json_option",
    "open_corpus",
    "print_json",
    "reading_option",
    "stdout",
    "tables_option",
    "talk",
]

F = TypeVar("F", bound=Callable[..., Any])


def json_option(command: F) -> F:
    """Add `--json` as the parameter `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, one value a line.")(
        command
    )


def reading_option(command: F) -> F:
    """Add `--reading`; None stands for the reading that goes with the format, or FEVER's."""
    return click.option(
        "--reading",
        type=click.Choice(["fever", "feverous"]),
        help="When to refute: on explicit evidence, or where a reader would be misled.",
    )(command)


def tables_option(command: F) -> F:
    """Add `--tables`: how many are looked at for a claim."""
    return click.option(
        "--tables",
        default=3,
        show_default=True,
        type=click.IntRange(0, 50),
        metavar="N",
        help="Tables that are looked at for a claim; 0 for none.",
    )(command)


def print_json(value: object) -> None:
    """Print one JSON value on a line of stdout."""
    click.echo(msgspec.json.encode(value))


@lru_cache(maxsize=1)
def stdout() -> "Console":
    """The console for results that people read."""
    from rich.console import Console

    if isinstance(sys.stdout, io.TextIOWrapper):
        # A page may hold what an old terminal cannot show; better a question mark than nothing.
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False)


@lru_cache(maxsize=1)
def talk() -> "Console":
    """The console for progress and remarks: stderr."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def corpus_option(command: F) -> F:
    """Add `--corpus` as the parameter `directory`."""
    return click.option(
        "--corpus",
        "directory",
        type=click.Path(path_type=Path),
        envvar="FEVERFEW_CORPUS",
        help="A corpus directory; without it, the sample encyclopedia. [env: FEVERFEW_CORPUS]",
    )(command)


def open_corpus(directory: Path | None) -> "Corpus":
    """Open the corpus a user named, or the sample."""
    from feverfew.corpus import Corpus

    return Corpus.sample() if directory is None else Corpus.open(directory)
