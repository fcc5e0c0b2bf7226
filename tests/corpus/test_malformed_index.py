"""Hundreds of damaged records through the whole of `feverfew index`.

No crash, no hang, and no silent loss: all good pages are there, all bad records are counted and
reported with their file and line, and `--strict` stops at the first.
"""

import bz2
import gzip
import json
import lzma
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.fsck import fsck
from feverfew.errors import BadRecord

Record = dict[str, object]
MAKE: dict[str, Callable[[str], Record]] = {
    "fever": lambda title: {"id": title, "text": "A word .", "lines": "0\tA word ."},
    "feverous": lambda title: {"title": title, "order": ["sentence_0"], "sentence_0": "A word."},
    "hover": lambda title: {"title": title, "text": ["A word.", "And another."]},
}
TITLE = {"fever": "id", "feverous": "title", "hover": "title"}


def dumped(record: object) -> bytes:
    return json.dumps(record).encode()


def damaged(name: str, chance: random.Random) -> list[bytes]:
    """Make lines that hold no page, each in a way of its own."""
    good, title = MAKE[name]("Damaged"), TITLE[name]
    text = dumped(good)
    before, _, after = text.rpartition(b"word")

    def hurt(word: bytes) -> bytes:
        return before + word + after

    untitled = {key: value for key, value in good.items() if key != title}
    return [
        text[: chance.randrange(1, len(text) - 1)],
        text[: len(text) - 1],
        text[chance.randrange(1, 8) :],
        text + text,
        text + b" trailing",
        hurt(b'wo"rd'),
        hurt(b"wo\x00rd"),
        hurt(b"wo\xffrd"),
        hurt(b"wo\xc3\x28rd"),
        hurt(b"wo\x07rd"),
        text.replace(b"Damaged", b"Dam\xe9ged"),
        text.replace(b"Damaged", rb"\ud83d"),
        text.replace(b":", b"=", 1),
        text.replace(b",", b";", 1),
        text.replace(b"{", b"[", 1),
        dumped(untitled),
        *(
            dumped({**good, title: odd})
            for odd in ("", "  ", "\u3000", "a\0b", "a\nb", "x " * 9999)
        ),
        *(dumped({**good, title: odd}) for odd in (None, 7, 0.5, True, [], ["Damaged"], {"a": 1})),
        dumped([good]),
        dumped("Damaged"),
        b"null",
        b"NaN",
        b"9" * 5_000,
        b"[" * 50_000,
        b'{"a": ' * 50_000 + b"1" + b"}" * 50_000,
        text[:-1] + b', "x": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b"\0" * chance.randrange(1, 500),
        chance.randbytes(chance.randrange(20, 300)).replace(b"\n", b"x").replace(b"\r", b"x"),
        b"<page><title>Damaged</title></page>",
        b"Damaged\tA word .",
    ]


