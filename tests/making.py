"""Make sources and corpora for tests, and run the command line as people do."""

import json
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.types import Page, Sentence

MAIN = "from feverfew.cli.main import main; main()"


def fever_line(title: str, *sentences: str) -> str:
    lines = "\n".join(f"{number}\t{sentence}" for number, sentence in enumerate(sentences))
    return json.dumps({"id": title, "text": " ".join(sentences), "lines": lines}) + "\n"


def fever_file(path: Path, pages: Mapping[str, Sequence[str]]) -> Path:
    """Write pages, each a title and its sentences, as FEVER does."""
    path.write_text("".join(fever_line(t, *s) for t, s in pages.items()), encoding="utf-8")
    return path


def feverous_corpus(folder: Path, text: str) -> Path:
    """Make a corpus of one page, written as FEVEROUS does but for line breaks."""
    source = folder / "page.jsonl"
    source.write_text(text.replace("\n", "") + "\n", encoding="utf-8")
    build([source], folder / "page.corpus", workers=1)
    return folder / "page.corpus"


def many_pages(count: int, seed: int = 0) -> dict[str, Sequence[str]]:
    """Make up pages that share words, as pages do; each also has a word of its own."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("abcdefghilmnoprstu", k=6)) for _ in range(3_000)]
    return {
        f"Page_{number}_-LRB-{words[number % 3_000]}-RRB-": [
            " ".join(chance.choices(words, k=12)) + f" own{number}word ." for _ in range(4)
        ]
        for number in range(count)
    }


def page(title: str, *sentences: str, aliases: tuple[str, ...] = ()) -> Page:
    blocks = tuple(Sentence(number, text) for number, text in enumerate(sentences))
    return Page(title, blocks, aliases)


def made(folder: Path, pages: Mapping[str, Sequence[str]], name: str = "made.corpus") -> Path:
    """Build a small corpus in this process."""
    source = fever_file(folder / f"{name}.jsonl", pages)
    build([source], folder / name, workers=0)
    return folder / name


def titles_in(directory: Path) -> set[str]:
    with Corpus.open(directory) as corpus:
        return {page.title for page in corpus}


def feverfew(*arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-c", MAIN, *map(str, arguments)]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


def child(code: str, *arguments: str | Path) -> "subprocess.Popen[str]":
    """Start a Python script of its own process; it can import this module."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent,
    )


def run_child(code: str, *arguments: str | Path) -> tuple[int, str, str]:
    """Run such a script to its end: its exit code and what it said."""
    with child(code, *arguments) as process:
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err
