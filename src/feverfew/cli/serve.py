"""`feverfew serve`, `mcp` and `keys`: answer over HTTP and to agents, and who may ask."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.options import checker_settings, json_option
from feverfew.cli.output import print_json, stderr_console, stdout
from feverfew.errors import InputError, MissingExtra
from feverfew.server.keys import SCOPES, KeyFile, default_path

if TYPE_CHECKING:
    from feverfew.render.audit import Settings

_FOLLOW = click.option(
    "--follow",
    is_flag=True,
    help="Take up changes of the corpus as they are made; else on SIGHUP, or when asked to.",
)


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
@checker_settings
@click.option(
    "--keys",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Ask for keys, those of FILE; off this machine, keys are asked for anyway.",
)
@click.option("--no-keys", is_flag=True, help="Answer everyone who can reach the address.")
@click.option(
    "--also",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Another corpus that people can choose; may be repeated.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where uploads and remarks on verdicts are kept; in the user's data folder by default.",
)
@click.option("--no-uploads", is_flag=True, help="Take no documents into private corpora.")
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
@_FOLLOW
def serve(
    settings: "Settings",
    host: str,
    port: int,
    keys: Path | None,
    no_keys: bool,
    also: tuple[Path, ...],
    data: Path | None,
    no_uploads: bool,
    queue: int,
    timeout: float,
    follow: bool,
) -> None:
    """Answer over HTTP with the corpus DIRECTORY, or with the sample.

    Programs are answered at /v1, people in a browser at the address itself. On this machine
    alone (the default), no key is needed; on any other address, one is, unless --no-keys refuses
    that. People can upload documents into private corpora if the server knows whose they are:
    with a key that allows it or, without keys, on this machine. The log, a JSON line a request,
    goes to stderr. Ctrl-C or SIGTERM ends it once what was asked is answered.

    \b
    feverfew serve
    feverfew serve my.corpus --also wiki.corpus
    feverfew keys add laptop && feverfew serve my.corpus --host 0.0.0.0
    curl -s localhost:8765/v1/check --json '{"claims": ["Fritz Lang directed Metropolis."]}'
    """
    try:
        from feverfew.server.auth import is_loopback
        from feverfew.server.library import default_folder
        from feverfew.server.middleware import log_to_stderr
        from feverfew.server.serving import ServerOptions, run_server
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
    # Without keys, and open to others, nobody's documents would be private.
    private = known is not None or is_loopback(host)
    options = ServerOptions(
        host,
        port,
        known,
        timeout,
        queue,
        follow,
        tuple(path.absolute() for path in also),
        data or default_folder(),
        uploads=private and not no_uploads,
    )
    run_server(
        settings, options, lambda url: stderr_console().print(f"listening on {url}", markup=False)
    )


@click.command("mcp")
@click.argument(
    "directory", required=False, type=click.Path(path_type=Path), envvar="FEVERFEW_CORPUS"
)
@checker_settings
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
@_FOLLOW
def mcp(
    settings: "Settings",
    http: bool,
    port: int,
    keys: Path | None,
    follow: bool,
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
    except ModuleNotFoundError:
        raise MissingExtra("answering agents", "mcp") from None
    if keys is not None and not http:
        raise click.UsageError("--keys goes with --http: on stdin and stdout, nobody else can ask")
    known = KeyFile(keys) if keys else None
    if known is not None and not known.keys():
        raise InputError(f"{known.path} holds no key; make one with 'feverfew keys add NAME'")
    if http:

        def ready(url: str) -> None:
            stderr_console().print(f"listening on {url}", markup=False)

        run_http(settings, port, ready, known, follow=follow)
    else:
        run_stdio(settings, follow=follow)


_KEY_FILE = click.option(
    "--keys",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where keys are kept; without it, keys.json in the user's configuration.",
)


@click.group("keys")
def keys() -> None:
    """Make, list and remove the keys that a server asks for.

    Only a digest of a key is kept. A running server sees changes at once.

    \b
    feverfew keys add laptop
    feverfew keys add dashboard --scope metrics --rate 10
    feverfew keys list
    feverfew keys remove laptop
    """


@keys.command("add")
@click.argument("name")
@_KEY_FILE
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
    stderr_console().print(
        f"kept a digest of it in {file.path}; nobody can show it again", markup=False
    )


@keys.command("list")
@_KEY_FILE
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


@keys.command("remove")
@click.argument("name")
@_KEY_FILE
def remove(name: str, path: Path | None) -> None:
    """Remove the key NAME: it opens nothing any more."""
    KeyFile(path or default_path()).remove(name)
    stderr_console().print(f"removed {name}", markup=False)
