"""The names in a sentence, and whether each is a person's or a thing's, as far as it shows."""

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct

from feverfew.english.lexicon import (
    PARTICIPLES,
    PREPOSITIONS,
    Token,
    first_verb,
    is_name,
    skip_adverbs,
    tokens,
    word_set,
)

__all__ = ["Mentioned", "Named", "Sort", "mentioned", "noun_of"]


class Sort(Enum):
    """What bears a name."""

    PERSON = 1
    THING = 2
    PLACE = 3
    """Where something happened: a sentence is hardly about it."""
    UNKNOWN = 4


class Named(Struct, frozen=True):
    """A name in a sentence."""

    name: str
    sort: Sort
    subject: bool = False
    nouns: frozenset[str] = frozenset()
    """What it is called there: film, company."""


class Mentioned(Struct, frozen=True):
    """What a sentence speaks of."""

    names: tuple[Named, ...]
    """Its subject first."""
    nameless: frozenset[str]
    """Things without a name: 'a film', of which the next sentence may go on to speak."""
    defines: bool
    """It says what its subject is: 'Metropolis is a film'."""
    described: bool
    """It is about someone or something without a name: 'The author of …', 'A man …'."""


_THINGS = word_set("""
    film movie documentary series show sitcom episode song single album band group duo company
    corporation firm organisation organization party club team city town village capital country
    state county region river lake mountain island building museum university college school novel
    book play magazine newspaper journal game software language genus species plant animal church
    bridge station airport railway road street war battle festival award event channel label
    franchise opera musical character planet element protein disease
""")
_SAME = {
    "movie": "film",
    "corporation": "company",
    "firm": "company",
    "organization": "organisation",
}
_PEOPLE = re.compile(
    r"(?:act(?:or|ress)|sing(?:er|ers)|m[ae]n|wom[ae]n|person|king|queen|prince|princess|poet|model"
    r"|athlete|politician|musician|comedian|novelist|artist|scientist|physicist|chemist|lawyer"
    r"|president|senator|general|saint|bishop|pope|guitarist|pianist|journalist|architect|student"
    r"|author|host|champion|priest|soldier|philosopher|mathematician|economist|historian|wife|husband"
    r"|son|daughter|brother|sister|father|mother|emperor|duke|\w+(?:writer|player|maker|director"
    r"|composer|producer|painter|teacher|leader|footballer|cricketer|wrestler|boxer|dancer|rapper)"
    r"|director|composer|producer|painter|teacher|leader|footballer|cricketer|wrestler|boxer|dancer"
    r"|rapper|writer|player|engineer|officer|designer|swimmer|explorer)"
)
_DONE_BY_PEOPLE = word_set("""
    born died married studied graduated wrote directed starred acted attended lived grew composed
    sang painted taught worked retired resigned invented discovered learned
""")
_DONE_TO_THINGS = word_set("""
    released founded established published written directed located built premiered aired filmed
    produced composed recorded formed launched opened situated based set adapted stars features
    consists contains comprises designed named created developed added
""")
_MADE = word_set("""
    directed wrote founded published composed released produced recorded created invented developed
    designed built
""")
_PERSON_BEFORE = word_set(
    "by starring director actor actress singer author wife husband married with"
)
_PLACE_BEFORE = word_set("in at from near to")

_PERSON_BEFORE |= word_set("stars featuring features starred met son daughter named called")
_MONTHS = word_set(
    "January February March April May June July August September October November December"
)
_NOT_NAMES = _MONTHS | word_set("""
    A After All Also Although An As At Before Both By During For Friday From He Her His However I If
    In It Its Later Many Monday Most On One Saturday She Since Some Sunday That The Their Then There
    These They This Those Thursday Tuesday Two We Wednesday When While You
""")
_DESCRIBES = word_set("The A An This That These Those One Another")
_MOST_NAMES = 60


def noun_of(word: str) -> str:
    """Return the common word for a thing, "" if it is none: 'movie' → 'film'."""
    word = _SAME.get(word, word)
    return word if word in _THINGS else ""


