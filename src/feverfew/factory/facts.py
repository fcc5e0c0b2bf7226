"""Read what a page states of its subject: facts of which a subject has one each.

A film has one director, a person one date of birth: another value is therefore wrong, and where a
page says nothing of it, any value is open. `facts.toml` lists the relations; only safe forms are
read, so most sentences give none.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from feverfew.factory.statements import MONTHS
from feverfew.factory.words import CONTINENTS, PEOPLES
from feverfew.text import display_title, without_parenthesis
from feverfew.types import Page, Sentence

_SENTENCES = 8
"""Sentences of a page to look at: later ones speak of other things ever more often."""
_MONTH = "|".join(MONTHS)
_FULL = rf"(?:\d{{1,2}} (?:{_MONTH}) \d{{4}}|(?:{_MONTH}) \d{{1,2}}, \d{{4}})"
_YEAR = r"(?:1[0-9]|20)\d\d"
_WORD = r"[A-ZÀ-ÞŠŽČĐŁ][\w'’.-]*"
_SMALL = "de|van|von|der|la|le|da|di|del|of|of the|al|bin|ibn|dos|e|y|et|&"
_NAME = rf"{_WORD}(?: (?:(?:(?:{_SMALL}) )+)?(?:{_WORD}|\d+))*"
_PEOPLE = "|".join(
    (*PEOPLES, "South Korean", "New Zealand", "Puerto Rican", "Colombian", "Latvian")
)

_SEVERAL = r"(?:of|a|an|the|members?|group|several|two|three|students?|former|brothers|and|or|in) "


class Relation(Struct, frozen=True, kw_only=True):
    """A thing that can be said of a subject, and how it is said."""

    of: str
    type: str
    cue: str
    says: tuple[str, ...]
    clause: str
    denies: tuple[str, ...]
    wider: tuple[str, ...] = ()
    find: tuple[str, ...] = ()
    noun: str = ""
    what: str = ""
    """A pattern that 'is a …' must match."""
    values: str = ""
    verb: str = ""
    verb_past: str = ""
    describes: str = ""
    """Stands for the value's name: 'the director of {y}'."""
    becomes: str = ""
    """The families that the value's own page may be of."""
    known: str = ""
    """A pattern that the value's own page must match: a director's speaks of films."""
    shared: str = ""
    """Says that two subjects have the same value."""
    compares: tuple[str, ...] = ()
    """Says that the value of {a} comes before that of {b}."""
    of_whom: bool = False
    """Whether it may stand in a relative clause: 'a footballer who plays as a striker'."""
    full_name: bool = False
    """Whether the value is a person's, and so has several words."""
    past: bool = False
    """Whether it is only asked of subjects that the page speaks of in the past."""


class Fact(Struct, frozen=True, array_like=True):
    """One thing that a sentence states of its page's subject."""

    relation: str
    value: str
    index: int
    """The sentence that states it."""
    verb: str = ""
    region: str = ""
    """Of a place: what it lies in, as the sentence goes on."""


class Subject(Struct, frozen=True, array_like=True):
    """What a page is about, what it states, and of what it is silent."""

    number: int
    title: str
    name: str
    """As running text has it: 'the 2012 film Savages'."""
    family: str
    noun: str
    what: str
    """'is a 1993 American thriller film'; empty where it would not read well."""
    index: int
    """The sentence that says so."""
    facts: tuple[Fact, ...]
    silent: tuple[str, ...]
    """Relations that no sentence of the page touches."""
    text: str
    """All that the page says, to see what it mentions."""
    plural: bool = False
    """Whether its name takes a plural verb: 'the Norwick Eagles were'."""
    past: bool = False
    """Whether the page speaks of it in the past."""


class _Opening(Struct, frozen=True):
    """The sentence that says what a page is about, taken apart."""

    sentence: Sentence
    verb: str
    what: str
    own: str
    """The title without its parenthesis."""
    name: str
    noun: str

    @property
    def family(self) -> str:
        return NOUNS[self.noun]


class _Tables(Struct):
    relations: dict[str, Relation]
    nouns: dict[str, str]
    lands: dict[str, str]


def _split(text: str) -> list[str]:
    return [one.strip() for one in " ".join(text.split()).split(",")]


