"""Sampling: what people are given, drawn from a recorded seed so that it can be drawn again.

A draw depends on the seed and on the name of what is drawn for, and not on the order of the draws:
two servers, or a restart, draw alike.
"""

import random
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from msgspec import Struct

from feverfew.rules.mutations import draw_mutation
from feverfew.text import words
from feverfew.types import Page, Ref, Section, Sentence, Table

HIGHLIGHT_SENTENCES = 4
LEAST_TOKENS = 5
TABLE_ROWS = (5, 50)
SENTENCES_TO_TABLES = (1, 2)
"""FEVEROUS, section 3.1.1."""
QUALITY_SHARE, TWO_WAY = 0.1, 2 / 3
"""FEVEROUS, section 3.2: about 10 % are checked, 66 % of them two-way, 33 % three-way."""
_REFERENCES = frozenset(
    ("references", "external links", "further reading", "notes", "bibliography", "sources")
)


def unit(seed: int, *names: object) -> float:
    """Return a number from 0 up to 1 that follows from the seed and the names alone."""
    said = "\x1f".join(map(str, (seed, *names))).encode(errors="surrogatepass")
    return int.from_bytes(blake2b(said, digest_size=7).digest(), "big") / (1 << 56)


def rng_of(seed: int, *names: object) -> random.Random:
    """Return a random generator that follows from the seed and the names alone."""
    return random.Random(unit(seed, *names))


def in_sample(share: float, seed: int, *names: object) -> bool:
    """Draw with a probability.

    >>> sum(in_sample(0.04, 7, "five-way", claim) for claim in range(10_000))
    362
    """
    return unit(seed, *names) < share


def extra_annotators(
    seed: int, *names: object, share: float = QUALITY_SHARE, two_way: float = TWO_WAY
) -> int:
    """Draw how many further people check an annotation: none, one (two-way) or two."""
    if not in_sample(share, seed, "quality", *names):
        return 0
    return 1 if in_sample(two_way, seed, "ways", *names) else 2


class SourceSentence(Struct, frozen=True):
    """A sentence to write claims from, with the one before and the one after."""

    ref: Ref
    text: str
    before: str = ""
    after: str = ""
    linked: tuple[str, ...] = ()
    """The titles that it links to: the dictionary."""


def introduction(page: Page) -> list[Sentence]:
    """Return the sentences before a page's first heading."""
    found: list[Sentence] = []
    for block in page.blocks:
        if isinstance(block, Section) and found:
            break
        if isinstance(block, Sentence):
            found.append(block)
    return found


def draw_sentences(
    pages: Iterable[Page], count: int, seed: int, *, least_tokens: int = LEAST_TOKENS
) -> list[SourceSentence]:
    """Draw sentences of introductions at random, one a page while there are pages enough."""
    drawn: list[tuple[int, float, SourceSentence]] = []
    for page in pages:
        if page.disambiguation:
            continue
        found = introduction(page)
        order = sorted(range(len(found)), key=lambda i: unit(seed, "sentence", page.title, i))
        usable = [i for i in order if len(words(found[i].text)) >= least_tokens]
        for turn, i in enumerate(usable):
            source = SourceSentence(
                Ref.sentence(page.title, found[i].index),
                found[i].text,
                found[i - 1].text if i else "",
                found[i + 1].text if i + 1 < len(found) else "",
                tuple(dict.fromkeys(link.target for link in found[i].links)),
            )
            drawn.append((turn, unit(seed, "page", page.title), source))
    return [source for _, _, source in sorted(drawn, key=lambda one: one[:2])[:count]]


class Highlight(Struct, frozen=True):
    """Four sentences, or a table, that three claims are made from."""

    page: str
    refs: tuple[Ref, ...]
    """The sentences; or the caption of the table, which stands for all of it."""

    @property
    def is_table(self) -> bool:
        return len(self.refs) == 1


def draw_highlights(
    pages: Iterable[Page],
    count: int,
    seed: int,
    *,
    ratio: tuple[int, int] = SENTENCES_TO_TABLES,
) -> list[Highlight]:
    """Draw highlights, each page once, with sentences and tables in the ratio of the paper.

    Where one kind runs out, the other takes its place.
    """
    text: list[tuple[float, Highlight]] = []
    tables: list[tuple[float, Highlight]] = []
    share = ratio[0] / sum(ratio)
    for page in pages:
        if page.disambiguation:
            continue
        place = unit(seed, "highlight", page.title)
        runs, own = list(_runs(page)), [t for t in page.tables if _usable(t)]
        rng = rng_of(seed, "choice", page.title)
        wants_text = in_sample(share, seed, "kind", page.title) if own else True
        if runs and wants_text:
            text.append((place, Highlight(page.title, rng.choice(runs))))
        elif own:
            caption = Ref.of(page.title, "table_caption", str(rng.choice(own).index))
            tables.append((place, Highlight(page.title, (caption,))))
    wanted = round(count * share)
    text.sort(key=lambda one: one[0])
    tables.sort(key=lambda one: one[0])
    few_tables = max(0, (count - wanted) - len(tables))
    few_text = max(0, wanted - len(text))
    chosen = [*text[: wanted + few_tables], *tables[: count - wanted + few_text]]
    return [one for _, one in sorted(chosen, key=lambda one: one[0])]


def _runs(page: Page) -> Iterator[tuple[Ref, ...]]:
    """Yield every run of four sentences that no heading, table or short sentence breaks."""
    run: list[Sentence] = []
    skipping = False
    for block in page.blocks:
        if isinstance(block, Section):
            skipping = " ".join(words(block.text)) in _REFERENCES
        if not isinstance(block, Sentence) or skipping:
            run = []
            continue
        if len(words(block.text)) < LEAST_TOKENS:
            run = []
            continue
        run.append(block)
        if len(run) >= HIGHLIGHT_SENTENCES:
            last = run[-HIGHLIGHT_SENTENCES:]
            yield tuple(Ref.sentence(page.title, one.index) for one in last)


def _usable(table: Table) -> bool:
    least, most = TABLE_ROWS
    if not least <= len(table.rows) <= most:
        return False
    filled = sum(bool(cell.text.strip()) for row in table.rows for cell in row)
    cells = sum(len(row) for row in table.rows)
    # A table that is mostly blank was not understood when the page was read.
    return cells >= 2 * len(table.rows) and filled > cells / 2


class Prescription(Struct, frozen=True):
    """What the writer of a highlight's three claims is told to do."""

    veracity: bool
    """Of claim I: true or false, in equal numbers."""
    several_pages: bool
    """Of claim II: from several pages, or from the highlight's own."""
    mutation: str
    """Of claim III."""


def prescribe(seed: int, count: int) -> list[Prescription]:
    """Prescribe claims for so many highlights: veracities in equal numbers, the rest drawn."""
    rng = rng_of(seed, "prescriptions")
    veracities = [place % 2 == 0 for place in range(count)]
    rng.shuffle(veracities)
    return [
        Prescription(veracity, rng.random() < 0.5, draw_mutation(rng)) for veracity in veracities
    ]
