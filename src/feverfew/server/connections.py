"""Bounds on connections, so that one who holds many, or sends nothing on them, stops nobody else.

A connection that is at no request is idle: it is closed after a while, and sooner when room is
needed. So idle connections, however many, never keep out a request.
"""

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

__all__ = ["Connections", "bounded_protocol"]

_REFUSAL = (
    b"HTTP/1.1 %d %s\r\ncontent-type: application/json\r\nretry-after: 1\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s"
)


class Connections:
    """The open connections of a server, the longest idle first."""

    def __init__(
        self, most: int | None = None, per_address: int = 256, header_seconds: float = 10.0
    ) -> None:
        self.most = most or _room()
        self.per_address = per_address
        self.header_seconds = header_seconds
        self._open: dict[Any, str] = {}
        self._counts: Counter[str] = Counter()

    def admit(self, protocol: Any, address: str) -> bytes:
        """Take a new connection; return what to say instead if there is no room for it."""
        if self._counts[address] >= self.per_address and not self._evict(address):
            return _refusal(429, b"Too Many Requests", b"too many connections from one address")
        if len(self._open) >= self.most and not self._evict():
            return _refusal(503, b"Service Unavailable", b"too many connections")
        self._open[protocol] = address
        self._counts[address] += 1
        return b""

    def used(self, protocol: Any) -> None:
        """Note that a connection was used, and so is the last to be closed."""
        if protocol in self._open:
            self._open[protocol] = self._open.pop(protocol)

    def forget(self, protocol: Any) -> None:
        """Note that a connection is closed."""
        address = self._open.pop(protocol, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def _evict(self, address: str | None = None) -> bool:
        """Close the connection that has been idle longest; of one address, if it is named."""
        for protocol, own in self._open.items():
            if address in (None, own) and protocol.is_idle():
                self.forget(protocol)
                protocol.transport.abort()
                return True
        return False


def _room() -> int:
    """Leave half of the descriptors that a process may have to files."""
    try:
        import resource
    except ImportError:
        return 512
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(64, min(2_048, soft // 2)) if soft > 0 else 2_048


def _refusal(status: int, phrase: bytes, why: bytes) -> bytes:
    body = b'{"error":"%s"}' % why
    return _REFUSAL % (status, phrase, len(body), body)


def bounded_protocol(connections: Connections) -> type[asyncio.Protocol]:
    """Make uvicorn's protocol keep to the bounds."""

    class Bounded(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        """One connection."""

        _deadline: asyncio.TimerHandle | None = None
        _admitted = False

        def connection_made(self, transport: asyncio.Transport) -> None:
            peer = transport.get_extra_info("peername")
            refusal = connections.admit(self, str(peer[0]) if peer else "")
            if refusal:
                transport.write(refusal)
                transport.close()
                return
            self._admitted = True
            super().connection_made(transport)
            self._expect_header()

        def data_received(self, data: bytes) -> None:
            if not self._admitted:
                return
            connections.used(self)
            super().data_received(data)
            if not self.is_idle():
                self._stop_waiting()
            elif self._deadline is None:
                self._expect_header()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            connections.forget(self)
            if self._admitted:
                super().connection_lost(exc)

        def is_idle(self) -> bool:
            """Say whether no request is being answered."""
            return self.cycle is None or self.cycle.response_complete

        def _expect_header(self) -> None:
            """Close the connection unless a whole header comes in time."""
            loop = asyncio.get_running_loop()
            self._deadline = loop.call_later(connections.header_seconds, self._too_slow)

        def _stop_waiting(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _too_slow(self) -> None:
            self._deadline = None
            if self.is_idle() and not self.transport.is_closing():
                self.transport.abort()

    return Bounded
