"""When a running server takes up a new state of its corpus: on SIGHUP, or by following it."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from feverfew.errors import FeverfewError
from feverfew.server.service import Service

log = logging.getLogger("feverfew.server")

EVERY = 1.0
"""Seconds between two looks at a corpus that is followed; a look costs some 0.1 ms."""


@asynccontextmanager
async def reloading(service: Service, *, follow: bool) -> AsyncIterator[None]:
    """Reload on SIGHUP and, to `follow`, soon after each change, while the server runs."""
    loop = asyncio.get_running_loop()
    under_way: set[asyncio.Task[str]] = set()

    def asked() -> None:
        task = loop.create_task(_reload(service))
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    if hangup is not None:
        loop.add_signal_handler(hangup, asked)
    watch = loop.create_task(_follow(service)) if follow else None
    try:
        yield
    finally:
        if hangup is not None:
            loop.remove_signal_handler(hangup)
        if watch is not None:
            watch.cancel()
        waiting = [*under_way, *([watch] if watch else [])]
        await asyncio.gather(*waiting, return_exceptions=True)


async def _follow(service: Service) -> None:
    said = ""
    while True:
        await asyncio.sleep(EVERY)
        said = await _reload(service, said)


async def _reload(service: Service, said: str = "") -> str:
    """Reload; where that fails, say why, once, and go on serving the old state."""
    try:
        changed = await service.reload()
    except FeverfewError as error:
        if str(error) != said:
            log.error("cannot reload; the old state is served: %s", error)
        return str(error)
    if changed:
        log.info("reloaded: generation %s", service.newest.generation)
    return ""
