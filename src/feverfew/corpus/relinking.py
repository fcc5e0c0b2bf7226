"""Keep links right when pages come, change or go: whoever is concerned is read again.

That is the pages that changed; those that link to one that changed, or to a name that it bears and
no page bore; and, where mentions are links, those whose text has all the words of such a name.
"""

from collections.abc import Collection, Iterable
from pathlib import Path

from feverfew.corpus.linker import Linker, Mentions, key_number
from feverfew.corpus.linking import mentions_of, renew_links
from feverfew.corpus.links import LinkGraph, link_rows
from feverfew.corpus.names import NameKind
from feverfew.corpus.nametable import LONGEST, NameTable, may_name, unique_page
from feverfew.corpus.pages import PageStore
from feverfew.corpus.search import TextIndex
from feverfew.corpus.titles import TitleIndex
from feverfew.text import fold, spelled_words
from feverfew.types import Page

__all__ = ["MOST_RELINKED", "relink", "renew_if_many"]

MOST_RELINKED = 20_000
"""Beyond this, or a tenth of the pages, all links are written anew: opening must stay fast."""


def relink(
    folder: Path,
    store: PageStore,
    titles: TitleIndex,
    put: Collection[int],
    removed: Collection[int],
    names: Collection[str],
) -> None:
    """Find the links of all pages that a change concerns; `titles` knows all but its new names."""
    version = store.fact("links")
    if not isinstance(version, int) or not (put or removed or names):
        return
    graph = LinkGraph.open(folder, version, store.relinked())
    mentions = mentions_of(store)
    concerned = set(put).union(*map(graph.into, removed))
    for name in names:
        concerned.update(graph.missing(key_number(name)))
        for bearer, kind in titles.pages_named(name):
            if kind <= NameKind.ALIAS:
                concerned.update(graph.into(bearer))
    if mentions != Mentions.NONE:
        text = TextIndex.open(folder / "text")
        for name in filter(may_name, names):
            concerned.update(text.having(name.split()))
    concerned.difference_update(removed)
    now = TitleIndex.open(folder, int(str(store.fact("titles"))), store.new_names())
    pages = list(store.some_pages(sorted(concerned)))
    table = None if mentions == Mentions.NONE else _table(store, now, (p for _, p in pages))
    linked = Linker(store, now, mentions, table).link(pages)
    store.relink(link_rows([number for number, _ in pages], linked))
    store.relink((number, b"", b"") for number in removed)


def _table(store: PageStore, titles: TitleIndex, pages: Iterable[Page]) -> NameTable:
    """Make a table of the names that some pages may have: far fewer than there are."""
    keys: set[str] = set()
    for page in pages:
        for text in page.texts():
            spelled = spelled_words(text)
            folded = [fold(word) for word in spelled]
            for start, word in enumerate(spelled):
                if not word[0].islower() or not word[0].isascii():
                    keys.update(key for key, *_ in titles.names_at(folded[start:][:LONGEST]))
    pages_named = {key: titles.pages_named(key) for key in sorted(keys) if may_name(key)}
    alive = store.titles({page for borne in pages_named.values() for page, _ in borne})
    meant = {
        key: unique_page([one for one in borne if one[0] in alive], key.count(" ") + 1)
        for key, borne in pages_named.items()
    }
    named = {key: one for key, one in meant.items() if one is not None}
    return NameTable.of(list(named), list(named.values()))


def renew_if_many(folder: Path, store: PageStore) -> None:
    """Write all links anew when those of too many pages lie beside them."""
    if not isinstance(store.fact("links"), int):
        return
    if len(store.relinked()) > max(MOST_RELINKED, store.count() // 10):
        renew_links(folder, store)
