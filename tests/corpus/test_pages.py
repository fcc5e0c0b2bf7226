"""The store: pages by number, facts, books, and what it says of damage."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from feverfew.corpus.packing import Packer
from feverfew.corpus.pages import PageStore, fingerprint
from feverfew.errors import CorpusDamaged, CorpusError
from making import page

PACKER = Packer(b"")
PAGES = [page(f"Page {n}", *[f"Sentence {i}." for i in range(n)]) for n in range(40)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "pages.sqlite"
    store = PageStore.create(path)
    for number, made in enumerate(PAGES, 1):
        packed = PACKER.pack(made)
        store.insert([(number, made.title, packed.head, packed.tail, packed.digest)])
    store.set_meta("dictionary", b"")
    store.commit()
    store.close()
    return path


@pytest.fixture
def store(path: Path) -> Iterator[PageStore]:
    opened = PageStore.open(path)
    yield opened
    opened.close()


def test_pages_come_back_by_number_and_in_order(store: PageStore) -> None:
    assert store.page(7) == PAGES[6]
    assert store.page(41) is None
    assert list(store.all_pages()) == PAGES
    assert store.count() == store.last_number() == 40
    assert list(store.all_titles()) == [(n, made.title) for n, made in enumerate(PAGES, 1)]
    assert store.titles([3, 99, 1]) == {1: "Page 0", 3: "Page 2"}
    assert store.heads([2, 99])[2] == PAGES[1]
    assert store.heads([]) == {}
    assert store.titles([]) == {}
    assert [number for number, _ in store.numbered_heads()] == list(range(1, 41))


def test_more_rows_than_one_group(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feverfew.corpus.pages._GROUP", 7)
    store = PageStore.open(path)
    assert list(store.all_pages()) == PAGES
    store.close()


def test_what_is_not_committed_does_not_count(path: Path) -> None:
    store = PageStore.open(path, writable=True)
    store.delete(1)
    store.set_meta("odd", 1)
    assert store.pending() == [1]
    store.rollback()
    store.close()
    store = PageStore.open(path)
    assert store.page(1) == PAGES[0]
    assert store.meta("odd", "unset") == "unset"
    assert store.pending() == []
    store.close()


def summed(store: PageStore) -> str:
    return fingerprint(sum(digest for *_, digest in store.rows()))


def test_the_fingerprint_follows_the_pages(path: Path) -> None:
    store = PageStore.open(path, writable=True)
    before = summed(store)
    store.replace(3, "Page 2", PACKER.pack(page("Page 2", "Another text.")))
    assert summed(store) != before
    store.replace(3, "Page 2", PACKER.pack(PAGES[2]))
    assert summed(store) == before
    assert store.pending() == [3]
    store.close()


def test_a_store_opened_for_reading_cannot_be_changed(store: PageStore) -> None:
    with pytest.raises(CorpusError, match="readonly"):
        store.set_meta("odd", 1)


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "pages.sqlite"
    with pytest.raises(CorpusDamaged, match="is missing; build the corpus again"):
        PageStore.open(path)
    path.write_bytes(b"")
    with pytest.raises(CorpusDamaged, match="is not a store of pages; build the corpus again"):
        PageStore.open(path)
    path.write_bytes(b"what is this? " * 1_000)
    with pytest.raises(CorpusDamaged, match=r"is damaged .*; build the corpus again"):
        PageStore.open(path)


@pytest.mark.parametrize(
    "head", [b"", b"junk", PACKER._compress(b"junk"), PACKER._compress(b"\x93")]
)
def test_a_page_that_cannot_be_decoded(path: Path, head: bytes) -> None:
    with sqlite3.connect(path) as sql:
        sql.execute("UPDATE pages SET head = ? WHERE id = 5", (head,))
    sql.close()
    store = PageStore.open(path)
    for read in (lambda: store.page(5), lambda: store.heads([5]), lambda: list(store.all_pages())):
        with pytest.raises(CorpusDamaged, match=r"page 5 \(Page 4\) is damaged"):
            read()
    assert store.page(4) == PAGES[3]
    store.close()


@pytest.mark.parametrize("part", ["head", "tail"])
def test_a_flipped_bit_is_noticed_and_the_page_is_named(path: Path, part: str) -> None:
    long = page("Long", *(f"Sentence {number} of a long page." for number in range(200)))
    packed = PACKER.pack(long)
    store = PageStore.open(path, writable=True)
    store.replace(5, "Long", packed)
    store.commit()
    store.close()
    whole = getattr(packed, part)
    for at in range(0, len(whole), 7):
        changed = bytearray(whole)
        changed[at] ^= 1 << at % 8
        with sqlite3.connect(path) as sql:
            sql.execute(f"UPDATE pages SET {part} = ? WHERE id = 5", (bytes(changed),))
        sql.close()
        store = PageStore.open(path)
        with pytest.raises(CorpusDamaged, match=r"page 5 \(Long\) is damaged"):
            store.page(5)
        if part == "head":
            with pytest.raises(CorpusDamaged, match=r"page 5 \(Long\) is damaged"):
                store.heads([4, 5])
        store.close()


def test_a_page_in_another_ones_place_is_noticed(path: Path) -> None:
    with sqlite3.connect(path) as sql:
        sql.execute("UPDATE pages SET head = (SELECT head FROM pages WHERE id = 4) WHERE id = 5")
    sql.close()
    with pytest.raises(CorpusDamaged, match=r"page 5 .* titled 'Page 3'"):
        PageStore.open(path).page(5)
