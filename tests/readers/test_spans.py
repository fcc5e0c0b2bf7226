"""Parts of a file of lines: together they are the file, wherever it is cut."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.readers import Record, Source, files
from feverfew.readers.base import Span
from feverfew.readers.files import lines, span_lines, spans


def in_parts(source: Source, size: int) -> list[Record]:
    """Read a file by parts, and number the lines as if it had been read in one go."""
    found: list[Record] = []
    before = 0
    for span in spans(source, size) or ():
        records, count = span_lines(source, span)
        found += [Record(r.data, before + r.line, r.problem) for r in records]
        before += count
    return found


@given(st.lists(st.sampled_from([b"\n", b" ", b"a", b"bcd", b"\r\n", b"\xef\xbb\xbf"])), st.data())
def test_parts_hold_the_same_records_as_the_whole(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "spans.txt"
    path.write_bytes(b"".join(pieces))
    source = Source(path, "spans.txt")
    size = data.draw(st.integers(1, 40))
    assert in_parts(source, size) == list(lines(source))


def test_parts_are_cut_at_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo\nthree")
    assert list(spans(Source(path, "a.txt"), 5) or ()) == [Span(0, 8), Span(8, 13)]
    assert list(spans(Source(path, "a.txt"), 4) or ()) == [Span(0, 4), Span(4, 8), Span(8, 13)]


def test_a_line_too_long_is_a_problem_of_its_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 64)
    source = Source(tmp_path / "a.txt", "a.txt")
    source.path.write_bytes(b"a\n" + b"x" * 200 + b"\nb\n" + b"y" * 63 + b"\n" + b"z" * 70)
    found = in_parts(source, 3)
    assert found == list(lines(source))
    assert [(r.line, bool(r.problem)) for r in found] == [
        (1, False), (2, True), (3, False), (4, False), (5, True),
    ]  # fmt: skip


def test_a_compressed_file_has_no_parts(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"one\n"))
    assert spans(Source(path, "a.gz"), 10) is None


def test_a_file_that_has_gone_is_a_problem(tmp_path: Path) -> None:
    records, count = span_lines(Source(tmp_path / "gone", "gone"), Span(0, 10))
    assert count == 0
    assert records[0].problem.startswith("the file is damaged from here on")
