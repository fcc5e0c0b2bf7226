"""Measure the server under load: python benchmarks/serve.py [--corpus DIR --claims FILE].

Needs `feverfew[web,client]`. Load comes from the same machine, over loopback, with one claim in a
request: one client, then sixteen, each asking again as soon as it is answered; four times as many
claims a second as were answered; mixed requests for --requests requests and --minutes minutes,
comparing each answer with its request and watching memory; and a server that is killed and
restarted under load. --quick tries everything for a few seconds.
"""

import argparse
import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from feverfew.corpus import Corpus
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from load import Asker, Seen, closed_loop, open_loop
from measure import RESULTS, log, system_facts, tree_memory, write_json
from targets import print_targets, serve_targets

MAIN = "from feverfew.cli.main import main; main()"
CLIENTS = 16
QUEUE = 64
"""The length of the queue under overload."""


class Server:
    """A server in a process of its own."""

    def __init__(self, corpus: Path | None, port: int = 0, *options: str) -> None:
        words = [sys.executable, "-c", MAIN, "serve", *([str(corpus)] if corpus else [])]
        words += ["--port", str(port), "--timeout", "120", *options]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        start = time.perf_counter()
        self.process = subprocess.Popen(words, stderr=self._log)
        self.url = self._listening()
        self.seconds = time.perf_counter() - start
        self.port = int(self.url.rpartition(":")[2])

    def _listening(self) -> str:
        while self.process.poll() is None:
            said = os.pread(self._log.fileno(), 4_096, 0).decode(errors="replace")
            if found := re.search(r"listening on (\S+)", said):
                return found[1]
            time.sleep(0.01)
        raise SystemExit("serve: the server did not start")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(180)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def serving(corpus: Path | None, *options: str) -> Iterator[Server]:
    server = Server(corpus, 0, *options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def client(server: Server) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=1_000, max_keepalive_connections=1_000)
    return httpx.AsyncClient(base_url=server.url, timeout=180, limits=limits)


async def throughput(corpus: Path | None, claims: list[str], seconds: float) -> dict[str, Any]:
    """Compare one client with sixteen, on the same claims."""
    found: dict[str, Any] = {}
    with serving(corpus) as server:
        found["start_seconds"] = server.seconds
        async with client(server) as http:
            asker = Asker(http, claims, ())
            await asker.check(Seen(), claims[:32])  # the first batch warms everything up
            for clients in (1, CLIENTS):
                turn = iter(range(10**9))

                async def ask(seen: Seen, _: Any, turn: Iterator[int] = turn) -> None:
                    await asker.check(seen, [claims[next(turn) % len(claims)]])

                seen = await closed_loop(ask, clients, lambda _, now: now < seconds)
                found[str(clients)] = seen.summary()
    return found


async def overload(
    corpus: Path | None, claims: list[str], rate: float, seconds: float
) -> dict[str, Any]:
    """Send four times as many claims as can be answered."""
    with serving(corpus, "--queue", str(QUEUE)) as server:
        async with client(server) as http:
            asker = Asker(http, claims, ())
            await asker.check(Seen(), claims[:32])

            async def ask(seen: Seen, chance: Any) -> None:
                await asker.check(seen, [chance.choice(claims)])

            seen = await open_loop(ask, 4 * rate, seconds)
            return {**seen.summary(), "queue": QUEUE, "rate": 4 * rate}


