"""Send requests as many clients do, and count answers that are lost, mixed up, late or refused."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import httpx
from msgspec import Struct, field

__all__ = ["Seen", "closed_loop", "open_loop", "percentile"]


class Seen(Struct):
    """The outcomes of the requests of one run."""

    seconds: float = 0.0
    answered: list[float] = field(default_factory=list)
    """How long each answer with status 200 took."""
    refused: list[float] = field(default_factory=list)
    """How long each 429 or 503 took."""
    lost: int = 0
    """Requests without an answer, or with another status."""
    mixed: int = 0
    """Answers to something that was not asked."""
    changed: int = 0
    """Claims that had another verdict before."""
    claims: int = 0

    def summary(self) -> dict[str, Any]:
        """Return the figures for the result file."""
        return {
            "seconds": self.seconds,
            "requests": len(self.answered) + len(self.refused) + self.lost,
            "answered": len(self.answered),
            "refused": len(self.refused),
            "lost": self.lost,
            "mixed": self.mixed,
            "changed": self.changed,
            "claims_a_second": self.claims / self.seconds if self.seconds else 0.0,
            "p50_ms": percentile(self.answered, 0.5),
            "p99_ms": percentile(self.answered, 0.99),
            "refused_p99_ms": percentile(self.refused, 0.99),
        }


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return a percentile in milliseconds; 0 of nothing."""
    ordered = sorted(seconds)
    return 1e3 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Asker:
    """Sends one request at a time and checks the answer."""

    def __init__(self, http: httpx.AsyncClient, claims: Sequence[str], titles: Sequence[str]):
        self.http = http
        self.claims = claims
        self.titles = titles
        self.verdicts: dict[str, str] = {}

    async def check(self, seen: Seen, claims: Sequence[str]) -> None:
        """Check claims; each report must be about its claim and agree with earlier ones."""
        body = await self._send(seen, "POST", "/v1/check", {"claims": list(claims)})
        if body is None:
            return
        reports = body["reports"]
        seen.claims += len(reports)
        seen.mixed += [report["claim"] for report in reports] != list(claims)
        for report in reports:
            before = self.verdicts.setdefault(report["claim"], report["verdict"])
            seen.changed += before != report["verdict"]

    async def anything(self, seen: Seen, chance: random.Random) -> None:
        """Send a random request: mostly checks, some searches and pages."""
        drawn = chance.random()
        if drawn < 0.7 or not self.titles:
            await self.check(seen, chance.sample(self.claims, chance.choice((1, 1, 1, 2, 3))))
        elif drawn < 0.85:
            wanted = {"claims": [chance.choice(self.claims)], "k": 3}
            body = await self._send(seen, "POST", "/v1/search", wanted)
            seen.mixed += body is not None and len(body["found"]) != 1
        else:
            title = chance.choice(self.titles)
            body = await self._send(seen, "GET", f"/v1/pages/{title}")
            seen.mixed += body is not None and body["title"] != title

    async def _send(self, seen: Seen, method: str, path: str, body: Any = None) -> Any:
        start = time.perf_counter()
        try:
            response = await self.http.request(method, path, json=body)
        except httpx.HTTPError:
            seen.lost += 1
            return None
        took = time.perf_counter() - start
        if response.status_code in (429, 503):
            seen.refused.append(took)
        elif response.status_code == 200:
            seen.answered.append(took)
            return response.json()
        else:
            seen.lost += 1
        return None


async def closed_loop(
    ask: Callable[[Seen, random.Random], Any],
    clients: int,
    going: Callable[[Seen, float], bool],
    seen: Seen | None = None,
) -> Seen:
    """Let each client send its next request when it has an answer, while `going` is true."""
    seen = Seen() if seen is None else seen
    start = time.perf_counter()

    async def client(number: int) -> None:
        chance = random.Random(number)
        while going(seen, time.perf_counter() - start):
            await ask(seen, chance)

    await asyncio.gather(*(client(number) for number in range(clients)))
    seen.seconds = time.perf_counter() - start
    return seen


async def open_loop(ask: Callable[[Seen, random.Random], Any], rate: float, seconds: float) -> Seen:
    """Send requests at a fixed rate, whether or not answers come."""
    seen, chance = Seen(), random.Random(0)
    start = time.perf_counter()
    tasks: list[asyncio.Task[None]] = []
    while (now := time.perf_counter() - start) < seconds:
        tasks.append(asyncio.create_task(ask(seen, chance)))
        await asyncio.sleep(max(0.0, len(tasks) / rate - now))
    await asyncio.gather(*tasks)
    seen.seconds = time.perf_counter() - start
    return seen
