import errno
import gzip
import io
import os
import tarfile
from pathlib import Path

import pytest

from feverfew.errors import BadRecord, InputError, UnknownFormat
from feverfew.readers import FORMATS, Source, read_pages, reader_for, sources
from feverfew.types import Page

FEVER = b'{"id": "Aruba", "text": "", "lines": "0\\tAn island ."}\n'
FEVEROUS = b'{"title": "Berlin", "order": ["sentence_0"], "sentence_0": "A city."}\n'
HOVER = b'{"title": "Cairo", "text": ["A city."]}\n'


def names(*paths: Path) -> list[str]:
    return [source.name for source in sources(paths)]


def test_folders_are_walked_in_order_and_hidden_things_left_out(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/.hidden", ".git/config", "a/b/c.txt", "é.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert names(tmp_path) == ["b.txt", "é.txt", "a/z.txt", "a/b/c.txt"]
    assert names(tmp_path / "b.txt", tmp_path / "a") == ["b.txt", "z.txt", "b/c.txt"]


def test_links_in_a_ring_end(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "file").touch()
    (tmp_path / "a" / "to_b").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "to_a").symlink_to(tmp_path / "a")
    (tmp_path / "itself").symlink_to(tmp_path)
    assert [name.rpartition("/")[2] for name in names(tmp_path)] == ["file"]


def test_links_that_lead_out_are_reported_and_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside / "a", outside):
        folder.mkdir(parents=True)
        (folder / "own.txt").touch()
    (inside / "file").symlink_to(outside / "own.txt")
    (inside / "a" / "folder").symlink_to(outside)
    (inside / "again.txt").symlink_to(inside / "a" / "own.txt")
    bad: list[BadRecord] = []
    found = [source.name for source in sources([inside], on_bad=bad.append)]
    assert found == ["again.txt", "a/own.txt"]
    assert [error.path for error in bad] == ["file", "a/folder"]
    assert "a link that leads out of the folder" in str(bad[0])
    with pytest.raises(BadRecord, match="leads out"):
        names(inside)
    assert names(inside / "file") == ["file"]


def test_a_folder_that_cannot_be_read_is_reported_and_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a/one.txt", "b/two.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("a"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    bad: list[BadRecord] = []
    assert [source.name for source in sources([tmp_path], on_bad=bad.append)] == ["b/two.txt"]
    assert [str(error) for error in bad] == ["a: the folder cannot be read: Permission denied"]
    with pytest.raises(InputError, match="a: the folder cannot be read: Permission denied"):
        names(tmp_path)
    with pytest.raises(InputError, match="Permission denied"):
        list(sources([tmp_path / "a"], on_bad=bad.append))


def test_a_name_that_is_not_utf8_can_be_stored(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.touch()
    assert names(tmp_path) == ["caf�.txt"]


def test_what_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: no such file or folder"):
        names(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "name"), [(FEVER, "fever"), (FEVEROUS, "feverous"), (HOVER, "hover")]
)
def test_the_content_decides_whatever_the_name_says(
    tmp_path: Path, content: bytes, name: str
) -> None:
    path = tmp_path / "data.xml"
    for written in (content, gzip.compress(content), b"\n{broken\n" + content):
        path.write_bytes(written)
        assert reader_for(Source(path, path.name)).name == name


def test_a_first_page_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b'{"title": "A", "order": [], "sentence_0": "' + b"x" * 200_000 + b'"}')
    assert reader_for(Source(path, path.name)).name == "feverous"


def test_every_reader_goes_by_its_name() -> None:
    assert {name: reader.name for name, reader in FORMATS.items()} == {n: n for n in FORMATS}


def test_a_named_format_wins_and_a_wrong_name_lists_the_right_ones(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(HOVER)
    source = Source(path, path.name)
    assert reader_for(source, "feverous").name == "feverous"
    with pytest.raises(UnknownFormat, match="unknown format 'fevr'; known are fever, feverous,"):
        reader_for(source, "fevr")
    with pytest.raises(UnknownFormat, match="'fevr'"):
        list(read_pages(path, "fevr", on_bad=lambda bad: None))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (bytes(range(256)) * 40, "format not recognised; if it is one of fever,"),
        (b"", "empty"),
        (b'{"id": 1, "claim": "Aruba is an island."}', "holds claims, not pages"),
    ],
)
def test_what_nobody_recognises(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "thing.bin"
    path.write_bytes(content)
    with pytest.raises(UnknownFormat, match=f"thing.bin: {why}"):
        list(read_pages(path))


def test_a_folder_of_many_formats(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_bytes(FEVER + b"{\n" + FEVER)
    (tmp_path / "2.jsonl.gz").write_bytes(gzip.compress(FEVEROUS))
    (tmp_path / "3.bin").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "4.jsonl").symlink_to(tmp_path / "gone")
    os.mkfifo(tmp_path / "5.pipe")
    (tmp_path / "6.json").write_bytes(HOVER)
    bad: list[BadRecord] = []
    pages = [page for page in read_pages(tmp_path, on_bad=bad.append) if isinstance(page, Page)]
    assert [(page.title, page.source) for page in pages] == [
        ("Aruba", "1.jsonl"),
        ("Aruba", "1.jsonl"),
        ("Berlin", "2.jsonl.gz"),
        ("Cairo", "6.json"),
    ]
    places = [(error.path, error.line) for error in bad]
    assert places == [("1.jsonl", 2), ("3.bin", 0), ("4.jsonl", 0), ("5.pipe", 0)]


def test_a_bad_record_is_raised_if_nobody_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(FEVER + b'{"id": 4}\n' + FEVER)
    pages = read_pages(path)
    assert next(pages)
    with pytest.raises(BadRecord, match=r"pages.jsonl:2: "):
        next(pages)


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_an_archive_of_documents(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "pages.tar"
    html = b"<!DOCTYPE html><html><title>Aruba</title><body><p>An island.</p></body></html>"
    members = {"a/aruba.html": html, "a/.hidden.html": html, "x.bin": bytes(range(256))}
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    bad: list[BadRecord] = []
    pages = [page for page in read_pages(path, on_bad=bad.append) if isinstance(page, Page)]
    assert [page.source for page in pages] == ["pages.tar/a/aruba.html"]
    assert [str(error) for error in bad] == ["pages.tar:2: x.bin is not a document"]


def test_a_cut_archive_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "pages.tar"
    with tarfile.open(path, "w") as archive:
        member = tarfile.TarInfo("aruba.html")
        member.size = 30_000
        archive.addfile(member, io.BytesIO(b"<html>".ljust(30_000)))
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(BadRecord, match=r"pages.tar:1: the file is damaged"):
        list(read_pages(path))


def test_root_decides_what_a_deep_file_is_called(tmp_path: Path) -> None:
    deep = tmp_path / "docs" / "policies" / "travel.md"
    deep.parent.mkdir(parents=True)
    deep.write_text("# Travel\n\nTrains are paid for.\n")
    (page,) = read_pages(deep, root=tmp_path / "docs")
    assert isinstance(page, Page)
    assert page.title == "policies/travel.md"
    with pytest.raises(InputError, match="does not lie in"):
        list(read_pages(deep, root=deep.parent / "elsewhere"))
