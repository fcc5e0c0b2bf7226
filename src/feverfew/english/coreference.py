"""Replace a pronoun at the beginning of a sentence by the name it refers to.

Simple on purpose: it is enough if the sentence can be searched and judged without the ones before
it. A pronoun stays if it is ambiguous: a wrong name does more harm than none.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct

from feverfew.english.dates import MONTHS
from feverfew.english.words import (
    PARTICIPLES,
    PREPOSITIONS,
    Token,
    first_verb,
    is_name,
    skip_adverbs,
    table,
    tokens,
    word_set,
)

_SAME: dict[str, str] = table("entities")["same"]
_LISTED = {k: word_set(words) for k, words in table("entities").items() if k != "same"}
_PERSON_ENDINGS = tuple(_LISTED["person_endings"])
_THINGS = _LISTED["things"]


class Sort(Enum):
    """The kind of a named thing."""

    PERSON = 1
    THING = 2
    PLACE = 3
    """A place: a sentence is rarely about where something happened."""
    UNKNOWN = 4


class Named(Struct, frozen=True):
    """A name in a sentence."""

    name: str
    sort: Sort
    subject: bool = False
    nouns: frozenset[str] = frozenset()
    """Its common noun: film, company."""


class Mentioned(Struct, frozen=True):
    """What a sentence is about."""

    names: tuple[Named, ...]
    """Its subject first."""
    nameless: frozenset[str]
    """Things without a name: 'a film', which the next sentence may refer to."""
    defines: bool
    """Whether it says what its subject is: 'Metropolis is a film'."""
    described: bool
    """Whether its subject has no name: 'The author of …', 'A man …'."""
    owned: bool = False
    """Whether its subject belongs to something: 'Its engines …', which the next 'they' may refer
    to."""


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
    described = (
        not (names and names[0].subject)
        and found[:1] != []
        and found[0].text in _LISTED["describes"]
    )
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
        sort = _sort_of_subject(found, verb, nouns)
        yield _named(_spell(subject), sort, True, nouns & _THINGS)
    start = len(subject)
    while start < len(found):
        end = start
        while end < len(found) and _capital(found[end].text):
            end += 1
        name = found[start:end]
        if is_name(name) and not _is_adjective(found, start, end):
            before = [token.text for token in found[max(start - 2, 0) : start]]
            yield _named(_spell(name), _sort_of_other(before))
        start = end + 1


def _named(
    name: str, sort: Sort, subject: bool = False, nouns: frozenset[str] = frozenset()
) -> Named:
    """Make a name with its kind, by its last word: 'Siemens AG', 'Harvard University'."""
    last = name.rpartition(" ")[2].rstrip(".").lower() if " " in name else ""
    noun = "company" if last in _LISTED["company_endings"] else noun_of(last)
    if not noun:
        return Named(name, sort, subject, nouns)
    return Named(name, Sort.THING, subject, nouns | {noun})


def _is_adjective(found: Sequence[Token], start: int, end: int) -> bool:
    """Say whether a capitalised word modifies the noun after it: 'a German film'."""
    following = found[end].text if end < len(found) else ""
    ends = following in PREPOSITIONS or following in ("and", "was", "is", "who")
    return end == start + 1 and following.islower() and not ends


def _capital(word: str) -> bool:
    return word[:1].isupper() and word not in _LISTED["not_names"]


def _subject(found: Sequence[Token], verb: int) -> Sequence[Token]:
    """Return the name or the two names that a sentence is about; nothing if unsure."""
    end = verb
    for at in range(max(verb, 0)):
        if found[at].text in (",", "("):
            end = at
            break
    name = list(found[:end]) if end > 0 else []
    while name and skip_adverbs(name, len(name) - 1) == len(name):
        name.pop()  # "Metropolis also was"
    dated = any(token.text.lower() in MONTHS for token in name)
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
        if any(noun.endswith(_PERSON_ENDINGS) for noun in nouns):
            return Sort.PERSON
        if nouns & _THINGS:
            # A fictional character may be "he" as well as "it".
            return Sort.UNKNOWN if "character" in nouns else Sort.THING
    passive = words[0] in ("is", "was", "are", "were") or words[0] in ("stars", "features")
    if passive and set(words) & _LISTED["done_to_things"]:
        return Sort.THING
    if set(words) & _LISTED["done_by_people"]:
        return Sort.PERSON
    return Sort.UNKNOWN


def _sort_of_other(before: Sequence[str]) -> Sort:
    last = before[-1] if before else ""
    if last == "by" and before[0].endswith("ed") and before[0] not in _LISTED["done_to_things"]:
        return Sort.UNKNOWN  # "sued by Epic Games"
    if last in _LISTED["person_follows"]:
        return Sort.PERSON
    if last in _LISTED["made"] or before == ["starred", "in"]:
        return Sort.THING
    if last in _LISTED["place_follows"]:
        # "She was born in Vienna. It is …": here the place is the news.
        return Sort.THING if before[0] in ("born", "died") else Sort.PLACE
    return Sort.UNKNOWN


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

_LONGEST = 1000
_LOOK_BACK = 6
"""Number of sentences: a reader would not look further back for a pronoun's name."""


