"""Workers on the machines of a Ray cluster: the same processes, each held by an actor.

An actor starts one worker process where Ray places it, hands payloads on to it, and brings back
its answers, or why there are none. What is sent, in what order, and what a budget bounds is decided
as for the processes of this machine. An actor that is lost, with its machine or alone, is replaced,
and its payload is sent again.

`ray` starts a cluster of this machine alone, for as long as the work takes: it listens on 127.0.0.1
only, asks for a token, has no dashboard, and leaves no file. A cluster that runs must have feverfew
installed and see the same files under the same paths.
"""

import logging
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from feverfew.errors import FeverfewError, InputError, MissingExtra
from feverfew.worker_process import Budget, Overrun, WorkerLost, WorkerProcess
from feverfew.workers import Workers, cores

__all__ = ["RayWorkers"]

_ADDRESS = "ray://"
_OBJECT_STORE = 128 << 20
Outcome = tuple[list[bytes], FeverfewError | None]


class RayWorkers(Workers):
    """A pool of worker processes, one for each core of a cluster."""

    def __init__(
        self, factory: str, settings: object, where: str, budget: Budget | None = None
    ) -> None:
        super().__init__(factory, settings, 0, budget)
        self._replaces = True
        self._where = where
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        self._ray, self._count = self._opened.enter_context(_connected(self._where))
        with ExitStack() as failing:
            failing.push(self._opened)
            super().__enter__()
            failing.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._opened:
            super().__exit__(kind, error, trace)

    def _start(self, *, fresh: bool = False) -> "RemoteProcess":
        # Who takes the place of one that is lost shares a core: there may be none that is free.
        return RemoteProcess(self._ray, self._budget, 0 if fresh else 1)


class RemoteProcess(WorkerProcess):
    """A worker process of another machine, as seen from here."""

    def __init__(self, ray: Any, budget: Budget | None, cpus: int) -> None:
        self._ray = ray
        self.budget, self.busy = budget, False
        self._actor = ray.remote(num_cpus=cpus)(Holder).remote(budget)
        self._answers: Iterator[bytes] = iter(())

    def set_up(self, setup: bytes) -> None:
        self._actor.set_up.remote(setup)

    def ask(self, payload: bytes, tried: Overrun | None = None) -> None:
        self.busy = True
        self._asked = self._actor.ask.remote(payload, tried)

    def answer(self) -> bytes | None:
        if self.busy:
            answers, error = self._wait()
            self.busy = False
            if error is not None:
                raise error
            self._answers = iter(answers)
        return next(self._answers, None)

    def kill(self) -> None:
        self._ray.kill(self._actor)

    def release(self) -> None:
        self._ray.kill(self._actor)

    def _wait(self) -> Outcome:
        try:
            found: Outcome = self._ray.get(self._asked)
        except self._ray.exceptions.RayError as error:
            why = str(error).strip().partition("\n")[0]
            raise WorkerLost(f"a worker of the cluster is lost: {why}") from None
        return found


class Holder:
    """What an actor is: the parent of one worker process."""

    def __init__(self, budget: Budget | None) -> None:
        self._process = WorkerProcess(budget)

    def set_up(self, setup: bytes) -> None:
        """Say what to do with payloads."""
        self._process.set_up(setup)

    def ask(self, payload: bytes, tried: Overrun | None) -> Outcome:
        """Return all answers to a payload, and the error that came instead of any more."""
        answers: list[bytes] = []
        try:
            self._process.ask(payload, tried)
            while (answer := self._process.answer()) is not None:
                answers.append(answer)
        except FeverfewError as error:
            return answers, error
        return answers, None


@contextmanager
def _connected(where: str) -> Iterator[tuple[Any, int]]:
    """Connect to a cluster, or start one; yield Ray and how many cores there are."""
    with ExitStack() as opened:
        if where.startswith(_ADDRESS):
            ray = _import_ray()
            address = where.removeprefix(_ADDRESS)
            options: dict[str, object] = {"address": address}
        else:
            folder = Path(opened.enter_context(_folder()))
            opened.enter_context(_environment(_loopback(folder)))
            ray = _import_ray()
            options = {
                "num_cpus": cores(),
                "include_dashboard": False,
                "object_store_memory": _OBJECT_STORE,
                "_temp_dir": str(folder),
                "_node_ip_address": "127.0.0.1",
            }
        try:
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise InputError(f"cannot use the Ray cluster {where}: {error}") from None
        opened.callback(ray.shutdown)
        yield ray, max(int(ray.cluster_resources().get("CPU", 1)), 1)


def _import_ray() -> Any:
    try:
        ray = import_module("ray")
        import_module("ray.exceptions")
    except ImportError:
        raise MissingExtra("a Ray cluster", "cluster") from None
    return ray


@contextmanager
def _folder() -> Iterator[str]:
    """Make a folder for what Ray writes; its sockets want a short path."""
    folder = tempfile.mkdtemp(prefix="ff-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _loopback(folder: Path) -> dict[str, str]:
    """Settings of a cluster that is ours alone, in our folder."""
    token = folder / "token"
    token.touch(mode=0o600)
    token.write_text(secrets.token_hex(32))
    return {
        # Else Ray takes the machine's own address for 127.0.0.1, and listens on every interface.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(token),
        "RAY_USAGE_STATS_ENABLED": "0",
        # Else its workers stand back behind every other process of the machine.
        "RAY_worker_niceness": "0",
    }


@contextmanager
def _environment(settings: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