_TABLES = msgspec.convert(
    tomllib.loads(files("feverfew.factory").joinpath("facts.toml").read_text("utf-8")), _Tables
)
RELATIONS = _TABLES.relations
NOUNS = {noun: family for family, nouns in _TABLES.nouns.items() for noun in _split(nouns)}
LANDS = {
    land: sort
    for sort in ("countries", "states", "regions")
    for land in _split(_TABLES.lands[sort])
} | dict.fromkeys(CONTINENTS, "countries")
"""Countries, states and regions: places that a town may lie in."""

_PARENTHESES = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_FIRST = re.compile(
    r"^(?P<the>The )?(?P<subject>[^,;:]{2,90}?)(?:, [^,]{2,60},)? (?P<verb>is|was|are|were)"
    r" (?P<what>(?:an?|the) .+)$"
)
_CUT = re.compile(
    r",|;|\.(?= |$)| (?:who|that|which|whose|where|when|in|on|at|from|for|by|with|of|located|based"
    r"|directed|written|released|created|produced|known|born|published|developed|formed|set"
    r"|and(?! [A-Z])|recorded|best|made|as|during|to|near|under|about|starring|playing|serving|or"
    r"|founded|featuring|currently|originally|most (?:known|notable|notably|famous|recently)"
    r"|between|built|within|operated|owned|representing"
    r"|competing|active|situated|specializing|along|just|north|south|east|west)\b"
)
_SPEAKS = re.compile(
    r"^(?:He|She|It|They|The (?:film|movie|album|song|single|novel|book|band|group|club|company"
    r"|village|town|city|river|building|house|school|station|game|series|show|stadium|arena|church|bridge"
    r"|team|airport|theatre|theater|museum|university|college|tournament|race|match|event|project"
    r"|organization|venue|community|municipality|commune|castle|library|hotel|hospital))"
    r" (?=[a-z])(?!and\b|of\b|in\b)"
)
_ELSEWHERE = re.compile(
    r", (?:an?|the|his|her|its|one|who|whose|which|where|when|after|former|then)\b|;"
    r"|\b(?:who|whose|which|that|where|after|before|when|while|based on|adapted|starring|featuring"
    r"|remake|sequel|inspired|along with|not|never|re-|originally|formerly|first|later|again"
    r"|expected|planned|scheduled|re-released|would|about|between|replac\w+|owned|subsidiary)\b"
)
_LIFE = re.compile(
    rf"({_FULL})(?:,? (?:in )?(?P<where>[A-Z][^()\d;]{{2,40}}?))? ?[-–—]+ ?({_FULL})"
)
_BORN = re.compile(rf"\bborn (?:in (?P<before>[A-Z][^()\d;]{{2,30}}?),? on )?({_FULL})")
_IS_YEAR = re.compile(rf"{_YEAR}$")
_BORN_YEAR = re.compile(r"\(born (\d{4})\)")
_BORN_IN = re.compile(rf"\bborn {_FULL},? (?:in )?(?P<where>[A-Z][^()\d;]{{2,60}}?)\)")


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(_expanded(one, RELATIONS[name].values)) for one in RELATIONS[name].find)


@cache
def _cue(name: str) -> re.Pattern[str]:
    return re.compile(RELATIONS[name].cue)


def _expanded(pattern: str, values: str = "") -> str:
    """Write out the placeholders of a pattern; what follows a name must not go on with another."""
    goes_on = (
        "in|on|at|for|as|with|from|who|that|which|to|under|during|after|when|where|by|is|was|whose"
        "|starring|based|released|about|featuring|through|via|while|since|until|before|near|set|but"
        "|and (?:is|was|has|made|[a-z]+ed|starring|featuring)"
    )
    ends = rf"(?=[.;)]|$| (?:{goes_on})\b|, (?:and )?(?![A-Z]))"
    place_ends = r"(?=[.;,)]|$| (?:and|with|since|as|by|at|on|for|that|which|who|where)\b)"
    lands = "|".join(sorted((k for k, v in LANDS.items() if v != "regions"), key=len, reverse=True))
    for mark, meaning in (
        ("(?P<v><NAME>)", rf"(?P<v>{_NAME}){ends}"),
        ("(?P<v><PLACE>)", rf"(?P<v>{_WORD}(?:[ -]{_WORD}){{0,2}}){place_ends}"),
        ("<DATE>", rf"(?:{_FULL}|(?:{_MONTH}) \d{{4}}|{_YEAR})"),
        ("<FULL>", _FULL),
        ("<YEAR>", _YEAR),
        ("<NUMBER>", r"\d{1,3}(?:,\d{3})+|\d{3,6}"),
        ("<LAND>", lands),
        ("<V>", "|".join(_split(values))),
        # 'American rapper', 'local architect': never 'members of the'.
        ("(?:<DESCRIBED> )?", rf"(?:(?:{_PEOPLE})[\w-]* )?(?:(?!{_SEVERAL})[a-z-]+ ){{0,3}}"),
    ):
        pattern = pattern.replace(mark, meaning)
    return pattern


