"""One thread at work, and what waits for it: requests that wait together are answered together.

Whoever asks waits for an answer of their own, so answers cannot be mixed up. The line is bounded:
who comes when it is full is told when to come back, instead of waiting for ever.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from msgspec import Struct

from feverfew.errors import TooBusy

__all__ = ["Batcher", "Work"]

Work = Callable[[Hashable, Sequence[Any]], Sequence[Any]]
"""Answers things of one kind, a batch at a time: as many answers as things, in their order."""

_SMOOTHING = 0.2


class _Waiting(Struct, eq=False):
    """Something that waits for its answer; things of the same kind may share a batch."""

    kind: Hashable
    thing: Any
    answer: "asyncio.Future[Any]"


class Batcher:
    """Lets one thread work on whatever waits, in the order in which it came."""

    def __init__(
        self,
        work: Work,
        *,
        capacity: int = 256,
        batch: int = 32,
        on_batch: Callable[[Hashable, int], None] | None = None,
    ) -> None:
        self._work = work
        self._capacity = capacity
        self._batch = batch
        self._on_batch = on_batch
        self._line: deque[_Waiting] = deque()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="feverfew")
        self._pump: asyncio.Task[None] | None = None
        self._pace = 0.1
        """Seconds that one thing takes, as far as seen."""

    @property
    def waiting(self) -> int:
        """How many things wait and are not being worked on."""
        return len(self._line)

    async def run(self, job: Callable[[], Any]) -> Any:
        """Run something else on the same thread: opening, closing."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def ask(self, kind: Hashable, things: Sequence[Any]) -> list[Any]:
        """Wait for the answers to things; raise TooBusy at once if there is no room for them."""
        if self._line and len(self._line) + len(things) > self._capacity:
            seconds = max(1, round(self._pace * len(self._line)))
            raise TooBusy(f"{len(self._line)} claims are waiting; try again later", seconds)
        loop = asyncio.get_running_loop()
        own = [_Waiting(kind, thing, loop.create_future()) for thing in things]
        self._line.extend(own)
        if self._pump is None or self._pump.done():
            self._pump = loop.create_task(self._drain())
        try:
            return await asyncio.gather(*(one.answer for one in own))
        finally:
            for one in own:  # of one that failed or was given up, nobody wants the rest
                one.answer.cancel()

    async def _drain(self) -> None:
        while group := self._next_group():
            await self._answer(group)

    def _next_group(self) -> list[_Waiting]:
        """Take what is of the same kind as the head of the line, and still wanted."""
        group: list[_Waiting] = []
        others: deque[_Waiting] = deque()
        while self._line and len(group) < self._batch:
            head = self._line.popleft()
            if head.answer.done():
                continue
            (others if group and head.kind != group[0].kind else group).append(head)
        others.extend(self._line)
        self._line = others
        return group

    async def _answer(self, group: list[_Waiting]) -> None:
        loop = asyncio.get_running_loop()
        kind, things = group[0].kind, [one.thing for one in group]
        start = time.perf_counter()
        done = loop.run_in_executor(self._thread, self._worked, kind, things)
        await asyncio.wait([done])
        if self._on_batch is not None:
            self._on_batch(kind, len(group))
        pace = (time.perf_counter() - start) / len(group)
        self._pace += _SMOOTHING * (pace - self._pace)
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
