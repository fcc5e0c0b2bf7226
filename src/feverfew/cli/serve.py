"""`feverfew serve`: answer over HTTP."""

from pathlib import Path

import click

from feverfew.cli.common import reading_option, tables_option, talk
from feverfew.errors import InputError, MissingExtra

__all__ = ["command"]


@click.command("serve")
@click.argument(
    "directory", required=False, type=click.Path(path_type=Path), envvar="FEVERFEW_CORPUS"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    default=8765,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="The port; 0 for a free one.",
)
@click.option("--model", type=click.Path(path_type=Path), help="A model of your own.")
@click.option(
    "--hops", is_flag=True, help="Search in rounds, for claims that need up to four pages."
)
@reading_option
@tables_option
@click.option(
    "--keys",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Ask for keys, those of FILE; off this machine, keys are asked for anyway.",
)
@click.option("--no-keys", is_flag=True, help="Answer everyone who can reach the address.")
@click.option(
    "--queue",
    default=256,
    show_default=True,
    type=click.IntRange(1),
    help="Claims that may wait; beyond, the answer is 429.",
)
@click.option(
    "--timeout",
    default=30.0,
    show_default=True,
    type=click.FloatRange(0, 3_600, min_open=True),
    help="Seconds that an answer may take.",
)
def command(
    directory: Path | None,
    host: str,
    port: int,
    model: Path | None,
    hops: bool,
    reading: str | None,
    tables: int,
    keys: Path | None,
    no_keys: bool,
    queue: int,
    timeout: float,
) -> None:
    """Answer over HTTP with the corpus DIRECTORY, or with the sample.

    Programs are answered at /v1, people in a browser at the address itself. On this machine
    alone (the default), no key is needed; on any other address, one is, unless --no-keys refuses
    that. The log, a JSON line a request, goes to stderr. Ctrl-C or SIGTERM ends it once what was
    asked is answered.

    \b
    feverfew serve
    feverfew keys add laptop && feverfew serve my.corpus --host 0.0.0.0
    curl -s localhost:8765/v1/check --json '{"claims": ["Fritz Lang directed Metropolis."]}'
    """
    try:
        from feverfew.server.auth import is_loopback
        from feverfew.server.keys import KeyFile, default_path
        from feverfew.server.logs import log_to_stderr
        from feverfew.server.service import Opening
        from feverfew.server.serving import Listening, serve
    except ModuleNotFoundError:
        raise MissingExtra("serving", "web") from None
    if keys is not None and no_keys:
        raise click.UsageError("give --keys or --no-keys, not both")
    known = None
    if keys is not None or not (no_keys or is_loopback(host)):
        known = KeyFile(keys or default_path())
        if not known.keys():
            raise InputError(
                f"{known.path} holds no key, so nobody could ask; make one with 'feverfew keys "
                f"add NAME', or let everyone in who can reach {host} with --no-keys"
            )
    log_to_stderr()
    opening = Opening(directory, model, hops, queue, reading or "fever", tables)
    listening = Listening(host, port, known, timeout)
    serve(opening, listening, lambda url: talk().print(f"listening on {url}", markup=False))
