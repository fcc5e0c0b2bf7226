"""Arguments and options that the commands of `feverfew arena` share."""

from pathlib import Path

import click

from feverfew.cli.output import plain

DIRECTORY = click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
TASK = click.option("--task", required=True, metavar="NAME", help="The task.")
PHASE = click.option("--phase", metavar="NAME", help="The phase; the running one by default.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def say(text: str) -> None:
    """Print a line of results, whatever the terminal's width: keys and digests must stay whole."""
    click.echo(plain(text))
