"""Flip one bit in a file of a corpus, of a model, or in a file of keys, and use it.

The use must give what it gave before, or a named error; never something else, nor a traceback.
"""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from feverfew.corpus import Corpus, update
from feverfew.corpus import corpus as opening
from feverfew.corpus.build import build
from feverfew.errors import FeverfewError, NotFound
from feverfew.models.encoder import Encoder, shipped_folder
from feverfew.server.keys import KeyFile
from feverfew.types import Cell, ItemList, Link, Page, Sentence, Table
from tools.torture import Result, Tally

Use = Callable[[Path], object]
"""Uses what lies in a folder, and returns everything that it says."""
_PAGES = 60
_LEFT = (".lock", ".managed.json", "lock")
"""Files that hold nothing."""


def make_corpus(folder: Path) -> Path:
    """Build a little corpus that has every part: aliases, tables, links, and changes since."""
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefghilmnoprstu", k=6)) for _ in range(400)]
    lines = []
    for number in range(_PAGES):
        texts = [" ".join(chance.choices(words, k=14)) for _ in range(20)]
        other = f"Page_{chance.randrange(_PAGES)}"
        sentences = "\n".join(
            f"{at}\t{text} {other} .\t{other}\t{other}" for at, text in enumerate(texts)
        )
        lines.append({"id": f"Page_{number}", "text": " ".join(texts), "lines": sentences})
    source = folder / "pages.jsonl"
    source.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    build([source], folder / "c", workers=0, link_mentions=True)
    rows = tuple((Cell(r, 0, w), Cell(r, 1, w * 2)) for r, w in enumerate(words[:20]))
    table = Table(0, rows)
    update.add(
        folder / "c",
        [
            Page(
                "Added", (Sentence(0, "It links to Page 3 .", (Link("Page_3", "Page 3"),)), table)
            ),
            Page("Other", (Sentence(0, "Other words ."), ItemList(0, ())), aliases=("Another",)),
        ],
    )
    update.replace(folder / "c", [Page("Page_5", (Sentence(0, "Page 5 is new ."),))])
    update.remove(folder / "c", ["Page_9"])
    return folder / "c"


def use_corpus(directory: Path) -> object:
    """Read everything that a corpus holds, in every way that there is."""
    with Corpus.open(directory) as corpus:
        titles = [f"Page {number}" for number in range(_PAGES)] + ["Added", "another", "Other"]
        pages: list[object] = []
        for title in titles:
            try:
                page = corpus.page(title)
                pages.append((page, corpus.number(title), corpus.links_of(title)))
            except NotFound:
                pages.append(None)
        asked = {word for page in list(corpus)[:6] for word in page.sentences[0].text.split()[:3]}
        found = [corpus.text.search([word.lower()], 20) for word in sorted(asked)]
        tables = [corpus.tables.search([w], 5) for w in sorted(asked)] if corpus.tables else []
        return (
            pages,
            list(corpus),
            list(corpus.store.all_titles()),
            found,
            tables,
            corpus.text.having(["words"]),
            len(corpus),
            corpus.fingerprint,
            corpus.generation,
            corpus.manifest,
        )


def files_of(folder: Path) -> list[Path]:
    """List the files that hold something."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.stat().st_size and not path.name.endswith(_LEFT)
    ]


def flip(path: Path, at: int, bit: int) -> None:
    """Flip one bit in place: as a failing disk does, without a new time or size."""
    with path.open("r+b") as file:
        file.seek(at)
        (byte,) = file.read(1)
        file.seek(at)
        file.write(bytes([byte ^ 1 << bit]))


def flip_each(tally: Tally, folder: Path, files: list[Path], use: Use, tries: int) -> None:
    """Flip `tries` bits in each of some files of a folder, one at a time, and use the folder."""
    before = use(folder)
    for path in files:
        name, size = path.relative_to(folder).as_posix(), path.stat().st_size
        kept, times = path.read_bytes(), path.stat()
        for _ in range(tries):
            at, bit = tally.random.randrange(size), tally.random.randrange(8)
            flip(path, at, bit)
            with tally.one_try():
                _judge(tally, f"{name}: bit {bit} of byte {at}", use, folder, before)
            # Whatever the use has written is undone, too.
            path.write_bytes(kept)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _judge(tally: Tally, what: str, use: Use, folder: Path, before: object) -> None:
    try:
        after = use(folder)
    except FeverfewError as error:
        said = str(error)
        if "\n" in said or not said:
            tally.fail(f"{what}: an error that is not a line: {said!r}")
        else:
            tally.note(type(error).__name__)
    except BaseException as error:  # a Rust panic is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        tally.fail(f"{what}: {type(error).__name__}: {error}")
    else:
        if after == before:
            tally.note("harmless")
        else:
            tally.fail(f"{what}: something else was read")


def use_model(folder: Path) -> object:
    """Open an encoder, and let it read."""
    encoder = Encoder.open(folder, 1)
    return encoder.fingerprint, encoder.logits([("Vienna is large.", "Vienna is small.")]).tolist()


def use_keys(folder: Path) -> object:
    """Read a file of keys."""
    keys = KeyFile(folder / "keys.json").keys()
    # What an older version has written has no seal: without it, a key is the same.
    return {name: msgspec.structs.replace(key, seal="") for name, key in keys.items()}


def flip_model_and_keys(tally: Tally, tries: int, folder: Path) -> None:
    """Flip `tries` bits in each file of the small encoder, and in a file of keys."""
    model, keys = folder / "model", folder / "keys"
    model.mkdir(parents=True)
    keys.mkdir()
    for path in shipped_folder().iterdir():
        if path.is_file() and path.name != "combination.json":
            shutil.copy(path, model)
    for name in ("laptop", "dashboard"):
        KeyFile(keys / "keys.json").add(name, ("check", "read"), 600)
    flip_each(tally, model, files_of(model), use_model, tries)
    flip_each(tally, keys, [keys / "keys.json"], use_keys, tries)


_SLOWER = 20
"""How much longer it takes to open a model than a little corpus."""


def run(tries: int, seed: int, folder: Path) -> Result:
    """Flip `tries` bits in each file of a corpus, and fewer in those of a model and of keys."""
    tally = Tally("byte flips", seed)
    folder.mkdir(parents=True, exist_ok=True)
    flip_model_and_keys(tally, max(1, tries // _SLOWER), folder)
    directory = make_corpus(folder)
    with Corpus.open(directory) as corpus:
        corpus.links_of("Added")
    patience = opening._PATIENCE
    opening._PATIENCE = ()  # no writer is at work that could mend what seems damaged
    try:
        flip_each(tally, directory, files_of(directory), use_corpus, tries)
    finally:
        opening._PATIENCE = patience
        shutil.rmtree(directory)
    return tally.result()