class Mess:
    """A folder of sources, and what must become of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.good: set[str] = set()
        self.bad: set[tuple[str, int]] = set()
        folder.mkdir()

    def lines(self, name: str, seed: int) -> None:
        """Strew damaged lines among good ones."""
        chance, file = random.Random(f"{name} {seed}"), f"{name}-{seed}.jsonl"
        written: list[bytes] = []
        hurt = damaged(name, chance)
        chance.shuffle(hurt)
        for line in hurt:
            for _ in range(chance.randrange(1, 4)):
                written.append(self.page(name, f"{name} {seed} page {len(written)}"))
            written.append(line)
            self.bad.add((file, len(written)))
        written.append(self.page(name, f"{name} {seed} the end"))
        (self.folder / file).write_bytes(b"\n".join(written))

    def page(self, name: str, title: str) -> bytes:
        self.good.add(title)
        return dumped(MAKE[name](title))

    def cut_off(self, suffix: str, compress: Callable[[bytes], bytes]) -> None:
        """Write whole lines in one stream, and behind it half of another."""
        titles = [f"{suffix} page {number}" for number in range(30)]
        lost = [dumped(MAKE["fever"](f"lost {number}")) for number in range(2_000)]
        random.Random(0).shuffle(lost)
        whole = b"".join(self.page("fever", title) + b"\n" for title in titles)
        second = compress(b"\n".join(lost))
        file = f"cut.jsonl.{suffix}"
        (self.folder / file).write_bytes(compress(whole) + second[:30])
        self.bad.add((file, 31))

    def database(self) -> None:
        rows = [*damaged("feverous", random.Random("rows"))]
        rows = [row for row in rows for row in (row, self.page("feverous", f"row {hash(row)}"))]
        with closing(sqlite3.connect(self.folder / "wiki.db")) as sql, sql:
            sql.execute("CREATE TABLE wiki (id PRIMARY KEY, data json)")
            sql.executemany("INSERT INTO wiki VALUES (?, ?)", list(enumerate(rows)))
        self.bad |= {("wiki.db", number) for number in range(1, len(rows) + 1, 2)}

    def wiki(self) -> None:
        page = "<page>\n<title>{}</title><revision><text>A word.</text></revision></page>\n"
        broken = [
            "<page>\n<title>Bad</title><ns>0</ns><revision><text>A &word;</revision></page>\n",
            "<page>\n<title></title><ns>0</ns><revision><text>A word.</text></revision></page>\n",
            "<page>\n<ns>0</ns><revision><text>A word.</text></revision></page>\n",
            "<page>\n<title>Bad</title><ns>0</ns><revision><text>A <b>word.</text></page>\n",
            "<page>\n<title>Bad</title><revision><text>A \x01word.</text></revision></page>\n",
        ]
        text = "<mediawiki>\n"
        for number, bad in enumerate(broken):
            self.bad.add(("dump.xml", text.count("\n") + 1))
            text += bad + page.format(f"Wiki {number}")
            self.good.add(f"Wiki {number}")
        (self.folder / "dump.xml").write_text(text + "</mediawiki>\n")

    def strangers(self) -> None:
        """Add files that hold no pages at all; a whole file is reported without a line."""
        strange = {
            "claims.jsonl": b'{"id": 1, "claim": "A.", "label": "SUPPORTS", "evidence": []}\n',
            "empty.jsonl": b"",
            "noise.bin": random.Random(1).randbytes(5_000),
        }
        for name, content in strange.items():
            (self.folder / name).write_bytes(content)
            self.bad.add((name, 0))
        (self.folder / "gone.jsonl").symlink_to(self.folder / "nowhere.jsonl")
        self.bad.add(("gone.jsonl", 0))


@pytest.fixture(scope="module")
def mess(tmp_path_factory: pytest.TempPathFactory) -> Mess:
    made = Mess(tmp_path_factory.mktemp("mess") / "sources")
    for name in MAKE:
        for seed in range(2):
            made.lines(name, seed)
    made.cut_off("gz", gzip.compress)
    made.cut_off("bz2", bz2.compress)
    made.cut_off("xz", lzma.compress)
    made.cut_off("zst", zstandard.ZstdCompressor().compress)
    made.database()
    made.wiki()
    made.strangers()
    return made


def test_all_good_pages_are_there_and_all_bad_records_are_reported(
    mess: Mess, tmp_path: Path
) -> None:
    assert len(mess.bad) > 250
    bad: list[BadRecord] = []
    summary = build([mess.folder], tmp_path / "c", workers=0, on_bad=bad.append)
    assert {(error.path, error.line) for error in bad} == mess.bad
    assert all(error.reason for error in bad)
    assert summary.bad == len(bad) == len(mess.bad)
    assert (summary.pages, summary.duplicates) == (len(mess.good), 0)
    with Corpus.open(tmp_path / "c") as corpus:
        assert {page.title for page in corpus} == mess.good
    assert fsck(tmp_path / "c") == []


def test_the_command_counts_them_and_shows_the_first(mess: Mess, tmp_path: Path) -> None:
    command = ["index", str(mess.folder), "-o", str(tmp_path / "c"), "--workers", "0", "--json"]
    done = CliRunner().invoke(cli, command, catch_exceptions=False)
    assert done.exit_code == 0
    summary = json.loads(done.stdout)
    assert summary["pages"] == len(mess.good)
    assert summary["bad"] == len(mess.bad)
    told = done.stderr.splitlines()
    assert len(told) == 21
    assert told[20] == f"… and {len(mess.bad) - 20} more"
    assert {f"{path}:{line}" if line else path for path, line in mess.bad} >= {
        line.split(": ")[0] for line in told[:20]
    }


@pytest.mark.parametrize("name", MAKE)
def test_strict_stops_at_the_first(mess: Mess, tmp_path: Path, name: str) -> None:
    first = min(line for path, line in mess.bad if path == f"{name}-0.jsonl")
    with pytest.raises(BadRecord, match=rf"^{name}-0\.jsonl:{first}: "):
        build([mess.folder / f"{name}-0.jsonl"], tmp_path / "c", workers=0, strict=True)
    assert not (tmp_path / "c" / "manifest.json").exists()


def test_a_line_of_fifty_megabytes(tmp_path: Path) -> None:
    line, path = b'{"id": "Endless", "lines": "' + b"x" * (50 << 20), tmp_path / "pages.jsonl.gz"
    good = [dumped(MAKE["fever"](f"Page {number}")) for number in range(2)]
    path.write_bytes(gzip.compress(b"\n".join((good[0], line, good[1])), 1))
    bad: list[BadRecord] = []
    summary = build([path], tmp_path / "c", workers=0, on_bad=bad.append)
    assert (summary.pages, summary.bad) == (2, 1)
    assert str(bad[0]) == "pages.jsonl.gz:2: the line is longer than 32 MB"
