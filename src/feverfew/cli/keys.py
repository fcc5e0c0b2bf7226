"""`feverfew keys`: who may ask a server, for what, and how often."""

from pathlib import Path

import click

from feverfew.cli.common import json_option, print_json, stdout, talk
from feverfew.server.keys import SCOPES, KeyFile, default_path

__all__ = ["command"]

_FILE = click.option(
    "--keys",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where keys are kept; without it, keys.json in the user's configuration.",
)


@click.group("keys")
def command() -> None:
    """Make, list and remove the keys that a server asks for.

    Only a digest of a key is kept. A running server sees changes at once.

    \b
    feverfew keys add laptop
    feverfew keys add dashboard --scope metrics --rate 10
    feverfew keys list
    feverfew keys remove laptop
    """


@command.command("add")
@click.argument("name")
@_FILE
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(list(SCOPES)),
    help="What it allows; may be repeated. Without it: check, read and score.",
)
@click.option(
    "--rate",
    default=600,
    show_default=True,
    type=click.IntRange(1, 1_000_000),
    help="Requests a minute.",
)
@json_option
def add(name: str, path: Path | None, scopes: tuple[str, ...], rate: int, as_json: bool) -> None:
    """Make a key under NAME and print it: it is shown this once."""
    file = KeyFile(path or default_path())
    token = file.add(name, scopes or ("check", "read", "score"), rate)
    print_json({"name": name, "key": token}) if as_json else click.echo(token)
    talk().print(f"kept a digest of it in {file.path}; nobody can show it again", markup=False)


@command.command("list")
@_FILE
@json_option
def list_keys(path: Path | None, as_json: bool) -> None:
    """List the keys' names, and what they allow."""
    for key in KeyFile(path or default_path()).keys().values():
        if as_json:
            print_json(
                {"name": key.name, "scopes": key.scopes, "rate": key.rate, "created": key.created}
            )
        else:
            allows = ", ".join(key.scopes)
            line = f"{key.name}  {allows}  {key.rate} a minute  made {key.created}"
            stdout().print(line, markup=False)


@command.command("remove")
@click.argument("name")
@_FILE
def remove(name: str, path: Path | None) -> None:
    """Remove the key NAME: it opens nothing any more."""
    KeyFile(path or default_path()).remove(name)
    talk().print(f"removed {name}", markup=False)
