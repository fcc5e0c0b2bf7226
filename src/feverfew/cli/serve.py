"""`feverfew serve`, `mcp` and `keys`: serve HTTP and agents, and manage keys."""

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
    help="Reload when the corpus changes; otherwise on SIGHUP or on request.",
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
    help="Require keys from FILE; addresses beyond this machine always require keys.",
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
    help="Where to keep uploads and remarks on verdicts; the user's data folder by default.",
)
@click.option("--no-uploads", is_flag=True, help="Do not accept documents for private corpora.")
@click.option(
    "--queue",
    default=256,
    show_default=True,
    type=click.IntRange(1),
    help="Claims that may wait; further ones get 429.",
)
@click.option(
    "--timeout",
    default=30.0,
    show_default=True,
    type=click.FloatRange(0, 3_600, min_open=True),
    help="Seconds that a response may take.",
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
    """Serve the corpus DIRECTORY, or the sample, over HTTP.

    The web page is at /, the HTTP API at /v1. On this machine alone (the default), no key is
    needed. On any other address, keys are required unless you give --no-keys. Users can upload
    documents into private corpora with a key that allows it or, without keys, on this machine. The
    log has one JSON line per request and goes to stderr. Ctrl-C or SIGTERM stops the server after
    open requests are answered.

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
                f"{known.path} has no keys, so nobody could connect; create one with 'feverfew "
                f"keys add NAME', or allow everyone who can reach {host} with --no-keys"
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
@click.option("--http", is_flag=True, help="Listen on 127.0.0.1, at /mcp, instead.")
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
    help="With --http: require keys from FILE with the scopes check and read.",
)
@_FOLLOW
def mcp(
    settings: "Settings",
    http: bool,
    port: int,
    keys: Path | None,
    follow: bool,
) -> None:
    """Serve the corpus DIRECTORY, or the sample, to agents.

    The tools are check_claim, find_evidence and read_page. An MCP host starts the command and talks
    to it on stdin and stdout.

    \b
    feverfew mcp my.corpus
    feverfew mcp my.corpus --http
    """
    try:
        from feverfew.server.agents import run_http, run_stdio
    except ModuleNotFoundError:
        raise MissingExtra("serving agents", "mcp") from None
    if keys is not None and not http:
        raise click.UsageError("--keys needs --http: nobody else can connect to stdin and stdout")
    known = KeyFile(keys) if keys else None
    if known is not None and not known.keys():
        raise InputError(f"{known.path} has no keys; create one with 'feverfew keys add NAME'")
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
    help="Where keys are stored; keys.json in the user's configuration folder by default.",
)


@click.group("keys")
def keys() -> None:
    """Create, list and remove the keys of a server.

    Only a digest of a key is stored. A running server sees changes immediately.

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
    help="What it allows; may be repeated. Default: check, read and score.",
)
@click.option(
    "--rate",
    default=600,
    show_default=True,
    type=click.IntRange(1, 1_000_000),
    help="Requests per minute.",
)
@json_option
def add(name: str, path: Path | None, scopes: tuple[str, ...], rate: int, as_json: bool) -> None:
    """Create a key called NAME and print it; it is shown only once."""
    file = KeyFile(path or default_path())
    token = file.add(name, scopes or ("check", "read", "score"), rate)
    print_json({"name": name, "key": token}) if as_json else click.echo(token)
    stderr_console().print(
        f"stored a digest of it in {file.path}; the key cannot be shown again", markup=False
    )


@keys.command("list")
@_KEY_FILE
@json_option
def list_keys(path: Path | None, as_json: bool) -> None:
    """List the names and scopes of all keys."""
    for key in KeyFile(path or default_path()).keys().values():
        if as_json:
            print_json(
                {"name": key.name, "scopes": key.scopes, "rate": key.rate, "created": key.created}
            )
        else:
            allows = ", ".join(key.scopes)
            line = f"{key.name}  {allows}  {key.rate} a minute  created {key.created}"
            stdout().print(line, markup=False)


@keys.command("remove")
@click.argument("name")
@_KEY_FILE
def remove(name: str, path: Path | None) -> None:
    """Remove the key NAME; it stops working immediately."""
    KeyFile(path or default_path()).remove(name)
    stderr_console().print(f"removed {name}", markup=False)
