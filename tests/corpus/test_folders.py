import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.corpus.folders import Refreshed, read_registry, refresh
from feverfew.errors import BadRecord, InputError
from feverfew.workers import Budget


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "policies").mkdir(parents=True)
    (folder / "policies/travel.md").write_text("# Travel\n\nTrains are second class.\n")
    (folder / "hours.txt").write_text("We open at nine.\n")
    (folder / "notes.txt").write_text("All is well. " * 20)
    return folder


def counts(done: Refreshed) -> tuple[int, int, int, int, bool]:
    return done.added, done.changed, done.removed, done.unchanged, done.built is not None


def titles(corpus: Path) -> list[str]:
    with Corpus.open(corpus) as opened:
        return sorted(page.title for page in opened)


def test_only_what_changed_is_read(docs: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "my.corpus"
    assert counts(refresh([docs], corpus)) == (3, 0, 0, 0, True)
    assert counts(refresh([docs], corpus)) == (0, 0, 0, 3, False)
    (docs / "hours.txt").write_text("We open at ten.\n")
    (docs / "new.md").write_text("A new page.\n")
    (docs / "policies/travel.md").unlink()
    done = refresh([docs], corpus)
    assert counts(done) == (1, 1, 1, 1, False)
    assert done.pages == 3
    assert titles(corpus) == ["hours.txt", "new.md", "notes.txt"]
    with Corpus.open(corpus) as opened:
        assert opened.page("hours.txt").sentences[0].text == "We open at ten."
        assert opened.text.search(["nine"], 5) == []
    assert counts(refresh([docs], corpus)) == (0, 0, 0, 3, False)


def test_a_touched_file_is_not_read_again(docs: Path, tmp_path: Path) -> None:
    refresh([docs], tmp_path / "c")
    os.utime(docs / "hours.txt", ns=(1, 1))
    with Corpus.open(tmp_path / "c") as before:
        generation = before.fingerprint
    assert counts(refresh([docs], tmp_path / "c")) == (0, 0, 0, 3, False)
    with Corpus.open(tmp_path / "c") as after:
        assert after.fingerprint == generation


def test_a_refreshed_corpus_is_the_same_as_one_built_anew(docs: Path, tmp_path: Path) -> None:
    refresh([docs], tmp_path / "a")
    (docs / "hours.txt").write_text("We close at five.\n")
    refresh([docs], tmp_path / "a")
    refresh([docs], tmp_path / "b")
    with Corpus.open(tmp_path / "a") as one, Corpus.open(tmp_path / "b") as other:
        assert one.fingerprint == other.fingerprint


def test_a_bad_file_is_reported_each_time_and_read_when_it_is_mended(
    docs: Path, tmp_path: Path
) -> None:
    (docs / "bad.csv").write_bytes(b"")
    seen: list[BadRecord] = []
    refresh([docs], tmp_path / "c", on_bad=seen.append)
    done = refresh([docs], tmp_path / "c", on_bad=seen.append)
    assert [bad.path for bad in seen] == ["bad.csv", "bad.csv"]
    assert done.bad == 1
    (docs / "bad.csv").write_text("City,Units\nOslo,3\n")
    assert counts(refresh([docs], tmp_path / "c", on_bad=seen.append)) == (0, 1, 0, 3, False)
    assert len(seen) == 2


def test_other_sources_or_a_wish_make_it_anew(docs: Path, tmp_path: Path) -> None:
    refresh([docs], tmp_path / "c")
    assert refresh([docs], tmp_path / "c", rebuild=True).built
    assert refresh([docs / "policies"], tmp_path / "c").built
    assert titles(tmp_path / "c") == ["travel.md"]


def test_a_folder_that_was_emptied_leaves_the_corpus_alone(docs: Path, tmp_path: Path) -> None:
    refresh([docs / "policies"], tmp_path / "c")
    (docs / "policies/travel.md").unlink()
    with pytest.raises(InputError, match="there is no file to index"):
        refresh([docs / "policies"], tmp_path / "c")
    assert titles(tmp_path / "c") == ["travel.md"]


def test_it_knows_where_a_source_lies(docs: Path, tmp_path: Path) -> None:
    refresh([docs], tmp_path / "c")
    known = read_registry(tmp_path / "c")
    assert known is not None
    assert known.path_of("policies/travel.md") == (docs / "policies/travel.md").resolve()
    assert known.path_of("gone.md") is None
    assert known.root_of(docs / "policies/other.md") == docs.resolve()
    assert known.root_of(tmp_path / "other.md") is None


def test_a_bomb_that_is_put_into_an_indexed_folder_is_skipped(docs: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "c"
    for number in range(20):  # so that a small new file is no reason to read all of them
        (docs / f"more{number}.md").write_text(f"# Town {number}\n\n" + "It is a town. " * 2_000)
    refresh([docs], corpus)
    with closing(sqlite3.connect(docs / "endless.db")) as database:
        database.execute(
            "CREATE VIEW wiki AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT i AS id, '' AS data FROM n WHERE i < 0"
        )
    (docs / "last.md").write_text("# Graz\n\nGraz is a city.\n")
    bad: list[BadRecord] = []
    done = refresh([docs], corpus, on_bad=bad.append, budget=Budget(seconds=1.0))
    assert done.built is None
    assert "last.md" in titles(corpus)
    assert [one.path for one in bad] == ["endless.db"]
    assert "longer than 1 s" in bad[0].reason
