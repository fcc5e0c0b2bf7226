"""Describe one thing by what another's page says of it: Fritz Lang is “the director of M”.

A sentence of the other page must name the thing right behind a cue, such as “directed by”, must
speak of its own page's subject, and must name no second thing in the same breath. Most cues name
something that a page has one of, so that “the” is right; those that do not get “a”, and fit only
claims that are supported.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from feverfew.text import display_title, without_parenthesis


class Clause(Struct, frozen=True):
    """A description that stands for a thing's name."""

    text: str
    only: bool
    """Whether nothing else fits it."""
    form: str
    """The same but for the page's name."""


class _Relation(Struct, frozen=True):
    cue: str
    clause: str
    of: str = ""
    """What the page's subject must be, as its sentence says."""
    only: bool = True
    place: bool = False
    """Whether a comma and another name may follow: 'in Linz, Austria'."""


_WORK = r"(?:film|movie|documentary|drama|comedy|thriller|series|sitcom|novel|book|play|opera|show)"
_MUSIC = r"(?:song|album|single|EP|ballad|recording)"
_SETTLED = (
    r"(?:city|town|village|hamlet|suburb|district|municipality|community|county|province|area)"
)
_GROUP = (
    r"(?:company|corporation|firm|airline|bank|band|club|team|organi[sz]ation|institut\w+|agency"
    r"|university|college|school|party|newspaper|magazine|museum|label|studio|publisher|church)"
)
_RELATIONS = (
    _Relation("directed by", "the director of {t}", _WORK),
    _Relation("(?:written|authored) by", "the writer of {t}", _WORK),
    _Relation("(?:novel|book|play|opera|poem) by", "the author of {t}", _WORK),
    _Relation("created by", "the creator of {t}", _WORK),
    _Relation("composed by", "the composer of {t}"),
    _Relation("produced by", "the producer of {t}", _WORK),
    _Relation("designed by", "the designer of {t}"),
    _Relation("(?:founded|established) by", "the founder of {t}", _GROUP),
    _Relation("developed by", "the developer of {t}", "game|software|system|language"),
    _Relation("published by", "the publisher of {t}"),
    _Relation("owned by", "the owner of {t}"),
    _Relation("discovered by", "the discoverer of {t}"),
    _Relation("(?:recorded|sung|performed) by", "the performer of {t}", _MUSIC),
    _Relation("(?:album|song|single|EP|ballad) by", "the performer of {t}", _MUSIC),
    _Relation("from (?:the|their|his|her|its) (?:[a-z]+ ){0,3}album", "the album with {t}", _MUSIC),
    _Relation("born (?:on [^()]{3,20} )?in", "the birthplace of {t}", place=True),
    _Relation("died (?:on [^()]{3,20} )?in", "the place where {t} died", place=True),
    _Relation(
        rf"(?:is|was) an? (?:[\w-]+ ){{0,4}}{_SETTLED} (?:located |situated )?(?:of|in)(?: the)?",
        "the place in which {t} lies",
        place=True,
    ),
    _Relation("is the capital(?: [a-z ]{3,20})? of(?: the)?", "the land whose capital is {t}"),
    _Relation(
        "(?:headquartered|based) in(?: the)?", "the place where {t} is based", _GROUP, place=True
    ),
    _Relation("tributary of(?: the)?", "the river that {t} flows into"),
    _Relation("(?:plays|played) for(?: the)?", "a team that {t} played for", only=False),
    _Relation("starring", "an actor in {t}", _WORK, only=False),
    _Relation("(?:studied|educated) at(?: the)?", "a place where {t} studied", only=False),
    _Relation("named (?:after|for)", "the one after whom {t} is named"),
    _Relation("sequel to", "the work to which {t} is a sequel"),
    _Relation("based on the [a-z0-9 ]{0,20}(?:novel|book|play)", "the work that {t} is based on"),
    _Relation("married(?: to)?", "the spouse of {t}"),
)
_NOUN = r"(?!(?:and|or|in|on|at|of|to|for|from|by|with|where|who|then|the|a|an) )[a-z-]+ "
_WHAT_IT_IS = rf"(?:(?:[A-Z][a-z]+ )?(?:{_NOUN}){{1,3}})?"
"""Between a cue and a name: 'directed by the German film-maker Fritz Lang'."""
_CUES = [(one, re.compile(rf"\b{one.cue} (?:the )?{_WHAT_IT_IS}[“\"']?$")) for one in _RELATIONS]
_GOES_ON = re.compile(
    r"^[”\"']?(?:[.;)]|$| (?!(?:and|or|&)\b)[a-z(]"
    r"|, (?:and )?(?:is|was|which|who|released|starring|based|set)\b)"
)
_PLACE_GOES_ON = re.compile(r"^(?:[.;,)]|$| [a-z(])")
_ASIDE = re.compile(
    r"\b(?:adapt\w+|whose|who|which|remake|inspired|not|never|formerly|originally|co-)\b|;"
)
_PRONOUN = re.compile(r"^(?:It|He|She) ")
_PARENTHESES = re.compile(r" ?\([^()]*\)")


def called(title: str) -> str:
    """Name a page in running text: 'Savages (2012 film)' → 'the 2012 film Savages'."""
    shown = display_title(title)
    name = without_parenthesis(shown)
    distinction = shown[len(name) :].strip(" ()")
    return (
        f"the {distinction} {name}"
        if distinction and distinction.replace(" ", "").isalnum()
        else name
    )


def clauses(sentence: str, title: str, names: Sequence[str]) -> Iterator[Clause]:
    """Yield what a sentence on a page says of a thing, which it calls by one of these names."""
    own = without_parenthesis(display_title(title)).split(",")[0]
    plain = _PARENTHESES.sub("", sentence)
    if not (plain.startswith((own, f"The {own}", f"“{own}", f'"{own}')) or _PRONOUN.match(plain)):
        return
    for text in dict.fromkeys((sentence, plain)):
        for name in names:
            at = text.find(name)
            if at < 0 or text.count(name) > 1 or own in name or name in own:
                continue
            before, after = text[:at], text[at + len(name) :]
            if _ASIDE.search(before):
                continue
            for relation, cue in _CUES:
                found = cue.search(before)
                goes_on = _PLACE_GOES_ON if relation.place else _GOES_ON
                if (
                    found
                    and goes_on.match(after)
                    and re.search(rf"\b(?:{relation.of})\b", before[: found.end()])
                    and before[: found.start()].count(",") < 2
                ):
                    text = relation.clause.format(t=called(title))
                    yield Clause(text, relation.only, relation.clause)
                    return
