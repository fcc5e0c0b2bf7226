"""kill -9 at any moment: the corpus opens, nothing acknowledged is lost, a build goes on."""

import random
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.fsck import fsck
from feverfew.corpus.update import add
from feverfew.errors import CorpusError, NotACorpus
from feverfew.types import Page
from making import child, fever_file, many_pages, page, run_child

PAGES = 2_500
OLD = {"Old": ["The old corpus ."]}
QUERIES = [
    "own7word",
    "own2499word own3word",
    " ".join(many_pages(1).popitem()[1][0].split()[:3]),
]

BUILD = """
import sys
from feverfew.corpus.build import build
source, directory, workers, resume = sys.argv[1:]
print("go", flush=True)
build([source], directory, workers=int(workers), resume=bool(resume), checkpoint_seconds=0.02)
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fever_file(tmp_path_factory.mktemp("source") / "pages.jsonl", many_pages(PAGES))


def everything(directory: Path) -> tuple[str, list[Page], list[list[tuple[str, float]]]]:
    """Return all that a corpus says: its fingerprint, its pages, its answers."""
    with Corpus.open(directory) as corpus:
        answers = []
        for query in QUERIES:
            hits = corpus.text.search(query.split(), PAGES)
            titles = corpus.store.titles(number for number, _ in hits)
            answers.append(sorted((titles[n], round(score, 3)) for n, score in hits))
        return corpus.fingerprint, list(corpus), answers


@pytest.fixture(scope="module")
def whole(source: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """An uninterrupted build, and the seconds it takes in a process of its own."""
    directory = tmp_path_factory.mktemp("whole") / "whole.corpus"
    with child(BUILD, source, directory, "0", "") as process:
        assert process.stdout
        process.stdout.readline()
        started = time.monotonic()
        assert process.wait(60) == 0
        return directory, time.monotonic() - started


def opens_or_says_why(directory: Path, old: bool) -> None:
    if old or (directory / "manifest.json").exists():
        with Corpus.open(directory) as corpus:
            assert len(corpus) == PAGES or (old and len(corpus) == 1 and "Old" in corpus)
    else:
        with pytest.raises(NotACorpus, match="feverfew index"):
            Corpus.open(directory)


@pytest.mark.parametrize("moment", range(10))
def test_killed_at_a_random_moment_of_a_build(
    moment: int, source: Path, whole: tuple[Path, float], tmp_path: Path
) -> None:
    directory, old, workers = tmp_path / "c", moment % 2 == 1, (moment % 3) % 2
    if old:
        build([fever_file(tmp_path / "old.jsonl", OLD)], directory)
    with child(BUILD, source, directory, str(workers), "") as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(whole[1] * (moment + random.Random(moment).random()) / 10)
        process.kill()
    opens_or_says_why(directory, old)
    build([source], directory, resume=True, workers=0)
    assert fsck(directory) == []
    assert everything(directory) == everything(whole[0])
    assert len(list(directory.glob("g-*"))) == 1


KILLED_AT = """
import os, signal, sys
from feverfew.corpus import build as building, layout, pages, reading, search
module, name, when, times, source, directory, checkpoint_seconds = sys.argv[1:]
owner = {"layout": layout, "build": building, "reading": reading, "_Build": building._Build,
         "PageStore": pages.PageStore, "TextWriter": search.TextWriter}[module]
original, calls = getattr(owner, name), 0

def deadly(*arguments, **options):
    global calls
    calls += 1
    if calls == int(times) and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = original(*arguments, **options)
    if calls == int(times) and when == "after":
        os.kill(os.getpid(), signal.SIGKILL)
    return result

setattr(owner, name, deadly)
building.build([source], directory, workers=0, checkpoint_seconds=float(checkpoint_seconds))
"""
MOMENTS = [
    "layout new_generation after 1",
    "reading train_dictionary before 1",
    "_Build _remember after 1",
    "TextWriter commit before 2",
    "TextWriter commit after 2",
    "_Build _checkpoint after 2",
    "build write_titles before 1",
    "build write_titles after 1",
    "build digest_parts before 1",
    "layout publish before 1",
    "layout sync_file after 1",
    "layout sync_file after 2",  # in use, but still marked as unfinished
    "layout publish after 1",
]


@pytest.mark.parametrize(
    ("moment", "checkpoint_seconds"),
    [(moment, 0) for moment in MOMENTS] + [("layout publish before 1", 60)],
)
def test_killed_between_two_steps_of_a_build(
    moment: str, checkpoint_seconds: int, tmp_path: Path
) -> None:
    pages = many_pages(600)
    source, directory = fever_file(tmp_path / "pages.jsonl", pages), tmp_path / "c"
    build([fever_file(tmp_path / "old.jsonl", OLD)], directory)
    code, _, _ = run_child(KILLED_AT, *moment.split(), source, directory, str(checkpoint_seconds))
    assert code == -signal.SIGKILL
    with Corpus.open(directory) as corpus:
        assert len(corpus) == (
            600 if moment.endswith(("sync_file after 2", "publish after 1")) else 1
        )
    summary = build([source], directory, resume=True, workers=0)
    assert (summary.pages, summary.bad, summary.duplicates) == (600, 0, 0)
    assert fsck(directory) == []
    with Corpus.open(directory) as corpus:
        assert {found.title for found in corpus} == set(pages)
        assert len(corpus.text.search(["own599word"], 5)) == 1


ADD = """
import sys
from making import page
from feverfew.corpus.update import add
directory, first = sys.argv[1], int(sys.argv[2])
print("go", flush=True)
for number in range(first, first + 10_000):
    add(directory, [page(f"Added {number}", f"It holds added{number}word .")])
    print(number, flush=True)
