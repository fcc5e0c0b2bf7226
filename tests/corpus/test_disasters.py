"""Bad days of a whole directory: full disks, no leave to write, crowds, damage, strangers."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from feverfew.corpus import Corpus, layout
from feverfew.corpus.build import build
from feverfew.corpus.fsck import fsck
from feverfew.corpus.update import add, remove, replace
from feverfew.errors import CorpusBusy, CorpusDamaged, CorpusError, NotACorpus, NotFound
from making import child, fever_file, feverfew, made, many_pages, page, run_child, titles_in

SMALL = {"Vienna": ["Vienna lies on the Danube ."], "Linz": ["Linz is in Austria ."]}


# A full disk. No file may grow beyond a limit: no root is needed, and every system has it.

FULL = """
import resource, sys
from feverfew.cli.main import main
limit, sys.argv[1:] = int(sys.argv[1]), sys.argv[2:]
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
main()
"""


@pytest.mark.parametrize("limit", [0, 4_096, 20_000, 60_000, 200_000])
def test_a_full_disk_stops_a_build_and_keeps_the_old_corpus(tmp_path: Path, limit: int) -> None:
    directory = made(tmp_path, SMALL)
    source = fever_file(tmp_path / "many.jsonl", many_pages(1_500))
    code, out, err = run_child(FULL, str(limit), "index", source, "-o", directory, "--workers", "0")
    assert (code, out) == (3, "")
    assert err.startswith("feverfew: ")
    assert "Traceback" not in err
    assert titles_in(directory) == set(SMALL)
    assert fsck(directory) == []
    # There is room again: the build goes on, or begins anew.
    assert build([source], directory, resume=True, workers=0).pages == 1_500
    assert fsck(directory) == []


@pytest.mark.parametrize("limit", [0, 4_096, 33_000, 60_000])
def test_a_full_disk_stops_an_add_and_keeps_the_corpus(tmp_path: Path, limit: int) -> None:
    directory = made(tmp_path, SMALL)
    source = fever_file(tmp_path / "more.jsonl", many_pages(400))
    code, out, err = run_child(FULL, str(limit), "add", "--corpus", directory, source)
    assert (code, out) == (3, "")
    assert "Traceback" not in err
    with Corpus.open(directory) as corpus:
        stored = len(corpus)
        assert stored == (402 if "the change is stored" in err else 2)
        assert corpus.text.search(["danube"], 1)[0][0] == corpus.number("Vienna")
    assert fsck(directory) == []
    if stored == 2:
        assert add(directory, [page("Graz")]) == 1


# No leave to write. Root may write anywhere, so it becomes nobody first.

AS_NOBODY = """
import os, sys
from making import page
from pathlib import Path
from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.fsck import fsck
from feverfew.corpus.update import add
from feverfew.errors import CorpusError
directory, source = sys.argv[1:]
build([source], Path(directory).parent / "warm", workers=0)
Corpus.open(Path(directory).parent / "warm").close()  # now all that it needs is imported

if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
with Corpus.open(directory) as corpus:
    assert corpus.text.search(["danube"], 1)[0][0] == corpus.number("Vienna")
    assert corpus.page("Linz").title == "Linz"
assert fsck(directory) == []
for change in (lambda: add(directory, [page("Graz")]), lambda: build([source], directory)):
    try:
        change()
    except CorpusError as error:
        print(error)
"""


def test_a_directory_that_may_only_be_read_opens_and_answers(tmp_path: Path) -> None:
    public = Path(os.path.realpath(tmp_path))
    directory = made(public, SMALL)
    everything = [directory, *directory.rglob("*")]
    for folder in (public, *list(public.parents)[:2]):
        folder.chmod(0o755)  # or nobody would not even find it
    for path in everything:
        path.chmod(0o555 if path.is_dir() else 0o444)
    code, out, err = run_child(AS_NOBODY, directory, public / "made.corpus.jsonl")
    for path in everything:
        path.chmod(0o755)
    assert code == 0, err
    assert out == 2 * f"cannot write to {directory}: Permission denied\n"


# Crowds.


def test_the_second_writer_is_told_that_the_first_is_at_work(tmp_path: Path) -> None:
    directory = made(tmp_path, SMALL)
    source = tmp_path / "made.corpus.jsonl"
    with layout.write_lock(directory):
        for change in (
            lambda: add(directory, [page("Graz")]),
            lambda: replace(directory, [page("Linz")]),
            lambda: remove(directory, ["Linz"]),
            lambda: build([source], directory),
            lambda: fsck(directory),
        ):
            with pytest.raises(CorpusBusy, match="another process is writing"):
                change()
        for command in ("index", "add"):
            option = "-o" if command == "index" else "--corpus"
            done = feverfew(command, source, option, directory)
            assert (done.returncode, done.stdout) == (3, "")
            assert "try again later" in done.stderr
        assert titles_in(directory) == set(SMALL)
    assert fsck(directory) == []


WRITER = """
import sys
from making import fever_file, page
from pathlib import Path
from feverfew.corpus import update
from feverfew.corpus.build import build
update._MOST_NEW_NAMES = 3  # so that the trie, too, is often made anew
directory, source = sys.argv[1:]
for number in range(40):
    update.add(directory, [page(f"Added {number}", "A text .")])
    if number % 8 == 7:
        build([source], directory, workers=0)
