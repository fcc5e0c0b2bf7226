"""One worker process, seen from both sides, and the budget that its parent holds it to.

What foreign files can make a library do is not to be foreseen: a reader may take hours, all
memory, or crash. So the work is done in a process that can be ended. It says which item of its
payload it is at (`progress`), in memory that both sides see. The system ends it when one item takes
more than its share of processor time, which a busy machine does not shorten, and refuses it more
memory; the parent ends it when it does nothing for long, and learns the place. Ending is safe at
any moment: a worker holds nothing that another process needs.
"""

import atexit
import gc
import mmap
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import IO

import msgspec
from msgspec import Struct

from feverfew import errors
from feverfew.errors import CorpusError, FeverfewError

_PIPE = 1 << 20
"""Room for a whole payload where the system grants it, so that no one waits for the other."""
_MORE, _DONE, _REFUSED, _FAILED = b"+", b".", b"!", b"?"
_SETUP, _PAYLOAD = b"s", b"p"
_OUT_OF_MEMORY, _NOT_SET_UP = 87, 86
"""Exit codes of a worker that was refused memory (in what state it is, nobody knows), or cannot
begin."""
_LOOK = 0.1
_SETUP_SECONDS = 120.0
_WAITING = 12.0
"""How many times its processor time an item may take by the clock: it may wait for a disk, or for
its turn on a busy machine."""
_SECOND_TRY = 0.25
"""The share of its time that an item has at least when it is tried again."""

Work = Callable[[bytes], bytes | Iterator[bytes]]
"""What a worker does with a payload: one answer, or several."""
_PLACE = struct.Struct("<q")
_LIMIT = struct.Struct("<qd")
"""An item that was tried before, and the seconds that are left to it."""


class Budget(Struct, frozen=True):
    """What one item may cost."""

    seconds: float = 10.0
    """Of processor time, whatever else the machine has to do."""
    memory: int = 512 << 20
    """Bytes that the process may use, where the system can hold it to that (Linux can)."""
    answer: int = 128 << 20
    """Bytes that an answer may have."""


class Overrun(FeverfewError):
    """An item took more than its budget, or its worker ended; the place says which item."""

    def __init__(
        self, why: str, place: int = 0, may_pass: bool = False, seconds: float = 0.0
    ) -> None:
        super().__init__(why, place, may_pass, seconds)
        self.why, self.place = why, place
        self.may_pass = may_pass
        """Whether a fresh process may be able to do it."""
        self.seconds = seconds
        """How long it took."""

    def __str__(self) -> str:
        return self.why


class WorkerLost(FeverfewError):
    """A worker is gone, and not by its own doing: another one may do the work."""


@contextmanager
def _temporary_file(size: int) -> Iterator[int]:
    """Make a nameless file of so many zeros, and give its descriptor."""
    try:
        with tempfile.TemporaryFile(buffering=0) as made:
            made.write(bytes(size))
            yield made.fileno()
    except OSError as error:
        raise CorpusError(f"cannot start a worker ({error}); is the disk full?") from None


