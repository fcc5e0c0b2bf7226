"""The load generator notices lost, mixed-up, refused and late answers."""

import asyncio
import random
import sys
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from load import Asker, Seen, closed_loop, open_loop, percentile
from targets import serve_targets
from write_docs import serve_table

sys.path.pop(0)

CLAIMS = ["a", "b", "c"]


def answering(handle: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.MockTransport(handle), base_url="http://test")


def report(claim: str, verdict: str = "SUPPORTED") -> dict[str, Any]:
    return {"reports": [{"claim": claim, "verdict": verdict}]}


def asked(handle: Any) -> Seen:
    async def main() -> Seen:
        seen = Seen()
        async with answering(handle) as http:
            asker = Asker(http, CLAIMS, ())
            await asker.check(seen, ["a"])
            await asker.check(seen, ["a"])
        return seen

    return asyncio.run(main())


def test_a_right_answer_is_counted() -> None:
    seen = asked(lambda _: httpx.Response(200, json=report("a")))
    assert (len(seen.answered), seen.claims) == (2, 2)
    assert (seen.lost, seen.mixed, seen.changed) == (0, 0, 0)


def test_anothers_answer_is_seen() -> None:
    assert asked(lambda _: httpx.Response(200, json=report("b"))).mixed == 2


def test_a_verdict_that_changes_is_seen() -> None:
    verdicts = iter(["SUPPORTED", "REFUTED"])
    seen = asked(lambda _: httpx.Response(200, json=report("a", next(verdicts))))
    assert seen.changed == 1


def test_refusals_and_losses_are_told_apart() -> None:
    assert len(asked(lambda _: httpx.Response(429)).refused) == 2
    assert asked(lambda _: httpx.Response(500)).lost == 2

    def broken(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("gone")

    assert asked(broken).lost == 2


def test_loops_ask_as_they_are_told() -> None:
    async def ask(seen: Seen, chance: random.Random) -> None:
        await asyncio.sleep(0)
        seen.answered.append(0.001)

    enough = asyncio.run(closed_loop(ask, 4, lambda seen, _: len(seen.answered) < 20))
    assert 20 <= len(enough.answered) <= 24
    rated = asyncio.run(open_loop(ask, 100.0, 0.2))
    assert 1 <= len(rated.answered) <= 25


def test_percentiles() -> None:
    assert percentile([], 0.99) == 0
    assert percentile([n / 1000 for n in range(100)], 0.5) == 50


def test_the_targets_can_fail() -> None:
    good = Seen(seconds=1.0, answered=[0.1] * 10_000, claims=10).summary()
    slow = {**good, "claims_a_second": 5.0}
    results = {
        "throughput": {"1": slow, "16": good, "start_seconds": 2.0},
        "overload": {**good, "queue": 64},
        "soak": {**good, "memory_early": 100, "memory_late": 104},
        "restart": {**good, "before": 20, "after": 20},
    }
    assert all(target.met for target in serve_targets(results))
    assert "| 16 clients | 10,000 | 0 | 0 | 10.0 | 100 | 100 |" in serve_table(results)
    results["throughput"]["1"] = good
    results["throughput"]["start_seconds"] = 4.0
    results["overload"]["lost"] = 1
    results["soak"] = {**good, "mixed": 1, "memory_early": 100, "memory_late": 110}
    results["restart"] = {**good, "before": 20, "after": 20, "mixed": 1}
    assert not any(target.met for target in serve_targets(results))


def test_nothing_answered_is_nothing_met() -> None:
    none = {**Seen(seconds=1.0).summary(), "claims_a_second": 1.0}
    results = {
        "throughput": {"1": none, "16": none, "start_seconds": 2.0},
        "overload": {**none, "queue": 64},
        "soak": {**none, "memory_early": 100, "memory_late": 100},
        "restart": {**none, "before": 0, "after": 0},
    }
    met = {target.what.partition(" ")[0]: target.met for target in serve_targets(results)}
    assert [met[name] for name in ("p99", "lost", "answers")] == [False] * 3
