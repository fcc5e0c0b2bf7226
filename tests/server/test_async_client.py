"""The client to be awaited gives what the other one gives, for many questions at once."""

import asyncio

import pytest

from feverfew import AsyncClient, Client
from feverfew.errors import InputError, NotFound, ServerError
from feverfew.types import Claim, Prediction, Ref, Report
from running import Running

CLAIMS = ["Fritz Lang was born in Vienna.", "Fritz Lang was born in 1975.", "Is it so?"]


def test_many_questions_at_once_are_answered_as_one_by_one(server: Running) -> None:
    async def main() -> list[list[Report]]:
        async with AsyncClient(server.url, timeout=300) as client:
            return await asyncio.gather(*(client.check([claim]) for claim in CLAIMS))

    found = [own[0] for own in asyncio.run(main())]
    with Client(server.url, timeout=300) as client:
        known = client.check(CLAIMS)
    assert [(r.claim, r.verdict, r.sets) for r in found] == [
        (r.claim, r.verdict, r.sets) for r in known
    ]


def test_every_other_call_is_there_too(server: Running) -> None:
    claims = [Claim(id=n, text=text) for n, text in enumerate(CLAIMS[:2])]

    async def main() -> None:
        async with AsyncClient(server.url, timeout=300) as client:
            labels: list[Prediction] = [one async for one in client.verify(claims)]
            assert [one.id for one in labels] == [0, 1]
            assert (await client.retrieve(CLAIMS[:1], 2))[0][0].title == "Fritz Lang"
            assert (await client.page("fritz_lang")).title == "Fritz Lang"
            text = await client.element(Ref.parse("Fritz Lang_cell_0_2_1"))
            assert text == "Vienna, Austria-Hungary"
            assert (await client.health())["status"] == "ok"
            gold = [Claim(id=1, text="x", label=labels[0].label)]
            said = [Prediction(id=1, label=labels[0].label)]
            assert (await client.score("fever", gold, said, samples=10)).scores

    asyncio.run(main())


def test_errors_are_the_library_s_own(server: Running) -> None:
    async def main(url: str, title: str) -> None:
        async with AsyncClient(url, timeout=300) as client:
            await client.page(title)

    with pytest.raises(NotFound, match="near names are 'Fritz Lang'"):
        asyncio.run(main(server.url, "Fritz Lange"))
    with pytest.raises(ServerError):
        asyncio.run(main("http://127.0.0.1:1", "Vienna"))

    async def too_long() -> None:
        async with AsyncClient(server.url) as client:
            await client.check(["x" * 2_001])

    with pytest.raises(InputError):
        asyncio.run(too_long())
