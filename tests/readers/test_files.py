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

from feverfew.errors import InputError
from feverfew.readers import files
from feverfew.readers.base import Record, Source
from feverfew.readers.files import head, lines, open_bytes

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
