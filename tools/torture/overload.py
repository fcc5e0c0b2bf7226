"""A server asked for four times what it can do, while idle connections are held open.

Requests are mixed: checks, searches, pages. Each must be answered for what it asked, or be refused
at once (429, or 503 with Retry-After), and the server's memory must stay where it was.
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from tools.torture import Result, Tally
from tools.torture.bombs import tree_bytes

__all__ = ["Load", "run", "send"]

IDLE = 600
REFUSED_SECONDS = 1.0
GROWTH = 1.25
"""How much memory may grow from the second fifth of a run to its last."""
_LOOK = 0.5
"""Seconds from one look at the memory to the next."""
_MAIN = "from feverfew.cli.main import main; main()"


def run(tries: int, seed: int, folder: Path) -> Result:
    """Send that many requests."""
    tally = Tally("overload", seed)
    send(tally, Load(4.0, IDLE), lambda sent, _: sent < tries)
    return tally.result()


class Load(Struct, frozen=True):
    """How a server is loaded."""

    times: float
    """How many times what it can answer it is asked for."""
    idle: int
    """Connections that are held open beside, half of them with half a request."""


Goes = Callable[[int, float], bool]
"""Says after so many requests and seconds whether to go on."""


def send(tally: Tally, load: Load, goes: Goes) -> None:
    """Start a server, load it, and note what was answered wrongly or too late."""
    with tempfile.TemporaryFile() as log:
        words = [sys.executable, "-c", _MAIN, "serve", "--port", "0", "--timeout", "20"]
        process = subprocess.Popen(words, stderr=log)
        try:
            client = _Client(tally, process.pid)
            asyncio.run(client.requests(_listening(process, log.fileno()), load, goes))
        finally:
            process.send_signal(signal.SIGTERM)
            if process.wait(120):
                tally.fail(f"the server ended with {process.returncode}")
        log.seek(0)
        if b"Traceback" in log.read():
            tally.fail("the server's log holds a traceback")


def _listening(process: "subprocess.Popen[bytes]", log: int) -> str:
    while process.poll() is None:
        if found := re.search(rb"listening on (\S+)", os.pread(log, 1 << 16, 0)):
            return found[1].decode()
        time.sleep(0.05)
    raise SystemExit("the server did not start")


class _Client:
    def __init__(self, tally: Tally, pid: int) -> None:
        self.tally, self.pid = tally, pid
        claims = [claim.text for file in sample_claims() for claim in read_claims(file)]
        self.claims = [" ".join(claim.split()) for claim in claims if len(claim) < 200]
        with Corpus.sample() as corpus:
            self.titles = [page.title for page in corpus if re.fullmatch(r"[\w ,-]+", page.title)]
        self.memory: list[int] = []

    async def requests(self, url: str, load: Load, goes: Goes) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        idle = [await asyncio.open_connection(host, int(port)) for _ in range(load.idle)]
        for number, (_, writer) in enumerate(idle):
            if number % 2:
                writer.write(b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Le")
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
        async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as http:
            rate = await self._pace(http)
            start = seen = time.monotonic()
            tasks = set()
            number = 0
            while goes(number, time.monotonic() - start):
                now = time.monotonic()
                await asyncio.sleep(max(0.0, start + number / (load.times * rate) - now))
                task = asyncio.create_task(self._ask(http))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                number += 1
                if now > seen + _LOOK:
                    self.memory.append(tree_bytes(self.pid))
                    seen = now
            await asyncio.gather(*tasks)
        for _, writer in idle:
            writer.close()
        fifth = len(self.memory) // 5
        if fifth and max(self.memory[-fifth:]) > GROWTH * max(self.memory[: 2 * fifth]):
            self.tally.fail(f"memory grew: {[one >> 20 for one in self.memory]} MB")
        self.tally.note("MB at the end", tree_bytes(self.pid) >> 20)

    async def _pace(self, http: httpx.AsyncClient) -> float:
        """Measure how many mixed requests a second the server can answer, one after the other."""
        start = time.monotonic()
        for _ in range(20):
            await self._ask(http)
        return 20 / (time.monotonic() - start)

    async def _ask(self, http: httpx.AsyncClient) -> None:
        chance, drawn = self.tally.random, self.tally.random.random()
        body: dict[str, Any] = {"claims": chance.sample(self.claims, 1)}
        method, path = "POST", "/v1/check"
        if drawn < 0.3:
            path, body = "/v1/search", {"claims": chance.sample(self.claims, 2), "k": 3}
        elif drawn < 0.6:
            method, path, body = "GET", f"/v1/pages/{chance.choice(self.titles)}", {}
        self.tally.tries += 1
        start = time.monotonic()
        try:
            answer = await http.request(method, path, json=body or None)
        except httpx.HTTPError as error:
            self.tally.fail(f"{path}: {type(error).__name__}: {error}")
            return
        seconds = time.monotonic() - start
        self.tally.slowest = max(self.tally.slowest, seconds)
        self._judge(path, body, answer, seconds)

    def _judge(self, path: str, body: Any, answer: httpx.Response, seconds: float) -> None:
        if answer.status_code == 200:
            self.tally.note("answered")
            found = answer.json()
            if path == "/v1/check":
                right = [one["claim"] for one in found["reports"]] == body["claims"]
            elif path == "/v1/search":
                right = len(found["found"]) == len(body["claims"])
            else:
                right = found["title"] == path.removeprefix("/v1/pages/")
            if not right:
                self.tally.fail(f"{path}: an answer to something else")
        elif answer.status_code in (429, 503) and answer.headers.get("retry-after", "").isdecimal():
            self.tally.note("refused")
            if seconds > REFUSED_SECONDS:
                self.tally.note("refused late")
                if seconds > 5 * REFUSED_SECONDS:  # the senders share the machine
                    self.tally.fail(f"{path}: refused after {seconds:.1f} s")
        else:
            self.tally.fail(f"{path}: {answer.status_code} {answer.text[:100]}")
