"""The statements of a claim's candidate pages with their context, as arrays.

All words are looked up at once in the claim's small vocabulary; the rest is array arithmetic. So
the cost depends mainly on the length of the text.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.models.weights_io import shipped_weights
from feverfew.retrieve import Candidate
from feverfew.retrieve.features import Query
from feverfew.text import display_title, padded, page_name, without_parenthesis, words
from feverfew.types import (
    Context,
    ItemList,
    Kind,
    Link,
    ListItem,
    Page,
    Provenance,
    Ref,
    Section,
    Sentence,
)

PRONOUNS = frozenset(("he", "she", "it", "they", "his", "her", "its", "their", "this", "these"))


class Statement(Struct, frozen=True, gc=False):
    """A sentence or a list item that may decide a claim, with its position."""

    ref: Ref
    text: str
    line: int
    """The number of the sentence, or of the last one before the list."""
    links: tuple[Link, ...]
    section: str
    page: str
    """The page's name."""
    source: Provenance | None = None


def statements(page: Page) -> list[Statement]:
    """List the sentences and list items of a page in reading order."""
    return list(_statements(page))


def _statements(page: Page) -> Iterator[Statement]:
    headings: list[Section] = []
    section, line = "", 0
    name, source = page_name(page), page.provenance()
    for place, block in enumerate(page.blocks):
        if page.page_breaks:
            source = page.provenance(place)
        if isinstance(block, Sentence):
            line = block.index
            ref = Ref(page.title, Kind.SENTENCE, (line,))
            if block.text:
                yield Statement(ref, block.text, line, block.links, section, name, source)
        elif isinstance(block, Section):
            headings = [h for h in headings if h.level < block.level] + [block]
            # A document's first heading is often its title, which is included anyway.
            section = " › ".join(h.text for h in headings if h.text and h.text != page.name)
        elif isinstance(block, ItemList):
            for item, text in _items(block):
                ref = Ref(page.title, Kind.ITEM, (block.index, item.index))
                yield Statement(ref, text, line, item.links, section, name, source)


def _items(listed: ItemList) -> Iterator[tuple[ListItem, str]]:
    """List a list's items; parent items are prepended, like headers to a cell.

    >>> sides = (ListItem(0, "Side one"), ListItem(1, "So What", level=1))
    >>> [text for _, text in _items(ItemList(0, sides))]
    ['Side one', 'Side one: So What']
    """
    above: list[ListItem] = []
    for item in listed.items:
        above = [other for other in above if other.level < item.level]
        if item.text:
            yield item, ": ".join([*(other.text.rstrip(" :") for other in above), item.text])
            above.append(item)


def context_of(page_statements: Sequence[Statement], at: int) -> Context:
    """Return the context that a statement needs to be understood alone."""
    statement = page_statements[at]
    title = statement.page
    name = ""
    if _starts_with_pronoun(statement.text):
        before = (s.text for s in reversed(page_statements[:at]) if s.section == statement.section)
        # "He … He …": all refer to the last name.
        named = next((text for text in before if not _starts_with_pronoun(text)), "")
        name = _leading_name(named)
        if set(words(name)) & set(words(title)):
            name = ""
    return Context(title, statement.section, name)


def _starts_with_pronoun(text: str) -> bool:
    return text.split(maxsplit=1)[0].lower().strip("“‘\"'") in PRONOUNS if text.strip() else False


_ARTICLES = {"The", "A", "An"}
_JOINERS = {"of", "the", "de", "del", "von", "van", "for", "and"}


def _leading_name(text: str) -> str:
    """Return the name at the start of a sentence, or "".

    It must have two capitalised words: one alone may only begin the sentence.

    >>> _leading_name("The Bank of England in London was founded later.")
    'Bank of England'
    """
    name: list[str] = []
    end = 0
    for word in text.split():
        bare = word.rstrip(",.;:")
        if not name and bare in _ARTICLES:
            continue
        if bare[:1].isupper():
            name.append(bare.removesuffix("'s").removesuffix("’s"))
            end = len(name)
        elif bare in _JOINERS and name:
            name.append(bare)
        else:
            break
        if bare != word or name[-1] != bare:
            break
    capitals = sum(word[:1].isupper() for word in name)
    return " ".join(name[:end]) if capitals > 1 else ""


