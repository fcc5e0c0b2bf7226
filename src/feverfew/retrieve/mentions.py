"""Titles mentioned in a text: every name a page bears that the text spells out.

Case, accents, possessives, plurals, leading articles, parentheses and initials are dealt with
by the keys of the trie (`corpus.names`) and by folding; misspellings are looked up last, and
only for capitalised names that no page bears.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind, keys_of
from feverfew.text import fold, spelled_words

__all__ = ["Mention", "Words", "find_mentions", "find_misspelled", "find_names"]

_LONGEST = 12
_LONGEST_SLIP = 4
_MOST_BEARERS = 60
"""A name that more pages bear than this says nothing by itself: 'List', 'Season 1'."""


class Words(Struct, frozen=True, gc=False):
    """A text's words, as spelled and folded."""

    spelled: list[str]
    folded: list[str]

    @classmethod
    def of(cls, text: str) -> "Words":
        """Split a text."""
        spelled = spelled_words(text)
        return cls(spelled, [fold(word) for word in spelled])


class Mention(Struct, frozen=True, gc=False):
    """A page's name in a text."""

    page: int
    start: int
    length: int
    """Where it stands, in words."""
    kind: NameKind
    plural: bool
    rivals: int
    """How many pages bear the same name."""
    misspelled: bool = False


def find_mentions(corpus: Corpus, words: Words) -> list[Mention]:
    """Find every mention of a title, longest first."""
    found: list[Mention] = []
    pages_named, names_at, folded = corpus.titles.pages_named, corpus.titles.names_at, words.folded
    for start in range(len(folded)):
        for key, length, plural in names_at(folded[start : start + _LONGEST]):
            pages = pages_named(key)
            if len(pages) > _MOST_BEARERS:
                pages = [bearer for bearer in pages if bearer[1] <= NameKind.ALIAS]
            for page, kind in pages[:_MOST_BEARERS]:
                found.append(Mention(page, start, length, kind, plural, len(pages)))
    found.sort(key=lambda m: (-m.length, m.plural, m.kind, m.start))
    return found


def find_names(corpus: Corpus, words: Words, most_rivals: int = 6) -> Iterator[Mention]:
    """Yield capitalised names from left to right, the longest at each place, none overlapping."""
    pages_named, names_at = corpus.titles.pages_named, corpus.titles.names_at
    start = 0
    while start < len(words.folded):
        initial = words.spelled[start][0]
        names = []
        if initial.isupper() or initial.isdigit():
            names = list(names_at(words.folded[start : start + _LONGEST]))
        length = 1
        if names:
            key, length, plural = max(names, key=lambda name: (name[1], not name[2]))
            pages = pages_named(key)
            if len(pages) <= most_rivals:
                for page, kind in pages:
                    if kind <= NameKind.WITHOUT_PARENTHESIS:
                        yield Mention(page, start, length, kind, plural, len(pages))
        start += length


def find_misspelled(corpus: Corpus, words: Words, found: Sequence[Mention]) -> list[Mention]:
    """Find titles that a capitalised name may have meant, had it been spelled right.

    Asked only of names that no title bears: several words of which no two stand in a title
    together ("Gordan Ramsay"), or a word by itself that the corpus does not know.
    """
    slips: list[Mention] = []
    for start, end in _capitalised_runs(words.spelled):
        run = words.folded[start:end]
        if len(run) == 1:
            known = len(run[0]) < 4 or corpus.text.frequency(run[0])
        else:
            known = any(
                m.length > 1 and m.start < end and start < m.start + m.length for m in found
            )
        if known or len(run) > _LONGEST_SLIP:
            continue
        for slip in range(len(run)):
            if len(run[slip]) < 4:
                continue
            near = corpus.text.similar_titles(run, slip)
            for number, title in corpus.store.titles(near).items():
                fitting = (
                    _fits(key.split(), words.folded, start + slip, number) for key in keys_of(title)
                )
                slips.extend([mention for mention in fitting if mention][:1])
    return slips


def _capitalised_runs(spelled: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where consecutive capitalised words begin and end."""
    start = 0
    while start < len(spelled):
        end = start
        while end < len(spelled) and spelled[end][0].isupper():
            end += 1
        if end > start:
            yield start, end
        start = end + 1


def _fits(name: list[str], folded: list[str], at: int, number: int) -> Mention | None:
    """Lay a name over the words so that one of its own words meets the misspelled one."""
    for offset in range(len(name)):
        start = at - offset
        window = folded[start : start + len(name)] if start >= 0 else []
        if (
            len(window) == len(name)
            and all(
                a == b or i == offset for i, (a, b) in enumerate(zip(name, window, strict=True))
            )
            and _one_slip(name[offset], folded[at])
        ):
            return Mention(number, start, len(name), NameKind.FULL, False, 1, misspelled=True)
    return None


def _one_slip(a: str, b: str) -> bool:
    """Say whether one letter added, dropped, changed, or two swapped, makes a of b."""
    if a == b or abs(len(a) - len(b)) > 1:
        return a == b
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    swapped = a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :]
    return a[i + 1 :] == b[i + 1 :] or a[i:] == b[i + 1 :] or a[i + 1 :] == b[i:] or swapped