async def soak(
    corpus: Path | None, claims: list[str], titles: list[str], requests: int, minutes: float
) -> dict[str, Any]:
    """Send mixed requests, and watch the server's memory."""
    with serving(corpus) as server:
        memory: list[int] = []
        ended = threading.Event()

        def watch() -> None:
            while not ended.wait(max(0.2, minutes * 60 / 600)):
                memory.append(tree_memory(server.process.pid)[1])

        watcher = threading.Thread(target=watch)
        watcher.start()
        async with client(server) as http:
            asker = Asker(http, claims, titles)
            seen = await closed_loop(
                asker.anything,
                CLIENTS,
                lambda seen, now: len(seen.answered) < requests or now < 60 * minutes,
            )
        ended.set()
        watcher.join()
        code = server.stop()
    fifth = max(1, len(memory) // 5)
    early, late = median(memory[fifth : 2 * fifth]), median(memory[-fifth:])
    return {
        **seen.summary(),
        "exit_code": code,
        "memory_early": early,
        "memory_late": late,
        "memory": memory[:: max(1, len(memory) // 60)],
    }


async def restart(corpus: Path | None, claims: list[str], seconds: float) -> dict[str, Any]:
    """Kill the server under load and restart it; whatever was answered must be right."""
    server = Server(corpus)
    async with client(server) as http:
        asker = Asker(http, claims, ())
        turn = iter(range(10**9))

        async def ask(seen: Seen, _: Any) -> None:
            claim = claims[next(turn) % len(claims)]
            answered = len(seen.answered)
            await asker.check(seen, [claim])
            if len(seen.answered) == answered:
                await asyncio.sleep(0.1)  # the server is down: try again

        seen = Seen()
        ended = asyncio.Event()
        running = asyncio.create_task(
            closed_loop(ask, CLIENTS, lambda _, now: not ended.is_set(), seen)
        )
        await _answers(seen, CLIENTS, seconds)
        await asyncio.to_thread(server.kill)
        before = len(seen.answered)
        server = await asyncio.to_thread(Server, corpus, server.port)
        await _answers(seen, before + CLIENTS, seconds)
        ended.set()
        await running
    server.stop()
    return {**seen.summary(), "before": before, "after": len(seen.answered) - before}


async def _answers(seen: Seen, wanted: int, seconds: float) -> None:
    """Wait for some seconds, and until there are enough answers."""
    start = time.perf_counter()
    while time.perf_counter() - start < seconds / 2 or len(seen.answered) < wanted:
        await asyncio.sleep(0.05)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", type=Path, help="a corpus directory; the sample if left out")
    parser.add_argument("--claims", type=Path, help="a file of claims; the sample's if left out")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each of the other parts")
    parser.add_argument("--quick", action="store_true", help="try it, small: figures worth nothing")
    parser.add_argument("--json", type=Path, default=RESULTS / "serve.json")
    return parser.parse_args()


async def main() -> None:
    given = arguments()
    if given.quick:
        given.requests, given.minutes, given.seconds = 60, 0.2, 8.0
    files = [given.claims] if given.claims else sample_claims()
    # Claims with several spaces or sentences would not come back as they were sent.
    claims = [c.text for file in files for c in read_claims(file) if len(c.text) < 300][:2_000]
    claims = list(dict.fromkeys(" ".join(claim.split()) for claim in claims))
    with Corpus.open(given.corpus) if given.corpus else Corpus.sample() as corpus:
        titles = [page.title for page, _ in zip(corpus, range(200), strict=False)]
        pages = len(corpus)
    titles = [title for title in titles if re.fullmatch(r"[\w (),-]+", title)]
    results: dict[str, Any] = {"system": system_facts(), "pages": pages, "claims": len(claims)}
    results["throughput"] = await throughput(given.corpus, claims, given.seconds)
    log(f"throughput: {results['throughput']}")
    rate = results["throughput"][str(CLIENTS)]["claims_a_second"]
    results["overload"] = await overload(given.corpus, claims, rate, given.seconds)
    log(f"overload: {results['overload']}")
    results["soak"] = await soak(given.corpus, claims, titles, given.requests, given.minutes)
    log(f"soak: {results['soak']}")
    results["restart"] = await restart(given.corpus, claims, given.seconds)
    write_json(given.json, results)
    print_targets(serve_targets(results))


if __name__ == "__main__":
    asyncio.run(main())
