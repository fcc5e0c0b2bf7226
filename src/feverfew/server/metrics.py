"""What a server counts, for Prometheus."""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

if TYPE_CHECKING:
    from feverfew.types import Verdict

__all__ = ["Metrics"]


class Metrics:
    """The counters of one server, in a registry of their own."""

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        ProcessCollector(registry=own)
        PlatformCollector(registry=own)
        self._requests = Counter(
            "feverfew_requests", "Requests answered", ["route", "status"], registry=own
        )
        self._seconds = Histogram(
            "feverfew_request_seconds",
            "Time to the last byte of an answer",
            ["route"],
            registry=own,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
        )
        self._batches = Histogram(
            "feverfew_batch_claims",
            "Claims that were answered together",
            registry=own,
            buckets=(1, 2, 4, 8, 16, 32),
        )
        self._verdicts = Counter("feverfew_verdicts", "Verdicts given", ["verdict"], registry=own)
        self._waiting = Gauge("feverfew_waiting_claims", "Claims that wait", registry=own)

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def batch(self, kind: Hashable, size: int) -> None:
        """Count a batch of the checker's, whatever its kind."""
        self._batches.observe(size)

    def verdicts(self, given: "Iterable[Verdict]") -> None:
        """Count verdicts."""
        for verdict in given:
            self._verdicts.labels(verdict.value).inc()

    def text(self, waiting: int) -> bytes:
        """Write everything in Prometheus's format."""
        self._waiting.set(waiting)
        return generate_latest(self._registry)