"""


def test_killed_at_ten_random_moments_of_adds(tmp_path: Path) -> None:
    directory = tmp_path / "c"
    build([fever_file(tmp_path / "pages.jsonl", many_pages(50))], directory)
    chance, acknowledged, first = random.Random(7), [], 0
    for turn in range(10):
        with child(ADD, directory, str(first)) as process:
            assert process.stdout
            assert process.stdout.readline() == "go\n"
            if turn % 2:  # however slow the machine is, something is acknowledged
                acknowledged.append(int(process.stdout.readline()))
            time.sleep(chance.uniform(0.02, 0.8))
            process.kill()
            acknowledged += [int(line) for line in process.stdout]
        with Corpus.open(directory) as corpus:
            for number in acknowledged:
                found = corpus.number(f"Added {number}")
                assert found is not None
                assert corpus.text.search([f"added{number}word"], 2)[0][0] == found
            assert len(corpus) == sum(1 for _ in corpus)
            # The last one may have been stored without being acknowledged in time.
            assert len(corpus) - 50 - len(acknowledged) <= 10
        assert fsck(directory) == []
        first += 10_000
    assert len(acknowledged) >= 5


def test_killed_between_the_store_and_the_text(tmp_path: Path) -> None:
    directory = tmp_path / "c"
    build([fever_file(tmp_path / "pages.jsonl", many_pages(5))], directory)
    code, _, _ = run_child(
        "import os, sys\n"
        "from making import page\n"
        "from feverfew.corpus import update\n"
        "update._Change.commit = (lambda commit: lambda self: "
        "(commit(self), os.kill(os.getpid(), 9)))(update._Change.commit)\n"
        "update.add(sys.argv[1], [page('Added', 'An addedword .')])\n",
        directory,
    )
    assert code == -signal.SIGKILL
    assert fsck(directory) == ["full text has yet to hear of 1 pages; opening mends this"]
    with Corpus.open(directory) as corpus:
        assert corpus.text.search(["addedword"], 2)[0][0] == corpus.number("Added")
    assert fsck(directory) == []


HALF_WRITTEN = """
import os, sys
from pathlib import Path
from making import page
from feverfew.corpus.pages import PageStore
from feverfew.corpus.prepare import prepare_page
store = PageStore.open(Path(sys.argv[1]), writable=True)
store._sql.execute("PRAGMA cache_size=1")
for number in range(100, 2_000):  # more than the cache holds: SQLite writes before it commits
    half = page(f"Half {number}")
    store.replace(number, half.title, prepare_page(half, store.packer).packed)
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("first", [Corpus.open, fsck])
def test_killed_in_the_middle_of_a_transaction(tmp_path: Path, first: object) -> None:
    directory = tmp_path / "c"
    build([fever_file(tmp_path / "pages.jsonl", many_pages(5))], directory)
    (store,) = directory.glob("g-*/pages.sqlite")
    code, _, err = run_child(HALF_WRITTEN, store)
    assert code == -signal.SIGKILL, err
    journal = store.with_name("pages.sqlite-journal")
    assert journal.stat().st_size > 0
    if first is fsck:
        assert fsck(directory) == []
    with Corpus.open(directory) as corpus:
        assert len(list(corpus)) == len(corpus) == 5
    assert fsck(directory) == []
    add(directory, [page("Added")])
    assert fsck(directory) == []


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "pages.jsonl", many_pages(20_000 // 4))
    with child(BUILD, source, tmp_path / "c", "2", "") as process:
        assert process.stdout
        process.stdout.readline()
        workers = wait_for_children(process.pid, 2)
        process.kill()
    deadline = time.monotonic() + 10
    while any(alive(pid) for pid in workers):
        assert time.monotonic() < deadline, "a worker outlived its parent"
        time.sleep(0.02)


def wait_for_children(pid: int, count: int) -> Sequence[int]:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
        )
        if len(found := listed.stdout.split()) >= count:
            return [int(number) for number in found]
        time.sleep(0.01)
    raise CorpusError("the build started no workers")


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
