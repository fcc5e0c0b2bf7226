"""`feverfew mcp`: answer agents over the Model Context Protocol."""

from pathlib import Path

import click

from feverfew.cli.common import reading_option, tables_option, talk
from feverfew.errors import InputError, MissingExtra

__all__ = ["command"]


@click.command("mcp")
@click.argument(
    "directory", required=False, type=click.Path(path_type=Path), envvar="FEVERFEW_CORPUS"
)
@click.option("--model", type=click.Path(path_type=Path), help="A model of your own.")
@click.option(
    "--hops", is_flag=True, help="Search in rounds, for claims that need up to four pages."
)
@reading_option
@tables_option
@click.option("--http", is_flag=True, help="Listen on this machine, at /mcp, instead.")
@click.option(
    "--port",
    default=8766,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="The port, with --http; 0 for a free one.",
)
@click.option(
    "--keys",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --http: ask for keys, those of FILE, that allow both check and read.",
)
def command(
    directory: Path | None,
    model: Path | None,
    hops: bool,
    reading: str | None,
    tables: int,
    http: bool,
    port: int,
    keys: Path | None,
) -> None:
    """Answer agents with the corpus DIRECTORY, or with the sample.

    The tools are check_claim, find_evidence and read_page. A host of agents starts the command
    and talks to it on stdin and stdout.

    \b
    feverfew mcp my.corpus
    feverfew mcp my.corpus --http
    """
    try:
        from feverfew.server.agents import run_http, run_stdio
        from feverfew.server.keys import KeyFile
        from feverfew.server.service import Opening
    except ModuleNotFoundError:
        raise MissingExtra("answering agents", "mcp") from None
    if keys is not None and not http:
        raise click.UsageError("--keys goes with --http: on stdin and stdout, nobody else can ask")
    known = KeyFile(keys) if keys else None
    if known is not None and not known.keys():
        raise InputError(f"{known.path} holds no key; make one with 'feverfew keys add NAME'")
    opening = Opening(directory, model, hops, reading=reading or "fever", tables=tables)
    if http:

        def ready(url: str) -> None:
            talk().print(f"listening on {url}", markup=False)

        run_http(opening, port, ready, known)
    else:
        run_stdio(opening)
