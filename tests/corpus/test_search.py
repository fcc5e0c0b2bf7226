"""Full text: what matches, what weighs, what is deleted."""

from pathlib import Path

import pytest

from feverfew.corpus.search import TextIndex, TextWriter
from feverfew.errors import CorpusDamaged, CorpusError
from feverfew.text import words

BODIES = {
    1: ("vienna", "the capital of austria on the danube"),
    2: ("linz", "a city in austria on that danube"),
    3: ("danube", "the second longest river of europe"),
    4: ("!!!", "the band ★ 北京 日本 नई दिल्ली"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    writer = TextWriter(tmp_path / "text")
    writer.add((number, title, body) for number, (title, body) in BODIES.items())
    writer.commit()
    writer.close()
    return tmp_path / "text"


def found(folder: Path, query: str, limit: int = 10, **options: float) -> list[int]:
    return [n for n, _ in TextIndex.open(folder).search(words(query), limit, **options)]  # type: ignore[arg-type]


def test_rare_words_and_titles_come_first(folder: Path) -> None:
    assert found(folder, "the capital Austria")[:2] == [1, 2]
    assert found(folder, "Danube")[0] == 3
    assert found(folder, "Danube", title_weight=0) != found(folder, "Danube")
    assert 3 not in found(folder, "danube", title_weight=0)
    assert found(folder, "Danube", limit=1) == [3]


def test_questions_without_an_answer(folder: Path) -> None:
    index = TextIndex.open(folder)
    for query in ([], ["atlantis"], [""], ["x" * 70_000], ["\0"]):
        assert index.search(query, 5) == []
    assert index.search(["danube"], 0) == []


def test_scripts_of_the_world(folder: Path) -> None:
    for query in ("北京", "日本", "नई दिल्ली"):
        assert found(folder, query) == [4]


def test_frequent_words_are_left_out_when_the_budget_is_spent(folder: Path) -> None:
    assert found(folder, "longest the", budget=1) == [3]
    assert set(found(folder, "longest the")) == {1, 3, 4}


def test_a_word_is_counted_in_the_bodies(folder: Path) -> None:
    index = TextIndex.open(folder)
    assert (index.frequency("danube"), index.frequency("linz"), len(index)) == (2, 0, 4)


def test_deleting_and_replacing(folder: Path) -> None:
    writer = TextWriter(folder)
    writer.delete(1)
    writer.delete(2)
    writer.add([(2, "linz", "a city of steel")])
    assert set(found(folder, "austria")) == {1, 2}  # nothing counts before the commit
    writer.commit()
    writer.close()
    assert found(folder, "austria") == []
    assert found(folder, "steel") == [2]
    assert len(TextIndex.open(folder)) == 3


def test_deleting_all_that_came_later(folder: Path) -> None:
    writer = TextWriter(folder)
    writer.delete_after(2)
    writer.commit()
    writer.close()
    assert len(TextIndex.open(folder)) == 2


def test_an_abandoned_writer_leaves_the_index_as_it_was_and_free(folder: Path) -> None:
    writer = TextWriter(folder)
    writer.delete(1)
    with pytest.raises(CorpusError, match="lock"):
        TextWriter(folder)
    writer.abandon()
    writer.abandon()
    with pytest.raises(CorpusError, match="no longer open"):
        writer.commit()
    TextWriter(folder).abandon()
    assert found(folder, "capital") == [1]


def test_others_may_read_what_was_written(folder: Path) -> None:
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes["meta.json"] == modes[".managed.json"] == modes[".tantivy-meta.lock"]


def test_a_folder_that_holds_no_index(tmp_path: Path) -> None:
    with pytest.raises(CorpusDamaged, match="build the corpus again"):
        TextIndex.open(tmp_path)
