"""A server that is killed under load: whoever has an answer has it, whoever has none asks again."""

import threading
import time
from pathlib import Path

import pytest

from feverfew import Client
from feverfew.errors import ServerError
from feverfew.types import Claim, Prediction, Report
from running import Running, running

TRUE = [f"Fritz Lang was born in {year}." for year in range(1887, 1893)]
CLAIMS = [*TRUE, *(f"Is {number} a number?" for number in range(30))]
"""Some that take a while, and many that do not."""
CLIENTS = 4
ENOUGH = 6
"""Answers before the server is killed."""


class Asking:
    """Clients that ask until they have an answer, and keep what they were given."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.given: list[tuple[str, Report]] = []
        self.refused = 0
        self._threads = [
            threading.Thread(target=self._ask, args=(CLAIMS[first::CLIENTS],))
            for first in range(CLIENTS)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        for thread in self._threads:
            thread.join()

    def _ask(self, claims: list[str]) -> None:
        with Client(self.url, timeout=300, patience=300) as client:
            for claim in claims:
                self.given.append((claim, self._answer(client, claim)))

    def _answer(self, client: Client, claim: str) -> Report:
        while True:
            try:
                return client.check([claim])[0]
            except ServerError:
                self.refused += 1
                time.sleep(0.1)


def wait_for(asking: Asking, count: int) -> None:
    while len(asking.given) < count:
        time.sleep(0.005)


def kill(server: Running) -> None:
    server.process.kill()
    server.process.wait()


def test_kill_and_restart_under_load_loses_no_answer(sample_path: Path) -> None:
    with running(sample_path, "--timeout", "300") as first:
        asking = Asking(first.url)
        asking.start()
        wait_for(asking, ENOUGH)
        kill(first)
        acknowledged = list(asking.given)
        port = int(first.url.rpartition(":")[2])
        with running(sample_path, "--timeout", "300", port=port) as second:
            asking.finish()
            with Client(second.url, timeout=300) as client:
                again = client.check([claim for claim, _ in acknowledged])
    assert asking.refused  # the kill was felt
    assert sorted(claim for claim, _ in asking.given) == sorted(CLAIMS)  # each answered once
    assert all(report.claim == claim for claim, report in asking.given)  # none mixed up
    assert asking.given[: len(acknowledged)] == acknowledged
    for (_, report), repeated in zip(acknowledged, again, strict=True):
        assert (repeated.verdict, repeated.sets) == (report.verdict, report.sets)


def test_a_stream_that_is_cut_off_never_looks_whole(sample_path: Path) -> None:
    claims = [Claim(id=n, text=f"Fritz Lang was born in {1800 + n}.") for n in range(200)]
    found: list[Prediction] = []
    with running(sample_path, "--timeout", "300") as server, Client(server.url, timeout=300) as one:

        def read() -> None:
            for prediction in one.verify(claims):
                found.append(prediction)
                if server.process.poll() is None:
                    kill(server)

        with pytest.raises(ServerError):
            read()
    assert 0 < len(found) < len(claims)
    assert [one.id for one in found] == list(range(len(found)))
