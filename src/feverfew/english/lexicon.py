"""The little grammar that the checker knows: which words are verbs, and where a subject ends.

Lists instead of a tagger: a claim must be taken apart in microseconds. They hold the verbs that
encyclopedias and claims use; whoever asks must do the safe thing where a word is not listed.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

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
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """Read a list of words, separated by blanks."""
    return frozenset(text.split())


AUXILIARIES = word_set(
    "is was are were has had have does did do can could will would may might must"
)

# Verbs without an object: behind "was born in Vienna and", "died in Paris" is no passive.
INTRANSITIVE = word_set("""
    acted aired appeared arose arrived attended became began belonged came collaborated
    collapsed competed consisted continued debuted descended died dropped emigrated ended
    enrolled escaped existed failed fell fled fought graduated grew happened immigrated joined
    lasted lay lectured left lived lost moved occurred opened originated participated peaked
    performed played practiced practised premiered ran remained resided resigned retired
    returned rose sang served settled starred started stayed studied succeeded taught toured
    traveled travelled volunteered went won worked
""")

# The past of verbs that take an object; most are participles too.
_TRANSITIVE = word_set("""
    abandoned accepted achieved acquired adapted adopted announced appointed assassinated
    awarded beat bought bowled broadcast broke built captained captured chaired choreographed
    claimed coached commanded completed composed conducted conquered constructed contained
    converted created debated defeated defended delivered designed destroyed developed directed
    discovered divorced drew earned edited elected embarked employed enjoyed entered established
    executed fathered featured finished followed formed founded gained gave got grossed headed
    held helped hosted included influenced inherited inspired introduced invaded invented
    invested joined killed launched led left lost made managed married met murdered narrated
    obtained occupied operated ordained organised organized owned painted photographed piloted
    pioneered portrayed preceded presented produced promoted proposed provided published
    purchased raised ranked reached received recorded refused regained rejected released renamed
    replaced reported represented scored signed sold spent supported survived took trained
    translated underwent visited voiced won wrote
""")

PAST = INTRANSITIVE | _TRANSITIVE

PARTICIPLES = word_set("""
    based begun born broken brought built buried called cast caught chosen classified considered
    credited dedicated distributed divided done drawn driven educated filmed found given grown
    heard held hidden hired imprisoned incorporated inducted invited involved known laid led
    located made nominated opened performed played premiered put raised recognised recognized
    released sent sentenced set shot shown situated sold sung taken taught told used voted won
    written
""") | (_TRANSITIVE - word_set("beat gave drew took underwent wrote broke"))

# Of the present only what can hardly be a plural: "plays", "stars" and "works" are nouns too.
_PRESENT = word_set("""
    appears became becomes begins belongs borders competes comprises consists contains directs
    does enables flows goes grows holds includes lies lives makes means meets occurs operates
    owns performs portrays produces publishes receives refers remains represents runs sells
    serves sings speaks takes teaches tells uses writes wrote
""")
_PRESENT_OR_PLURAL = word_set("acts airs features hosts plays shows stars studies works")

VERBS = AUXILIARIES | PAST | _PRESENT
"""What surely is a finite verb behind a subject or an "and"."""

PREPOSITIONS = word_set("""
    about after against alongside among around as at before behind between by during for from in
    into near of off on onto out over since through to toward towards under until upon with
    within without
""")

_ADVERBS = word_set("""
    again also always briefly commonly currently eventually finally first formerly generally
    initially later mainly mostly never not now officially often once only originally previously
    primarily recently soon still subsequently then twice usually widely
""")

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
    while at < len(found) and found[at].text in _ADVERBS:
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
        # Behind a name, "stars" and the like are verbs: "Casablanca stars Humphrey Bogart".
        if token.text in _PRESENT_OR_PLURAL and before[:1].isupper():
            return at
    return -1


def has_verb(text: str) -> bool:
    """Say whether a text may be a sentence: one of its words may be a finite verb."""
    return any(_may_be_verb(word) for word in _words(text))


def _words(text: str) -> Iterator[str]:
    return (token.text for token in tokens(text))


def _may_be_verb(word: str) -> bool:
    return (
        word in VERBS
        or word in _PRESENT_OR_PLURAL
        or (word.islower() and len(word) > 4 and word.endswith("ed"))
        or word.endswith(("n't", "n’t"))
    )


_WITHIN_NAMES = word_set(
    "of the de del della di da du des la le les von van der den and for in on at & y"
)


_NEVER_FIRST = word_set("""
    A After An At Before Both By In Neither On That There These This Those While
""")


def is_name(found: Sequence[Token]) -> bool:
    """Say whether tokens are one proper name: 'Fritz Lang', 'The Bank of England'."""
    if not found or not any(token.text[:1].isupper() for token in found):
        return False
    first, last = found[0].text, found[-1].text
    if first in _NEVER_FIRST or (len(found) == 1 and first in ("The", "What")):
        return False
    return (
        _capital(first)
        and (_capital(last) or last.isdigit())
        and all(_capital(t.text) or t.text in _WITHIN_NAMES or t.text.isdigit() for t in found)
    )


def _capital(word: str) -> bool:
    return word[:1].isupper() or (word[:1].isdigit() and len(word) > 1)
