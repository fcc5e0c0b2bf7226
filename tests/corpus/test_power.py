"""Simulated power cuts: what was acknowledged is there, whatever of the rest the disk lost."""

import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from feverfew.corpus.pages import PageStore
from feverfew.corpus.search import TextWriter
from feverfew.errors import CorpusDamaged
from making import made, many_pages
from tools.torture import power
from tools.torture.recording import Disk, Event


@pytest.mark.skipif(
    not shutil.which("strace"), reason="needs strace, which records what is written"
)
def test_power_cuts_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    result = power.run(15, 3, tmp_path)
    assert result.failures == ()
    assert result.tries == 15


def test_a_commit_is_synced_with_its_directory(tmp_path: Path) -> None:
    (path,) = made(tmp_path, many_pages(3)).glob("g-*/pages.sqlite")
    store = PageStore.open(path, writable=True)
    assert store._sql.execute("PRAGMA synchronous").fetchone() == (3,)
    store.close()
    sqlite3.connect(path).close()


def test_a_lost_index_is_not_made_anew(tmp_path: Path) -> None:
    with pytest.raises(CorpusDamaged, match="missing or incomplete"):
        TextWriter(tmp_path / "text", new=False)


def left(*events: Event, seed: int, root: Path, into: Path) -> dict[str, bytes]:
    disk = Disk(root)
    for event in events:
        disk.do(event)
    disk.cut_the_power(into, random.Random(seed))
    return {path.name: path.read_bytes() for path in into.rglob("*") if path.is_file()}


def test_the_disk_loses_only_what_was_not_synced(tmp_path: Path) -> None:
    root = tmp_path / "r"
    a, b = str(root / "a"), str(root / "b")
    made_and_synced = [
        Event("open", [a], text="O_CREAT"),
        Event("write", [a], b"one"),
        Event("sync", [a]),
        Event("sync", [str(root)]),
    ]
    later = [Event("write", [a], b"two", 3), Event("rename", [a, b])]
    seen = {
        tuple(
            left(*made_and_synced, *later, seed=seed, root=root, into=tmp_path / str(seed)).items()
        )
        for seed in range(60)
    }
    assert seen == {(("a", b"one"),), (("a", b"onetwo"),), (("b", b"one"),), (("b", b"onetwo"),)}
