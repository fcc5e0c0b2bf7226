"""Write results: consoles, JSON, sections on a terminal, and HTML pages."""

import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from feverfew.errors import InputError, ScoreError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from feverfew.render.page import DataTable, Section


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""All control characters except tab and line feed, and marks that change the text direction."""


def plain(text: str) -> str:
    """Show control characters as a mark.

    >>> plain("red \\x1b[31m alert")
    'red \N{REPLACEMENT CHARACTER}[31m alert'
    """
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def print_json(value: object) -> None:
    """Print one JSON value on a line of stdout."""
    click.echo(msgspec.json.encode(value))


@lru_cache(maxsize=1)
def stdout() -> "Console":
    """Return the console for results that people read."""
    from feverfew.cli.console import PlainConsole

    if isinstance(sys.stdout, io.TextIOWrapper):
        # A page may hold what an old terminal cannot show; better a question mark than nothing.
        sys.stdout.reconfigure(errors="replace")
    return PlainConsole(highlight=False)


@lru_cache(maxsize=1)
def stderr_console() -> "Console":
    """Return the console for progress and messages."""
    from feverfew.cli.console import PlainConsole

    return PlainConsole(stderr=True, highlight=False)


def plural(count: int, noun: str) -> str:
    """Count things: '1 page', '2,000 pages'."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def emit(
    title: str,
    subtitle: str,
    sections: Sequence["Section"],
    data: object,
    *,
    as_json: bool,
    html: Path | None,
) -> None:
    """Print the data as JSON, or the sections as text; write the page if requested."""
    from feverfew.render.page import html_page

    if html is not None:
        write_page(html, html_page(title, sections, subtitle=subtitle))
    if as_json:
        print_json(data)
        return
    stdout().print(f"{title}: {subtitle}\n", markup=False)
    _print_sections(sections)


def _print_sections(sections: Sequence["Section"]) -> None:
    """Print headings, words and tables; figures are for pages only."""
    from feverfew.render.page import DataTable, Words

    out = stdout()
    for place, section in enumerate(sections):
        if place:
            out.print()
        out.print(section.heading, style="bold", markup=False)
        for part in section.parts:
            if isinstance(part, Words):
                out.print(part.text, markup=False)
            elif isinstance(part, DataTable):
                out.print(_table(part))


def _table(data: "DataTable") -> "Table":
    from rich.markup import escape
    from rich.table import Table

    from feverfew.render.page import cell_text

    table = Table(caption=data.caption or None, caption_justify="left", box=None, pad_edge=False)
    for place, name in enumerate(data.columns):
        numbers = all(isinstance(row[place], int | float | None) for row in data.rows)
        table.add_column(
            name, justify="right" if numbers else "left", overflow="fold", no_wrap=numbers
        )
    for row in data.rows:
        table.add_row(*(escape(cell_text(value)) for value in row))
    return table


def require_writable(path: Path | None) -> None:
    """Raise if a file cannot be written, before the work is done."""
    if path is None:
        return
    fresh = not path.exists()
    with _writing(path):
        path.open("ab").close()
        if fresh:
            path.unlink()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def write_page(path: Path, page: str) -> None:
    """Write an HTML page and print its path."""
    with _writing(path):
        path.write_text(page, encoding="utf-8")
    stderr_console().print(f"wrote {path}", markup=False)


def write_file(path: Path, value: object) -> None:
    """Write a value as JSON and print its path."""
    with _writing(path):
        path.write_bytes(msgspec.json.format(msgspec.json.encode(value)) + b"\n")
    stderr_console().print(f"wrote {path}", markup=False)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the file's name to a scorer's error."""
    try:
        yield
    except ScoreError as error:
        raise InputError(f"{path}: {error}") from None
