"""A bit that flips anywhere in a corpus is harmless or found: nothing else is ever read."""

import os
from pathlib import Path

import pytest

from feverfew.corpus import Corpus, update
from feverfew.corpus.checksums import SEAL, STORE, store_damaged
from feverfew.corpus.fsck import fsck
from feverfew.errors import CorpusDamaged
from making import feverfew, made, many_pages, page
from tools.torture.flips import flip, run


def test_flips_in_every_file(tmp_path: Path) -> None:
    result = run(12, 1, tmp_path)
    assert result.failures == ()
    assert result.tries > 300
    assert result.notes["CorpusDamaged"] > 200


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made(tmp_path, many_pages(20))


def generation(directory: Path) -> Path:
    (folder,) = directory.glob("g-*")
    return folder


def test_the_store_is_sealed_by_each_writer(directory: Path) -> None:
    folder = generation(directory)
    seals = [(folder / SEAL).read_bytes()]
    update.add(directory, [page("Graz", "A city .")])
    seals.append((folder / SEAL).read_bytes())
    with Corpus.open(directory) as corpus:
        corpus.links_of("Graz")
    seals.append((folder / SEAL).read_bytes())
    assert len(set(seals)) == 3
    assert not store_damaged(folder)


def test_damage_is_found_though_size_and_time_are_the_same(directory: Path) -> None:
    store = generation(directory) / STORE
    before = store.stat()
    flip(store, before.st_size - 3, 1)
    os.utime(store, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(CorpusDamaged, match=r"pages\.sqlite has changed; build it again"):
        Corpus.open(directory)
    assert "pages.sqlite has changed" in fsck(directory)
    said = feverfew("show", "--corpus", directory, "Page 3")
    assert (said.returncode, said.stderr.count("\n")) == (3, 1)


def test_without_a_seal_of_this_state_a_corpus_opens(directory: Path) -> None:
    folder = generation(directory)
    old = (folder / SEAL).read_bytes()
    update.add(directory, [page("Graz", "A city .")])
    for seal in (old, b"", b"{}", b"\xff"):  # as a writer leaves it that was cut off, or knows none
        (folder / SEAL).write_bytes(seal)
        with Corpus.open(directory) as corpus:
            assert "Graz" in corpus