class WorkerProcess:
    """A worker, as its parent sees it."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget
        self.fresh = True
        """Whether it has not answered yet."""
        self.busy = False
        """Whether it is at work on a payload."""
        self.owner = os.getpid()
        with _temporary_file(_PLACE.size) as shared:
            self._place = mmap.mmap(shared, _PLACE.size)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "feverfew.workers", str(shared)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                pipesize=_PIPE,
                pass_fds=(shared,),
                start_new_session=True,  # Ctrl-C reaches us alone; they end when we do
            )
        self.pid = self._process.pid
        self._setting_up = False
        self._broken = False

    def set_up(self, setup: bytes) -> None:
        """Say what to do with payloads."""
        self._setting_up = True
        self._send(_SETUP + setup)

    def ask(self, payload: bytes, tried: Overrun | None = None) -> None:
        """Send a payload; an item that was tried before has what is left of its time."""
        self.busy = True
        if self._setting_up:  # starting takes a while on a busy machine, and is no item's fault
            self._receive(_SETUP_SECONDS)
            self._setting_up = False
        limit = _LIMIT.pack(-1, 0.0)
        if tried is not None and self.budget is not None:
            whole = self.budget.seconds
            limit = _LIMIT.pack(tried.place, max(whole - tried.seconds, _SECOND_TRY * whole))
        self._send(_PAYLOAD + limit + payload)

    def answer(self) -> bytes | None:
        """Return the next answer to a payload, None after the last one.

        Raise Overrun when the budget is spent, and the error that the work raised, if it is ours.
        """
        message = self._receive()
        kind, body = message[:1], message[1:]
        self.fresh, self.busy = False, kind == _MORE
        if kind == _MORE:
            return body
        if kind == _DONE:
            return None
        if kind == _REFUSED:
            raise _as_error(body)
        raised = body.decode(errors="replace")
        if self.budget is None:
            raise FeverfewError(f"a worker process failed:\n{raised}")
        last = raised.strip().rpartition("\n")[2]
        raise Overrun(f"reading it failed ({last})", self.place)

    @property
    def place(self) -> int:
        """At which item the worker is."""
        place: int = _PLACE.unpack(self._place[:])[0]
        return place

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        return self._process.poll()

    def kill(self) -> None:
        """End it now."""
        self._broken = True
        with suppress(ProcessLookupError):
            self._process.kill()

    def release(self) -> None:
        """Let it go: keep one that is of use to others, end all others."""
        if (self.busy or self._setting_up) and self.budget is not None:
            self.kill()  # whatever it is at, nobody waits for it
        if self.budget is not None and not self._broken and self.poll() is None and _keep(self):
            return
        self.end()

    def end(self) -> None:
        """Let it end by itself, and wait for that."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()
        self._place.close()

    def _send(self, message: bytes) -> None:
        view = memoryview(len(message).to_bytes(8, "little") + message)
        self._place[:] = _PLACE.pack(0)
        file = self._process.stdin
        try:
            while file is not None and view:
                view = view[file.write(view) or 0 :]
        except BrokenPipeError:
            pass  # it has ended: whoever waits for the answer will be told

    def _receive(self, seconds: float | None = None) -> bytes:
        clock = _Clock(self, seconds)
        size = int.from_bytes(self._read(8, clock), "little")
        if self.budget is not None and size > self.budget.answer:
            self.kill()
            limit = self.budget.answer >> 20
            raise Overrun(f"what it becomes is larger than {limit} MB", self.place)
        return self._read(size, clock)

    def _read(self, size: int, clock: "_Clock") -> bytes:
        file = self._process.stdout
        found = bytearray()
        while len(found) < size:
            clock.wait()
            piece = file.read(min(size - len(found), _PIPE)) if file is not None else b""
            if not piece:
                raise self._ended(clock.seconds)
            found += piece
        return bytes(found)

    def _ended(self, seconds: float) -> FeverfewError:
        """Say why a worker ended, or was ended by the system, at an item that took so long."""
        self._broken = True
        code = self._process.wait()
        if self.budget is None or code == _NOT_SET_UP:
            return FeverfewError(
                f"a worker process ended unexpectedly (exit code {code}); "
                "if memory ran out, use fewer with --workers"
            )
        if code == -signal.SIGPROF:
            return Overrun(f"it takes longer than {self.budget.seconds:g} s", self.place)
        if code == _OUT_OF_MEMORY:
            limit = self.budget.memory >> 20
            why = f"it needs more than {limit} MB of memory"
            # What went before may have used up some of it.
            return Overrun(why, self.place, not self.fresh, seconds)
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Overrun(f"reading it ended the process ({how})", self.place, True, seconds)

    def give_up(self, seconds: float) -> Overrun:
        """End it because it has not moved for so long."""
        place = self.place
        self.kill()
        return Overrun(f"it has not ended after {seconds:g} s", place)

    @property
    def stdout(self) -> int:
        """The descriptor on which answers come."""
        return self._process.stdout.fileno() if self._process.stdout else -1


class _Clock:
    """Waits for a worker to say something, no longer than an item may take by the clock."""

    def __init__(self, process: WorkerProcess, seconds: float | None) -> None:
        self._process = process
        self._limit = (seconds or _WAITING * process.budget.seconds) if process.budget else None
        self._poll = select.poll()
        self._poll.register(process.stdout, select.POLLIN)
        self._place, self._since = process.place, time.monotonic()

    def wait(self) -> None:
        if self._limit is None:
            return  # reading waits by itself
        while not self._poll.poll(1e3 * min(_LOOK, self._limit)):
            place, now = self._process.place, time.monotonic()
            if place != self._place:
                self._place, self._since = place, now
            elif now - self._since > self._limit:
                raise self._process.give_up(self._limit)

    @property
    def seconds(self) -> float:
        """How long the worker has been at its item."""
        return time.monotonic() - self._since


# Starting Python takes longer than most small tasks: one process that has done its work waits for
# the next.
_kept: list[WorkerProcess] = []
_guard = threading.Lock()
_KEPT = 2


