"""Cut the power in the midst of builds and updates: nothing that was acknowledged may be lost."""

import json
import re
import shutil
import sys
from pathlib import Path

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.fsck import fsck
from feverfew.errors import CorpusError, NotACorpus
from tools.torture import Result, Tally
from tools.torture.recording import Disk, record

_PAGES = 120
_FIRST = "Page {0} has own{0}word."
WRITER = """
import os, sys
from pathlib import Path
from feverfew.corpus import Corpus, update
from feverfew.corpus.build import build
from feverfew.types import Page, Sentence

directory, source = Path(sys.argv[1]), sys.argv[2]
update._MOST_NEW_NAMES = 3  # so that the titles, too, are written anew

def page(title, text):
    return Page(title, (Sentence(0, text),))

def done(number):
    os.write(1, f"done {number}\\n".encode())

build([source], directory, workers=0, checkpoint_seconds=0.05)
done(1)
steps = [
    lambda: update.add(directory, [page("Added", "It is new .")]),
    lambda: update.replace(directory, [page("Page_3", "Page 3 is another ."), page("N1", "n .")]),
    lambda: update.remove(directory, ["Page_4"]),
    lambda: Corpus.open(directory).links_of("Page_5"),
    lambda: update.add(directory, [page(f"More {n}", f"More {n} .") for n in range(9)]),
    lambda: update.remove(directory, ["Added"]),
    lambda: build([source], directory, workers=0),
    lambda: update.replace(directory, [page("Page_7", "Page 7 is the last .")]),
]
for number, step in enumerate(steps, 2):
    step()
    done(number)
"""


def source_file(folder: Path) -> Path:
    """Write the pages that are built from."""
    lines = [
        {"id": f"Page_{n}", "text": "", "lines": f"0\t{_FIRST.format(n)}\n1\tIt is page {n}."}
        for n in range(_PAGES)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "pages.jsonl").write_text(text, "utf-8")
    return folder / "pages.jsonl"


def _state(directory: Path) -> dict[str, str] | None:
    """Say what a corpus holds: the first sentence of each page; None if there is none."""
    try:
        with Corpus.open(directory) as corpus:
            found = {page.title: page.sentences[0].text for page in corpus}
            for title, text in found.items():
                words = re.findall(r"\w+", text.lower())
                hits = corpus.store.titles(n for n, _ in corpus.text.search(words, 500))
                if title not in hits.values():
                    raise CorpusError(f"{title} is not found by its words")
            return found
    except NotACorpus:
        return None


def states_after() -> list[dict[str, str] | None]:
    """List what the corpus holds after each step."""
    first = {f"Page_{n}": _FIRST.format(n) for n in range(_PAGES)}
    states: list[dict[str, str] | None] = [None, first]
    added = {**first, "Added": "It is new ."}
    replaced = {**added, "Page_3": "Page 3 is another .", "N1": "n ."}
    removed = {title: text for title, text in replaced.items() if title != "Page_4"}
    more = {**removed, **{f"More {n}": f"More {n} ." for n in range(9)}}
    fewer = {title: text for title, text in more.items() if title != "Added"}
    last = {**first, "Page_7": "Page 7 is the last ."}
    return [*states, added, replaced, removed, removed, more, fewer, first, last]


def run(tries: int, seed: int, folder: Path) -> Result:
    """Record one writer, then cut the power `tries` times at moments chosen by chance."""
    tally = Tally("power cuts", seed)
    folder.mkdir(parents=True, exist_ok=True)
    source, directory = source_file(folder), folder / "c"
    shutil.rmtree(directory, ignore_errors=True)
    command = [sys.executable, "-c", WRITER, str(directory), str(source)]
    events = record(command, folder / "strace.log", folder)
    (folder / "strace.log").unlink()
    states = states_after()
    touching = [at for at, event in enumerate(events) if any("/c" in p for p in event.paths)]
    for _ in range(tries):
        moment = tally.random.choice(touching)
        after = folder / "after"
        shutil.rmtree(after, ignore_errors=True)
        disk, done = Disk(directory), 0
        for event in events[: moment + 1]:
            disk.do(event)
            if event.call == "write" and event.data.startswith(b"done "):
                done = int(event.data.split()[1])
        disk.cut_the_power(after, tally.random)
        with tally.one_try():
            examine(tally, f"event {moment}, after step {done}", after, states, done, source)
    shutil.rmtree(folder / "after", ignore_errors=True)
    return tally.result()


def examine(
    tally: Tally,
    what: str,
    directory: Path,
    states: list[dict[str, str] | None],
    done: int,
    source: Path,
) -> None:
    """Open what was left, and set it against what it may be after a step, or after the next."""
    allowed = states[done : done + 2]
    try:
        found = _state(directory)
        if found not in allowed:
            lost = sorted((allowed[0] or {}).keys() - (found or {}).keys())
            tally.fail(f"{what}: another state; of {len(lost)} pages lost: {lost[:2]}")
        elif found is None:
            build([source], directory, workers=0, resume=True)
            if _state(directory) != states[1]:
                tally.fail(f"{what}: the build that was resumed is not whole")
            tally.note("no corpus yet")
        elif problems := fsck(directory):
            tally.fail(f"{what}: {problems[0]}")
        else:
            tally.note("as before the step" if found == allowed[0] else "as after the step")
    except CorpusError as error:
        tally.fail(f"{what}: {error}")
