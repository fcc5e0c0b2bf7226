"""Whoever waits together is answered together, and nobody gets another's answer."""

import asyncio
import threading
import time
from collections.abc import Hashable, Sequence
from typing import Any

import pytest

from feverfew.errors import InputError, TooBusy
from feverfew.server.batching import Batcher, client


class Recorder:
    """Work that can be held up, and remembers its batches."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.go.set()
        self.batches: list[tuple[Hashable, list[Any]]] = []
        self.threads: set[int] = set()

    def __call__(self, kind: Hashable, things: Sequence[Any]) -> list[Any]:
        self.go.wait(10)
        self.batches.append((kind, list(things)))
        self.threads.add(threading.get_ident())
        if "bad" in things:
            raise InputError("a bad thing")
        return [f"{kind}:{thing}" for thing in things]


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0.001)


def test_what_waits_is_one_batch_and_answers_go_home() -> None:
    work = Recorder()

    async def main() -> list[list[Any]]:
        batcher = Batcher(work, batch=8)
        work.go.clear()
        asked = [asyncio.create_task(batcher.ask("a", [n, n + 100])) for n in range(5)]
        await settle()
        work.go.set()
        found = await asyncio.gather(*asked)
        await batcher.close()
        return found

    assert asyncio.run(main()) == [[f"a:{n}", f"a:{n + 100}"] for n in range(5)]
    sizes = [len(things) for _, things in work.batches]
    assert sum(sizes) == 10
    assert len(sizes) <= 3
    assert max(sizes) == 8
    assert len(work.threads) == 1


def test_kinds_are_not_mixed_and_keep_their_order() -> None:
    work = Recorder()

    async def main() -> list[list[Any]]:
        batcher = Batcher(work)
        work.go.clear()
        kinds = ["a", "a", "b", "a"]
        asked = [asyncio.create_task(batcher.ask(kind, [n])) for n, kind in enumerate(kinds)]
        await settle()
        work.go.set()
        return await asyncio.gather(*asked)

    assert asyncio.run(main()) == [["a:0"], ["a:1"], ["b:2"], ["a:3"]]
    assert [things for kind, things in work.batches if kind == "b"] == [[2]]
    assert [3] not in [things for _, things in work.batches]  # it joined others of its kind


def test_an_error_goes_to_the_one_it_belongs_to() -> None:
    work = Recorder()

    async def main() -> list[Any]:
        batcher = Batcher(work)
        work.go.clear()
        asked = [asyncio.create_task(batcher.ask("a", [t])) for t in ("x", "bad", "y")]
        await settle()
        work.go.set()
        return list(await asyncio.gather(*asked, return_exceptions=True))

    first, second, third = asyncio.run(main())
    assert (first, third) == (["a:x"], ["a:y"])
    assert isinstance(second, InputError)


def test_too_few_answers_are_an_error_and_not_a_silence() -> None:
    async def main() -> None:
        with pytest.raises(RuntimeError, match="1 things of kind 'a', 0 answers"):
            await Batcher(lambda kind, things: []).ask("a", [1])

    asyncio.run(main())


def test_a_full_line_is_refused_with_a_time_to_come_back() -> None:
    work = Recorder()

    async def main() -> TooBusy:
        batcher = Batcher(work, capacity=3, batch=1)
        work.go.clear()
        asked = [asyncio.create_task(batcher.ask("a", [0]))]
        await settle()
        asked += [asyncio.create_task(batcher.ask("a", [n])) for n in range(1, 4)]
        await settle()
        assert batcher.waiting == 3
        with pytest.raises(TooBusy) as refused:
            await batcher.ask("a", [9])
        work.go.set()
        assert len(await asyncio.gather(*asked)) == 4
        assert await batcher.ask("a", [9]) == ["a:9"]
        return refused.value

    assert asyncio.run(main()).seconds >= 1


def test_more_than_there_is_room_for_is_taken_when_nobody_waits() -> None:
    async def main() -> list[Any]:
        return await Batcher(Recorder(), capacity=2).ask("a", [1, 2, 3])

    assert asyncio.run(main()) == ["a:1", "a:2", "a:3"]


def test_what_was_given_up_is_not_worked_on() -> None:
    work = Recorder()

    async def main() -> None:
        batcher = Batcher(work, batch=1)
        work.go.clear()
        first = asyncio.create_task(batcher.ask("a", ["first"]))
        await settle()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await batcher.ask("a", ["late"])
        work.go.set()
        await first
        await batcher.close()

    asyncio.run(main())
    assert [things for _, things in work.batches] == [["first"]]


def test_clients_and_kinds_take_turns() -> None:
    seen: list[list[str]] = []

    def work(kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        seen.append(list(things))
        return things

    async def run() -> None:
        batcher = Batcher(work, batch=2)

        async def ask(name: str, things: list[str], kind: str = "check") -> None:
            client.set(name)
            await batcher.ask(kind, things)

        await asyncio.gather(
            ask("greedy", [f"g{n}" for n in range(6)]),
            ask("modest", ["m"]),
            ask("greedy", ["page"], "page"),
        )
        await batcher.close()

    asyncio.run(run())
    assert seen[0] == ["g0", "m"]
    assert ["page"] in seen[:3]


class Timed:
    """Work that takes time by a clock of its own: 20 ms a thing, 50 ms a search, 0 a page."""

    def __init__(self) -> None:
        self.now = 0.0
        self.seen: list[str] = []

    def __call__(self, kind: Hashable, things: Sequence[Any]) -> Sequence[Any]:
        self.now += {"search": 0.05, "page": 0.0}.get(str(kind), 0.02) * len(things)
        self.seen.extend(things)
        time.sleep(0.001)  # others get a turn
        return things

    def batcher(self, seconds: float, batch: int = 1) -> Batcher:
        return Batcher(self, capacity=10_000, batch=batch, seconds=seconds, clock=lambda: self.now)


def test_what_could_not_be_answered_in_time_is_refused_at_once() -> None:
    async def run() -> TooBusy:
        batcher = Timed().batcher(2.5)
        await batcher.ask("check", ["a"])
        waiting = asyncio.create_task(batcher.ask("check", ["a"] * 30))
        await asyncio.sleep(0)
        long = "a word " * 2_000  # costs as much as 35 claims
        with pytest.raises(TooBusy) as refused:
            await batcher.ask("check", [long])
        assert await batcher.ask("check", ["short"]) == ["short"]
        await waiting
        await batcher.close()
        return refused.value

    assert asyncio.run(run()).seconds == 1


def test_quick_things_do_not_make_slow_ones_look_quick() -> None:
    async def run() -> None:
        batcher = Timed().batcher(2.5)
        await batcher.ask("search", ["a"])
        for _ in range(100):
            await batcher.ask("page", ["a"])
        waiting = asyncio.create_task(batcher.ask("search", ["a"] * 10))
        await asyncio.sleep(0)
        with pytest.raises(TooBusy):
            await batcher.ask("search", ["a"] * 10)
        assert await batcher.ask("page", ["a"] * 50) == ["a"] * 50
        await waiting
        await batcher.close()

    asyncio.run(run())


def test_what_is_given_up_while_it_is_worked_on_ends_with_its_batch() -> None:
    work = Recorder()

    async def main() -> None:
        batcher = Batcher(work, batch=2)
        work.go.clear()
        asked = asyncio.create_task(batcher.ask("a", list(range(50))))
        await settle()
        asked.cancel()
        await settle()
        work.go.set()
        await batcher.close()

    asyncio.run(main())
    assert [things for _, things in work.batches] == [[0, 1]]


def test_who_has_waited_too_long_goes_before_those_that_came_later() -> None:
    work = Timed()

    async def run() -> None:
        batcher = work.batcher(1.0)

        async def ask(name: str, things: list[str]) -> None:
            client.set(name)
            await batcher.ask("check", things)

        first = asyncio.create_task(ask("patient", [f"p{n}" for n in range(30)]))
        await asyncio.sleep(0)
        later: list[asyncio.Task[None]] = []
        while not first.done():
            later.append(asyncio.create_task(ask(f"new {len(later)}", ["n"])))
            await asyncio.sleep(0.0005)
        await first
        await asyncio.gather(*later, return_exceptions=True)
        await batcher.close()

    asyncio.run(run())
    # 0.4 s are 20 things: from then on, nobody overtakes any more.
    assert "n" in work.seen[:20]
    last = work.seen[22 : work.seen.index("p29")]
    assert len(last) > 5
    assert "n" not in last
