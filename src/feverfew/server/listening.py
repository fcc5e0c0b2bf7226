"""Listen until told to stop: take a port, answer, finish what was begun."""

import ipaddress
import signal
import socket
from collections.abc import Callable
from typing import Any, Literal

import uvicorn

from feverfew.errors import InputError

__all__ = ["as_written", "bind", "listen"]

_CONNECTIONS = 512
"""At once; beyond, the answer is 503."""


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
) -> None:
    """Serve an application until SIGTERM or Ctrl-C, then answer what was asked before."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan=lifespan,
        ws="none",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=max(1, round(patience)),
    )
    # uvicorn hands a signal on to whoever had it before; a stop that was asked for is no accident.
    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, lambda *_: None)
    on_ready(bound.getsockname()[1])
    await uvicorn.Server(config).serve(sockets=[bound])


def as_written(host: str) -> str:
    """Write an address as it stands in a URL."""
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host
