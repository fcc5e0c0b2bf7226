"""Foreign records cannot cost a build more than their budget: what is sound is kept."""

import gzip
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from feverfew import worker_process
from feverfew.corpus.build import build
from feverfew.errors import BadRecord
from feverfew.workers import Budget, Overrun, Workers, progress
from making import fever_file

HERE = Path(__file__)
FACTORY = f"{HERE.stem}:worker"
BUDGET = Budget(seconds=1.0, memory=256 << 20, answer=1 << 20)


@pytest.fixture
def _workers_find_this_file(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    worker_process.end_kept()  # those do not know of it
    places = (str(HERE.parent), str(HERE.parents[1]), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))
    yield
    worker_process.end_kept()


def worker(_: None) -> Callable[[bytes], bytes | Iterator[bytes]]:
    """What the workers run: each byte of a payload is an item, and some are bombs."""

    def work(payload: bytes) -> bytes | Iterator[bytes]:
        if payload[:1] == b"*":
            return (bytes([item]) for item in payload if one(item))
        for place, item in enumerate(payload, 1):
            progress(place)
            one(item)
        return payload * (2 << 20 if b"l" in payload else 1)

    def one(item: int) -> bool:
        match chr(item):
            case "t":
                while True:
                    pass
            case "m":
                bytearray(1 << 30)
            case "w":
                time.sleep(1.5)
            case "n":
                until = time.process_time() + 0.7
                while time.process_time() < until:
                    pass
                bytearray(1 << 30)
            case "c":
                os.abort()
            case "r":
                raise KeyError("a mistake")
        return True

    return work


def without(payload: bytes, overrun: Overrun) -> bytes:
    return payload[: overrun.place - 1] + b"-" + payload[overrun.place :]


@pytest.mark.usefixtures("_workers_find_this_file")
def test_a_worker_that_overruns_is_replaced_and_the_rest_goes_on() -> None:
    with Workers(FACTORY, None, 2, BUDGET) as pool:
        found = list(pool.map([b"ab", b"at", b"mb", b"acd", b"r", b"tmz", b"z"], without))
    assert found == [b"ab", b"a-", b"-b", b"a-d", b"-", b"--z", b"z"]


@pytest.mark.usefixtures("_workers_find_this_file")
@pytest.mark.parametrize(
    ("bomb", "why"),
    [
        (b"at", "longer than 1 s"),
        (b"am", "more than 256 MB of memory"),
        (b"ac", r"ended the process \(SIGABRT\)"),
        (b"ar", "KeyError: 'a mistake'"),
        (b"al", "larger than 1 MB"),
    ],
)
def test_an_overrun_says_how_and_where(bomb: bytes, why: str) -> None:
    with Workers(FACTORY, None, 1, BUDGET) as pool:
        with pytest.raises(Overrun, match=why) as caught:
            list(pool.map([bomb]))
        assert caught.value.place == 2
        assert list(pool.map([b"z"])) == [b"z"]


@pytest.mark.usefixtures("_workers_find_this_file")
def test_a_stream_gives_what_came_before_it_overran() -> None:
    with Workers(FACTORY, None, 1, BUDGET) as pool:
        stream = pool.stream(b"*abt")
        assert [next(stream) for _ in range(3)] == [b"*", b"a", b"b"]
        with pytest.raises(Overrun, match="longer than 1 s"):
            next(stream)
        assert list(pool.stream(b"*z")) == [b"*", b"z"]
        assert next(pool.stream(b"*abc")) == b"*"  # left in its midst
        assert list(pool.map([b"y"])) == [b"y"]


@pytest.mark.usefixtures("_workers_find_this_file")
def test_a_process_that_was_never_asked_confuses_nobody() -> None:
    with Workers(FACTORY, None, 1, BUDGET):
        pass
    with Workers(FACTORY, None, 1, BUDGET) as pool:
        assert list(pool.map([b"a"])) == [b"a"]


@pytest.mark.usefixtures("_workers_find_this_file")
def test_only_processor_time_counts_until_a_worker_does_nothing_for_long() -> None:
    with Workers(FACTORY, None, 1, BUDGET) as pool:
        assert list(pool.map([b"awb"])) == [b"awb"]
    with Workers(FACTORY, None, 1, replace(BUDGET, seconds=0.1)) as pool:
        with pytest.raises(Overrun, match=r"it has not ended after 1\.2 s") as caught:
            list(pool.map([b"aw"]))
        assert caught.value.place == 2


@pytest.mark.usefixtures("_workers_find_this_file")
def test_what_is_tried_again_has_what_is_left_of_its_time() -> None:
    reasons: list[str] = []

    def noted(payload: bytes, overrun: Overrun) -> bytes:
        reasons.append(str(overrun))
        return without(payload, overrun)

    with Workers(FACTORY, None, 1, BUDGET) as pool:
        # The process has done something before, so a fresh one may have the memory.
        assert list(pool.map([b"a", b"bn"], noted)) == [b"a", b"b-"]
    assert reasons == ["it takes longer than 1 s"]


def built(folder: Path, *more: Path) -> tuple[int, list[BadRecord]]:
    fever_file(folder / "a.jsonl", {"Linz": ["A city ."]})
    fever_file(folder / "z.jsonl", {"Graz": ["A city ."]})
    bad: list[BadRecord] = []
    budget = Budget(seconds=2.0)
    summary = build([folder, *more], folder.parent / "c", on_bad=bad.append, budget=budget)
    assert summary.bad >= len(bad) > 0
    return summary.pages, bad


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sources").mkdir()
    return tmp_path / "sources"


def test_a_source_that_never_gives_its_first_record(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "endless.db")) as database:
        database.execute(
            "CREATE VIEW wiki AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT i AS id, '' AS data FROM n WHERE i < 0"
        )
    pages, bad = built(folder)
    assert pages == 2
    assert [(b.path, b.reason) for b in bad] == [
        ("endless.db", "it takes longer than 2 s; the file is skipped from here on")
    ]


def test_a_source_of_which_nothing_can_be_read_is_left(folder: Path) -> None:
    (folder / "bad.jsonl").write_bytes(b'{"id": "x", "lines": 1}\n' * 60_000)
    pages, bad = built(folder)
    assert pages == 2
    assert any("2,000 records in a row cannot be read" in one.reason for one in bad)
    assert len(bad) < 60_000


def test_the_bound_on_what_a_small_file_may_give(folder: Path) -> None:
    with gzip.open(folder / "endless.jsonl.gz", "wb", 6) as out:
        for number in range(60_000):
            out.write(b'{"title": "T%d", "text": "%s"}\n' % (number, b"a" * 1_000))
    pages, bad = built(folder)
    assert 2 < pages < 60_002
    assert "more than 50 times what it stores" in bad[-1].reason
    assert bad[-1].line == pages - 1
