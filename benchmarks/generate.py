"""Generate an encyclopedia of any size in FEVER's wiki-pages format, and claims about it.

    python benchmarks/generate.py --pages 500000 -o pages.jsonl --claims claims.jsonl

The same seed and size make the same bytes. Pages are made block by block, nothing of the whole
is kept but the titles' hashes and the most popular titles, to which the others link.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.text import detokenise
from vocabulary import MONTHS, Names, Words

__all__ = ["Encyclopedia", "MadePage", "write"]

BLOCK = 4_096
_POPULAR = 200_000
_REPEATED = 0.26
"""The share of content words that repeat earlier ones of the page."""
_LINKED = 0.4
"""The share of sentences that name another page."""

_WORKS = ("film", "album", "song", "novel", "TV series", "video game")
_CALLINGS = ("footballer", "politician", "singer", "actor", "cricketer", "writer")
_PLACES = ("River", "County", "Station", "Airport", "District", "Bridge")
_BODIES = ("University", "Football Club", "Company", "Party", "Orchestra", "Museum")
_OPENINGS = ("He", "She", "It", "The", "In", "This", "They", "His")


class MadePage(Struct, frozen=True, gc=False):
    """One page: its title as FEVER spells it, its plain name, and its sentences."""

    title: str
    name: str
    sentences: list[str]
    links: list[str]
    """For each sentence, its hyperlinks as the format writes them."""

    def line(self) -> str:
        """Write the page; nothing in it needs escaping but tabs and line ends."""
        numbered = r"\n".join(
            rf"{i}\t{sentence}{link}"
            for i, (sentence, link) in enumerate(zip(self.sentences, self.links, strict=True))
        )
        text = " ".join(self.sentences)
        return f'{{"id": "{self.title}", "text": "{text}", "lines": "{numbered}"}}\n'


class Encyclopedia:
    """A stream of pages; the same seed gives the same bytes."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._words, self._names = Words(), Names()
        self._taken: set[int] = set()
        self._popular: list[tuple[str, str]] = []
        """How a sentence names a page, and the hyperlink that goes with it."""

    def pages(self, count: int) -> Iterator[MadePage]:
        """Yield the first pages."""
        for block, start in enumerate(range(0, count, BLOCK)):
            rng = np.random.default_rng((self._seed, block))
            yield from islice(self._block(rng), count - start)

    def _block(self, rng: np.random.Generator) -> Iterator[MadePage]:
        titles = self._titles(rng)
        if len(self._popular) < _POPULAR:
            self._popular += [
                (f" in {name.replace(',', ' ,')}", rf"\t{name}\t{title}")
                for title, name, _ in titles
            ]
        counts = np.clip(np.rint(np.exp(rng.normal(1.28, 0.79, BLOCK))), 1, 40).astype(np.int64)
        total = int(counts.sum())
        lengths = np.clip(np.exp(rng.normal(2.86, 0.42, total)), 3, 80).astype(np.int64)
        ends = np.cumsum(lengths)
        last = np.cumsum(counts)
        tokens = self._tokens(rng, int(ends[-1]), ends[last - 1])
        bounds = [0, *ends.tolist()]
        openings = rng.integers(0, 2 * len(_OPENINGS), total).tolist()
        linked = (rng.random(total) < _LINKED).tolist()
        goals = (len(self._popular) ** rng.random(total)).astype(np.int64).tolist()
        births = rng.integers([1, 1, 1850], [29, 13, 2000], (BLOCK, 3)).tolist()
        popular = self._popular
        at = 0
        for (title, name, person), size, birth in zip(titles, counts.tolist(), births, strict=True):
            written = name.replace(",", " ,")
            family = name.rpartition(" ")[2]
            sentences: list[str] = []
            links: list[str] = []
            for i in range(at, at + size):
                body = " ".join(tokens[bounds[i] : bounds[i + 1]])
                if i == at:
                    born = f" -LRB- born {birth[0]} {MONTHS[birth[1] - 1]} {birth[2]} -RRB-"
                    start = f"{written}{born if person else ''} is a"
                else:
                    choice = openings[i]
                    start = _OPENINGS[choice] if choice < len(_OPENINGS) else family
                link = ""
                if linked[i]:
                    named, link = popular[goals[i]]
                    body += named
                sentences.append(f"{start} {body} .")
                links.append(link)
            at += size
            yield MadePage(title, name, sentences, links)

    def _tokens(
        self, rng: np.random.Generator, count: int, page_ends: NDArray[np.int64]
    ) -> list[str]:
        """Draw the words of a block; pages repeat some of their own words."""
        ranks = self._words.draw(rng, count)
        again = np.flatnonzero((ranks >= Words.CONTENT) & (rng.random(count) < _REPEATED))
        starts = np.concatenate([[0], page_ends[:-1]])
        start = starts[np.searchsorted(page_ends, again, side="right")]
        source = start + (rng.random(len(again)) * (again - start)).astype(np.int64)
        content = ranks[source] >= Words.CONTENT
        ranks[again[content]] = ranks[source[content]]
        return self._words.spellings(ranks)

    def _titles(self, rng: np.random.Generator) -> list[tuple[str, str, bool]]:
        """Make a block's titles: as FEVER spells it, the plain name, whether it is a person."""
        given = self._names.given(rng, 2 * BLOCK)
        family = self._names.family(rng, 2 * BLOCK)
        content = self._words.draw(rng, 6 * BLOCK)
        nouns = self._words.spellings(content[content >= Words.CONTENT + 300])
        kinds = rng.random(BLOCK).tolist()
        forms = rng.random(BLOCK).tolist()
        picks = rng.integers(0, 6, BLOCK).tolist()
        years = rng.integers(1890, 2021, BLOCK).tolist()
        made: list[tuple[str, str, bool]] = []
        for i, (kind, form, pick, year) in enumerate(zip(kinds, forms, picks, years, strict=True)):
            a, b, noun = family[2 * i], family[2 * i + 1], nouns[i % len(nouns)].capitalize()
            second = nouns[(3 * i + 1) % len(nouns)].capitalize()
            note = ""
            if kind < 0.45:
                middle = f" {b[0]}." if form < 0.1 else f" {given[2 * i + 1]}" if form < 0.2 else ""
                name = f"{given[2 * i]}{middle} {a}"
                note = _CALLINGS[pick] if form > 0.94 else ""
            elif kind < 0.65:
                name = a if form < 0.4 else f"{a}, {b}" if form < 0.8 else f"{a} {_PLACES[pick]}"
            elif kind < 0.9:
                name = noun if form < 0.2 else f"{noun} {second}"
                if form > 0.55:
                    rest = f"of the {second}" if form < 0.7 else f"{second} of {a}"
                    name = f"The {noun} {rest}"
                if form > 0.88 or form < 0.2:
                    note = _WORKS[pick] if pick < 4 else f"{year} {_WORKS[pick - 4]}"
            else:
                name = f"{a} {_BODIES[pick]}" if form < 0.6 else f"{a} {noun} {_BODIES[pick]}"
            made.append((self._unique(name, note, year), name, kind < 0.45))
        return made

    def _unique(self, name: str, note: str, year: int) -> str:
        """Spell a title as FEVER does, with a parenthesis if the name is taken."""
        title = name.replace(" ", "_")
        if note:
            title = f"{title}_-LRB-{note.replace(' ', '_')}-RRB-"
        # Hashes, not titles: five million of them must fit into memory.
        while (key := hash(title)) in self._taken:
            base = name.replace(" ", "_")
            title = f"{base}_-LRB-{note.replace(' ', '_') or 'born'}_{year}-RRB-"
            year += 1
        self._taken.add(key)
        return title


