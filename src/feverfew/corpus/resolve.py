"""From a title as someone wrote it to the page that is meant."""

from feverfew.corpus.names import NameKind, lookup_key
from feverfew.corpus.pages import PageStore
from feverfew.corpus.titles import TitleIndex
from feverfew.text import title_key

__all__ = ["find_number"]


def find_number(titles: TitleIndex, store: PageStore, title: str) -> int | None:
    """Find a page's number by its title in any spelling, or by an alias."""
    pages_named = titles.pages_named(lookup_key(title))
    if not pages_named:
        return None
    wanted = title_key(title)
    written = store.titles(number for number, _ in pages_named)
    for number, own in written.items():
        if title_key(own) == wanted:
            return number
    # Not to the letter: the surest name, if only its case, accents or signs differ.
    loose = [(kind, n) for n, kind in pages_named if n in written and kind <= NameKind.ALIAS]
    return min(loose)[1] if loose else None
