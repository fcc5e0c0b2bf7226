"""Run a function over many payloads in worker processes, in order, with bounded memory.

Workers are plain `python -m feverfew.workers` processes that talk through pipes. Unlike
multiprocessing's, they never import the caller's main module, so a library user needs no
`if __name__ == "__main__"`, and a notebook works; they end with their parent, however it ends.

With a `Budget`, no payload can take more than its share: see `feverfew.worker_process`.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Self

import msgspec

from feverfew.errors import FeverfewError
from feverfew.worker_process import (
    Budget,
    Overrun,
    WorkerLost,
    WorkerProcess,
    progress,
    serve,
    take,
)

__all__ = ["Budget", "Overrun", "Skip", "Workers", "cores", "progress"]

Skip = Callable[[bytes, Overrun], bytes]
"""Makes the payload anew, without the item that overran its budget."""
_MOST_LOST = 3
"""Workers that may be lost over one payload: it may be to blame."""


def cores() -> int:
    """Count the cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """A pool of processes that all run the work that `factory(settings)` makes.

    `factory` is named by "module:function", and is called once in each worker. With a budget, a
    worker that overruns it is replaced, and whoever asked is told by `Overrun`.
    """

    def __init__(
        self, factory: str, settings: object, count: int, budget: Budget | None = None
    ) -> None:
        self._setup = msgspec.msgpack.encode((factory, settings, budget))
        self._budget = budget
        self._replaces = budget is not None
        self._count = count
        self._idle: SimpleQueue[WorkerProcess] = SimpleQueue()
        self._processes: list[WorkerProcess] = []
        self._closed = False

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(self._count)
        for _ in range(self._count):
            process = self._start()
            self._processes.append(process)
            self._idle.put(process)
        for process in self._processes:
            process.set_up(self._setup)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closed = True
        if kind is not None:
            for process in self._processes:
                process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.release()

    def _start(self, *, fresh: bool = False) -> WorkerProcess:
        return WorkerProcess(self._budget) if fresh else take(self._budget)

    def map(self, payloads: Iterable[bytes], skip: Skip | None = None) -> Iterator[bytes]:
        waiting: deque[Future[bytes]] = deque()
        for payload in payloads:
            waiting.append(self._threads.submit(self._call, payload, skip))
            if len(waiting) > 2 * self._count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def stream(self, payload: bytes) -> Iterator[bytes]:
        process = self._idle.get()
        try:
            process.ask(payload)
            while (answer := process.answer()) is not None:
                yield answer
        finally:
            if process.busy:  # it overran, or is in the midst of what nobody wants any more
                process = self._replace(process)
            self._idle.put(process)

    def _call(self, payload: bytes, skip: Skip | None) -> bytes:
        tried: Overrun | None = None
        lost = 0
        while True:
            process = self._idle.get()
            try:
                return self._answer(process, payload, tried)
            except Overrun as overrun:
                process = self._replace(process)
                if skip is None:
                    raise
                if overrun.may_pass and tried is None:
                    tried = overrun
                else:
                    payload, tried = skip(payload, overrun), None
            except WorkerLost:
                lost += 1
                if lost > _MOST_LOST:
                    raise
                process = self._replace(process)
            finally:
                self._idle.put(process)

    def _answer(self, process: WorkerProcess, payload: bytes, tried: Overrun | None) -> bytes:
        process.ask(payload, tried)
        answer = process.answer()
        if answer is None or process.answer() is not None:
            raise FeverfewError("a worker process must give one answer to each payload")
        return answer

    def _replace(self, process: WorkerProcess) -> WorkerProcess:
        """Put a new process in the place of one that has ended, or is of no more use."""
        process.kill()
        process.release()
        if not self._replaces or self._closed:
            return process  # its end is an error: nobody will ask again
        new = self._start(fresh=True)
        self._processes[self._processes.index(process)] = new
        new.set_up(self._setup)
        return new


if __name__ == "__main__":
    serve()