def write(
    pages: int, out: IO[bytes], claims_out: IO[bytes], *, claims: int = 550, seed: int = 0
) -> None:
    """Write pages, and claims about some of them, each with its page as evidence."""
    rng = np.random.default_rng((seed, 1 << 32))
    chosen = iter([*np.unique(rng.integers(0, pages, claims)).tolist(), None])
    due = next(chosen)
    buffer: list[str] = []
    asked: list[bytes] = []
    for number, page in enumerate(Encyclopedia(seed).pages(pages)):
        buffer.append(page.line())
        if number == due:
            asked.append(json.dumps(_claim(page, number, rng), ensure_ascii=False).encode() + b"\n")
            due = next(chosen)
        if len(buffer) == BLOCK:
            out.write("".join(buffer).encode())
            buffer.clear()
    out.write("".join(buffer).encode())
    rng.shuffle(asked)
    claims_out.writelines(asked)


def _claim(page: MadePage, number: int, rng: np.random.Generator) -> dict[str, Any]:
    """Make a claim of a page's plain name and a few words of one of its sentences."""
    line = int(rng.integers(0, len(page.sentences)))
    said = [word for word in page.sentences[line].split()[:-1] if word != ","]
    if line == 0:
        said = said[len(page.name.replace(",", " ,").split()) :]
    length = int(rng.integers(4, 10))
    start = int(rng.integers(0, max(1, len(said) - length)))
    text = f"{page.name} {'is' if line else 'was'} {' '.join(said[start : start + length])}."
    return {
        "id": number,
        "verifiable": "VERIFIABLE",
        "label": "SUPPORTS",
        "claim": detokenise(text),
        "evidence": [[[number, number, page.title, line]]],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="where the pages go")
    parser.add_argument("--claims", type=Path, required=True, help="where the claims go")
    given = parser.parse_args()
    with given.output.open("wb") as out, given.claims.open("wb") as claims_out:
        write(given.pages, out, claims_out, seed=given.seed)


if __name__ == "__main__":
    main()
