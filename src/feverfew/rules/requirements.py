"""Claim requirements: each rule has a name, says where it is broken, and is a warning to a person.

>>> [hit.rule for hit in check_claim("He might be an actor", entity="Fritz Lang")]
['pronoun', 'cautious', 'no-final-period', 'entity-not-named']

The rules come from FEVER (section 3.1, appendices A.1 and A.2), FEVEROUS (section 3.1.1) and HoVer
(appendix B.1). The papers state them for people; a machine can only point, so a hit is a
reason to look again, and never proof.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from feverfew.english.words import content, has_verb, table
from feverfew.text import display_title, fold, sentences, without_parenthesis, words

KINDS = ("fever", "feverous", "hover")


class Hit(Struct, frozen=True):
    """A rule that a claim breaks, and where: `text[start:end]`; both 0 for the claim as a whole."""

    rule: str
    message: str
    start: int = 0
    end: int = 0


class Facts(Struct, frozen=True):
    """A claim, and what is known about where it comes from."""

    text: str
    entity: str = ""
    """The title of the page that the claim is about."""
    aliases: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Names that should be spelled with their capitals: titles of linked pages."""
    sources: tuple[str, ...] = ()
    """The sentences that it was made from."""
    others: tuple[str, ...] = ()
    """Other claims made from the same source."""


class Rule(Struct, frozen=True):
    """A requirement: its name, what it asks for, which data sets ask, and how it is checked."""

    name: str
    asks: str
    kinds: tuple[str, ...]
    check: Callable[[Facts], Iterator[Hit]]


def check_claim(
    text: str,
    kind: str = "fever",
    *,
    entity: str = "",
    aliases: Iterable[str] = (),
    names: Iterable[str] = (),
    sources: Iterable[str] = (),
    others: Iterable[str] = (),
) -> list[Hit]:
    """Return the requirements that a claim breaks, in the order of the rules."""
    facts = Facts(text, entity, *map(tuple, (aliases, names, sources, others)))
    if not text.strip():
        return list(_empty(facts))
    return [hit for rule in RULES.values() if kind in rule.kinds for hit in rule.check(facts)]