def called(title: str) -> str:
    """Name a page in running text, if it is clear how.

    >>> called("Savages_-LRB-2012_film-RRB-"), called("Savages_-LRB-Ohio-RRB-")
    ('the 2012 film Savages', '')
    """
    shown = display_title(title)
    name = without_parenthesis(shown)
    inner = shown[len(name) :].strip(" ()")
    if not inner:
        return name
    return f"the {inner} {name}" if inner.split()[-1] in NOUNS and "," not in inner else ""


def subject_of(page: Page, number: int = 0) -> Subject | None:
    """Read a page; None where it is not clear what it is about."""
    opening = None if page.disambiguation else _opening(page)
    if opening is None:
        return None
    facts = tuple(_facts(page.sentences[:_SENTENCES], opening))
    text = " ".join(sentence.text for sentence in page.sentences)
    plural = opening.verb in ("are", "were") or (
        opening.family == "group" and re.match(r"the .*[^s'’]s$", opening.name) is not None
    )
    return Subject(
        number,
        page.title,
        opening.name,
        opening.family,
        opening.noun,
        "" if plural else _what(opening),
        opening.sentence.index,
        facts,
        tuple(_silent(opening, text, {fact.relation for fact in facts})),
        text,
        plural,
        opening.verb in ("was", "were"),
    )


def _opening(page: Page) -> _Opening | None:
    name, own = called(page.title), without_parenthesis(display_title(page.title))
    if not re.match(r"[A-Z0-9]|the ", name) or re.search(
        r"[/:;\"“”!?|]|^(?:List|Outline) of", name
    ):
        return None
    sentence = next((s for s in page.sentences if len(s.text) > 25), None)
    found = _FIRST.match(_plain(sentence.text)) if sentence is not None else None
    if sentence is None or found is None or not _same(found["subject"], own, sentence.text):
        return None
    noun = _noun(found["what"], sentence.text)
    if not noun or (NOUNS[noun] == "person" and " company's " in _text(page)):
        return None  # "a producer of films" may be a company
    if found["the"] and not name.lower().startswith("the ") and own in found[0][:90]:
        name = f"the {name}"
    return _Opening(sentence, found["verb"], found["what"], own, name, noun)


def _text(page: Page) -> str:
    return " ".join(sentence.text for sentence in page.sentences[:3])


def _plain(text: str) -> str:
    text = text.replace("“", "").replace("”", "").replace('"', "")
    return " ".join(_PARENTHESES.sub("", text).split()).replace(" ,", ",").replace(",,", ",")


def _same(said: str, own: str, sentence: str) -> bool:
    """Say whether a sentence's subject is the page's: all words of its title, the last one last.

    A person's first name may be another: 'Friedrich Christian Anton Lang (5 December 1890 – …'.
    """
    wanted = own.split(",")[0].removeprefix("The ").split()
    words = said.removeprefix("The ").split()
    lived = len(wanted) == 2 and _LIFE.search(sentence[:200]) is not None
    return words[-1:] == wanted[-1:] != [] and (lived or set(wanted) <= set(words))


def _noun(what: str, sentence: str) -> str:
    """Return the noun that says what something is, as far as it is known; else ""."""
    cut = _CUT.search(what)
    phrase = what[: cut.start()] if cut else what.rstrip(".")
    noun = (phrase.split() or [""])[-1]
    family = NOUNS.get(noun, "")
    ahead = (
        re.split(r" (?:who|which|that|by|from|in|of)\b|\.", what[cut.start() :])[0] if cut else ""
    )
    listed = cut is not None and cut[0] in (",", " and", " or")
    if family != "person" and (
        re.search(r"\(.*\bborn\b", sentence[:120])
        or (listed and any(NOUNS.get(w) == "person" for w in re.findall(r"[a-z-]+", ahead)))
        or (family == "work" and re.match(r" of \D", what[cut.start() :] if cut else ""))
    ):
        return ""  # "a film and television actor" is no film, "a series of tests" no series
    return noun if family else ""


def _what(opening: _Opening) -> str:
    cut = _CUT.search(opening.what)
    phrase = opening.what[: cut.start()] if cut else opening.what.rstrip(".")
    fits = phrase.startswith(("a ", "an ")) and phrase.count(" ") <= 6
    # "a Spanish actor, film producer and director" is cut short, and still true.
    return f"{opening.verb} {phrase}" if fits else ""


