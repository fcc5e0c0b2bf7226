"""The little grammar that claims are taken apart with: verbs, names and where a subject ends.

Lists instead of a tagger: a claim must be taken apart in microseconds. Whoever asks must do the
safe thing where a word is not listed.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from feverfew.english.lexicon import table, word_set

__all__ = [
    "AUXILIARIES",
    "INTRANSITIVE",
    "PARTICIPLES",
    "PAST",
    "PREPOSITIONS",
    "VERBS",
    "Token",
    "first_verb",
    "has_verb",
    "is_name",
    "skip_adverbs",
    "tokens",
]

_LISTED = {name: word_set(words) for name, words in table("grammar").items()}
AUXILIARIES, INTRANSITIVE = _LISTED["auxiliaries"], _LISTED["intransitive"]
PREPOSITIONS = _LISTED["prepositions"]
PAST = INTRANSITIVE | _LISTED["transitive"]
PARTICIPLES = _LISTED["participles"] | (
    _LISTED["transitive"] - word_set("beat gave drew took underwent wrote broke")
)
VERBS = AUXILIARIES | PAST | _LISTED["present"]
"""What surely is a finite verb after a subject or an "and"."""

_TOKEN = re.compile(r"[^\s,;:()\[\]\"“”]+|[,;:()\[\]\"“”]")


class Token(Struct, frozen=True, gc=False):
    """A word or a sign, and where it stands."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Split a sentence at blanks and signs; its last full stop is no part of a word."""
    found = [Token(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]
    if found and len(found[-1].text) > 1 and found[-1].text[-1] in ".!?":
        last = found[-1]
        bare = last.text.rstrip(".!?") or last.text
        found[-1] = Token(bare, last.start, last.start + len(bare))
    return found


def skip_adverbs(found: Sequence[Token], at: int) -> int:
    """Return the place of the first token from `at` on that is no adverb."""
    while at < len(found) and found[at].text in _LISTED["adverbs"]:
        at += 1
    return at


def first_verb(found: Sequence[Token]) -> int:
    """Return the place of the first finite verb, -1 if none is sure.

    >>> first_verb(tokens("The Man Who Fell to Earth stars David Bowie."))
    6
    """
    for at, token in enumerate(found):
        if token.text in VERBS:
            return at
        before = found[at - 1].text if at else ""
        # After a name, "stars" and the like are verbs: "Casablanca stars Humphrey Bogart".
        if token.text in _LISTED["present_or_plural"] and before[:1].isupper():
            return at
    return -1


def has_verb(text: str) -> bool:
    """Say whether a text may be a sentence: one of its words may be a finite verb."""
    return any(_may_be_verb(token.text) for token in tokens(text))


def _may_be_verb(word: str) -> bool:
    return (
        word in VERBS
        or word in _LISTED["present_or_plural"]
        or (word.islower() and len(word) > 4 and word.endswith("ed"))
        or word.endswith(("n't", "n’t"))
    )


def is_name(found: Sequence[Token]) -> bool:
    """Say whether tokens are one proper name: 'Fritz Lang', 'The Bank of England'."""
    if not found or not any(token.text[:1].isupper() for token in found):
        return False
    first, last = found[0].text, found[-1].text
    if first in _LISTED["never_first"] or (len(found) == 1 and first in ("The", "What")):
        return False
    return (
        _capital(first)
        and (_capital(last) or last.isdigit())
        and all(
            _capital(t.text) or t.text in _LISTED["within_names"] or t.text.isdigit() for t in found
        )
    )


def _capital(word: str) -> bool:
    return word[:1].isupper() or (word[:1].isdigit() and len(word) > 1)
