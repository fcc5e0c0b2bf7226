"""Where a command's findings go: to stdout as JSON or sections, and into a page."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from feverfew.cli.common import print_json, stdout, talk
from feverfew.errors import InputError, ScoreError

if TYPE_CHECKING:
    from feverfew.render.page import Section

__all__ = ["emit", "html_option", "naming", "require_writable", "write_page"]

F = TypeVar("F", bound=Callable[..., Any])


def html_option(command: F) -> F:
    """Add `--html FILE` as the parameter `html`."""
    return click.option(
        "--html",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write one self-contained page for a browser.",
    )(command)


def emit(
    title: str,
    subtitle: str,
    sections: Sequence["Section"],
    data: object,
    *,
    as_json: bool,
    html: Path | None,
) -> None:
    """Print the data as JSON, or the sections for people; write the page beside either."""
    from feverfew.cli.sections import print_sections
    from feverfew.render.page import html_page

    if html is not None:
        write_page(html, html_page(title, sections, subtitle=subtitle))
    if as_json:
        print_json(data)
        return
    stdout().print(f"{title}: {subtitle}\n", markup=False)
    print_sections(sections)


def require_writable(path: Path | None) -> None:
    """Refuse a place where no page can be written, before the work that would go into it."""
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
    """Write a page where the user wants it, and say so."""
    with _writing(path):
        path.write_text(page, encoding="utf-8")
    talk().print(f"wrote {path}", markup=False)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Put the file's name before what a score has to say of its content."""
    try:
        yield
    except ScoreError as error:
        raise InputError(f"{path}: {error}") from None
