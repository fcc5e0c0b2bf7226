"""`feverfew fsck`: check every part of a corpus against its manifest."""

import sys
from pathlib import Path

import click

from feverfew.cli.common import json_option, print_json, talk

__all__ = ["command"]


@click.command("fsck")
@click.argument("directory", type=click.Path(path_type=Path))
@json_option
def command(directory: Path, as_json: bool) -> None:
    """Check every part of a corpus: files, pages, titles, text and counts.

    Exits with 0 when all is well and with 1 when something is not.

    \b
    feverfew fsck my.corpus
    """
    from feverfew.corpus.fsck import fsck

    notes: list[str] = []
    with talk().status("checking") as status:
        problems = fsck(
            directory, lambda count: status.update(f"checking: {count:,} pages"), notes.append
        )
    if as_json:
        print_json({"sound": not problems, "problems": problems, "notes": notes})
    else:
        for problem in problems:
            click.echo(problem)
        for note in notes:
            talk().print(note, markup=False, soft_wrap=True)
        talk().print(
            f"{directory}: {len(problems)} problems" if problems else f"{directory}: sound"
        )
    sys.exit(1 if problems else 0)
