"""Whom a pronoun at the beginning of a sentence means: the last suitable name before it.

Simple on purpose: it is enough if the sentence can be searched and judged without the ones
before it. A pronoun for which no name is suitable stays.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct

from feverfew.check.grammar import (
    PARTICIPLES,
    PREPOSITIONS,
    Token,
    first_verb,
    is_name,
    tokens,
    word_set,
)

__all__ = ["Spoken"]


class _Sort(Enum):
    PERSON = 1
    THING = 2
    UNKNOWN = 3


class _Named(Struct, frozen=True):
    """A name that was spoken of."""

    name: str
    sort: _Sort
    subject: bool
    nouns: frozenset[str] = frozenset()
    """What it was called: film, company."""


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
    consists contains comprises
""")
_MADE = word_set("""
    directed wrote founded published composed released produced recorded created invented developed
    designed built
""")
_PERSON_BEFORE = word_set(
    "by starring director actor actress singer author wife husband married with"
)
_PLACE_BEFORE = word_set("in at from near to")

_MALE, _FEMALE = word_set("he his"), word_set("she her")
_THEY, _IT = word_set("they their"), word_set("it its")
_OWNING = word_set("his her its their")

_BEGIN = re.compile(
    r"(?P<front>(?:(?:In|On|At|After|During|Since|By|From|Later|Then|Also|However)\b"
    r"[^,.;]{0,40}, )?)"
    r"(?P<word>[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir"
    r"|(?:[Tt]he|[Tt]his|[Tt]hat) (?P<noun>[a-z]+))"
    r"(?P<short>['’](?:s|re)(?= ))?(?=[ ,])"
)
# "It is said that …", "It was not until …": this "it" stands for no name.
_NOBODY = re.compile(
    r"it['’]?s? (?:(?:is|was|has been) )?(?:also |often |widely |not )?"
    r"(?:known|believed|said|thought|likely|true|possible|important|clear|unclear|estimated|raining|until|rained|snowed|seems"
    r"|appears|turned out|follows|took)\b",
    re.IGNORECASE,
)
_NOT_NAMES = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|[Tt]he|[Aa]n?|He|She|It|They|His|Her"
    r"|Its|Their|This|That|These|Those|There|In|On|At|After|Before|During|Since|By|From|Both|However"
    r"|When|While|As|Although|One|Two|Some|Many|Most|All|Also|I|We|You|If|For|Later|Then)"
)
_MOST_NAMES = 60


class Spoken:
    """The names that the sentences so far were about."""

    def __init__(self) -> None:
        self._said: list[list[_Named]] = []
        self._male: dict[str, bool] = {}
        self._sorts: dict[str, _Sort] = {}

    def resolve(self, sentence: str) -> str:
        """Replace a sentence's first pronoun by its name, and remember the names it brings."""
        said = self._replace(sentence)
        found = tokens(said[:1000])
        self._said.append([self._known(named) for named in _names(found)][:_MOST_NAMES])
        return said

    def forget(self) -> None:
        """Begin anew, as at a heading."""
        self._said.clear()

    def _replace(self, sentence: str) -> str:
        begin = _BEGIN.match(sentence)
        if begin is None or _NOBODY.match(sentence, begin.start("word")):
            return sentence
        word = begin["word"].lower()
        name = self._meant(word, begin["noun"])
        if not name:
            return sentence
        if word in _MALE | _FEMALE:
            self._male[name] = word in _MALE
            self._sorts[name] = _Sort.PERSON
        if word in _OWNING:
            name = f"{name}'" if name.endswith("s") else f"{name}'s"
        short = {"": "", "s": " is", "re": " are"}[(begin["short"] or "")[1:]]
        return begin["front"] + name + short + sentence[begin.end() :]

    def _meant(self, word: str, noun: str | None) -> str:
        for named in self._suitable(word, noun):
            return named.name
        return ""

    def _suitable(self, word: str, noun: str | None) -> Iterator[_Named]:
        """Yield the names that a pronoun may mean, best first."""
        # Only as far back as a reader would look.
        for said in reversed(self._said[-6:]):
            if noun is not None:
                yield from (n for n in said if _SAME.get(noun, noun) in n.nouns)
                continue
            if word in _THEY:
                yield from (n for n in said if n.subject)
                continue
            wanted, other = _Sort.PERSON, _Sort.THING
            if word in _IT:
                wanted, other = other, wanted
            fitting = [n for n in said if n.sort is not other and self._agrees(n.name, word)]
            yield from (n for n in fitting if n.subject)
            yield from (n for n in reversed(fitting) if n.sort is wanted)
            yield from (n for n in fitting if wanted is _Sort.THING or " " in n.name)
        if noun in _THINGS and self._said:
            # "the film" of a name of which nothing was said: only what was spoken of last.
            last = [n for said in reversed(self._said[-3:]) for n in said if not n.nouns]
            yield from (n for n in last if n.sort is not _Sort.PERSON and n.subject)
            yield from (n for n in last if n.sort is _Sort.THING)

    def _agrees(self, name: str, word: str) -> bool:
        return word in _IT or self._male.get(name, word in _MALE) == (word in _MALE)

    def _known(self, named: _Named) -> _Named:
        """Add what was said of a name before: its full form, and whether it is a person."""
        name = self._in_full(named.name)
        sort = self._sorts.get(name, named.sort)
        if sort is not _Sort.UNKNOWN:
            self._sorts[name] = sort
        return _Named(name, sort, named.subject, named.nouns)

    def _in_full(self, name: str) -> str:
        """Return the longer name of which a word repeats the last: 'Lang' → 'Fritz Lang'."""
        for earlier in (named.name for said in reversed(self._said) for named in said):
            if " " not in name and " " in earlier and earlier.rpartition(" ")[2] == name:
                return earlier
        return name


