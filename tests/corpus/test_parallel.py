"""Worker processes: in order, from any script, and clear when one dies."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feverfew.corpus.build import build
from feverfew.errors import BadRecord, FeverfewError
from feverfew.workers import Workers, cores
from making import child, fever_file, many_pages, run_child

HERE = Path(__file__)
FACTORY = f"{HERE.stem}:worker"


@pytest.fixture(autouse=True)
def _workers_find_this_file(monkeypatch: pytest.MonkeyPatch) -> None:
    places = (str(HERE.parent), str(HERE.parents[1]), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))


def worker(settings: str) -> Callable[[bytes], bytes]:
    """What the workers run: some payloads are deadly."""

    def work(payload: bytes) -> bytes:
        match payload:
            case b"die":
                os.kill(os.getpid(), signal.SIGKILL)
            case b"raise":
                raise ValueError("a bad payload")
            case b"print":
                sys.stdout.write("a stray word\n")
            case b"slow":
                time.sleep(0.2)
        return settings.encode() + payload

    if settings == "broken":
        raise RuntimeError("broken from the start")
    return work


@pytest.mark.parametrize("count", [1, 2, 3])
def test_answers_come_in_order(count: int) -> None:
    payloads = [b"slow", *(str(n).encode() for n in range(50)), b"print", b"x" * (2 << 20)]
    with Workers(FACTORY, ">", count) as pool:
        assert list(pool.map(payloads)) == [b">" + payload for payload in payloads]
        assert list(pool.map([])) == []
        assert list(pool.map([b"again"])) == [b">again"]


def test_payloads_are_asked_for_as_they_are_needed() -> None:
    asked = 0

    def payloads() -> Iterator[bytes]:
        nonlocal asked
        for number in range(1_000):
            asked += 1
            yield str(number).encode()

    with Workers(FACTORY, "", 2) as pool:
        answers = pool.map(payloads())
        next(answers)
        assert asked <= 10
        answers.close()  # type: ignore[attr-defined]


def test_a_worker_that_is_killed() -> None:
    with (
        pytest.raises(FeverfewError, match=r"ended unexpectedly \(exit code -9\); .*--workers"),
        Workers(FACTORY, "", 2) as pool,
    ):
        list(pool.map([b"1", b"die", b"2"] * 5))


def test_a_worker_that_raises() -> None:
    with (
        pytest.raises(FeverfewError, match=r"(?s)worker process failed.*ValueError: a bad payload"),
        Workers(FACTORY, "", 2) as pool,
    ):
        list(pool.map([b"1", b"raise"]))


@pytest.mark.parametrize("factory", [FACTORY, "no.such.module:worker", f"{HERE.stem}:nothing"])
def test_a_worker_that_cannot_start(factory: str, capfd: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(FeverfewError, match="ended unexpectedly"),
        Workers(factory, "broken", 2) as pool,
    ):
        list(pool.map([b"1" * (1 << 20)] * 4))
    assert "Error" in capfd.readouterr().err


def test_a_worker_killed_in_the_middle_of_a_build_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = fever_file(tmp_path / "pages.jsonl", many_pages(3_000))
    pools: list[Workers] = []
    enter = Workers.__enter__
    monkeypatch.setattr(Workers, "__enter__", lambda pool: pools.append(pool) or enter(pool))  # type: ignore[func-returns-value]
    killed: list[int] = []

    def kill_one(_: object) -> None:
        if not killed:
            killed.append(pools[-1]._processes[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    bad: list[BadRecord] = []
    summary = build([source], tmp_path / "c", workers=2, on_progress=kill_one, on_bad=bad.append)
    assert (summary.pages, bad) == (3_000, [])
    assert killed


def test_a_library_user_needs_no_main_guard(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "pages.jsonl", many_pages(1_100))
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "from feverfew.corpus import Corpus\n"
        "print(len(Corpus.build([sys.argv[1]], sys.argv[2], workers=2)))\n"
    )
    code, out, err = run_child(f"exec(open({str(script)!r}).read())", source, tmp_path / "c")
    assert (code, out) == (0, "1100\n"), err


def test_there_is_a_core() -> None:
    assert cores() >= 1


def test_an_idle_worker_ends_with_its_parent() -> None:
    code = (
        "import os, sys\n"
        "from feverfew.workers import Workers\n"
        f"pool = Workers({FACTORY!r}, '', 1).__enter__()\n"
        "print(pool._processes[0].pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    with child(code) as process:
        assert process.stdout
        pid = int(process.stdout.readline())
        process.wait(20)
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.02)
