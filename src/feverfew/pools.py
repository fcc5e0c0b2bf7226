"""Where work is done: in this process, in others of this machine, or on a Ray cluster.

`open_pool` gives a pool of the kind that was asked for. Whoever uses it need not know which: what
is sent, in what order answers come, and how many are under way is the same.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import TracebackType
from typing import Protocol, Self

from feverfew.worker_process import Budget, Work, load_work
from feverfew.workers import Skip, Workers

__all__ = ["Pool", "Where", "open_pool"]

Where = int | str
"""Where to work: 0 in this process, N in so many of this machine, "ray" in those of a Ray cluster
that is started for it, "ray://HOST:PORT" in those of one that runs."""


class Pool(Protocol):
    """What does the work that `factory(settings)` makes, as a context."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def map(self, payloads: Iterable[bytes], skip: Skip | None = None) -> Iterator[bytes]:
        """Yield the result for each payload, in order; at most a few are under way at once.

        A payload that overruns its budget is tried again as `skip` makes it; else it is an error.
        """

    def stream(self, payload: bytes) -> Iterator[bytes]:
        """Yield the results of work that makes several of one payload, as they are asked for."""


def open_pool(
    work: Callable[..., object], settings: object, where: Where, budget: Budget | None = None
) -> Pool:
    """Return a pool of the kind that was asked for, which runs `work(settings)`."""
    factory = f"{work.__module__}:{work.__name__}"
    if isinstance(where, str):
        from feverfew.ray_workers import RayWorkers

        return RayWorkers(factory, settings, where, budget)
    return Workers(factory, settings, where, budget) if where else Inline(factory, settings)


class Inline:
    """A pool that works in this process, where nothing bounds a payload."""

    def __init__(self, factory: str, settings: object) -> None:
        self._make = partial(load_work, factory, settings)

    def __enter__(self) -> Self:
        self._work: Work = self._make()
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, payloads: Iterable[bytes], skip: Skip | None = None) -> Iterator[bytes]:
        for payload in payloads:
            yield from self.stream(payload)

    def stream(self, payload: bytes) -> Iterator[bytes]:
        made = self._work(payload)
        yield from [made] if isinstance(made, bytes) else made