def take(budget: Budget | None) -> WorkerProcess:
    """Return a process that waits for work, or a new one."""
    with _guard:
        while budget is not None and _kept:
            process = _kept.pop()
            if process.poll() is None:
                process.budget = budget
                return process
            process.end()
    return WorkerProcess(budget)


def _keep(process: WorkerProcess) -> bool:
    with _guard:
        if len(_kept) < _KEPT and process.owner == os.getpid():
            _kept.append(process)
            return True
    return False


@atexit.register
def end_kept() -> None:
    """End the processes that wait for work."""
    while _kept:
        _kept.pop().end()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_kept.clear)  # they are the parent's


def _as_error(body: bytes) -> FeverfewError:
    """Make the error anew that a worker raised: one of our tree, from plain values."""
    name, args = msgspec.msgpack.decode(body)
    made = getattr(errors, name)(*args)
    return made if isinstance(made, FeverfewError) else FeverfewError(name)


# From here on: the worker's own side.

_shared: mmap.mmap | None = None
_seconds = 0.0
"""Of processor time, for an item; 0 without a budget."""
_tried: tuple[int, float] = (-1, 0.0)


def progress(place: int) -> None:
    """Say at which item of its payload this worker is; elsewhere than in a worker, nothing."""
    if _shared is not None:
        _PLACE.pack_into(_shared, 0, place)
        if _seconds:
            _arm(_tried[1] if place == _tried[0] else _seconds)


def serve() -> None:
    """Answer payloads on stdin until it closes."""
    global _shared, _tried
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not break the frames
    number = int(sys.argv[1])
    _shared = mmap.mmap(number, _PLACE.size)
    os.close(number)
    work: Work = bytes
    try:
        while (message := _read_message(requests)) is not None:
            if message[:1] == _SETUP:
                work = _set_up(message[1:])
                _send(answers, _DONE)
                answers.flush()
            else:
                _tried = _LIMIT.unpack_from(message, 1)
                _answer(work, message[1 + _LIMIT.size :], answers)
            _arm(0)
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    except BrokenPipeError:
        os._exit(1)  # the parent has gone: no one is left to tell


def _arm(seconds: float) -> None:
    """Let the system end this process after so much work; 0 for never."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    # Should the parent be gone by then, nobody else would end what waits for ever.
    signal.setitimer(signal.ITIMER_REAL, 2 * _WAITING * seconds)


def _answer(work: Work, payload: bytes, answers: IO[bytes]) -> None:
    progress(0)
    try:
        made = work(payload)
        if isinstance(made, bytes):
            _send(answers, _MORE + made)
        else:
            for answer in made:
                _arm(0)  # a parent that is in no hurry is not one that has gone
                _send(answers, _MORE + answer)
                answers.flush()
                _arm(_seconds)
        _send(answers, _DONE)
    except (MemoryError, BrokenPipeError):
        raise
    except FeverfewError as error:
        maker, args, *_ = tuple(error.__reduce__())
        _send(answers, _REFUSED + msgspec.msgpack.encode((getattr(maker, "__name__", ""), args)))
    except Exception:  # noqa: BLE001 - whatever it is, the parent must hear of it
        _send(answers, _FAILED + traceback.format_exc().encode())
    _arm(0)
    answers.flush()


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(len(message).to_bytes(8, "little"))
    stream.write(message)


def load_work(factory: str, settings: object) -> Work:
    """Make the work that a factory, named by "module:function", makes of its settings."""
    module, _, function = factory.partition(":")
    made: Work = getattr(import_module(module), function)(settings)
    return made


def _set_up(setup: bytes) -> Work:
    global _seconds
    factory, settings, budget = msgspec.msgpack.decode(setup)
    _seconds = 0.0
    try:
        made = load_work(factory, settings)
    except Exception:  # noqa: BLE001 - the parent learns that it cannot begin, people why
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(_NOT_SET_UP)
    if budget is not None:
        wanted = msgspec.convert(budget, Budget)
        _seconds = wanted.seconds
        _bound_memory(wanted.memory)
    gc.freeze()  # what is loaded by now stays: the collector need not look at it again
    gc.set_threshold(100_000)
    return made


def _bound_memory(most: int) -> None:
    """Let the system refuse more memory; where it cannot, time alone is bounded."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _read_message(stream: IO[bytes]) -> bytes | None:
    size = stream.read(8)
    if len(size) < 8:
        return None
    message = stream.read(int.from_bytes(size, "little"))
    return message if len(message) == int.from_bytes(size, "little") else None
