"""One thread at work, and what waits for it: requests that wait together are answered together.

Whoever asks waits for an answer of their own, so answers cannot be mixed up. Clients, and what
they ask for, take turns, so that nobody waits for all that another has asked. What waits is bounded
by what it costs, in claims and characters: who could not be answered in time is told at once when
to come back.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

from msgspec import Struct

from feverfew.errors import TooBusy

__all__ = ["Batcher", "Work", "client"]

Work = Callable[[Hashable, Sequence[Any]], Sequence[Any]]
"""Answers things of one kind, a batch at a time: as many answers as things, in their order."""

_SMOOTHING = 0.05
_MARGIN = 0.5
"""Of the time that an answer may take: what is expected to take longer is refused."""
_CHARACTERS = 400
"""A thing costs one unit for as many characters; the usual claim has fewer."""

client: ContextVar[str] = ContextVar("client", default="")
"""Who asks: the name of a key, or an address."""


class _Waiting(Struct, eq=False):
    """Something that waits for its answer; things of the same kind may share a batch."""

    kind: Hashable
    thing: Any
    answer: "asyncio.Future[Any]"
    cost: float = 1.0


def _cost(thing: Any) -> float:
    text = thing if isinstance(thing, str) else getattr(thing, "text", "")
    return max(1.0, len(text) / _CHARACTERS)


class Batcher:
    """Lets one thread work on whatever waits: each client's in its order, clients in turn."""

    def __init__(
        self,
        work: Work,
        *,
        capacity: int = 256,
        batch: int = 32,
        seconds: float = math.inf,
        on_batch: Callable[[Hashable, int], None] | None = None,
    ) -> None:
        self._work = work
        self._capacity = capacity
        self._batch = batch
        self._seconds = seconds
        """How long an answer may take: who would wait longer is refused."""
        self._on_batch = on_batch
        self._lines: dict[tuple[str, Hashable], deque[_Waiting]] = {}
        """What waits, by client and kind; the next in turn first."""
        self._at_work = 0.0
        """What the batch under way costs."""
        self._began = 0.0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="feverfew")
        self._pump: asyncio.Task[None] | None = None
        self._pace = 0.1
        """Seconds that a unit takes, as far as seen."""

    @property
    def waiting(self) -> int:
        """How many things wait and are not being worked on."""
        return sum(not one.answer.done() for line in self._lines.values() for one in line)

    async def run(self, job: Callable[[], Any]) -> Any:
        """Run something else on the same thread: opening, closing."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def ask(self, kind: Hashable, things: Sequence[Any]) -> list[Any]:
        """Wait for the answers to things; raise TooBusy at once if there is no room for them."""
        self._admit(things)
        loop = asyncio.get_running_loop()
        own = [_Waiting(kind, thing, loop.create_future(), _cost(thing)) for thing in things]
        self._lines.setdefault((client.get(), kind), deque()).extend(own)
        if self._pump is None or self._pump.done():
            self._pump = loop.create_task(self._drain())
        try:
            return await asyncio.gather(*(one.answer for one in own))
        finally:
            for one in own:  # of one that failed or was given up, nobody wants the rest
                one.answer.cancel()

    def _admit(self, things: Sequence[Any]) -> None:
        """Refuse what could not be answered in time, or for which there is no room."""
        costs = [one.cost for line in self._lines.values() for one in line if not one.answer.done()]
        ahead = sum(costs) + self._at_work
        if not ahead:
            return  # nobody else waits: whether it takes too long, only trying it can say
        own = sum(map(_cost, things))
        if self._at_work:  # the batch under way may show that it is slower than before
            self._pace = max(self._pace, (time.perf_counter() - self._began) / self._at_work)
        late = self._pace * (ahead + own) - _MARGIN * self._seconds
        if late > 0 or (costs and sum(costs) + own > self._capacity):
            over = self._pace * max(0.0, ahead + own - self._capacity)
            seconds = max(1, math.ceil(max(late, over)))
            raise TooBusy(f"{len(costs)} claims are waiting; try again later", seconds)

    async def _drain(self) -> None:
        while group := self._next_group():
            self._at_work, self._began = sum(one.cost for one in group), time.perf_counter()
            await self._answer(group)
            self._at_work = 0.0

    def _next_group(self) -> list[_Waiting]:
        """Take from those whose turn it is, one after the other, what is of one kind and wanted."""
        group: list[_Waiting] = []
        kind: Hashable = None
        cost = 0.0
        while cost < self._batch:
            before = len(group)
            for name in list(self._lines):
                line = self._lines[name]
                while line and line[0].answer.done():
                    line.popleft()
                if not line:
                    del self._lines[name]
                elif cost < self._batch and (not group or name[1] == kind):
                    kind = name[1]
                    group.append(line.popleft())
                    cost += group[-1].cost
                    self._lines[name] = self._lines.pop(name)  # the others come first now
            if len(group) == before:
                break
        return group

    async def _answer(self, group: list[_Waiting]) -> None:
        loop = asyncio.get_running_loop()
        kind, things = group[0].kind, [one.thing for one in group]
        start = time.perf_counter()
        done = loop.run_in_executor(self._thread, self._worked, kind, things)
        await asyncio.wait([done])
        if self._on_batch is not None:
            self._on_batch(kind, len(group))
        pace = (time.perf_counter() - start) / sum(one.cost for one in group)
        # Slower at once, faster by and by: who is let in must be answered in time.
        self._pace = max(pace, self._pace + _SMOOTHING * (pace - self._pace))
        error = done.exception()
        if error is not None and len(group) > 1:
            for one in group:  # so that the error goes to the one that it belongs to
                await self._answer([one])
            return
        answers = [None] if error is not None else done.result()
        for one, answer in zip(group, answers, strict=True):
            if one.answer.done():
                continue
            if error is not None:
                one.answer.set_exception(error)
            else:
                one.answer.set_result(answer)

    def _worked(self, kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        """Work, on the thread; whoever waits must not wait for an answer that never comes."""
        answers = self._work(kind, things)
        if len(answers) != len(things):
            raise RuntimeError(f"{len(things)} things of kind {kind!r}, {len(answers)} answers")
        return answers

    async def close(self) -> None:
        """Finish what waits, then let the thread go."""
        if self._pump is not None:
            await asyncio.wait([self._pump])
        self._thread.shutdown()