Related = dict[str, dict[bytes, float]]
"""Claim word → related evidence words with their strength, from 0 to 1."""


@lru_cache(maxsize=1)
def related_words() -> Related:
    """Load the table in `weights/related.json`."""
    table = msgspec.json.decode(shipped_weights("related.json"), type=dict[str, dict[str, float]])
    return {
        word: {other.encode(): strength for other, strength in others.items()}
        for word, others in table.items()
    }


Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Integers = NDArray[np.intp]

_BREAK = b"\0"
_NO_WORD, _NEW_SENTENCE, _NEVER = -1, -2, -3
_PREFIX = 5
"""Length of the prefix that makes two word forms equal."""
_PRONOUN_BYTES = frozenset(word.encode() for word in PRONOUNS)


class FeatureContext:
    """Arrays that are computed once; shapes are (distinct words of the claim, pages,
    statements)."""

    def __init__(
        self,
        query: Query,
        pages: Sequence[Candidate],
        page_statements: Sequence[Sequence[Statement]],
        related: Related,
    ) -> None:
        self.query = query
        self.pages = pages
        self.page_statements = page_statements
        self.statements = [statement for own in page_statements for statement in own]
        self.page: Integers = np.repeat(
            np.arange(len(pages)), [len(own) for own in page_statements]
        )
        """The page of each statement; pages are ordered by rank."""
        self.weights = np.array(list(query.weights.values()), np.float32)
        self.place = {word: i for i, word in enumerate(query.weights)}
        # A separator cannot come from the text: folding makes blanks of control characters.
        text = padded("\n".join([s.text.replace("\n", " ") for s in self.statements]))
        tokens = text.replace(b"\n", _BREAK).split()
        self._read_words(tokens, related)
        self._read_prefixes(tokens)
        self._read_signs(tokens)
        self._read_titles()
        self._read_names(text)

    def _read_words(self, tokens: list[bytes], related: Related) -> None:
        """Find the claim's words, and words related to them."""
        count, known = len(self.statements), len(self.place)
        rows = {word.encode(): i for word, i in self.place.items()}
        strengths = [(i, i, 1.0) for i in range(known)]
        for word, i in self.place.items():
            for other, strength in related.get(word, {}).items():
                row = rows.setdefault(other, len(rows))
                strengths.append((row, i, strength))
        tells = np.zeros((len(rows), known), np.float32)
        for row, i, strength in strengths:
            tells[row, i] = strength
        rows[_BREAK] = _NEW_SENTENCE
        get = rows.get
        self.ids = np.array([get(token, _NO_WORD) for token in tokens], np.int64)
        breaks = self.ids == _NEW_SENTENCE
        self.owner: Integers = np.cumsum(breaks)
        self.starts = np.concatenate([[0], np.flatnonzero(breaks) + 1])
        self.length = np.bincount(self.owner, ~breaks, count).astype(np.float32)
        hits = np.flatnonzero(self.ids >= 0)
        self.tells = np.zeros((known, count), np.float32)
        """How well each statement covers each word: 1 if it contains it."""
        if len(hits) and known:
            owners = self.owner[hits]
            first = np.flatnonzero(np.diff(owners, prepend=-1))
            best = np.maximum.reduceat(tells[self.ids[hits]], first, axis=0)
            self.tells[:, owners[first]] = best.T
        self.has: Bools = self.tells >= 1
        own = self.owner[(self.ids >= 0) & (self.ids < known)]
        self.matched = np.bincount(own, minlength=count).astype(np.float32)

    def _read_prefixes(self, tokens: list[bytes]) -> None:
        """Find words with the same prefix as the claim's: 'directed' for 'director'."""
        prefixes: dict[bytes, int] = {}
        group = [prefixes.setdefault(w.encode()[:_PREFIX], len(prefixes)) for w in self.place]
        get = prefixes.get
        ids = np.array([get(token[:_PREFIX], _NO_WORD) for token in tokens], np.int64)
        hits = np.flatnonzero(ids >= 0)
        has = np.zeros((len(prefixes), len(self.statements)), bool)
        has[ids[hits], self.owner[hits]] = True
        self.has_prefix: Bools = has[group] | self.has

    def _read_signs(self, tokens: list[bytes]) -> None:
        """Find pronouns at the start, and numbers if the claim has some."""
        count = len(self.statements)
        self.has_number: Bools = np.zeros(count, bool)
        self.has_year: Bools = np.zeros(count, bool)
        if self.query.numbers:
            digits = [at for at, token in enumerate(tokens) if token.isdigit()]
            self.has_number[self.owner[digits]] = True
            years = [at for at in digits if len(tokens[at]) == 4]
            self.has_year[self.owner[years]] = True
        begins = [tokens[i] if i < len(tokens) else b"" for i in self.starts.tolist()]
        self.pronoun: Bools = np.array([token in _PRONOUN_BYTES for token in begins[:count]], bool)

    def _read_titles(self) -> None:
        """Find the claim's words in the pages' titles, and the titles in the claim."""
        shown = [
            own[0].page if own else display_title(page.title)
            for page, own in zip(self.pages, self.page_statements, strict=True)
        ]
        bare = [without_parenthesis(title) if title.endswith(")") else title for title in shown]
        titles = [padded(title) for title in shown]
        self.bases = [padded(title) for title in bare]
        self.has_parenthesis: Bools = np.array(
            [a is not b for a, b in zip(shown, bare, strict=True)], bool
        )
        self.title_has: Bools = np.array(
            [[word in title for title in titles] for word, _ in self.query.sought], bool
        ).reshape(len(self.place), len(titles))
        split = [base.decode().split() for base in self.bases]
        self.title_missing = np.array(
            [sum([w not in self.place for w in own]) / (len(own) or 1) for own in split], np.float32
        )
        """The share of a title's words that the claim lacks."""
        start = self.query.words.folded[:1]
        self.title_first: Bools = np.array([own[:1] == start for own in split], bool)

    def _read_names(self, text: bytes) -> None:
        """Find which statements name, or link to, which pages."""
        breaks = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
        self.names: Bools = np.zeros((len(self.pages), len(self.statements)), bool)
        for page, base in enumerate(self.bases):
            at = text.find(base) if base.strip() else -1
            while at >= 0:
                place = int(np.searchsorted(breaks, at))
                self.names[page, place] = True
                at = text.find(base, int(breaks[place])) if place < len(breaks) else -1
        spelled = {name: i for i, page in enumerate(self.pages) for name in _spellings(page.title)}
        for place, statement in enumerate(self.statements):
            for link in statement.links:
                if link.target in spelled:
                    self.names[spelled[link.target], place] = True

    def pairs(self) -> Floats:
        """Return, for each statement, the weight of the claim's word pairs that it contains."""
        known = len(self.place)
        after = np.full(known, _NEVER)
        for a, b in reversed(list(pairwise(self.query.words.folded))):
            after[self.place[a]] = self.place[b]
        ids, following = self.ids[:-1], self.ids[1:]
        both = np.flatnonzero((ids >= 0) & (ids < known))
        both = both[after[ids[both]] == following[both]]
        weight = self.weights[ids[both]] + self.weights[following[both]]
        found = np.bincount(self.owner[both], weight, len(self.statements))
        return found.astype(np.float32)


def _spellings(title: str) -> set[str]:
    """List the possible spellings of a title in links; far cheaper than normalising every link."""
    shown = display_title(title)
    alike = {title, shown, shown.replace(" ", "_")}
    return alike | {name[:1].lower() + name[1:] for name in alike}