def mentioned(sentence: str) -> Mentioned:
    """List the names of a sentence, and the things in it that have none."""
    found = tokens(_FRONT.sub("", sentence))
    verb = first_verb(found)
    names = tuple(_names(found, verb))[:_MOST_NAMES]
    called = frozenset(noun for named in names for noun in named.nouns)
    nameless = frozenset(noun_of(token.text) for token in found) - called - {""}
    described = not (names and names[0].subject) and found[:1] != [] and found[0].text in _DESCRIBES
    defines = verb > 0 and found[verb].text in _COPULAS
    return Mentioned(names, nameless, defines, described)


# "In 1927, Fritz Lang directed Metropolis": what it is about follows.
_FRONT = re.compile(
    r"(?:In|On|At|After|During|Since|By|From|Later|Then|Also|However)\b[^,.;]{0,60}, "
)
_COPULAS = ("is", "was", "are", "were")


def _names(found: Sequence[Token], verb: int) -> Iterator[Named]:
    subject = _subject(found, verb)
    if subject:
        nouns = frozenset(_nouns(found, verb))
        yield Named(_spell(subject), _sort_of_subject(found, verb, nouns), True, nouns & _THINGS)
    start = len(subject)
    while start < len(found):
        end = start
        while end < len(found) and _capital(found[end].text):
            end += 1
        name = found[start:end]
        if is_name(name) and not _is_adjective(found, start, end):
            before = [token.text for token in found[max(start - 2, 0) : start]]
            yield Named(_spell(name), _sort_of_other(before))
        start = end + 1


def _is_adjective(found: Sequence[Token], start: int, end: int) -> bool:
    """Say whether one capitalised word belongs to the noun behind it: 'a German film'."""
    following = found[end].text if end < len(found) else ""
    ends = following in PREPOSITIONS or following in ("and", "was", "is", "who")
    return end == start + 1 and following.islower() and not ends


def _capital(word: str) -> bool:
    return word[:1].isupper() and word not in _NOT_NAMES


def _subject(found: Sequence[Token], verb: int) -> Sequence[Token]:
    """Return the name, or the two of them, that a sentence is about; nothing where unsure."""
    end = verb
    for at in range(max(verb, 0)):
        if found[at].text in (",", "("):
            end = at
            break
    name = list(found[:end]) if end > 0 else []
    while name and skip_adverbs(name, len(name) - 1) == len(name):
        name.pop()  # "Metropolis also was"
    dated = any(token.text in _MONTHS for token in name)
    return name if is_name(name) and not dated and _capital(name[-1].text) else []


def _spell(name: Sequence[Token]) -> str:
    words = [token.text for token in name]
    words[-1] = re.sub(r"['’]s?$", "", words[-1])
    return " ".join(words)


def _nouns(found: Sequence[Token], verb: int) -> Iterator[str]:
    """Yield the nouns of 'is a 1927 German film': all words up to where its phrase ends."""
    if found[verb].text not in ("is", "was", "are", "were", "became"):
        return
    for token in found[verb + 1 : verb + 12]:
        if token.text in PREPOSITIONS or token.text in PARTICIPLES or token.text in (",", "who"):
            return
        yield _SAME.get(token.text, token.text)


def _sort_of_subject(found: Sequence[Token], verb: int, nouns: frozenset[str]) -> Sort:
    words = [token.text for token in found[verb : verb + 3]]
    if words[0] in ("is", "was", "are", "were", "became") and nouns:
        if any(map(_PEOPLE.fullmatch, nouns)):
            return Sort.PERSON
        if nouns & _THINGS:
            # A fictional character may be "he" as well as "it".
            return Sort.UNKNOWN if "character" in nouns else Sort.THING
    passive = words[0] in ("is", "was", "are", "were") or words[0] in ("stars", "features")
    if passive and set(words) & _DONE_TO_THINGS:
        return Sort.THING
    if set(words) & _DONE_BY_PEOPLE:
        return Sort.PERSON
    return Sort.UNKNOWN


def _sort_of_other(before: Sequence[str]) -> Sort:
    last = before[-1] if before else ""
    if last in _PERSON_BEFORE:
        return Sort.PERSON
    if last in _MADE or before == ["starred", "in"]:
        return Sort.THING
    if last in _PLACE_BEFORE:
        # "She was born in Vienna. It is …": here the place is the news.
        return Sort.THING if before[0] in ("born", "died") else Sort.PLACE
    return Sort.UNKNOWN
