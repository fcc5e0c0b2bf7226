"""What wraps every request: its id, safe headers, a log line and a count; and API keys for MCP."""

import logging
import secrets
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from feverfew.errors import NotAllowed, ServerError, TooBusy
from feverfew.server.batching import client
from feverfew.server.keys import digest_of
from feverfew.server.messages import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from feverfew.server.auth import Authenticator
    from feverfew.server.metrics import Metrics
    from feverfew.server.service import Service

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


class OneGeneration:
    """Answers each request, to its last byte, from one generation of the corpus, and names it."""

    def __init__(self, app: "ASGIApp", service: "Service") -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        with self._service.pin() as pinned:
            name = pinned.generation.encode()

            async def named(message: "Message") -> None:
                if message["type"] == "http.response.start":
                    headers = message.get("headers", [])
                    message["headers"] = [*headers, (b"x-feverfew-generation", name)]
                await send(message)

            await self._app(scope, receive, named)


class RequestMiddleware:
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
        client.set(str((scope.get("client") or ("",))[0]))

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


_NEEDED = ("check", "read")
"""Agents have tools of both kinds, and one address for all of them."""


class KeyMiddleware:
    """Wraps an application; admits bearers of a key that allows all that it can do."""

    def __init__(self, app: "ASGIApp", auth: "Authenticator") -> None:
        self._app = app
        self._gate = auth

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "http" and not self._gate.open:
            try:
                self._admit(_bearer(scope))
            except TooBusy as error:
                await _refuse_key(
                    send, 429, str(error), (b"retry-after", str(error.seconds).encode())
                )
                return
            except NotAllowed as error:
                status = 403 if error.known else 401
                await _refuse_key(send, status, str(error), (b"www-authenticate", b"Bearer"))
                return
            except ServerError:  # a file of keys that cannot be read
                await _refuse_key(send, 503, "no key can be looked up now", (b"retry-after", b"60"))
                return
        await self._app(scope, receive, send)

    def _admit(self, token: str) -> None:
        found = self._gate.find(digest_of(token)) if token else None
        for scope in _NEEDED:
            if found is not None and scope not in found.scopes:
                raise NotAllowed(f"the key {found.name!r} does not allow {scope!r}", known=True)
        self._gate.admit(token, _NEEDED[0])


def _bearer(scope: "Scope") -> str:
    for name, value in scope["headers"]:
        if name == b"authorization":
            kind, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if kind.lower() == "bearer" else ""
    return ""


async def _refuse_key(send: "Send", status: int, why: str, header: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"application/json"), header]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(Problem(why))})


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write time, level and event, the facts that came with it, and what was raised."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["raised"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def log_to_stderr() -> None:
    """Send the server's own log, and what uvicorn has to warn of, to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("feverfew.server", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