"""


def test_readers_never_fail_while_a_writer_works(tmp_path: Path) -> None:
    directory, opened = made(tmp_path, SMALL), 0
    with child(WRITER, directory, tmp_path / "made.corpus.jsonl") as writer:
        while writer.poll() is None:
            with Corpus.open(directory) as corpus:
                assert corpus.text.search(["danube"], 1)[0][0] == corpus.number("Vienna")
                assert corpus.page("Linz").title == "Linz"
                assert len(list(corpus)) >= 2
            opened += 1
        _, err = writer.communicate()
    assert writer.returncode == 0, err
    assert opened > 5
    assert fsck(directory) == []


def test_a_slow_reader_does_not_keep_a_writer_out(tmp_path: Path) -> None:
    directory = made(tmp_path, many_pages(1_200))
    with Corpus.open(directory) as corpus:
        pages = iter(corpus)
        next(pages)
        assert add(directory, [page("Graz")]) == 1  # in the midst of the reading
        assert len(list(pages)) >= 1_199


# Damage, file by file.


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x20
    path.write_bytes(data)


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take damage for what it is: no writer is at work that could mend it."""
    monkeypatch.setattr("feverfew.corpus.corpus._PATIENCE", ())


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    directory = made(folder, many_pages(300))
    add(directory, [page("Graz", "A city .", aliases=("Gradec",))])
    return directory


def parts(directory: Path) -> dict[str, Path]:
    """List the files that matter, by a name that every build gives them."""
    found: dict[str, Path] = {}
    for path in sorted(directory.rglob("*")):
        without = path.name in (".managed.json", "pages.sum")  # it can be done without these
        if path.is_file() and not path.name.endswith("lock") and not without:
            inside = path.parent.name == "text" and path.name != "meta.json"
            found.setdefault(f"a segment's {path.suffix}" if inside else path.name, path)
    return found


PARTS = [
    "manifest.json", "pages.sqlite", "titles-1.trie", "titles-1.offsets.npy",
    "titles-1.bearers.npy", "meta.json", "a segment's .fast", "a segment's .fieldnorm",
    "a segment's .idx", "a segment's .pos", "a segment's .store", "a segment's .term",
]  # fmt: skip


