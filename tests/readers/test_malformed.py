"""Hundreds of malformed inputs: no crash, no hang, and no silent loss.

Every good record around the damage is still read, and every bad one is reported with its file
and line.
"""

import bz2
import gzip
import lzma
import random
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import zstandard

from feverfew.errors import BadRecord, UnknownFormat
from feverfew.readers import FORMATS, files, read_pages
from feverfew.types import Page

GOOD = 8
"""How many good records stand around the damage."""

PACK: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise TimeoutError("this input made a reader hang")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


class Format:
    """A page format's way to write a good record, and the names of its two main fields."""

    def __init__(self, title: str, text: str, make: Callable[[str], dict[str, object]]) -> None:
        self.title, self.text, self.make = title, text, make

    def good(self, number: int) -> bytes:
        return msgspec.json.encode(self.make(f"Page {number}"))

    def changed(self, **fields: object) -> bytes:
        return msgspec.json.encode({**self.make("Damaged"), **fields})

    def without(self, field: str) -> bytes:
        made = self.make("Damaged")
        del made[field]
        return msgspec.json.encode(made)


JSON_LINES = {
    "fever": Format("id", "lines", lambda t: {"id": t, "text": "A .", "lines": "0\tA ."}),
    "feverous": Format(
        "title", "sentence_0", lambda t: {"title": t, "order": [], "sentence_0": "A."}
    ),
    "hover": Format("title", "text", lambda t: {"title": t, "text": ["A.", "B."]}),
}

DAMAGE: dict[str, Callable[[Format, random.Random], bytes]] = {
    "cut short": lambda f, r: f.good(0)[: r.randrange(1, len(f.good(0)) - 1)],
    "cut at the front": lambda f, r: f.good(0)[r.randrange(1, 9) :],
    "two records run together": lambda f, r: f.good(0) + f.good(1),
    "a quote too many": lambda f, r: f.good(0).replace(b"A", b'A"', 1),
    "a bare line's end": lambda f, r: f.good(0).replace(b"A", b"\rA\x0b", 1),
    "no title": lambda f, r: f.without(f.title),
    "an empty title": lambda f, r: f.changed(**{f.title: ""}),
    "a blank title": lambda f, r: f.changed(**{f.title: " \u3000"}),
    "a title that is a number": lambda f, r: f.changed(**{f.title: r.random()}),
    "a title that is null": lambda f, r: f.changed(**{f.title: None}),
    "a title that is a list": lambda f, r: f.changed(**{f.title: ["Damaged"]}),
    "a title with a zero byte": lambda f, r: f.changed(**{f.title: "Dam\0aged"}),
    "a title of several lines": lambda f, r: f.changed(**{f.title: "Dam\naged"}),
    "a title as long as a book": lambda f, r: f.changed(**{f.title: "Damaged " * 9999}),
    "a title that is not UTF-8": lambda f, r: f.changed().replace(b"Damaged", b"Dam\xffaged"),
    "a title in Latin-1": lambda f, r: f.changed().replace(b"Damaged", "Café".encode("latin-1")),
    "half a surrogate pair": lambda f, r: f.changed().replace(b"Damaged", rb"\ud83d"),
    "text that is a number": lambda f, r: f.changed(**{f.text: r.randrange(9)}),
    "text that is an object": lambda f, r: f.changed(**{f.text: {"0": "A."}}),
    "text that is not UTF-8": lambda f, r: f.good(0).replace(b"A", b"A\xc3\x28"),
    "a raw zero byte in text": lambda f, r: f.good(0).replace(b"A", b"A\x00"),
    "nothing but zero bytes": lambda f, r: bytes(r.randrange(1, 999)),
    "noise": lambda f, r: r.randbytes(r.randrange(9, 999)).replace(b"\n", b"x"),
    "absurd nesting": lambda f, r: f.good(0)[:-1] + b', "x": ' + b"[" * 100_000,
    "absurd nesting of objects": lambda f, r: b'{"a": ' * 100_000 + b"1" + b"}" * 100_000,
    "a number that no machine holds": lambda f, r: b"9" * 9999,
    "a list": lambda f, r: b"[" + f.good(0) + b"]",
    "a string": lambda f, r: b'"Damaged"',
    "null": lambda f, r: b"null",
    "not a number": lambda f, r: b"NaN",
    "a line of XML": lambda f, r: b"<page><title>Damaged</title></page>",
    "an endless line": lambda f, r: f.changed(**{f.title: "x" * (3 << 16)}),
}