def _names(found: Sequence[Token]) -> Iterator[_Named]:
    """Yield a sentence's names, its subject first."""
    verb = first_verb(found)
    subject = _subject(found, verb)
    if subject:
        nouns = frozenset(_nouns(found, verb))
        yield _Named(_spell(subject), _sort_of_subject(found, verb, nouns), True, nouns & _THINGS)
    start = len(subject) if subject else 0
    while start < len(found):
        end = start
        while end < len(found) and _capital(found[end].text):
            end += 1
        name = found[start:end]
        # "a German film": an adjective belongs to the noun behind it.
        adjective = (
            len(name) == 1
            and end < len(found)
            and found[end].text.islower()
            and (
                found[end].text not in PREPOSITIONS
                and found[end].text not in ("and", "was", "is", "who")
            )
        )
        if name and not adjective and is_name(name):
            before = [token.text for token in found[max(start - 2, 0) : start]]
            yield _Named(_spell(name), _sort_of_other(before), False)
        start = max(end, start) + 1


def _capital(word: str) -> bool:
    return word[:1].isupper() and not _NOT_NAMES.fullmatch(word)


def _subject(found: Sequence[Token], verb: int) -> Sequence[Token]:
    """Return the name, or the two of them, that a sentence is about; nothing where unsure."""
    end = verb
    for at in range(max(verb, 0)):
        if found[at].text in (",", "("):
            end = at
            break
    name = list(found[:end]) if end > 0 else []
    while name and name[-1].text.islower():
        name.pop()  # "Metropolis also was"
    return name if is_name(name) and not _NOT_NAMES.fullmatch(name[-1].text) else []


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


def _sort_of_subject(found: Sequence[Token], verb: int, nouns: frozenset[str]) -> _Sort:
    words = [token.text for token in found[verb : verb + 3]]
    if words[0] in ("is", "was", "are", "were", "became") and nouns:
        if any(map(_PEOPLE.fullmatch, nouns)):
            return _Sort.PERSON
        if nouns & _THINGS:
            return _Sort.THING
    passive = words[0] in ("is", "was", "are", "were") or words[0] in ("stars", "features")
    if passive and set(words) & _DONE_TO_THINGS:
        return _Sort.THING
    if set(words) & _DONE_BY_PEOPLE:
        return _Sort.PERSON
    return _Sort.UNKNOWN


def _sort_of_other(before: Sequence[str]) -> _Sort:
    last = before[-1] if before else ""
    if last in _PERSON_BEFORE:
        return _Sort.PERSON
    if last in _MADE or before == ["starred", "in"] or before == ["stars", "in"]:
        return _Sort.THING
    return _Sort.THING if last in _PLACE_BEFORE else _Sort.UNKNOWN
