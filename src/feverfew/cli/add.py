"""`feverfew add`: change a corpus in place."""

from pathlib import Path

import click

from feverfew.cli.changes import change, changing_options

__all__ = ["command"]


@click.command("add")
@changing_options
def command(
    sources: tuple[Path, ...],
    directory: Path,
    format_: str | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Add pages to a corpus; all of them or, if one cannot be added, none.

    They are durable when the command returns. A title that is there already is an error.

    \b
    feverfew add --corpus my.corpus new-report.md
    """
    from feverfew.corpus.update import add

    change(add, "added", sources, directory, format_, root, as_json)
