"""Claims to try on the home page: of the sample those that show most, else sentences of its own."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.english.checkability import reject_reason
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from feverfew.text import display_title, page_name
from feverfew.types import Page, Ref, Sentence

if TYPE_CHECKING:
    from feverfew.server.service import Service

_REMEMBERED = 200
_CHOSEN = {
    1028: "a date to compare",
    4007: "cells of a table to count",
    1026: "one word that matters",
    4001: "a row of a table to find",
    1054: "something that nobody may have written down",
}
_TEXT = (
    "Fritz Lang was born in Vienna. He died in 1995. Was he famous? He owned a parrot. "
    "His wife was the novelist Thea von Harbou."
)
_TEXT_NEEDS = ("Fritz Lang", "Thea von Harbou")
_LOOKED_AT, _OFFERED = 150, 4
"""Pages of a corpus that are looked at for examples, and how many are offered."""
_NUMBER = re.compile(r"(?<![\w.,-])(?:1[0-9]{3}|20[0-9]{2}|[1-9][0-9]?)(?![\w.,%-]|\.\d)")
_DEPENDENT = re.compile(
    r"(?:He|She|It|They|This|That|These|Those|His|Her|Its|Their|There|Here|You|We|I|Such)\b"
)


class Example(Struct, frozen=True):
    """A claim to try, and what it shows."""

    claim: str
    shows: str


def example_claims(corpus: Corpus) -> list[Example]:
    """List claims that can be tried on a corpus."""
    return _of_the_sample(corpus) or _of_its_own(corpus)


@lru_cache
def _claims() -> dict[int | str, tuple[str, tuple[tuple[Ref, ...], ...]]]:
    return {
        claim.id: (claim.text, claim.evidence)
        for path in sample_claims()
        for claim in read_claims(path)
    }


def _of_the_sample(corpus: Corpus) -> list[Example]:
    known = _claims()
    found: list[Example] = []
    for number, shows in _CHOSEN.items():
        text, evidence = known[number]
        pages = {ref.page for one in evidence for ref in one}
        # What nobody may have written down has no pages: it goes with the others.
        if all(page in corpus for page in pages) and (pages or found):
            found.append(Example(text, shows))
    if found and all(title in corpus for title in _TEXT_NEEDS):
        found.append(Example(_TEXT, "a whole paragraph, sentence by sentence"))
    return found


def _of_its_own(corpus: Corpus) -> list[Example]:
    """Take sentences from different pages; in one, a number is changed."""
    found: list[Example] = []
    changed = False
    for page in islice(corpus, _LOOKED_AT):
        said = next(_telling(page), "")
        if not said:
            continue
        number = None if changed else _NUMBER.search(said)
        if number is not None:
            other = str(int(number[0]) + 3)
            claim = said[: number.start()] + other + said[number.end() :]
            found.append(Example(claim, f"changed: the source says {number[0]}"))
            changed = True
        else:
            found.append(Example(said, f"from {display_title(page_name(page))}"))
        if len(found) == _OFFERED:
            break
    return found


def _telling(page: Page) -> Iterator[str]:
    """Yield sentences that can be checked without the ones before them."""
    for block in page.blocks:
        text = block.text if isinstance(block, Sentence) else ""
        fits = 30 <= len(text) <= 140 and text[0].isupper() and text.endswith(".")
        if fits and not _DEPENDENT.match(text) and not reject_reason(text):
            yield text


class Examples:
    """The examples of each corpus, found once."""

    def __init__(self) -> None:
        self._known: dict[str, list[Example]] = {}

    async def of(self, service: "Service") -> list[Example]:
        """Return the examples of the corpus that a service asks."""
        corpus = service.snapshot.fingerprint
        if corpus not in self._known:
            if len(self._known) > _REMEMBERED:
                self._known.clear()
            self._known[corpus] = await service.read(example_claims)
        return self._known[corpus]
