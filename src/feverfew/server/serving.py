"""A server from start to stop: take a port, open the service, answer, finish what was begun."""

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import uvicorn
from msgspec import Struct

from feverfew.errors import InputError
from feverfew.render.audit import Settings
from feverfew.server.auth import Authenticator, is_loopback
from feverfew.server.connections import Connections, bounded_protocol
from feverfew.server.following import reloading
from feverfew.server.keys import KeyFile
from feverfew.server.service import QUEUE, Service

__all__ = ["ServerOptions", "bind", "listen", "run_server", "url_host"]

_LOCAL = ("localhost", "127.0.0.1", "[::1]")


class ServerOptions(Struct, frozen=True):
    """Where and how to listen."""

    host: str = "127.0.0.1"
    port: int = 8765
    keys: KeyFile | None = None
    """Whose bearers are admitted; None for everyone."""
    seconds: float = 30.0
    """How long an answer may take, and how long a stop waits for those that were begun."""
    queue: int = QUEUE
    """Claims that may wait."""
    follow: bool = False
    """Whether to take up each change of the corpus."""
    others: tuple[Path, ...] = ()
    """Further corpora that can be chosen."""
    data: Path | None = None
    """Where remarks and, if they are taken, uploads are kept; None for nowhere."""
    uploads: bool = False


def run_server(settings: Settings, options: ServerOptions, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C, then answer what was asked before and return."""
    with bind(options.host, options.port) as bound:
        asyncio.run(_serve(settings, options, bound, on_ready))


async def _serve(
    settings: Settings,
    options: ServerOptions,
    bound: socket.socket,
    on_ready: Callable[[str], None],
) -> None:
    # What agents are answered with needs none of these, and may be installed without them.
    from feverfew.server.app import make_app
    from feverfew.server.corpora import Corpora
    from feverfew.server.library import Library
    from feverfew.server.metrics import Metrics
    from feverfew.server.site.feedback import Remarks

    metrics = Metrics()
    service = await Service.open(
        settings, metrics.batch, queue=options.queue, seconds=options.seconds
    )
    # A server without keys that only this machine reaches must not be reached through a browser.
    host = url_host(options.host)
    guarded = options.keys is None and is_loopback(options.host)
    hosts = {*_LOCAL, host} if guarded else None
    auth = Authenticator(options.keys)
    app = make_app(
        service,
        metrics,
        auth,
        seconds=options.seconds,
        hosts=hosts,
        corpora=Corpora(
            await service.read(lambda corpus: corpus.path),
            options.others,
            Library(options.data / "library") if options.data and options.uploads else None,
        ),
        remarks=Remarks(options.data) if options.data else None,
    )
    try:
        async with reloading(service, follow=options.follow):
            await listen(
                app, bound, lambda port: on_ready(f"http://{host}:{port}"), patience=options.seconds
            )
    finally:
        await app.state.drafts.close()
        await app.state.corpora.close()
        await service.close()


def bind(host: str, port: int) -> socket.socket:
    """Take a port, a free one for 0."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=2_048)
    except OSError as error:
        raise InputError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None


async def listen(
    app: Callable[..., Any],
    bound: socket.socket,
    on_ready: Callable[[int], None],
    *,
    patience: float = 30.0,
    lifespan: Literal["on", "off"] = "off",
    connections: Connections | None = None,
) -> None:
    """Serve an application until SIGTERM or Ctrl-C, then answer what was asked before."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan=lifespan,
        ws="none",
        http=bounded_protocol(connections or Connections()),
        timeout_graceful_shutdown=max(1, round(patience)),
    )
    # uvicorn hands a signal on to whoever had it before; a stop that was asked for is no accident.
    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, lambda *_: None)
    on_ready(bound.getsockname()[1])
    await uvicorn.Server(config).serve(sockets=[bound])


def url_host(host: str) -> str:
    """Write an address as it stands in a URL."""
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host
