"""Finding pages: by where their titles stand in the corpus, and by what they are about."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.retrieve import Candidate
from feverfew.text import display_title, fold
from feverfew.types import Page, Sentence

__all__ = ["Found", "Shelf", "describe", "shelf"]

_SMALL = 5_000
"""Pages of a corpus that is listed by the alphabet; a larger one, in its own order."""
PER_SHELF = 120


class Shelf(Struct, frozen=True):
    """A run of titles."""

    titles: tuple[str, ...]
    start: int
    """Where it starts: how many titles come before, or the number of the page before."""
    following: int | None
    """Where the next one starts."""
    by_alphabet: bool


class Found(Struct, frozen=True):
    """A page that was found, and how it begins."""

    title: str
    opening: str


def shelf(corpus: Corpus, start: int) -> Shelf:
    """Return the run of titles that starts somewhere."""
    if len(corpus) <= _SMALL:
        titles = sorted((title for _, title in corpus.store.all_titles()), key=_order)
        end = start + PER_SHELF
        more = end if end < len(titles) else None
        return Shelf(tuple(titles[start:end]), start, more, True)
    rows = [row for row, _ in zip(corpus.store.rows(start), range(PER_SHELF), strict=False)]
    last = rows[-1][0] if len(rows) == PER_SHELF else None
    return Shelf(tuple(row[1] for row in rows), start, last, False)


def _order(title: str) -> str:
    return fold(display_title(title))


def describe(corpus: Corpus, found: Iterable[Candidate]) -> Sequence[Found]:
    """Say how each page begins."""
    titles = [one.title for one in found]
    return [Found(title, _opening(corpus.page(title))) for title in titles if title in corpus]


def _opening(page: Page) -> str:
    return next((b.text for b in page.blocks if isinstance(b, Sentence)), "")
