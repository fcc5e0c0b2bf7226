"""The corpus pane: search with operators, a page as elements that can be taken, find in page."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.errors import NotFound
from feverfew.rules.context import context_of
from feverfew.rules.sampling import introduction
from feverfew.server.site.articles import read_article
from feverfew.text import fold, words
from feverfew.types import Kind, Page, Ref

_CANDIDATES, _MOST = 300, 12
_TERM = re.compile(r'(-?)(title:)?(?:"([^"]+)"|(\S+))', re.IGNORECASE)


class Result(Struct, frozen=True):
    """A page that a search found, and how it begins."""

    title: str
    opening: str


def search(corpus: Corpus, query: str) -> list[Result]:
    """Find pages: words, "phrases", -without and title:word; a title that is named comes first."""
    wanted: list[str] = []
    filters = []
    for minus, title, phrase, word in _TERM.findall(query):
        text = phrase or word
        if not words(text):
            continue
        if not minus:
            wanted += words(text)
        if minus or title or phrase:
            filters.append((bool(minus), bool(title), f" {' '.join(words(text))} "))
    numbers = [n for n, _ in corpus.text.search(list(dict.fromkeys(wanted)), _CANDIDATES)]
    named = corpus.number(query.strip()) if query.strip() else None
    ordered = dict.fromkeys([*([named] if named is not None else []), *numbers])
    found: list[Result] = []
    for number in ordered:
        page = corpus.store.page(number)
        if page is not None and _passes(page, filters):
            first = next((s.text for s in page.sentences), "")
            found.append(Result(page.title, first))
        if len(found) == _MOST:
            break
    return found


def _passes(page: Page, filters: Sequence[tuple[bool, bool, str]]) -> bool:
    if not filters:
        return True
    title = f" {' '.join(words(page.title))} "
    body = title + " ".join(" ".join(words(text)) for text in page.texts()) + " "
    return all(
        (wanted in (title if only else body)) is not minus for minus, only, wanted in filters
    )


class Shown(Struct, frozen=True):
    """A page as it is shown, and where the words that one looks for are."""

    title: str
    article: Any
    marked: frozenset[str]
    """The anchors of the elements that hold what is looked for."""


def show(corpus: Corpus, title: str, find: str = "") -> Shown | None:
    """Read a page for the pane; None where there is none of this title."""
    try:
        article = read_article(corpus, title)
    except NotFound:
        return None
    marked: set[str] = set()
    if sought := fold(find).strip():
        page = corpus.page(title)
        for ref, text in page.elements():
            if sought in fold(text):
                marked.add(f"{ref.kind}_{ref.position_text}")
    return Shown(article.title, article, frozenset(marked))


def element_texts(corpus: Corpus, refs: Sequence[str]) -> dict[str, str]:
    """Return the texts of elements; "" for what the corpus does not have."""
    found: dict[str, str] = {}
    pages: dict[str, dict[Ref, str]] = {}
    for name in refs:
        ref = Ref.parse(name)
        if ref.page not in pages:
            try:
                pages[ref.page] = dict(corpus.page(ref.page).elements())
            except NotFound:
                pages[ref.page] = {}
        found[name] = pages[ref.page].get(ref, "")
    return found


def element_with_context(corpus: Corpus, name: str) -> tuple[str, ...]:
    """Return the context of an element, as official ids."""
    ref = Ref.parse(name)
    try:
        return tuple(map(str, context_of(corpus.page(ref.page), ref)))
    except NotFound:
        return ()


class Entry(Struct, frozen=True):
    """A linked page in the dictionary of a sentence."""

    title: str
    sentences: tuple[tuple[str, str], ...]
    """Official ids and texts."""


def dictionary(corpus: Corpus, titles: Sequence[str], whole: bool = True) -> list[Entry]:
    """Return the introductions of linked pages, or only their first sentences."""
    found = []
    for title in dict.fromkeys(titles):
        if title not in corpus:
            continue
        page = corpus.page(title)
        own = introduction(page)
        rows = tuple(
            (str(Ref(page.title, Kind.SENTENCE, (s.index,))), s.text)
            for s in (own if whole else own[:1])
        )
        if rows:
            found.append(Entry(page.title, rows))
    return found
