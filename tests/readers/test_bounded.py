"""A file that costs too much to read is refused, also where it is not part of a build."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from feverfew.errors import BadRecord, InputError
from feverfew.readers import read_pages
from feverfew.readers.bounded import read_pages_bounded
from feverfew.workers import Budget


def test_pages_are_those_of_the_plain_reader(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.md").write_text("# Linz\n\nIt is a city.\n")
    (tmp_path / "deep" / "b.txt").write_text("Graz is a city.")
    for path in (tmp_path, tmp_path / "deep" / "b.txt"):
        assert list(read_pages_bounded([path])) == list(read_pages(path))
    inner = tmp_path / "deep" / "b.txt"
    found = list(read_pages_bounded([inner], root=tmp_path))
    assert found == list(read_pages(inner, root=tmp_path))


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"")
    with pytest.raises(InputError, match=r"x\.txt"):
        list(read_pages_bounded([tmp_path / "x.txt"]))
    with closing(sqlite3.connect(tmp_path / "endless.db")) as database:
        database.execute(
            "CREATE VIEW wiki AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT i AS id, '' AS data FROM n WHERE i < 0"
        )
    with pytest.raises(BadRecord, match=r"endless\.db: it takes longer than 1 s"):
        list(read_pages_bounded([tmp_path / "endless.db"], budget=Budget(seconds=1.0)))
