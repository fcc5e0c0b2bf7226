"""Draw mutations from the pages of a corpus."""

import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from feverfew.corpus import Corpus
from feverfew.factory.mutate import Mutation, Mutator
from feverfew.readers.claims import read_claims
from feverfew.text import display_title, title_key, without_parenthesis
from feverfew.types import Page, Ref, Verdict

LABELS = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO)
_PERSON = re.compile(r"^[A-Z][a-zà-ÿ]+ (?:[A-Z]\. )?[A-Z][a-zà-ÿ]+$")
_PLACE = re.compile(r"^[A-Z][a-zà-ÿ]{3,}$")
_SETTLED = re.compile(r"\bis a (?:small |large )?(?:city|town|village)\b")
_SENTENCES = 6
"""Sentences of a page to look at: later ones speak of other things ever more often."""
_AHEAD = 1
"""How many more of one label than of another may be made at any time."""
_NAMES = 2000
"""Names of each sort to draw from, at most: enough to seem new each time."""


def mutate_corpus(
    corpus: Corpus, count: int, seed: int, apart_from: Collection[str] = ()
) -> Iterator[tuple[Mutation, Ref, str]]:
    """Draw mutations from pages in a random order, labels and kinds in even shares.

    Each comes with its source sentence's address and text. Pages are drawn again, for other
    mutations, until there are enough or nothing is new. Pages whose `title_key` is in
    `apart_from` are left out: what is measured on must not be learned from.
    """
    rng = random.Random(seed)
    numbers = list(range(corpus.store.last_number() + 1))
    rng.shuffle(numbers)
    mutator = Mutator(*_names(corpus, numbers), seed)
    counts = dict.fromkeys(LABELS, 0)
    seen: set[str] = set()
    while counts:
        before = len(seen)
        for number in numbers:
            page = corpus.store.page(number)
            if page is None or page.disambiguation or title_key(page.title) in apart_from:
                continue
            for mutation, ref, text in _draw(mutator, page, rng, counts, seen):
                counts[mutation.label] += 1
                seen.add(mutation.claim)
                yield mutation, ref, text
                if len(seen) == count:
                    return
        if len(seen) == before:
            # Nothing more of the label that was wanted: go on with the others.
            del counts[min(counts, key=lambda label: counts[label])]


def evidence_pages(paths: Iterable[Path]) -> set[str]:
    """Return the `title_key` of every page that the evidence of claims lies on."""
    return {
        title_key(ref.page)
        for path in paths
        for claim in read_claims(path)
        for together in claim.evidence
        for ref in together
    }


def _fewest(counts: dict[Verdict, int]) -> int:
    return min(counts.values())


def _draw(
    mutator: Mutator, page: Page, rng: random.Random, counts: dict[Verdict, int], seen: set[str]
) -> Iterator[tuple[Mutation, Ref, str]]:
    """Yield a mutation of each label that a page can give, the rarest label first."""
    found = [
        (mutation, sentence)
        for sentence in page.sentences[:_SENTENCES]
        for mutation in mutator.mutate(sentence.text, page.title)
        if mutation.claim not in seen
    ]
    for label in sorted(counts, key=lambda label: counts[label]):
        fitting = [one for one in found if one[0].label == label]
        if not fitting or counts[label] > _fewest(counts) + _AHEAD:
            continue
        kind = rng.choice(sorted({mutation.kind for mutation, _ in fitting}))
        mutation, sentence = rng.choice([one for one in fitting if one[0].kind == kind])
        yield mutation, Ref.sentence(page.title, sentence.index), sentence.text


def _names(corpus: Corpus, numbers: Sequence[int]) -> tuple[list[str], list[str]]:
    """Collect names of people and of places from the pages themselves."""
    people: list[str] = []
    places: list[str] = []
    for number in numbers[: _NAMES * 4]:
        page = corpus.store.page(number)
        first = page.sentences[0].text if page is not None and page.sentences else ""
        name = without_parenthesis(display_title(page.title)) if page is not None else ""
        if "born" in first[:200] and _PERSON.match(name):
            people.append(name)
        elif _SETTLED.search(first) and _PLACE.match(name.split(",")[0]):
            places.append(name.split(",")[0])
    return people[:_NAMES], places[:_NAMES]
