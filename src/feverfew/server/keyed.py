"""Keys around a whole application: one that knows nothing of routes or scopes."""

from typing import TYPE_CHECKING

import msgspec

from feverfew.errors import NotAllowed, ServerError, TooBusy
from feverfew.server.keys import digest_of
from feverfew.server.messages import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from feverfew.server.auth import Gate

__all__ = ["Keyed"]

_NEEDED = ("check", "read")
"""Agents have tools of both kinds, and one address for all of them."""


class Keyed:
    """Wraps an application; admits bearers of a key that allows all that it can do."""

    def __init__(self, app: "ASGIApp", gate: "Gate") -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "http" and not self._gate.open:
            try:
                self._admit(_bearer(scope))
            except TooBusy as error:
                await _refuse(send, 429, str(error), (b"retry-after", str(error.seconds).encode()))
                return
            except NotAllowed as error:
                status = 403 if error.known else 401
                await _refuse(send, status, str(error), (b"www-authenticate", b"Bearer"))
                return
            except ServerError:  # a file of keys that cannot be read
                await _refuse(send, 503, "no key can be looked up now", (b"retry-after", b"60"))
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


async def _refuse(send: "Send", status: int, why: str, header: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"application/json"), header]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(Problem(why))})
