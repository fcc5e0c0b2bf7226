"""`feverfew remove`: take pages out of a corpus."""

from pathlib import Path

import click

from feverfew.cli.common import json_option, print_json, talk

__all__ = ["command"]


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
def command(titles: tuple[str, ...], directory: Path, as_json: bool) -> None:
    """Take pages out of a corpus, by their titles; all of them or none.

    \b
    feverfew remove --corpus my.corpus "report.md" "old/notes.md"
    """
    from feverfew.corpus.update import remove

    count = remove(directory, titles)
    if as_json:
        print_json({"removed": count})
    else:
        talk().print(f"{directory}: removed {count:,} pages")
