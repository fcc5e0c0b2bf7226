"""Compare a generated encyclopedia with a real one: python benchmarks/shape.py intros.jsonl."""

import argparse
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from feverfew.readers.files import open_bytes
from feverfew.text import detokenise, display_title, words
from generate import Encyclopedia
from measure import RESULTS, write_json

__all__ = ["shape"]


class _Line(Struct):
    id: str
    text: str
    lines: str


def shape(lines: Iterable[bytes]) -> dict[str, float]:
    """Describe an encyclopedia: how long, how varied, how skewed."""
    decode = msgspec.json.Decoder(_Line).decode
    counts: Counter[str] = Counter()
    pages = sentences = on_pages = size = parentheses = seen = title_words = 0
    milestones: list[tuple[int, int]] = []
    logs: list[float] = []
    for pages, line in enumerate(lines, 1):
        page = decode(line)
        split = words(detokenise(page.text))
        counts.update(split)
        on_pages += len(set(split))
        logs.append(float(np.log(len(split) + 1)))
        seen += len(split)
        sentences += sum(1 for row in page.lines.split("\n") if len(row.partition("\t")[2]) > 1)
        size += len(line)
        shown = display_title(page.id)
        parentheses += shown.endswith(")")
        title_words += len(shown.split())
        if pages & (pages - 1) == 0:
            milestones.append((len(counts), seen))
    ordered = [count for _, count in counts.most_common()]
    distinct, words_then = next(m for m in reversed(milestones) if 1.2 * m[1] < seen)
    growth = float(np.log(len(counts) / distinct) / np.log(seen / words_then))
    return {
        "pages": pages,
        "bytes a page": size / pages,
        "sentences a page": sentences / pages,
        "words a page": seen / pages,
        "spread of log words a page": float(np.std(logs)),
        "distinct words on a page": on_pages / pages,
        "words a title": title_words / pages,
        "titles with a parenthesis": parentheses / pages,
        "distinct words": len(counts),
        "growth of distinct words, exponent": growth,
        "words seen once, of the distinct": ordered.count(1) / len(ordered),
        "share of the top 10 words": sum(ordered[:10]) / seen,
        "share of the top 100 words": sum(ordered[:100]) / seen,
        "share of the top 1,000 words": sum(ordered[:1_000]) / seen,
        "share of the top 10,000 words": sum(ordered[:10_000]) / seen,
    }


def compare(real: Path, pages: int, seed: int) -> dict[str, dict[str, float]]:
    """Describe the first pages of a real encyclopedia, and as many generated ones."""
    with open_bytes(real) as lines:
        real_shape = shape(islice(lines, pages))
    made = (page.line().encode() for page in Encyclopedia(seed).pages(pages))
    return {"real": real_shape, "made up": shape(made)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("real", type=Path, help="pages in FEVER's format, compressed or not")
    parser.add_argument("--pages", type=int, default=20_000, help="how many of each")
    given = parser.parse_args()
    compared = compare(given.real, given.pages, 0)
    write_json(RESULTS / "shape.json", compared)
    for name, value in compared["real"].items():
        print(f"{name:<40}{value:>14,.3f}{compared['made up'][name]:>14,.3f}")


if __name__ == "__main__":
    main()
