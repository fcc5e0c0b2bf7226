"""A server from start to stop: open the service, guard it, listen, close."""

import asyncio
import socket
from collections.abc import Callable

from msgspec import Struct

from feverfew.server.app import make_app
from feverfew.server.auth import Gate, is_loopback
from feverfew.server.keys import KeyFile
from feverfew.server.listening import as_written, bind, listen
from feverfew.server.metrics import Metrics
from feverfew.server.service import Opening, Service
from feverfew.server.site.starters import starters

__all__ = ["Listening", "serve"]

_LOCAL = ("localhost", "127.0.0.1", "[::1]")


class Listening(Struct, frozen=True):
    """Where and how to listen."""

    host: str = "127.0.0.1"
    port: int = 8765
    keys: KeyFile | None = None
    """Whose bearers are admitted; None for everyone."""
    seconds: float = 30.0
    """How long an answer may take, and a stop wait for those that were begun."""


def serve(opening: Opening, listening: Listening, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C, then answer what was asked before and return."""
    with bind(listening.host, listening.port) as bound:
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
    host = as_written(listening.host)
    guarded = listening.keys is None and is_loopback(listening.host)
    hosts = {*_LOCAL, host} if guarded else None
    gate = Gate(listening.keys)
    app = make_app(
        service,
        metrics,
        gate,
        seconds=listening.seconds,
        hosts=hosts,
        starters=await service.read(starters),
    )
    try:
        await listen(
            app, bound, lambda port: on_ready(f"http://{host}:{port}"), patience=listening.seconds
        )
    finally:
        await service.close()
