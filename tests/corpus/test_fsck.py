"""Checking: a sound corpus is sound, and each kind of rot has its word."""

import sqlite3
from pathlib import Path

import pytest
from zstandard import ZstdCompressor, ZstdDecompressor

from feverfew.corpus import Corpus
from feverfew.corpus.fsck import fsck
from feverfew.corpus.search import TextWriter
from feverfew.errors import NotACorpus
from making import made, many_pages


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made(tmp_path, many_pages(30))


def changed(directory: Path, statement: str, *values: object) -> list[str]:
    (store,) = directory.glob("g-*/pages.sqlite")
    with sqlite3.connect(store) as sql:
        sql.execute(statement, values)
    sql.close()
    return fsck(directory)


def test_a_sound_corpus_is_sound(directory: Path, sample_path: Path) -> None:
    assert fsck(directory) == []
    assert fsck(str(sample_path)) == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE pages SET title = 'Other' WHERE id = 3", "page 3 (Other) has changed"),
        ("UPDATE pages SET digest = 1 WHERE id = 3", "page 3 (Page_2_"),
        ("UPDATE pages SET head = x'00' WHERE id = 3", "cannot be read"),
        (
            "UPDATE pages SET head = (SELECT head FROM pages WHERE id = 4) WHERE id = 3",
            "has changed",
        ),
        ("DELETE FROM pages WHERE id = 3", "pages counts 30 pages, the store holds 29"),
        ("UPDATE facts SET value = '00' WHERE name = 'fingerprint'", "fingerprint does not fit"),
        ("UPDATE facts SET value = 'x' WHERE name = 'manifest'", "manifest.json has changed"),
        ("UPDATE facts SET value = 7 WHERE name = 'titles'", "titles-7.trie"),
        ("DELETE FROM parts WHERE name LIKE '%.trie'", "titles-1.trie"),
        ("INSERT INTO pending VALUES (3)", "has yet to hear of 1 pages; opening mends this"),
        ("DROP TABLE parts", "build the corpus again"),
    ],
)
def test_rot_in_the_store(directory: Path, statement: str, told: str) -> None:
    assert any(told in problem for problem in changed(directory, statement))


def test_many_problems_are_not_all_listed(directory: Path) -> None:
    problems = changed(directory, "UPDATE pages SET digest = 1")
    assert len(problems) == 21
    assert problems[-1] == "and perhaps more"


def test_a_text_index_that_lacks_a_page(directory: Path) -> None:
    (text,) = directory.glob("g-*/text")
    writer = TextWriter(text)
    writer.delete(3)
    writer.commit()
    writer.close()
    assert fsck(directory)


def test_what_is_no_corpus_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(NotACorpus):
        fsck(tmp_path)
    with pytest.raises(NotACorpus):
        fsck(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[int] = []
    fsck(made(tmp_path, many_pages(2_100)), told.append)
    assert told == [1_000, 2_000]


def test_pages_without_a_checksum_are_sound_but_noted(directory: Path) -> None:
    (store,) = directory.glob("g-*/pages.sqlite")
    with sqlite3.connect(store) as sql:
        (dictionary,) = sql.execute("SELECT value FROM facts WHERE name = 'dictionary'").fetchone()
        assert dictionary == b""
        (head,) = sql.execute("SELECT head FROM pages WHERE id = 3").fetchone()
        plain = ZstdCompressor(level=1).compress(ZstdDecompressor().decompress(head))
        sql.execute("UPDATE pages SET head = ? WHERE id = 3", (plain,))
    sql.close()
    notes: list[str] = []
    assert fsck(directory, on_note=notes.append) == []
    assert notes[0].startswith("1 pages were stored without a checksum")
    with Corpus.open(directory) as corpus:
        assert corpus.store.page(3) is not None
