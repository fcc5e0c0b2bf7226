"""Parts of a file of lines: together they are the file, wherever it is cut."""

import bz2
import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import InputError
from feverfew.readers import files
from feverfew.readers.base import Record, Source, Span
from feverfew.readers.files import head, lines, open_bytes, span_lines, spans

ZSTD = zstandard.ZstdCompressor()
PACK: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": lambda content: bz2.compress(content, 1),  # in small blocks
    "xz": lzma.compress,
    "zst": ZSTD.compress,
}
packings = pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
compressions = pytest.mark.parametrize("pack", list(PACK.values())[1:], ids=list(PACK)[1:])


def written(folder: Path, content: bytes) -> Source:
    # The name says nothing: the content decides.
    path = folder / "file.dat"
    path.write_bytes(content)
    return Source(path, path.name)


def read(source: Source) -> list[tuple[bytes, int, str]]:
    return [(record.data, record.line, record.problem) for record in lines(source)]


@packings
def test_lines_keep_their_number_and_blank_ones_are_passed_over(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    source = written(tmp_path, pack(b"\xef\xbb\xbfone\r\n\n  \n four \nlast"))
    assert read(source) == [(b"one", 1, ""), (b"four", 4, ""), (b"last", 5, "")]


@packings
def test_streams_one_behind_the_other_are_one_file(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    source = written(tmp_path, pack(b"a\nb") + pack(b"c\n") + pack(b"") + pack(b"d\n"))
    assert [data for data, _, _ in read(source)] == [b"a", b"bc", b"d"]


NUMBERED = [os.urandom(30).hex().encode() for _ in range(8_000)]


@compressions
def test_a_truncated_file_is_read_as_far_as_it_goes_and_reported(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    whole = pack(b"\n".join(NUMBERED))
    source = written(tmp_path, whole[: len(whole) * 9 // 10])
    *good, last = read(source)
    assert [data for data, _, _ in good] == NUMBERED[: len(good)]
    assert len(good) > 1000
    assert last[:2] == (b"", len(good) + 1)
    assert last[2].startswith("the file is damaged from here on: ")
    assert head(source.path) == b"\n".join(NUMBERED)[: files.HEAD]


@compressions
def test_a_corrupt_file_is_reported(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    content = bytearray(pack(b"\n".join(NUMBERED)))
    middle = len(content) // 2
    content[middle : middle + 64] = bytes(64)
    *good, last = read(written(tmp_path, bytes(content)))
    # A wrong byte may go unnoticed until the checksum, but never to the end.
    assert last[2].startswith("the file is damaged from here on: ")
    assert [data for data, _, _ in good[:10]] in (NUMBERED[:10], [])


@compressions
def test_so_is_one_of_which_only_the_first_bytes_are_left(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    source = written(tmp_path, pack(b"some text")[:12])
    assert b"some text".startswith(head(source.path))
    ((data, line, problem),) = read(source)
    assert (data, line) == (b"", 1)
    assert problem.startswith("the file is damaged")


def test_a_line_too_long_is_passed_over_in_bounded_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 20)
    source = written(tmp_path, b"a\n" + b"x" * (5 << 20) + b"\nb\n" + b"y" * (3 << 20))
    too_long = "the line is longer than 1 MB"
    assert read(source) == [(b"a", 1, ""), (b"", 2, too_long), (b"b", 3, ""), (b"", 4, too_long)]


def test_text_that_begins_like_a_compressed_file_is_text(tmp_path: Path) -> None:
    assert read(written(tmp_path, b"BZh is how bzip2 begins.")) == [
        (b"BZh is how bzip2 begins.", 1, "")
    ]


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    source = written(tmp_path, b"")
    assert read(source) == []
    assert head(source.path) == b""


def test_the_standard_input_is_read_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"one\ntwo\n"))
    monkeypatch.setattr(sys, "stdin", stream)
    assert list(lines(Source(Path("-"), "-"))) == [Record(b"one", 1), Record(b"two", 2)]
    assert not stream.closed


def test_what_is_no_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="missing: No such file or directory"):
        open_bytes(tmp_path / "missing")
    with pytest.raises(InputError, match="not a regular file"):
        open_bytes(tmp_path)


def test_a_pipe_is_refused_rather_than_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: not a regular file"):
        open_bytes(tmp_path / "pipe")


def test_an_unreadable_file_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path, b"secret")

    def refuse(*_: object) -> None:  # root may read whatever its mode says
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match=r"file.dat: Permission denied"):
        open_bytes(source.path)


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
