"""A server answers from one generation of its corpus until it is told to reload."""

import asyncio
import json
import signal
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from feverfew.corpus import Corpus, update
from feverfew.corpus.build import build
from feverfew.errors import CorpusError
from feverfew.render.audit import Settings
from feverfew.server.keys import KeyFile
from feverfew.server.service import Service
from feverfew.types import Claim
from making import fever_file, made, page
from running import Running, running

PAGES = {
    "Ada Quill": ["Ada Quill was a painter .", "Quill was born in Tartu in 1901 ."],
    "Tartu": ["Tartu is a city in Estonia .", "It lies on the river Emajogi ."],
}
CLAIM = "Ada Quill was born in Tartu."


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made(tmp_path, PAGES)


def change(directory: Path) -> None:
    update.replace(directory, [page("Ada Quill", "Ada Quill was born in Riga.")])
    update.add(directory, [page("Riga", "Riga is a city in Latvia.")])


def state_of(directory: Path) -> tuple[str, str]:
    with Corpus.open(directory) as corpus:
        return corpus.generation, corpus.fingerprint


def shown(url: str) -> tuple[str, str]:
    health = httpx.get(f"{url}/healthz").json()
    return health["generation"], health["corpus"]


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)


def test_a_change_is_not_seen_before_a_reload(directory: Path, tmp_path: Path) -> None:
    async def main() -> None:
        service = await Service.open(Settings(str(directory), "small"))
        first = state_of(directory)

        async def everything() -> object:
            report = (await service.check([CLAIM]))[0]
            labels = [
                (await service.predict([Claim(id=1, text=CLAIM)], form))[0]
                for form in ("fever", "feverous")
            ]
            assert (report.generation, report.corpus) == (service.snapshot.generation, first[1])
            texts = [piece.text for piece in report.evidence]
            found = [one.title for one in (await service.retrieve(["Riga Tartu"], 5, 4))[0]]
            return report.verdict, texts, labels, found, await service.page("Ada Quill")

        before = await everything()
        change(directory)
        assert await everything() == before
        # The rebuild takes the files away; the second label policy is asked for only now.
        build([fever_file(tmp_path / "o.jsonl", {"Omega": ["Omega is last ."]})], directory)
        assert await everything() == before
        assert (service.snapshot.generation, service.snapshot.fingerprint) == first
        assert await service.reload()
        assert (service.snapshot.generation, service.snapshot.fingerprint) == state_of(directory)
        assert (await service.page("Omega")).title == "Omega"
        assert not await service.reload()
        await service.close()

    asyncio.run(main())


def test_who_has_begun_finishes_on_the_old_state(directory: Path) -> None:
    async def main() -> None:
        service = await Service.open(Settings(str(directory), "small"))
        with service.pin() as old:
            change(directory)
            assert await service.reload()
            assert service.newest is not old
            assert "Tartu" in (await service.page("Ada Quill")).sentences[1].text
            with pytest.raises(Exception, match="no page 'Riga'"):
                await service.page("Riga")
        assert (await service.page("Riga")).title == "Riga"
        await service.close()

    asyncio.run(main())


def test_what_cannot_be_opened_is_not_taken_up(directory: Path) -> None:
    async def main() -> None:
        service = await Service.open(Settings(str(directory), "small"))
        (directory / "manifest.json").write_text("{")
        with pytest.raises(CorpusError, match="damaged"):
            await service.reload()
        assert (await service.page("Tartu")).title == "Tartu"
        await service.close()

    asyncio.run(main())


def test_signal_and_route(directory: Path, tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    may, may_not = keys.add("may", ["reload"], 600), keys.add("may not", ["check"], 600)
    with running(directory, "--model", "small", "--keys", keys.path) as server:
        first = shown(server.url)
        change(directory)
        assert shown(server.url) == first
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: shown(server.url) == state_of(directory))
        update.remove(directory, ["Riga"])
        refused = httpx.post(f"{server.url}/v1/reload", headers=bearer(may_not))
        assert refused.status_code == 403
        answered = httpx.post(f"{server.url}/v1/reload", headers=bearer(may), timeout=60)
        now = state_of(directory)
        assert answered.json() == {
            "changed": True, "generation": now[0], "corpus": now[1], "pages": 2,
        }  # fmt: skip
        checked = httpx.post(
            f"{server.url}/v1/check",
            json={"claims": [CLAIM]},
            headers=bearer(may_not),
            timeout=120,
        )
        assert checked.json()["reports"][0]["generation"] == now[0]
        assert checked.headers["x-feverfew-generation"] == now[0]
        assert server.stop() == 0
        events = [json.loads(line) for line in said(server)]
        assert sum(one["event"].startswith("reloaded") for one in events) == 1


def test_a_corpus_is_followed(directory: Path) -> None:
    with running(directory, "--model", "small", "--follow") as server:
        change(directory)
        wait_until(lambda: shown(server.url) == state_of(directory))
        assert httpx.get(f"{server.url}/v1/pages/Riga").status_code == 200
        assert server.stop() == 0


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def said(server: Running) -> list[str]:
    return [line for line in server.said().splitlines() if line.startswith("{")]
