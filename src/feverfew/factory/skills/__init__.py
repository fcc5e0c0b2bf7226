"""Pairs that teach one skill each, made from the sentences of any corpus.

Every generator yields minimal contrasts: the same evidence with a claim that it supports, one that
it refutes and one that it leaves open, or the same claim with evidence that does so.

    feverfew factory make own --corpus my.corpus -o my-pairs
"""

import random
from collections.abc import Collection, Iterable, Iterator

from feverfew.corpus import Corpus
from feverfew.factory.skills.base import Example, Generator, PageText
from feverfew.factory.skills.groups import exceptions, quantifiers, ranking
from feverfew.factory.skills.quantities import change, lifespan, number_bounds, periods, units
from feverfew.factory.skills.relations import other_entity, roles
from feverfew.factory.skills.wording import detail, negation, opposites, superlatives
from feverfew.models.inputs import plain
from feverfew.text import title_key

__all__ = ["SKILLS", "examples", "page_texts"]

SKILLS: dict[str, Generator] = {
    "bounds": number_bounds,
    "change": change,
    "detail": detail,
    "exceptions": exceptions,
    "lifespan": lifespan,
    "negation": negation,
    "opposites": opposites,
    "other_entity": other_entity,
    "periods": periods,
    "quantifiers": quantifiers,
    "ranking": ranking,
    "roles": roles,
    "superlatives": superlatives,
    "units": units,
}
_STEP = 13
"""How far on the page lies that a page is contrasted with."""


def page_texts(
    corpus: Corpus, seed: int, count: int, apart_from: Collection[str] = ()
) -> list[PageText]:
    """Draw pages from a corpus, except those (by `title_key`) that are kept for measuring."""
    texts = (
        PageText(page.name or page.title, [plain(sentence.text) for sentence in page.sentences])
        for page in corpus
        if title_key(page.title) not in apart_from
    )
    found = [text for text in texts if text.sentences]
    random.Random(seed).shuffle(found)
    return found[:count]


def examples(name: str, pages: list[PageText], count: int, seed: int) -> list[Example]:
    """Make up to `count` pairs of one skill, with each label as often as there are enough."""
    rng = random.Random(f"{name}{seed}")
    found: dict[str, list[Example]] = {"S": [], "R": [], "N": []}
    share = -(-count // len(found))
    for example in _all(SKILLS[name], pages, rng):
        found[example.label].append(example)
        if all(len(same) >= share for same in found.values()):
            break
    made = [x for same in found.values() for x in rng.sample(same, min(len(same), share))]
    rng.shuffle(made)
    return made[:count]


def _all(make: Generator, pages: list[PageText], rng: random.Random) -> Iterator[Example]:
    others: Iterable[PageText] = (*pages[_STEP:], *pages[:_STEP])
    for page, other in zip(pages, others, strict=True):
        yield from make(page, other, rng)
