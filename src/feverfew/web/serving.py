"""Listen until told to stop: open the service, bind, answer, finish what was begun."""

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI
from msgspec import Struct

from feverfew.errors import InputError
from feverfew.web.app import make_app
from feverfew.web.gate import Gate, is_loopback
from feverfew.web.keys import KeyFile
from feverfew.web.metrics import Metrics
from feverfew.web.service import Opening, Service

__all__ = ["Listening", "bind", "serve"]

_LOCAL = ("localhost", "127.0.0.1", "[::1]")


class Listening(Struct, frozen=True):
    """Where and how to listen."""

    host: str = "127.0.0.1"
    port: int = 8765
    keys: KeyFile | None = None
    """Whose bearers are admitted; None for everyone."""
    seconds: float = 30.0
    """How long an answer may take, and a stop wait for those that were begun."""


def bind(host: str, port: int) -> socket.socket:
    """Take a port, a free one for 0."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=2_048)
    except (OSError, OverflowError) as error:
        raise InputError(f"cannot listen on {host}:{port}: {error}") from None


def serve(opening: Opening, listening: Listening, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C, then answer what was asked before and return."""
    bound = bind(listening.host, listening.port)
    with bound:
        asyncio.run(_serve(opening, listening, bound, on_ready))


async def _serve(
    opening: Opening,
    listening: Listening,
    bound: socket.socket,
    on_ready: Callable[[str], None],
) -> None:
    metrics = Metrics()
    service = await Service.open(opening, metrics.batch)
    # A server without keys that only this machine reaches must not be reached through a browser.
    guarded = listening.keys is None and is_loopback(listening.host)
    hosts = {*_LOCAL, _written(listening.host)} if guarded else None
    gate = Gate(listening.keys)
    app = make_app(service, metrics, gate, seconds=listening.seconds, hosts=hosts)
    server = _server(app, listening.seconds)
    port = bound.getsockname()[1]
    # uvicorn hands a signal on to whoever had it before; a stop that was asked for is no accident.
    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, lambda *_: None)
    try:
        on_ready(f"http://{_written(listening.host)}:{port}")
        await server.serve(sockets=[bound])
    finally:
        await service.close()


def _server(app: FastAPI, seconds: float) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=max(1, round(seconds)),
        )
    )


def _written(host: str) -> str:
    """Write an address as it stands in a URL."""
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host
