"""Make training pairs for `feverfew train` from any corpus: the skills, over its own sentences.

Pages are parted first, so that what is trained on and what is held out share no page.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.factory.draw import evidence_pages
from feverfew.factory.make import Job
from feverfew.factory.skills import SKILLS, examples, page_texts
from feverfew.factory.skills.base import Example, PageText
from feverfew.factory.skills.tables import Grid, table_examples
from feverfew.factory.sources import write_whole
from feverfew.rules.sampling import unit
from feverfew.text import page_name

_TABLES = "tables"
"""The skill that is made from tables; the others are made from sentences."""


def make_pairs(job: Job, say: Callable[[str], None] = lambda text: None) -> dict[str, int]:
    """Write train.jsonl and held_out.jsonl; return how many pairs of each skill they hold.

    A recipe's `claims` is the number of pairs of each skill. Its split `dev` is what is held out;
    pages of `test` are left out of both, to be measured on.
    """
    recipe = job.recipe
    known = (*SKILLS, _TABLES)
    if unknown := sorted(set(recipe.skills) - set(known)):
        raise InputError(f"unknown skill {unknown[0]!r}; known are {', '.join(known)}")
    wanted = recipe.skills or known
    job.output.mkdir(parents=True, exist_ok=True)
    apart = evidence_pages(job.apart_from)
    with Corpus.open(job.corpus) as corpus:
        texts = page_texts(corpus, recipe.seed, recipe.sources.pages, apart)
        grids = list(_grids(corpus)) if _TABLES in wanted else []
    bounds = (recipe.splits.train, recipe.splits.train + recipe.splits.dev)
    counts = dict.fromkeys(wanted, 0)
    known_texts: set[str] = set()
    for file, low, high, share in (
        ("train", 0.0, bounds[0], 1.0),
        ("held_out", bounds[0], bounds[1], recipe.splits.dev / max(recipe.splits.train, 1e-9)),
    ):
        pages = [text for text in texts if low <= _place(recipe.seed, text) < high]
        tables = [grid for grid in grids if low <= unit(recipe.seed, "pairs", grid.title) < high]
        made: list[Example] = []
        for name in wanted:
            say(f"{file}: {name}")
            count = max(1, round(recipe.claims * share))
            if name == _TABLES:
                own = _of_tables(tables, count, recipe.seed)
            else:
                own = examples(name, pages, count, recipe.seed) if pages else []
            # Some skills make their evidence up: what was trained on is not held out.
            own = [one for one in own if repr(one.evidence) not in known_texts]
            counts[name] += len(own)
            made += own
        known_texts |= {repr(one.evidence) for one in made}
        made.sort(key=lambda one: unit(recipe.seed, "order", one.claim, one.label))
        _write(job.output / f"{file}.jsonl", made)
    if not sum(counts.values()):
        raise InputError(
            f"{job.corpus}: its sentences give no pairs; they need names, numbers or dates"
        )
    return counts


def _of_tables(grids: list[Grid], count: int, seed: int) -> list[Example]:
    made = list(table_examples(grids, seed))
    made.sort(key=lambda one: unit(seed, "table", one.claim))
    return made[:count]


def _place(seed: int, text: PageText) -> float:
    return unit(seed, "pairs", text.title)


def _grids(corpus: Corpus) -> Iterator[Grid]:
    """Yield the tables of a corpus as rows of strings."""
    for page in corpus:
        for table in page.tables:
            rows = [[cell.text for cell in row] for row in table.rows]
            if not table.infobox and len({len(row) for row in rows}) == 1:
                yield Grid(page_name(page), rows)


def _write(path: Path, made: Iterable[Example]) -> None:
    write_whole(path, b"".join(msgspec.json.encode(one) + b"\n" for one in made))