class Coreference:
    """The names that the sentences so far were about."""

    def __init__(self) -> None:
        self._said: list[Mentioned] = []
        self._male: dict[str, bool] = {}
        self._sorts: dict[str, Sort] = {}
        self._full: dict[str, str] = {}

    def resolve(self, sentence: str) -> str:
        """Replace a sentence's first pronoun by its name, and remember the sentence's names."""
        if _NOBODY.match(sentence):
            return sentence
        resolved, subject = self._replace(sentence)
        said = mentioned(resolved[:_LONGEST])
        names = tuple(self._known(named) for named in said.names)
        if subject is not None and not any(named.subject for named in names):
            names = (subject, *names)
        begin = _BEGIN.match(sentence)
        lost = subject is None and begin is not None
        owned = begin is not None and begin["word"].lower() in _OWNING
        self._said = [
            *self._said[1 - _LOOK_BACK :],
            Mentioned(names, said.nameless, said.defines, said.described or lost, owned),
        ]
        return resolved

    def _replace(self, sentence: str) -> tuple[str, Named | None]:
        """Return a sentence with its pronoun replaced, and its subject."""
        begin = _BEGIN.match(sentence)
        if begin is None or _NOBODY.match(sentence, begin.start("word")):
            return sentence, None
        word, noun = begin["word"].lower(), begin["noun"]
        if noun is not None and not _goes_on_with_verb(sentence[begin.end() :]):
            return sentence, None
        found = self._called(noun_of(noun)) if noun is not None else self._meant(word)
        meant = next(found, None)
        if meant is None:
            return sentence, None
        name = meant.name
        if word in _MALE | _FEMALE:
            self._male[name] = word in _MALE
            self._sorts[name] = Sort.PERSON
        if word in _OWNING:
            name = f"{name}'" if name.endswith("s") else f"{name}'s"
        short = {"": "", "s": " is", "re": " are"}[(begin["short"] or "")[1:]]
        resolved = begin["front"] + name + short + sentence[begin.end() :]
        sort = self._sorts.get(meant.name, meant.sort)
        return resolved, Named(meant.name, sort, True, meant.nouns)

    def _called(self, noun: str) -> Iterator[Named]:
        """Yield the name that 'the film' refers to, if only one is possible."""
        if not noun:
            return
        fitting: dict[str, Named] = {}
        for back, said in enumerate(reversed(self._said)):
            fitting.update((named.name, named) for named in said.names if noun in named.nouns)
            if noun in said.nameless or (back == 0 and fitting):
                break
        if fitting:
            yield from (fitting.values() if len(fitting) == 1 else ())
            return
        if noun in _LISTED["places"] or any(noun in said.nameless for said in self._said):
            return
        # Nothing was called one. It is the subject, if no other name is possible.
        recent = [named for said in self._said[-3:] for named in said.names]
        possible = {n.name: n for n in recent if n.sort in (Sort.THING, Sort.UNKNOWN)}
        yield from (
            n
            for n in possible.values()
            if len(possible) == 1 and n.subject and n.sort is Sort.THING and not n.nouns
        )

    def _meant(self, word: str) -> Iterator[Named]:
        """Yield the names that a pronoun may refer to, best first; none if it is ambiguous."""
        for back, said in enumerate(reversed(self._said)):
            if said.described:
                return  # "The author … He …": the author, whatever the name
            subjects = [named for named in said.names if named.subject]
            if word in _THEY:
                yield from (n for n in subjects if not said.owned and _is_many(n))
                return
            if any(" and " in n.name and n.sort is not Sort.THING for n in subjects):
                return  # two of them: "he" may be either
            if word in _IT:
                things = [n for n in said.names if n.sort in (Sort.THING, Sort.UNKNOWN)]
                defined = said.defines and any(n.nouns for n in subjects)
                if said.owned or (len({n.name for n in things}) > 1 and not defined):
                    return  # "Apple sued Samsung. It …"
                yield from (n for n in subjects if n.sort is Sort.THING)
                if said.nameless and not said.defines:
                    return  # "Prince made an album. It …": the album, whatever its name
                yield from (n for n in subjects if n.sort is Sort.UNKNOWN)
                if back == 0:
                    yield from (n for n in reversed(said.names) if n.sort is Sort.THING)
            else:
                fitting = [n for n in said.names if self._may_be(n, word in _MALE)]
                people = {n.name for n in fitting if n.subject or _may_be_person(n)}
                known = [n for n in fitting if n.subject and n.name in self._male]
                if len(people) > 1 and not known:
                    return  # "Barack Obama met Angela Merkel. She …"
                yield from (n for n in fitting if n.subject)
                yield from (n for n in reversed(fitting) if n.sort is Sort.PERSON)

    def _may_be(self, named: Named, male: bool) -> bool:
        person = named.sort in (Sort.PERSON, Sort.UNKNOWN)
        return person and self._male.get(named.name, male) == male

    def _known(self, named: Named) -> Named:
        """Add what is known about a name: its full form, and whether it is a person."""
        name = self._full.get(named.name, named.name)
        if " " in name:
            self._full[name.rpartition(" ")[2]] = name
        sort = self._sorts.get(name, named.sort)
        if sort is not Sort.UNKNOWN:
            self._sorts[name] = sort
        return Named(name, sort, named.subject, named.nouns)


def _may_be_person(named: Named) -> bool:
    """Say whether a name that is not the subject is a person's: known, or first and last name."""
    return named.sort is Sort.PERSON or (named.sort is Sort.UNKNOWN and " " in named.name)


def _is_many(named: Named) -> bool:
    """Say whether 'they' can refer to a name: two people, or a band."""
    two = " and " in named.name and named.sort is not Sort.THING
    return two or bool(named.nouns & _LISTED["many"])


def _goes_on_with_verb(rest: str) -> bool:
    """Say whether 'the film' is the whole subject: 'the film shot in Berlin' is another one."""
    found = tokens(rest[:100])
    reduced = len(found) > 1 and found[0].text in PARTICIPLES and found[1].text in PREPOSITIONS
    return first_verb(found) == 0 and not reduced
