"""Whom a pronoun at the beginning of a sentence means: the last suitable name before it.

Simple on purpose: it is enough if the sentence can be searched and judged without the ones
before it. A pronoun for which no name is surely suitable stays: a wrong name does harm.
"""

import re
from collections.abc import Iterator

from feverfew.english.entities import Mentioned, Named, Sort, mentioned, noun_of
from feverfew.english.lexicon import PARTICIPLES, PREPOSITIONS, first_verb, tokens, word_set

__all__ = ["Spoken"]

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
"""Sentences: a reader would not look further for whom a pronoun means."""


class Spoken:
    """The names that the sentences so far were about."""

    def __init__(self) -> None:
        self._said: list[Mentioned] = []
        self._male: dict[str, bool] = {}
        self._sorts: dict[str, Sort] = {}
        self._full: dict[str, str] = {}

    def resolve(self, sentence: str) -> str:
        """Replace a sentence's first pronoun by its name, and remember the names it brings."""
        if _NOBODY.match(sentence):
            return sentence
        resolved, subject = self._replace(sentence)
        said = mentioned(resolved[:_LONGEST])
        names = tuple(self._known(named) for named in said.names)
        if subject is not None and not any(named.subject for named in names):
            names = (subject, *names)
        lost = subject is None and _BEGIN.match(sentence) is not None
        self._said = [
            *self._said[1 - _LOOK_BACK :],
            Mentioned(names, said.nameless, said.defines, said.described or lost),
        ]
        return resolved

    def _replace(self, sentence: str) -> tuple[str, Named | None]:
        """Return a sentence with its pronoun replaced, and whom it turned out to be about."""
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
        """Yield the names that 'the film' may mean, best first."""
        for said in reversed(self._said if noun else []):
            yield from (named for named in said.names if noun in named.nouns)
            if noun in said.nameless:
                return
        recent = [named for said in reversed(self._said[-3:]) for named in said.names]
        yield from (n for n in recent if noun and n.sort is Sort.THING and not n.nouns)

    def _meant(self, word: str) -> Iterator[Named]:
        """Yield the names that a pronoun may mean, best first."""
        for back, said in enumerate(reversed(self._said)):
            if said.described:
                return  # "The author … He …": the author, whatever the name
            subjects = [named for named in said.names if named.subject]
            if word in _THEY:
                yield from subjects
            elif any(" and " in n.name and n.sort is not Sort.THING for n in subjects):
                return  # two of them: "he" may be either
            elif word in _IT:
                yield from (n for n in subjects if n.sort is Sort.THING)
                if said.nameless and not said.defines:
                    return  # "Prince made an album. It …": the album, whatever its name
                yield from (n for n in subjects if n.sort is Sort.UNKNOWN)
                if back == 0:
                    yield from (n for n in reversed(said.names) if n.sort is Sort.THING)
            else:
                fitting = [n for n in said.names if self._may_be(n, word in _MALE)]
                yield from (n for n in fitting if n.subject)
                yield from (n for n in reversed(fitting) if n.sort is Sort.PERSON)

    def _may_be(self, named: Named, male: bool) -> bool:
        person = named.sort in (Sort.PERSON, Sort.UNKNOWN)
        return person and self._male.get(named.name, male) == male

    def _known(self, named: Named) -> Named:
        """Add what was said of a name before: its full form, and whether it is a person."""
        name = self._full.get(named.name, named.name)
        if " " in name:
            self._full[name.rpartition(" ")[2]] = name
        sort = self._sorts.get(name, named.sort)
        if sort is not Sort.UNKNOWN:
            self._sorts[name] = sort
        return Named(name, sort, named.subject, named.nouns)


def _goes_on_with_verb(rest: str) -> bool:
    """Say whether 'the film' is all of a subject: 'the film shot in Berlin' is another one."""
    found = tokens(rest[:100])
    reduced = len(found) > 1 and found[0].text in PARTICIPLES and found[1].text in PREPOSITIONS
    return first_verb(found) == 0 and not reduced
