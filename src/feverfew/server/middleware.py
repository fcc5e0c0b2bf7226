"""What is around every request: a name for it, safe headers, a line in the log, a count."""

import logging
import secrets
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from feverfew.server.metrics import Metrics

__all__ = ["Around"]

_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"cross-origin-resource-policy": b"same-origin",
}
"""Sent with every answer, unless the answer has its own."""
_WRONG_HOST = b'{"error":"this server does not answer to that Host; see --host"}'

log = logging.getLogger("feverfew.server")


class Around:
    """Wraps an application; knows nothing of what it answers."""

    def __init__(
        self, app: "ASGIApp", metrics: "Metrics", hosts: Iterable[str] | None = None
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._hosts = None if hosts is None else frozenset(hosts)
        """The names that a server without keys answers to: or a page from elsewhere, whose name
        is made to lead here, could ask it anything."""

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        name = secrets.token_hex(8)
        facts: dict[str, object] = {}
        scope.setdefault("state", {})["facts"] = facts
        sent = {"status": 500, "bytes": 0}

        async def watched(message: "Message") -> None:
            if message["type"] == "http.response.start":
                sent["status"] = message["status"]
                message["headers"] = _with_headers(message.get("headers", []), name)
            elif message["type"] == "http.response.body":
                sent["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            if self._hosts is not None and _host(scope) not in self._hosts:
                await _refuse(watched)
            else:
                await self._app(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - start
            route = getattr(scope.get("route"), "path", "") or "(none)"
            self._metrics.answered(route, sent["status"], seconds)
            log.info(
                "request",
                extra={
                    "facts": {
                        "id": name,
                        "method": scope["method"],
                        "route": route,
                        **sent,
                        "ms": round(1e3 * seconds, 1),
                        **facts,
                    }
                },
            )


def _with_headers(own: Any, name: str) -> list[tuple[bytes, bytes]]:
    given = {key.lower() for key, _ in own}
    more = [(key, value) for key, value in _HEADERS.items() if key not in given]
    return [*own, *more, (b"x-request-id", name.encode())]


def _host(scope: "Scope") -> str:
    """Return the name by which the server was called, without a port."""
    for key, value in scope["headers"]:
        if key == b"host":
            text: str = value.decode("latin-1").lower()
            return text.partition("]")[0] + "]" if text[:1] == "[" else text.partition(":")[0]
    return ""


async def _refuse(send: "Send") -> None:
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": _WRONG_HOST})
