"""What every interface talks to: a snapshot of the corpus, with a thread to check and one to read.

Checking takes long and runs in batches; pages and searches are quick and must not wait for it.
"""

import asyncio
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar, cast

from fastapi import Request
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.errors import CorpusChanged, TooBusy
from feverfew.render.audit import Settings
from feverfew.retrieve import Candidate
from feverfew.server.batching import Batcher
from feverfew.server.snapshot import Snapshot
from feverfew.types import Claim, Evidence, Page, Prediction, Report

if TYPE_CHECKING:
    from feverfew.server.auth import Authenticator
    from feverfew.server.metrics import Metrics

__all__ = ["Service", "State"]

T = TypeVar("T")
QUEUE = 256
"""Claims that may wait."""
_CHECK_BATCH = 8
"""Claims checked at a stretch: as many are finished although nobody waits for them any more. 32 at
once would take 6 % less time each."""
_READ_BATCH = 4
"""Searches done at a stretch: reading a page waits for no more than these."""


def _sort(kind: Hashable) -> Hashable:
    """Leave out from which snapshot something is wanted."""
    _, wanted = cast(tuple[Snapshot, Hashable], kind)
    return wanted


_pinned: ContextVar[Snapshot | None] = ContextVar("feverfew_pinned", default=None)


