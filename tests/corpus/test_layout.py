"""The directory: the manifest, generations, the lock."""

from pathlib import Path

import pytest
from msgspec import structs

from feverfew.corpus import layout
from feverfew.errors import CorpusBusy, CorpusDamaged, CorpusError, NotACorpus

MANIFEST = layout.Manifest(
    format=layout.FORMAT,
    generation="g-00000001",
    feverfew="1",
    created="2020-01-01T00:00:00+00:00",
    sources=["a.jsonl"],
    built=layout.Summary(pages=3),
)


def published(directory: Path) -> Path:
    generation = directory / MANIFEST.generation
    generation.mkdir(parents=True)
    layout.publish(directory, layout.manifest_bytes(MANIFEST), generation)
    return generation


def test_what_is_published_is_read_back(tmp_path: Path) -> None:
    generation = published(tmp_path)
    assert layout.read_manifest(tmp_path) == MANIFEST
    assert layout.generation_path(tmp_path, MANIFEST) == generation
    digest = layout.digest_bytes(layout.manifest_bytes(MANIFEST))
    assert layout.manifest_digest(tmp_path) == digest
    generation.rmdir()
    with pytest.raises(CorpusDamaged, match="is missing; build the corpus again"):
        layout.generation_path(tmp_path, MANIFEST)


def test_publishing_clears_away_our_own_generations_only(tmp_path: Path) -> None:
    for name in ("g-0000000f", "g-photos", "g-1"):
        (tmp_path / name).mkdir()
    published(tmp_path)
    assert sorted(path.name for path in tmp_path.glob("g-*")) == ["g-00000001", "g-1", "g-photos"]


def test_an_unfinished_generation_is_found_but_never_the_one_in_use(tmp_path: Path) -> None:
    generation = published(tmp_path)
    (generation / "unfinished").touch()
    assert layout.unfinished_generations(tmp_path) == []
    made = layout.new_generation(tmp_path)
    assert layout.unfinished_generations(tmp_path) == [made]
    again = layout.new_generation(tmp_path)
    assert layout.unfinished_generations(tmp_path) == [again]
    assert generation.exists()


def test_a_directory_is_ours_if_nothing_else_lies_in_it(tmp_path: Path) -> None:
    layout.refuse_foreign(tmp_path / "nowhere")
    layout.refuse_foreign(tmp_path)
    published(tmp_path)
    (tmp_path / "lock").touch()
    layout.refuse_foreign(tmp_path)
    (tmp_path / "thesis.docx").touch()
    with pytest.raises(NotACorpus, match=r"holds 'thesis\.docx'.* new or empty directory"):
        layout.refuse_foreign(tmp_path)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    directory = tmp_path / "new" / "c"
    with layout.write_lock(directory):
        assert layout.being_written(directory)
        with pytest.raises(CorpusBusy, match=r"another process is writing to .*; try again later"):
            layout.write_lock(directory).__enter__()
    assert not layout.being_written(directory)
    with layout.write_lock(directory):
        pass


def test_the_lock_is_freed_by_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), layout.write_lock(tmp_path):
        raise ZeroDivisionError
    with layout.write_lock(tmp_path):
        pass


def test_a_lock_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CorpusError, match="cannot write to"):
        layout.write_lock(tmp_path / "file" / "c").__enter__()


@pytest.mark.parametrize(
    "data",
    [
        *(
            layout.manifest_bytes(structs.replace(MANIFEST, generation=name))
            for name in ("..", "../elsewhere", "/tmp", "g-00000001/../../elsewhere", "", "g-1", ".")
        ),
        b"",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"format": "\xff"}',
        b"\x00" * 200,
        layout.manifest_bytes(MANIFEST)[:-20],
        layout.manifest_bytes(MANIFEST).replace(b'"g-00000001"', b"7"),
        layout.manifest_bytes(MANIFEST).replace(b"a.jsonl", b"\xff"),
    ],
)
def test_a_damaged_manifest_is_refused_and_leads_nowhere_else(tmp_path: Path, data: bytes) -> None:
    directory = tmp_path / "damaged.corpus"
    published(directory)
    (tmp_path / "elsewhere").mkdir()
    (directory / "manifest.json").write_bytes(data)
    with pytest.raises(NotACorpus, match=r"damaged; build it again with 'feverfew index'"):
        layout.read_manifest(directory)
