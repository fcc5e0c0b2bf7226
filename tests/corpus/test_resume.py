"""Builds that go on: counts stay exact, and nothing is mixed up."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feverfew.corpus import Corpus
from feverfew.corpus import build as package
from feverfew.corpus.build import Progress, build
from feverfew.corpus.fsck import fsck
from feverfew.errors import BadRecord, InputError, NotACorpus
from making import fever_file, fever_line, many_pages


class Interrupted(Exception):
    """What stands for Ctrl-C."""


def interrupt_after(chunks: int) -> Callable[[Progress], None]:
    def on_progress(_: Progress) -> None:
        nonlocal chunks
        chunks -= 1
        if chunks < 0:
            raise Interrupted

    return on_progress


def interrupted(source: Path, directory: Path, chunks: int) -> None:
    with pytest.raises(Interrupted):
        build(
            [source],
            directory,
            workers=0,
            checkpoint_seconds=0,
            on_progress=interrupt_after(chunks),
        )


def sources(folder: Path) -> Path:
    """Make a folder that has everything a summary counts."""
    folder.mkdir()
    (folder / "0.bin").write_bytes(b"\0\1\2" * 1_000)
    fever_file(folder / "a.jsonl", many_pages(1_200))
    with (folder / "a.jsonl").open("a") as file:
        file.write("broken\n" + fever_line("Page 7"))  # line 1201 and a title of its own
    pages = list(many_pages(1_400).items())[1_100:]
    text = "".join(fever_line(title, *body) for title, body in pages)
    (folder / "b.jsonl").write_text(text + fever_line(pages[-1][0]) + "{\n")
    return folder


def build_whole(folder: Path, directory: Path, **options: Any) -> Any:
    bad: list[str] = []
    summary = build([folder], directory, workers=0, on_bad=lambda b: bad.append(str(b)), **options)
    return summary, bad


def test_the_summary_is_that_of_an_uninterrupted_build(tmp_path: Path) -> None:
    folder = sources(tmp_path / "sources")
    whole, told = build_whole(folder, tmp_path / "whole")
    assert (whole.pages, whole.bad, whole.duplicates) == (1_401, 3, 101)
    assert [line.split(": ")[0] for line in told] == [
        "0.bin", "a.jsonl:1201", "b.jsonl:301", "b.jsonl:302",
    ]  # fmt: skip
    directory = tmp_path / "c"
    for chunks in (0, 1, 1, 1, 1):
        with pytest.raises(Interrupted):
            build(
                [folder],
                directory,
                workers=0,
                resume=True,
                checkpoint_seconds=0,
                on_progress=interrupt_after(chunks),
            )
        with pytest.raises(NotACorpus, match="unfinished build; go on with 'feverfew index --res"):
            Corpus.open(directory)
    resumed, told_again = build_whole(folder, directory, resume=True)
    assert (resumed.pages, resumed.bad, resumed.duplicates) == (1_401, 3, 101)
    assert "b.jsonl:301" in told_again[0]
    assert fsck(directory) == []
    with Corpus.open(directory) as one, Corpus.open(tmp_path / "whole") as other:
        assert list(one) == list(other)
        assert one.fingerprint == other.fingerprint


def test_strict_sees_a_duplicate_of_a_page_before_the_interruption(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "a.jsonl", many_pages(600))
    with source.open("a") as file:
        file.write(fever_line(next(iter(many_pages(1)))))
    interrupted(source, tmp_path / "c", 1)
    with pytest.raises(BadRecord, match=r"^a\.jsonl:601: duplicate title"):
        build([source], tmp_path / "c", workers=0, resume=True, strict=True)


def test_other_sources_are_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one = fever_file(tmp_path / "one" / "a.jsonl", many_pages(600))
    two = fever_file(tmp_path / "two" / "a.jsonl", many_pages(601))
    with pytest.raises(Interrupted):
        build([one], tmp_path / "c", workers=0, on_progress=interrupt_after(0))
    for other, kind in ((two, None), (one, "fever")):
        with pytest.raises(InputError, match=r"build of other sources .* leave out --resume"):
            build([other], tmp_path / "c", workers=0, resume=True, format=kind)
    assert build([two], tmp_path / "c", workers=0).pages == 601
    assert len(list((tmp_path / "c").glob("g-*"))) == 1


def test_resuming_where_nothing_was_begun_is_an_ordinary_build(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "a.jsonl", many_pages(5))
    for _ in range(2):
        assert build([source], tmp_path / "c", resume=True).pages == 5
    assert fsck(tmp_path / "c") == []


def test_a_new_build_clears_away_what_no_one_went_on_with(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "a.jsonl", many_pages(600))
    for _ in range(3):
        with pytest.raises(Interrupted):
            build([source], tmp_path / "c", workers=0, on_progress=interrupt_after(0))
        assert len(list((tmp_path / "c").glob("g-*"))) == 1


def test_interrupted_twice_with_nothing_new_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = fever_file(tmp_path / "a.jsonl", many_pages(600))
    with source.open("a") as file:
        file.write("broken\n" * 600)
    interrupted(source, tmp_path / "c", 2)
    monkeypatch.setattr(package, "write_titles", lambda *_: (_ for _ in ()).throw(Interrupted))
    for _ in range(2):
        with pytest.raises(Interrupted):
            build([source], tmp_path / "c", workers=0, resume=True, checkpoint_seconds=0)
    monkeypatch.undo()
    summary = build([source], tmp_path / "c", workers=0, resume=True)
    assert (summary.pages, summary.bad) == (600, 600)
    assert fsck(tmp_path / "c") == []
    with Corpus.open(tmp_path / "c") as corpus:
        assert all(title in corpus for title in many_pages(600))
