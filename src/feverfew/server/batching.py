"""One thread at work, and what waits for it: requests that wait together are answered together.

Whoever asks waits for an answer of their own, so answers cannot be mixed up. Clients, and what
they ask for, take turns, so that nobody waits for all that another has asked. What waits is bounded
by what it costs, in claims and characters: who could not be answered in time is told at once when
to come back. What nobody waits for any more is not begun; of what is under way, the batch is
finished, so batches are small.
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

_MARGIN = 0.4
"""Of the time that an answer may take: no more work than this is let in. Who has waited as long
goes first, before clients that came later and would have their turn. So nobody waits for more than
twice this share, and the rest is left for work that turns out slower than before."""
_FIRST_PACE = 0.1
"""Seconds that a unit is taken to last before any was seen."""
_CHARACTERS = 400
"""A thing costs one unit for as many characters; the usual claim has fewer."""

client: ContextVar[str] = ContextVar("client", default="")
"""Who asks: the name of a key, or an address."""


class _Waiting(Struct, eq=False):
    """Something that waits for its answer; things of the same kind may share a batch."""

    kind: Hashable
    thing: Any
    answer: "asyncio.Future[Any]"
    cost: float
    since: float


def _cost(thing: Any) -> float:
    text = thing if isinstance(thing, str) else getattr(thing, "text", "")
    return max(1.0, len(text) / _CHARACTERS)


class _Pace(Struct):
    """Seconds that a unit takes, as far as seen: a mean and a deviation, smoothed as TCP does it
    with round trips (RFC 6298)."""

    mean: float
    deviation: float

    def seen(self, seconds: float) -> None:
        self.deviation += (abs(seconds - self.mean) - self.deviation) / 4
        self.mean += (seconds - self.mean) / 8

    @property
    def expected(self) -> float:
        return self.mean + self.deviation


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
        sort: Callable[[Hashable], Hashable] = lambda kind: kind,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._work = work
        self._clock = clock
        self._sort = sort
        """What kinds have in common that take equally long."""
        self._capacity = capacity
        self._batch = batch
        self._seconds = seconds
        """How long an answer may take: who would wait longer is refused."""
        self._on_batch = on_batch
        self._lines: dict[tuple[str, Hashable], deque[_Waiting]] = {}
        """What waits, by client and kind; the next in turn first."""
        self._at_work: list[_Waiting] = []
        """The batch under way."""
        self._began = 0.0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="feverfew")
        self._pump: asyncio.Task[None] | None = None
        self._pace: dict[Hashable, _Pace] = {}
        """Each sort has its own: a search takes far longer than a page."""

    @property
    def waiting(self) -> int:
        """How many things wait and are not being worked on."""
        return sum(not one.answer.done() for line in self._lines.values() for one in line)

    async def run(self, job: Callable[[], Any]) -> Any:
        """Run something else on the same thread: opening, closing."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def ask(self, kind: Hashable, things: Sequence[Any]) -> list[Any]:
        """Wait for the answers to things; raise TooBusy at once if there is no room for them."""
        self._admit(kind, things)
        loop = asyncio.get_running_loop()
        now = self._clock()
        own = [_Waiting(kind, thing, loop.create_future(), _cost(thing), now) for thing in things]
        self._lines.setdefault((client.get(), kind), deque()).extend(own)
        if self._pump is None or self._pump.done():
            self._pump = loop.create_task(self._drain())
        try:
            return await asyncio.gather(*(one.answer for one in own))
        finally:
            for one in own:  # of one that failed or was given up, nobody wants the rest
                one.answer.cancel()

    def _admit(self, kind: Hashable, things: Sequence[Any]) -> None:
        """Refuse what could not be answered in time, or for which there is no room."""
        waiting = [one for line in self._lines.values() for one in line if not one.answer.done()]
        if not waiting and not self._at_work:
            return  # nobody else waits: whether it takes too long, only trying it can say
        own = sum(map(_cost, things))
        ahead = sum(self._expected(one.kind, one.cost) for one in (*waiting, *self._at_work))
        late = ahead + self._expected(kind, own) - _MARGIN * self._seconds
        units = sum(one.cost for one in waiting)
        over = units + own - self._capacity if waiting else 0.0
        if late > 0 or over > 0:
            seconds = max(1, math.ceil(max(late, self._expected(kind, over))))
            raise TooBusy(f"{len(waiting)} claims are waiting; try again later", seconds)

    def _expected(self, kind: Hashable, cost: float) -> float:
        """Say how many seconds something takes; the batch under way may be slower than others."""
        sort = self._sort(kind)
        pace = self._pace[sort].expected if sort in self._pace else _FIRST_PACE
        if self._at_work and self._sort(self._at_work[0].kind) == sort:
            spent = self._clock() - self._began
            pace = max(pace, spent / sum(one.cost for one in self._at_work))
        return cost * pace

    async def _drain(self) -> None:
        while group := self._next_group():
            self._at_work, self._began = group, self._clock()
            await self._answer(group)
            self._at_work = []

    def _next_group(self) -> list[_Waiting]:
        """Take from those whose turn it is, one after the other, what is of one kind and wanted."""
        self._overdue_first()
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

    def _overdue_first(self) -> None:
        """Give the next turns to those who have waited longest, if that is too long."""
        limit = self._clock() - _MARGIN * self._seconds
        overdue = [name for name, line in self._lines.items() if line and line[0].since < limit]
        overdue.sort(key=lambda name: self._lines[name][0].since)
        self._lines = {name: self._lines[name] for name in dict.fromkeys((*overdue, *self._lines))}

    async def _answer(self, group: list[_Waiting]) -> None:
        loop = asyncio.get_running_loop()
        kind, things = group[0].kind, [one.thing for one in group]
        start = self._clock()
        done = loop.run_in_executor(self._thread, self._worked, kind, things)
        await asyncio.wait([done])
        if self._on_batch is not None:
            self._on_batch(kind, len(group))
        pace = (self._clock() - start) / sum(one.cost for one in group)
        self._pace.setdefault(self._sort(kind), _Pace(pace, pace / 2)).seen(pace)
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