@cache
def _phrases(name: str) -> re.Pattern[str]:
    listed = [one.strip() for one in table("claim_rules")[name].split(",")]
    longest_first = sorted(set(listed), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


def find_words(name: str, text: str) -> Iterator[re.Match[str]]:
    """Yield the words of one of the lists of `claim_rules.toml`; names in capitals are left out."""
    for found in _phrases(name).finditer(text):
        # "May" is a month and "It" a film; a capital counts only where a sentence begins.
        if found.start() == 0 or not found[0][:1].isupper():
            yield found


def content_words(text: str) -> set[str]:
    """Return the words that say something, by their stems, numbers included."""
    found = words(text)
    return content(found) | {word for word in found if word.isdigit()}


def _empty(facts: Facts) -> Iterator[Hit]:
    if not facts.text.strip():
        yield Hit("empty", "the claim is empty")


def _pronoun(facts: Facts) -> Iterator[Hit]:
    cleft = _CLEFT.match(facts.text) is not None
    for found in find_words("pronouns", facts.text):
        if found.start() == 0 and cleft:
            continue
        yield Hit("pronoun", f"name what '{found[0]}' stands for", *found.span())
    if first := _phrases("demonstratives").match(facts.text):
        yield Hit("pronoun", f"name what '{first[0]}' stands for", *first.span())


_CLEFT = re.compile(r"It (?:is|was) (?:not )?(?:true|false|in|on|at|by)\b.*\bthat\b")
"""Here “it” stands for nothing: “It was in 1990 that …”."""


def _subject_pronoun(facts: Facts) -> Iterator[Hit]:
    if _CLEFT.match(facts.text):
        return
    for pattern in ("pronouns", "demonstratives"):
        if found := _phrases(pattern).match(facts.text):
            yield Hit("pronoun", f"name the entity instead of '{found[0]}'", *found.span())


_THE_NOUN = re.compile(r"(?:The|This|That)\s+([a-z]+)\s+(?!of\b|named\b|called\b|[A-Z])")


def _nominal(facts: Facts) -> Iterator[Hit]:
    found = _THE_NOUN.match(facts.text)
    if found and _phrases("nominals").fullmatch(found[1]):
        said = found[0].strip()
        yield Hit("nominal", f"name the entity instead of '{said}'", 0, len(said))


def _cautious(facts: Facts) -> Iterator[Hit]:
    for found in find_words("cautious", facts.text):
        yield Hit("cautious", f"'{found[0]}' is cautious or speculative", *found.span())


def _vague(facts: Facts) -> Iterator[Hit]:
    for found in find_words("vague", facts.text):
        yield Hit("vague", f"'{found[0]}' is vague: what would count?", *found.span())


def _opinion(facts: Facts) -> Iterator[Hit]:
    for found in find_words("opinion", facts.text):
        yield Hit("opinion", f"'{found[0]}' is an opinion, which nobody can check", *found.span())


def _final_period(facts: Facts) -> Iterator[Hit]:
    said = facts.text.rstrip()
    if not said.rstrip("\"”’')").endswith("."):
        last = max(0, len(said) - 1)
        yield Hit("no-final-period", "end the claim with a period", last, len(said))


def _question(facts: Facts) -> Iterator[Hit]:
    if (at := facts.text.find("?")) >= 0:
        yield Hit("question-mark", "state it, do not ask it", at, at + 1)


def _one_sentence(facts: Facts) -> Iterator[Hit]:
    found = sentences(facts.text)
    if len(found) > 1:
        at = max(0, facts.text.find(found[1][:20], len(found[0]) - 5))
        message = f"one sentence a claim; these are {len(found)}"
        yield Hit("several-sentences", message, at, len(facts.text))


def _is_sentence(facts: Facts) -> Iterator[Hit]:
    said = facts.text.split()
    # The list of verbs is not complete: only what is short as well is surely no sentence.
    if len(said) < 3 or (len(said) < 5 and not has_verb(facts.text)):
        yield Hit("no-sentence", "write a whole sentence, with a verb", 0, len(facts.text))


def _capitals(facts: Facts) -> Iterator[Hit]:
    if facts.text[:1].islower() and facts.text[1:2].islower():
        yield Hit("small-initial", "begin with a capital letter", 0, 1)
    for name in {*_names_of(facts), *map(_shown, facts.names)}:
        if len(name) < 4 or name.islower():
            continue
        for found in re.finditer(rf"\b{re.escape(name)}\b", facts.text, re.IGNORECASE):
            if found[0].islower():
                message = f"the name is spelled '{name}'"
                yield Hit("small-initial", message, *found.span())


def _shown(title: str) -> str:
    return without_parenthesis(display_title(title))


def _names_of(facts: Facts) -> list[str]:
    return [_shown(name) for name in (facts.entity, *facts.aliases) if name]


def _names_entity(facts: Facts) -> Iterator[Hit]:
    names = _names_of(facts)
    if not names:
        return
    said = set(words(facts.text))
    # A surname or another small variation will do: "Lang", "River Amazon", "JFK".
    own = {word for name in names for word in words(name) if len(word) > 2}
    initials = {"".join(word[0] for word in words(name)) for name in names if " " in name}
    if said.isdisjoint(own | initials):
        yield Hit("entity-not-named", f"name {names[0]} in the claim")


def _duplicate(facts: Facts) -> Iterator[Hit]:
    own = words(facts.text)
    if any(words(other) == own for other in facts.others):
        yield Hit("duplicate", "another claim of this source says the same", 0, len(facts.text))


def _copy(facts: Facts) -> Iterator[Hit]:
    own = words(facts.text)
    for source in facts.sources:
        if words(source) == own:
            yield Hit("copy", "this is the source sentence itself", 0, len(facts.text))
            return


_JOINTS = re.compile(r"(?:,| and| while| whereas|;)\s+")


def _concatenation(facts: Facts) -> Iterator[Hit]:
    """Find claims that string the sources' sentences together and say nothing more."""
    parts = [part for part in _JOINTS.split(facts.text) if len(words(part)) > 3]
    sources = [fold(" ".join(words(source))) for source in facts.sources]
    copied = [p for p in parts if any(fold(" ".join(words(p))) in s for s in sources)]
    if parts and len(copied) == len(parts) and sources:
        message = "combine the sources; this only repeats them"
        yield Hit("concatenation", message, 0, len(facts.text))


_ALL, _FEVER, _FEVEROUS, _HOVER = KINDS, ("fever",), ("feverous",), ("hover",)


def _rules(*rules: Rule) -> dict[str, Rule]:
    return {rule.name: rule for rule in rules}


RULES: dict[str, Rule] = _rules(
    Rule("empty", "there is a claim", _ALL, _empty),
    Rule("pronoun", "the entity is named, not meant by a pronoun", _FEVER, _subject_pronoun),
    Rule("pronoun-anywhere", "it can be understood alone: no pronouns", _FEVEROUS, _pronoun),
    Rule("nominal", "the entity is named, not 'the country'", ("fever", "feverous"), _nominal),
    Rule("cautious", "no cautious or speculative words", _ALL, _cautious),
    Rule("vague", "no vague words or uncertain counts", ("fever", "feverous"), _vague),
    Rule("opinion", "objective, and verifiable in public", ("fever", "feverous"), _opinion),
    Rule("no-final-period", "it ends with a period", _ALL, _final_period),
    Rule("question-mark", "it is a statement", _ALL, _question),
    Rule("several-sentences", "it is one sentence", _ALL, _one_sentence),
    Rule("no-sentence", "it is a whole sentence", _ALL, _is_sentence),
    Rule("small-initial", "names have their capitals", _ALL, _capitals),
    Rule("entity-not-named", "it names its entity", _FEVER, _names_entity),
    Rule("duplicate", "it is not said twice", _ALL, _duplicate),
    Rule("copy", "it is not the source sentence", ("fever", "feverous"), _copy),
    Rule("concatenation", "it combines, and does not repeat", _FEVEROUS, _concatenation),
)
"""Every requirement, by its name, in the order in which hits are shown."""


def rules_for(kind: str) -> Sequence[Rule]:
    """Return the rules that a data set asks for."""
    return [rule for rule in RULES.values() if kind in rule.kinds]