def read(path: Path, name: str | None = None) -> tuple[list[str], list[tuple[str, int]]]:
    """Return the titles that were read, and where something was reported."""
    bad: list[BadRecord] = []
    pages = read_pages(path, name, on_bad=bad.append)
    titles = [page.title for page in pages if isinstance(page, Page)]
    assert all(error.reason for error in bad)
    return titles, [(error.path, error.line) for error in bad]


def titles(count: int) -> list[str]:
    return [f"Page {number}" for number in range(count)]


@pytest.mark.parametrize("packing", ["plain", "zst"])
@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("name", JSON_LINES)
def test_one_bad_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str, packing: str
) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 1 << 17 if kind == "an endless line" else 32 << 20)
    chance = random.Random(f"{name} {kind} {packing}")
    lines = [JSON_LINES[name].good(number) for number in range(GOOD)]
    at = chance.randrange(GOOD + 1)
    lines.insert(at, DAMAGE[kind](JSON_LINES[name], chance))
    path = tmp_path / "pages.jsonl"
    path.write_bytes(PACK[packing](b"\n".join(lines)))
    assert read(path) == (titles(GOOD), [("pages.jsonl", at + 1)])


@pytest.mark.parametrize("kind", [kind for kind in DAMAGE if kind != "an endless line"])
def test_one_bad_row_of_a_database(tmp_path: Path, kind: str) -> None:
    chance = random.Random(kind)
    feverous = JSON_LINES["feverous"]
    rows = [feverous.good(number) for number in range(GOOD)]
    at = chance.randrange(GOOD + 1)
    rows.insert(at, DAMAGE[kind](feverous, chance))
    path = tmp_path / "wiki.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE wiki (id PRIMARY KEY, data json)")
        database.executemany("INSERT INTO wiki VALUES (?, ?)", list(enumerate(rows)))
    assert read(path) == (titles(GOOD), [("wiki.db", at + 1)])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", JSON_LINES)
def test_noise_over_a_part_of_a_line(tmp_path: Path, name: str, seed: int) -> None:
    chance = random.Random(seed)
    lines = [bytearray(JSON_LINES[name].good(number)) for number in range(GOOD)]
    at = chance.randrange(GOOD)
    start = chance.randrange(len(lines[at]))
    noise = chance.randbytes(chance.randrange(1, 30)).replace(b"\n", b"\r")
    lines[at][start : start + len(noise)] = noise
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"\n".join(lines))
    found, bad = read(path)
    others = [title for number, title in enumerate(titles(GOOD)) if number != at]
    if bad:
        assert (found, bad) == (others, [("pages.jsonl", at + 1)])
    else:
        # The noise happened to leave a page: it is read, under whatever title.
        assert len(found) == GOOD
        assert found[:at] + found[at + 1 :] == others


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("packing", [packing for packing in PACK if packing != "plain"])
@pytest.mark.parametrize("name", JSON_LINES)
def test_a_compressed_file_cut_anywhere(tmp_path: Path, name: str, packing: str, seed: int) -> None:
    chance = random.Random(seed)
    written = [JSON_LINES[name].make(f"Page {number}") for number in range(300)]
    for page in written:
        page["padding"] = chance.randbytes(200).hex()
    content = PACK[packing](b"\n".join(map(msgspec.json.encode, written)))
    path = tmp_path / "pages.jsonl"
    path.write_bytes(content[: chance.randrange(20, len(content) - 20)])
    found, bad = read(path, name)
    assert found == titles(len(found))
    assert bad == [("pages.jsonl", len(found) + 1)]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", FORMATS)
def test_noise_is_reported_whatever_it_is_taken_for(tmp_path: Path, name: str, seed: int) -> None:
    path = tmp_path / "noise.bin"
    path.write_bytes(random.Random(seed).randbytes(3000))
    found, bad = read(path, name)
    assert not found
    assert bad
    assert {where for where, _ in bad} == {"noise.bin"}
    with pytest.raises(UnknownFormat):
        list(read_pages(path))


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_file_does_no_harm(tmp_path: Path, name: str) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    assert read(path, name)[0] == []
