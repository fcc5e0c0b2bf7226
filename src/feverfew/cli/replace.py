"""`feverfew replace`: change a corpus in place."""

from pathlib import Path

import click

from feverfew.cli.changes import change, changing_options

__all__ = ["command"]


@click.command("replace")
@changing_options
def command(
    sources: tuple[Path, ...],
    directory: Path,
    format_: str | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Put new versions of pages into a corpus; those with new titles are added.

    They are durable when the command returns.

    \b
    feverfew replace --corpus my.corpus report.md
    feverfew replace --corpus my.corpus --root my-documents my-documents/policies/travel.md
    """
    from feverfew.corpus.update import replace

    change(replace, "replaced", sources, directory, format_, root, as_json)
