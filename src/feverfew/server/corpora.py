"""Several corpora behind one server: /c/NAME/… is the whole site, and the API, over corpus NAME.

A corpus is shared, one that the server was started with, or private: made of someone's own files,
and found by nobody else.
"""

import asyncio
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import Request
from msgspec import Struct
from msgspec.structs import replace

from feverfew.errors import FeverfewError, NotFound
from feverfew.server.keys import digest_of
from feverfew.server.library import Library, PrivateCorpus
from feverfew.server.service import Service, State

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_PREFIX = "/c/"
_MOST_OPEN = 16
"""Further corpora that are kept open; beyond, the one that was asked longest ago is closed."""
_LOCAL = "local"
"""The owner where no keys are asked for."""

BASE: ContextVar[str] = ContextVar("base", default="")
"""What stands before every address of the page that is written: "" or "/c/NAME"."""


class Choice(Struct, frozen=True):
    """A corpus that someone may choose."""

    name: str
    """"" for the one that the server was started with."""
    label: str
    path: str
    private: PrivateCorpus | None = None

    @property
    def base(self) -> str:
        """What stands before its addresses."""
        return f"{_PREFIX}{self.name}" if self.name else ""


class Corpora:
    """The corpora of a server, and whose they are."""

    def __init__(self, main: Path, others: Iterable[Path] = (), library: Library | None = None):
        self._shared = [Choice("", _label(main), "")]
        for path in others:
            name = f"s{sha256(str(path).encode()).hexdigest()[:8]}"
            self._shared.append(Choice(name, _label(path), str(path)))
        self.library = library
        self._services: dict[str, Service] = {}
        """Of the corpora that were asked, by path, those asked last at the end."""
        self._opening = asyncio.Lock()
        self._retiring: set[asyncio.Task[None]] = set()

    @staticmethod
    def of(request: Request) -> "Corpora":
        """Return those of the application that a request came to."""
        found: Corpora = request.app.state.corpora
        return found

    def owner(self, request: Request) -> str:
        """Name whoever asks: a key that the browser or the program has shown; else this machine."""
        state: State = request.app.state.feverfew
        if state.auth.open:
            return _LOCAL
        digest: str = request.app.state.site.sessions.digest(request)
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if not digest and kind.lower() == "bearer":
            digest = digest_of(token.strip())
        # Not the digest itself: that of a key must not become the name of a folder.
        return sha256(f"owner:{digest}".encode()).hexdigest()[:32] if digest else ""

    def choices(self, request: Request) -> list[Choice]:
        """List what can be asked: the shared corpora, and one's own that are built."""
        found = list(self._shared)
        owner = self.owner(request)
        if self.library is not None and owner:
            for one in self.library.of(owner):
                if self.library.is_built(one):
                    path = str(self.library.path(one))
                    found.append(Choice(one.name, one.label, path, one))
        return found

    async def service(self, main: Service, path: str) -> Service:
        """Return what serves a further corpus, in its newest state."""
        async with self._opening:
            found = self._services.pop(path, None) or await main.beside(path)
            self._services[path] = found
            for old in list(self._services)[:-_MOST_OPEN]:
                task = asyncio.create_task(self._services.pop(old).retire())
                self._retiring.add(task)
                task.add_done_callback(self._retiring.discard)
        await found.reload()
        return found

    async def retire(self, path: str) -> None:
        """Close a further corpus, which is about to go."""
        if (found := self._services.pop(path, None)) is not None:
            await found.retire()

    async def close(self) -> None:
        """Close all further corpora."""
        await asyncio.gather(*self._retiring)
        for path in list(self._services):
            await self.retire(path)

    def find(self, request: Request, name: str) -> Choice:
        """Return a corpus by its name in the address."""
        for choice in self.choices(request):
            if choice.name == name and name:
                return choice
        raise NotFound("there is no such corpus, or it belongs to someone else")


def _label(path: Path) -> str:
    """Name a corpus after its directory: 'my.corpus' → 'my'."""
    if path.name.startswith("sample-"):
        return "Sample encyclopedia"
    return path.name.removesuffix(".corpus") or str(path)


class CorpusMiddleware:
    """Wraps an application: takes /c/NAME off an address, and lets State.of know the corpus."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        if scope["type"] != "http" or not scope["path"].startswith(_PREFIX):
            await self._app(scope, receive, send)
            return
        name, slash, rest = scope["path"][len(_PREFIX) :].partition("/")
        kept = scope.setdefault("state", {})
        scope = {**scope, "path": f"/{rest}" if slash else "/"}
        scope.pop("raw_path", None)
        token = BASE.set("")
        try:
            request = Request(scope, receive)
            choice = Corpora.of(request).find(request, name)
            own: State = request.app.state.feverfew
            service = await Corpora.of(request).service(own.service, choice.path)
            kept["chosen"] = replace(own, service=service)
            kept["choice"] = choice
            BASE.set(choice.base)
            pin: AbstractContextManager[object] = service.pin()
        except FeverfewError as error:
            # The application answers, so that the error becomes a page, or JSON, like any other.
            kept["refused"] = error
            scope["path"] = REFUSED
            pin = nullcontext()
        try:
            with pin:
                await self._app(scope, receive, send)
        finally:
            BASE.reset(token)


REFUSED = "/c"
"""Where a request goes whose corpus cannot be opened."""