def _may_have(relation: Relation, opening: _Opening) -> bool:
    return (
        relation.of in (opening.family, "")
        and (not relation.noun or opening.noun in relation.noun.split("|"))
        and (not relation.what or re.search(relation.what, opening.what) is not None)
        and not (relation.type == "date" and re.search(r"\d{4}", opening.name))
    )


def _silent(opening: _Opening, text: str, stated: set[str]) -> Iterator[str]:
    """Yield the relations that a page might speak of, and does not."""
    for key, relation in RELATIONS.items():
        if (
            key not in stated
            and _may_have(relation, opening)
            and not (relation.past and opening.verb != "was")
            and not _cue(key).search(text)
        ):
            yield key


def _facts(sentences: Sequence[Sentence], opening: _Opening) -> Iterator[Fact]:
    seen: set[str] = set()
    if opening.family == "person":
        for fact in _life(opening.sentence):
            seen.add(fact.relation)
            yield fact
    for sentence in sentences:
        if sentence is opening.sentence:
            said = f"{opening.verb} {opening.what}"
        else:
            said = _predicate(_plain(sentence.text), opening)
        for key, relation in RELATIONS.items() if said else ():
            if key in seen or not _may_have(relation, opening):
                continue
            for pattern in _patterns(key):
                found = pattern.search(said)
                if not found or not _about(said[: found.start()], relation):
                    continue
                if _fits(found, opening) and (" " in found["v"] or not relation.full_name):
                    seen.add(key)
                    verb = found.groupdict().get("h") or ""
                    region = _region(said[found.end("v") :]) if relation.type == "place" else ""
                    yield Fact(key, found["v"].rstrip("."), sentence.index, verb, region)
                    break


def _predicate(plain: str, opening: _Opening) -> str:
    """Return what a sentence says of the page's subject; "" where it speaks of something else."""
    if spoken := _SPEAKS.match(plain):
        return plain[spoken.end() :]
    own = opening.own
    for name in (own, f"The {own}", own.split()[-1] if opening.family == "person" else own):
        if plain.startswith(f"{name} ") and plain[len(name) + 1 : len(name) + 2].islower():
            return plain[len(name) + 1 :]
    return ""


def _about(before: str, relation: Relation) -> bool:
    if relation.of_whom:
        before = before.replace("who", "").replace("former", "")
    return _ELSEWHERE.search(before) is None


def _fits(found: re.Match[str], opening: _Opening) -> bool:
    """Say whether a value is whole and the only one: no half of a list, no people for a name."""
    value, said = found["v"].rstrip("."), found.string
    amounts = [n for n in re.findall(r"\d{1,3}(?:,\d{3})+|\d{3,}", said) if not _IS_YEAR.match(n)]
    several = value in amounts and len(amounts) > 1
    return not (
        value in opening.name
        or opening.own in value
        or several
        or value in _PEOPLE.split("|")
        or value.endswith((" Jr.", " Sr.", " Inc."))
    )


def _life(opening: Sentence) -> Iterator[Fact]:
    head = opening.text[:220]
    inner = next(iter(re.findall(r"\([^()]*\d{4}[^()]*\)", head)), "")
    if not inner or re.search(r"\bc\.|baptised|\?|\bor\b|O\.S\.", inner):
        return
    where = ""
    if (life := _LIFE.search(inner)) is not None:
        yield Fact("born", life[1], opening.index)
        yield Fact("died", life[3], opening.index)
        where = life["where"] or ""
    elif (born := _BORN.search(inner)) is not None:
        yield Fact("born", born[2], opening.index)
        placed = _BORN_IN.search(inner)
        where = (placed["where"] if placed else born["before"]) or ""
    elif (year := _BORN_YEAR.search(inner)) is not None:
        yield Fact("born", year[1], opening.index)
    place, _, region = where.partition(",")
    if re.fullmatch(rf"{_WORD}(?:[ -]{_WORD}){{0,2}}", place.strip()):
        yield Fact("born_in", place.strip(), opening.index, "", region.strip(" ,"))


def _region(rest: str) -> str:
    """Return what a place lies in: of ', Ohio, and died' 'Ohio'."""
    found = re.match(rf"((?:, (?:the )?{_WORD}(?: {_WORD})*)+)", rest)
    return found[1].strip(" ,.") if found else ""
