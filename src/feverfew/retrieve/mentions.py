"""Titles mentioned in a text: every name a page bears that the text spells out.

Case, accents, possessives, plurals, leading articles, parentheses and initials are dealt with
by the keys of the trie (`corpus.names`) and by folding; misspellings are looked up last, and
only for capitalised words that no page's text knows.
"""

from collections.abc import Sequence

from msgspec import Struct

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind, keys_of
from feverfew.text import fold, spelled_words

__all__ = ["Mention", "Words", "find_mentions", "find_misspelled"]

_LONGEST = 12
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


def find_mentions(
    corpus: Corpus, words: Words, *, capitalised: bool = False, loosest: NameKind | None = None
) -> list[Mention]:
    """Find every mention, longest first; on request only those that begin with a capital."""
    found: list[Mention] = []
    bearers, names_at, folded = corpus.titles.bearers, corpus.titles.names_at, words.folded
    for start, spelled in enumerate(words.spelled):
        if capitalised and not spelled[0].isupper() and not spelled[0].isdigit():
            continue
        for key, length, plural in names_at(folded[start : start + _LONGEST]):
            pages = bearers(key)
            if len(pages) > _MOST_BEARERS:
                pages = [bearer for bearer in pages if bearer[1] <= NameKind.ALIAS]
            for page, kind in pages[:_MOST_BEARERS]:
                if loosest is None or kind <= loosest:
                    found.append(Mention(page, start, length, kind, plural, len(pages)))
    found.sort(key=lambda m: (-m.length, m.plural, m.kind, m.start))
    return found


def find_misspelled(corpus: Corpus, words: Words, found: Sequence[Mention]) -> list[Mention]:
    """Find titles that a capitalised word unknown to the corpus may have meant.

    The word's neighbours decide: "Bryan Howd" finds "Bryan Howard" only if one slip is enough.
    """
    covered = {m.start + i for m in found if m.length > 1 for i in range(m.length)}
    slips: list[Mention] = []
    for at, (spelled, folded) in enumerate(zip(words.spelled, words.folded, strict=True)):
        if len(folded) < 4 or at in covered or not spelled[0].isupper():
            continue
        if corpus.text.frequency(folded):
            continue
        near = corpus.text.similar_title_words(folded)
        for number, title in corpus.store.titles(near).items():
            for key in keys_of(title):
                if mention := _fits(key.split(), words.folded, at, number):
                    slips.append(mention)
                    break
    return slips


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