class Service:
    """Claims in, reports out, for many at once: the same calls as the library's, to be awaited.

    It serves one generation of the corpus until it is told to `reload`. Whoever holds a `pin` sees
    the same generation until they let go.
    """

    def __init__(self, snapshot: Snapshot, checking: Batcher, reading: Batcher) -> None:
        self._snapshot = snapshot
        self._checking = checking
        self._reading = reading
        self._reloading = asyncio.Lock()
        self._closing: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(
        cls,
        settings: Settings,
        on_batch: Callable[[Hashable, int], None] | None = None,
        *,
        queue: int = QUEUE,
        seconds: float = math.inf,
    ) -> "Service":
        """Open corpus and model; what could not be answered in so many seconds is refused."""
        snapshot = await asyncio.to_thread(Snapshot.open, settings)
        # What waits names the snapshot that it is to be answered from.
        checking = Batcher(
            lambda kind, things: kind[0].check(kind[1], things),  # type: ignore[index]
            capacity=queue,
            seconds=seconds,
            batch=_CHECK_BATCH,
            on_batch=on_batch,
            sort=_sort,
        )
        reading = Batcher(
            lambda kind, things: kind[0].read(kind[1], things),  # type: ignore[index]
            capacity=queue,
            batch=_READ_BATCH,
            seconds=seconds,
            sort=_sort,
        )
        return cls(snapshot, checking, reading)

    @property
    def snapshot(self) -> Snapshot:
        """What is served now or, to whoever holds a pin, what is pinned."""
        pinned = _pinned.get()
        same = pinned is not None and pinned.settings.corpus == self._snapshot.settings.corpus
        return pinned if pinned is not None and same else self._snapshot

    @property
    def newest(self) -> Snapshot:
        """What is served to whoever asks from now on."""
        return self._snapshot

    @property
    def settings(self) -> Settings:
        """How corpus and model were opened."""
        return self._snapshot.settings

    @property
    def waiting(self) -> int:
        """How many claims wait to be checked."""
        return self._checking.waiting

    @contextmanager
    def pin(self) -> Iterator[Snapshot]:
        """Keep to one generation, whatever is reloaded meanwhile."""
        snapshot = self.snapshot
        snapshot.users += 1
        token = _pinned.set(snapshot)
        try:
            yield snapshot
        finally:
            _pinned.reset(token)
            snapshot.users -= 1
            self._close_unused(snapshot)

    async def beside(self, path: str) -> "Service":
        """Serve another corpus with the same model, on the same threads."""
        snapshot = await asyncio.to_thread(self._snapshot.elsewhere, path)
        return Service(snapshot, self._checking, self._reading)

    async def retire(self) -> None:
        """Close a corpus that is served beside another, when nobody asks it any more."""
        while self._snapshot.users:
            await asyncio.sleep(0.05)
        await self._close_snapshot(self._snapshot)

    async def reload(self) -> bool:
        """Serve the newest state of the corpus; say whether it is another. The model stays.

        If it cannot be opened, this raises and the old state is served as before.
        """
        async with self._reloading:
            old = self._snapshot
            if await self._reading.run(old.is_newest):
                return False
            self._snapshot = await asyncio.to_thread(old.again)
            self._close_unused(old)
            return True

    def _close_unused(self, snapshot: Snapshot) -> None:
        if snapshot is not self._snapshot and not snapshot.users:
            task = asyncio.get_running_loop().create_task(self._close_snapshot(snapshot))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def _close_snapshot(self, snapshot: Snapshot) -> None:
        # Each on its thread, and so after the work that it may still be at for who gave up.
        await self._checking.run(snapshot.close_checker)
        await self._reading.run(snapshot.close_corpus)

    async def _ask(self, line: Batcher, kind: Hashable, things: Sequence[Any]) -> list[Any]:
        with self.pin() as pinned:
            try:
                return await line.ask((pinned, kind), things)
            except CorpusChanged:
                # What writers keep for readers, they keep for a day: there is no choice any more.
                await self.reload()
                raise TooBusy(
                    "the corpus was changed, and its old state is gone; ask again"
                ) from None

    async def _check(self, kind: Hashable, things: Sequence[Any]) -> list[Any]:
        return await self._ask(self._checking, kind, things)

    async def _read(self, kind: Hashable, things: Sequence[Any]) -> list[Any]:
        return await self._ask(self._reading, kind, things)

    async def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims, together with those of whoever else waits."""
        return await self._check("check", claims)

    async def predict(self, claims: Sequence[Claim], format: str) -> list[Prediction]:  # noqa: A002
        """Label claims in the way of a data set."""
        return await self._check(format, claims)

    async def retrieve(
        self, claims: Sequence[str], k: int, max_hops: int = 1
    ) -> list[list[Candidate]]:
        """Find the k best pages for each claim."""
        return await self._read(("search", max_hops, k), claims)

    async def evidence(self, claim: str, k: int) -> list[Evidence]:
        """Find the k sentences most likely to settle a claim."""
        found: list[list[Evidence]] = await self._read(("evidence", k), [claim])
        return found[0]

    async def page(self, title: str) -> Page:
        """Return a page by its title in any spelling, or by an alias."""
        found: list[Page] = await self._read("page", [title])
        return found[0]

    async def read(self, job: Callable[[Corpus], T]) -> T:
        """Do something with the corpus, on the thread that reads it."""
        found: list[T] = await self._read("corpus", [job])
        return found[0]

    async def run_job(self, job: Callable[[], Any]) -> Any:
        """Run something that takes a while and needs no checker."""
        return (await self._read("job", [job]))[0]

    async def close(self) -> None:
        """Finish what waits, then close corpus and threads."""
        if self._closing:
            await asyncio.wait(self._closing)
        await self._checking.close()
        await self._reading.close()
        self._snapshot.close_checker()
        self._snapshot.close_corpus()


class State(Struct, frozen=True, eq=False):
    """The service behind the doors, and what guards and counts."""

    service: "Service"
    auth: "Authenticator"
    metrics: "Metrics"
    seconds: float
    """How long an answer may take."""
    local: bool = False
    """Whether only this machine is answered, so that its paths may be named."""

    @staticmethod
    def of(request: Request) -> "State":
        """Return the state of the application, over the corpus that the address names."""
        found: State = request.scope["state"].get("chosen") or request.app.state.feverfew
        return found

    @staticmethod
    def note(request: Request, **facts: object) -> None:
        """Add facts to the request's line in the log."""
        request.scope["state"]["facts"].update(facts)