def test_no_part_is_forgotten(sound: Path) -> None:
    assert sorted(parts(sound)) == sorted(PARTS)


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize("damage", [truncate, empty, Path.unlink])
@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_cut_off_or_gone(
    sound: Path, tmp_path: Path, part: str, damage: Callable[[Path], None]
) -> None:
    directory = tmp_path / "c"
    shutil.copytree(sound, directory)
    damage(parts(directory)[part])
    with pytest.raises(CorpusError) as told:
        Corpus.open(directory)
    assert "again" in str(told.value) or "not a corpus" in str(told.value)
    if part == "manifest.json":
        with pytest.raises(NotACorpus):
            fsck(directory)
    else:
        assert fsck(directory)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_which_a_bit_has_flipped(sound: Path, tmp_path: Path, part: str) -> None:
    directory = tmp_path / "c"
    shutil.copytree(sound, directory)
    flip(parts(directory)[part])
    try:
        problems = fsck(directory)
    except NotACorpus as error:
        problems = [str(error)]
    assert problems
    assert all("\n" not in problem for problem in problems)


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize("seed", range(60))
def test_a_bit_flipped_anywhere_in_the_store_is_found_or_changes_nothing(
    sound: Path, tmp_path: Path, seed: int
) -> None:
    directory = tmp_path / "c"
    shutil.copytree(sound, directory)
    path = parts(directory)["pages.sqlite"]
    data = bytearray(path.read_bytes())
    data[len(data) * seed // 60 + seed] ^= 1 << seed % 8
    path.write_bytes(data)
    found = fsck(directory)
    try:
        with Corpus.open(directory) as damaged, Corpus.open(sound) as whole:
            same = (
                list(damaged) == list(whole)
                and damaged.page("Graz") == whole.page("Graz")
                and damaged.fingerprint == whole.fingerprint
                and damaged.store.new_names() == whole.store.new_names()
            )
    except (CorpusError, NotFound):
        same = False
    assert found or same


def test_the_commands_say_so_too(sound: Path, tmp_path: Path) -> None:
    directory = tmp_path / "c"
    shutil.copytree(sound, directory)
    flip(parts(directory)["a segment's .term"])
    checked = feverfew("fsck", directory, "--json")
    assert checked.returncode == 1
    assert json.loads(checked.stdout)["sound"] is False
    empty(parts(directory)["pages.sqlite"])
    shown = feverfew("show", "--corpus", directory, "Graz")
    assert (shown.returncode, shown.stdout) == (3, "")
    assert shown.stderr.startswith("feverfew: ")
    assert shown.stderr.count("\n") == 1


# Strangers.


def test_a_corpus_of_another_format(sound: Path, tmp_path: Path) -> None:
    directory = tmp_path / "c"
    shutil.copytree(sound, directory)
    manifest = json.loads((directory / "manifest.json").read_text())
    (directory / "manifest.json").write_text(json.dumps({**manifest, "format": 99}))
    with pytest.raises(NotACorpus, match=r"format 99; .* reads format \d+: build it again"):
        Corpus.open(directory)
    with pytest.raises(NotACorpus, match="format 99"):
        add(directory, [page("Graz")])


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": "1"}', '{"format": 2}', "\xff"])
def test_a_manifest_of_someone_else(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text, encoding="latin-1")
    with pytest.raises(NotACorpus, match="damaged; build it again"):
        Corpus.open(tmp_path)


def test_a_directory_of_someone_else_is_neither_opened_nor_filled(tmp_path: Path) -> None:
    foreign = tmp_path / "photos"
    (foreign / "g-1").mkdir(parents=True)
    (foreign / "g-1" / "cat.jpg").write_bytes(b"cat")
    source = fever_file(tmp_path / "pages.jsonl", SMALL)
    with pytest.raises(NotACorpus, match="is not a corpus"):
        Corpus.open(foreign)
    with pytest.raises(NotACorpus, match="choose a new or empty directory"):
        build([source], foreign)
    assert [path.name for path in foreign.rglob("*")] == ["g-1", "cat.jpg"]


def test_a_path_that_leads_nowhere_or_to_a_file(tmp_path: Path) -> None:
    with pytest.raises(NotACorpus, match="does not exist; make a corpus with 'feverfew index"):
        Corpus.open(tmp_path / "nowhere")
    with pytest.raises(NotACorpus, match="does not exist"):
        add(tmp_path / "nowhere", [])
    assert not (tmp_path / "nowhere").exists()
    file = fever_file(tmp_path / "pages.jsonl", SMALL)
    with pytest.raises(NotACorpus, match="is a file, not a corpus"):
        Corpus.open(file)
    with pytest.raises(CorpusError, match="cannot write to"):
        build([file], file)


def test_a_generation_that_is_gone(sound: Path, tmp_path: Path) -> None:
    directory = tmp_path / "c"
    shutil.copytree(sound, directory)
    (generation,) = directory.glob("g-*")
    shutil.rmtree(generation)
    with pytest.raises(CorpusDamaged, match="is missing; build the corpus again"):
        Corpus.open(directory)
    assert "missing" in fsck(directory)[0]


@pytest.fixture
def _too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open corpora as those too large to be compared with their checksums each time."""
    monkeypatch.setattr("feverfew.corpus.checksums._AT_OPENING", 0)


@pytest.mark.usefixtures("_too_large")
@pytest.mark.parametrize("suffix", [".fast", ".term", ".idx", ".store", "meta.json"])
def test_damaged_full_text_has_a_named_error(tmp_path: Path, suffix: str) -> None:
    directory = made(tmp_path, many_pages(20))
    for path in directory.glob(f"g-*/text/*{suffix}"):
        path.write_bytes(b"\x07" * path.stat().st_size)
    with pytest.raises(CorpusDamaged, match="build the corpus again"), Corpus.open(directory) as c:
        c.text.search(["own3word", "own4word"], 5)


@pytest.mark.usefixtures("_too_large")
@pytest.mark.parametrize("header", [b"{'descr': (((", b"{'descr': '<f8', 'shape': (3,)", b"\xff"])
def test_a_damaged_array_has_a_named_error(tmp_path: Path, header: bytes) -> None:
    directory = made(tmp_path, many_pages(20))
    (path,) = directory.glob("g-*/titles-1.offsets.npy")
    data = path.read_bytes()
    path.write_bytes(data[:10] + header + data[10 + len(header) :])
    with pytest.raises(CorpusDamaged, match=r"offsets\.npy is damaged .* build the corpus again"):
        Corpus.open(directory)
