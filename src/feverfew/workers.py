"""Run a function over many payloads in worker processes, in order, with bounded memory.

Workers are plain `python -m feverfew.workers` processes that talk through pipes. Unlike
multiprocessing's, they never import the caller's main module, so a library user needs no
`if __name__ == "__main__"`, and a notebook works; they end with their parent, however it ends.
"""

import gc
import os
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from types import TracebackType
from typing import IO

import msgspec

from feverfew.errors import FeverfewError

__all__ = ["Workers", "cores"]

Work = Callable[[bytes], bytes]
_PIPE = 1 << 20
"""Room for a whole payload where the system grants it, so that no one waits for the other."""
_DONE, _FAILED = b"\x00", b"\x01"


def cores() -> int:
    """Count the cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """A pool of processes that all run the work that `factory(settings)` makes.

    `factory` is named by "module:function", and is called once in each worker.
    """

    def __init__(self, factory: str, settings: object, count: int) -> None:
        self._factory = factory
        self._setup = msgspec.msgpack.encode((factory, settings))
        self._count = count
        self._idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "Workers":
        self._threads = ThreadPoolExecutor(self._count)
        for _ in range(self._count):
            process = subprocess.Popen(
                [sys.executable, "-m", "feverfew.workers"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pipesize=_PIPE,
                start_new_session=True,  # Ctrl-C reaches us alone; they end when we do
            )
            self._processes.append(process)
            self._idle.put(process)
        for process in self._processes:
            with suppress(BrokenPipeError):  # it has ended: the first call will say so
                _send(_pipe(process.stdin), self._setup)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            for process in self._processes:
                process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.communicate()

    def map(self, payloads: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the result for each payload, in order; at most a few are under way at once."""
        waiting: deque[Future[bytes]] = deque()
        for payload in payloads:
            waiting.append(self._threads.submit(self._call, payload))
            if len(waiting) > 2 * self._count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _call(self, payload: bytes) -> bytes:
        process = self._idle.get()
        try:
            _send(_pipe(process.stdin), payload)
            answer = _receive(_pipe(process.stdout))
        except BrokenPipeError:
            answer = None
        finally:
            self._idle.put(process)
        if answer is None:
            code = process.wait()
            raise FeverfewError(
                f"a worker process ended unexpectedly (exit code {code}); "
                "if memory ran out, use fewer with --workers"
            )
        if answer[:1] == _FAILED:
            raise FeverfewError(f"a worker process failed:\n{answer[1:].decode()}")
        return answer[1:]


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise FeverfewError("a worker process has no pipe")
    return stream


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(len(message).to_bytes(8, "little"))
    stream.write(message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    size = stream.read(8)
    if len(size) < 8:
        return None
    message = stream.read(int.from_bytes(size, "little"))
    return message if len(message) == int.from_bytes(size, "little") else None


def _serve() -> None:
    """Answer payloads on stdin until it closes."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not break the frames
    setup = _receive(requests)
    if setup is None:
        return
    factory, settings = msgspec.msgpack.decode(setup)
    module, _, function = factory.partition(":")
    work: Work = getattr(import_module(module), function)(settings)
    gc.freeze()  # what is loaded by now stays: the collector need not look at it again
    gc.set_threshold(100_000)
    while (payload := _receive(requests)) is not None:
        try:
            answer = _DONE + work(payload)
        except Exception:  # noqa: BLE001 - whatever it is, the parent must hear of it
            answer = _FAILED + traceback.format_exc().encode()
        try:
            _send(answers, answer)
        except BrokenPipeError:
            os._exit(1)  # the parent has gone: no one is left to tell


if __name__ == "__main__":
    _serve()
