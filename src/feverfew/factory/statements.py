"""Make short, true statements out of the sentences of a page.

Each says one thing, in a form of its own, and names the part that could be another: a date, a
person, a place, a number, the kind of thing. Only safe forms are read; most sentences give none.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from feverfew.factory.words import CONTINENTS, KINDS, PEOPLES
from feverfew.text import display_title, without_parenthesis

_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
MONTHS = tuple(_MONTH.split("|"))
_FULL = rf"(?:\d{{1,2}} (?:{_MONTH}) \d{{4}}|(?:{_MONTH}) \d{{1,2}}, \d{{4}})"
_DATE = rf"(?:{_FULL}|(?:{_MONTH}) \d{{4}}|\d{{4}})"
_NAME = r"(?:[A-Z][a-zà-ÿ'’-]+ (?:[A-Z]\. |de |van |von )?){1,2}[A-Z][A-Za-zà-ÿ'’-]+"


class Statement(Struct, frozen=True):
    """One thing that a sentence says of its page's subject."""

    form: str
    subject: str
    value: str
    """The part that could be another."""
    family: str = ""
    """person, work, place or group, where it is known."""
    head: str = ""
    """Of "is a": the noun that says what it is; of "made": what was done, such as 'directed'."""


_PARENTHESES = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_IS_A = re.compile(r"^(?P<subject>.{2,80}?),? (?P<verb>is|was|are|were) (?P<np>an? .+)$")
_CUT = re.compile(
    r",|;|\.(?= |$)| (?:who|that|which|whose|where|when|in|on|at|from|for|by|with|of|located|based"
    r"|directed|written|released|created|produced|known|born|published|developed|formed|set|and"
    r"|recorded|best|made|as|during|to|near|under|about|starring|playing|serving|or|founded|featuring"
    r"|currently|originally|most|first)\b"
)
_LIST = re.compile(r"^,| and\b| or\b")
_BORN = re.compile(rf"\([^()]*?\bborn (?:[^()]{{1,40}} on )?({_FULL})[^()]*\)")
_LIFE = re.compile(rf"\((?:[^()]*; )?({_FULL})(?:,? [^()]{{1,40}}?)? ?[-–—]{{1,2}} ?({_FULL})")
_BORN_IN = re.compile(
    r"^(?P<who>.{2,40}?) was born (?:and raised )?in "
    r"(?P<place>[A-Z][a-zà-ÿ]+(?:[ -][A-Z][a-zà-ÿ]+)?)(?=[,.]| and| on| to)"
)
_RELEASED = re.compile(
    rf"(?:^It was|, (?:was )?) ?released (?:[a-z ]{{0,25}})?(?:on|in) ({_DATE})\b"
)
_FOUNDED = re.compile(
    rf"^(?P<who>.{{2,60}}?) (?:was|were) (?P<verb>founded|established|formed|built|opened"
    rf"|incorporated) in (?P<when>{_DATE})\b"
)
_MADE = re.compile(
    r"\b(?:film|album|series|game|novel|show|sitcom|song)s?,? (?:(?:co-)?(?:written|produced|"
    r"created|directed),? and )?(?P<verb>directed|written|created|produced|developed) by "
    rf"(?P<by>{_NAME})(?= and |,|\.|;| starring| for| in| from| as)"
)
_POPULATION = re.compile(
    r"(?:[Tt]he|[Ii]ts|city|town|village) (?:total )?population was (\d[\d,]*\d)\b|"
    r"had a (?:total )?population of (\d[\d,]*\d)\b"
)
_PRONOUN = re.compile(
    r"^(?:He|She|It) (?P<verb>was|is|has|had|won|played|served|competed|represented|finished"
    r"|received|became|appeared|died|attended|studied|joined|wrote|worked|scored|began|moved)\b"
)
_CALLED = re.compile(
    r"(?:Province|Battle|University|Treaty|Kingdom|Siege|Republic|Duke|County) of "
    r"|[^']+ (?:dispute|election|war|crisis|conflict|season|tournament|language|culture|system"
    r"|party|movement|fire|earthquake|incident|riots|campaign|team|family|house|church|bridge|river)$"
)
_VAGUE = re.compile(
    r"\b(?:he|she|they|them|him|this|these|those|latter|former of|there|such|same|also|then|however"
    r"|[Aa]nother|other|later|again|too|its own|so|now|currently)\b|[;:\"“”()]"
)


def statements(sentence: str, title: str) -> Iterator[Statement]:
    """Yield what a sentence says in one of the safe forms.

    >>> list(statements("Ada Brook (born 2 May 1890) was a British poet.", "Ada_Brook"))[0]
    Statement(form='born', subject='Ada Brook', value='2 May 1890', family='person', head='')
    """
    name = without_parenthesis(display_title(title))
    plain = " ".join(_PARENTHESES.sub("", sentence).split()).replace(" ,", ",")
    if "(" in plain or ")" in plain or len(plain) < 15:
        return
    first = _is_a(plain, name)
    opens = first is not None or _speaks_of(plain, name)
    if opens and name.split(",")[0] in plain and plain.startswith("The "):
        the_name = f"The {name}"
        name = the_name if plain.startswith(the_name) and first else name
    if first is not None:
        yield from _life(sentence, name)
        yield Statement("is_a", name, first.value, first.family, first.head)
        yield from _made(plain, name, first)
        yield from _located(plain, name, first)
    yield from _events(plain, name, opens)
    yield from _whole(plain, _with_article(name))


def _with_article(name: str) -> str:
    """Write a name as a sentence would: 'Norwick fire' → 'The Norwick fire'."""
    return f"The {name}" if _CALLED.match(name) and not name.startswith(("The ", "A ")) else name


def _speaks_of(plain: str, name: str) -> bool:
    return plain.startswith((name, f"The {name}"))


def _is_a(plain: str, name: str) -> Statement | None:
    match = _IS_A.match(plain)
    if match is None or match["verb"] not in ("is", "was"):
        return None
    subject = match["subject"].removeprefix("The ").split(",")[0]
    spelled = name.split(",")[0]
    person = re.search(r"\b(?:born|nicknamed|known)\b", match["subject"])
    ends = (subject.split()[-1:], spelled.split()[-1:])
    if not (subject == spelled or (ends[0] == ends[1] and len(spelled.split()) > 1)) or person:
        return None
    phrase = match["np"]
    cut = _CUT.search(phrase)
    if cut is None:
        return None
    np, rest = phrase[: cut.start()], phrase[cut.start() :]
    head = next((h for h in (_last(np, n) for n in (3, 2, 1)) if h in KINDS), "")
    if not head or np.count(" ") > 7 or "(" in np:
        return None
    family = KINDS[head].family
    if _LIST.match(cut[0]) and family != "person":
        # "a film and television actor" is no film.
        ahead = re.split(r" (?:who|which|that|by|from|in|of)\b|\.", rest)[0]
        if any(KINDS[w].family == "person" for w in re.findall(r"[a-z-]+", ahead) if w in KINDS):
            return None
    return Statement("is_a", name, f"{match['verb']} {np}", family, head)


def _last(phrase: str, count: int) -> str:
    return " ".join(phrase.split()[-count:])


def _life(sentence: str, name: str) -> Iterator[Statement]:
    head = sentence[:200]
    if (life := _LIFE.search(head)) is not None:
        yield Statement("born", name, life[1], "person")
        yield Statement("died", name, life[2], "person")
    elif (born := _BORN.search(head)) is not None:
        yield Statement("born", name, born[1], "person")


def _made(plain: str, name: str, first: Statement) -> Iterator[Statement]:
    if first.family == "work" and (made := _MADE.search(plain)) is not None:
        yield Statement("made", name, made["by"], "work", made["verb"])


def _located(plain: str, name: str, first: Statement) -> Iterator[Statement]:
    if first.family != "place":
        return
    lands = {land for land in CONTINENTS if re.search(rf"\b{land}\b", plain)}
    if len(lands) == 1 and not re.search(r"\b(?:border|between|flows|from|New) ?", plain):
        land = lands.pop()
        if re.search(rf"\bin (?:[^,.;]+, ){{0,4}}(?:[a-z]+ )?{land}\b", plain):
            yield Statement("located", name, land, "place")


def _events(plain: str, name: str, opens: bool) -> Iterator[Statement]:
    released = _RELEASED.search(plain)
    if released and (opens or plain.startswith("It ")) and plain.count("release") == 1:
        yield Statement("released", name, released[1], "work")
    founded = _FOUNDED.match(plain)
    if founded and founded["who"] in ("It", "They", name, f"The {name}", "The company", "The club"):
        yield Statement("founded", name, founded["when"], "group", founded["verb"])
    born_in = _BORN_IN.match(plain)
    if born_in and (born_in["who"] in ("He", "She", name, name.split()[-1])):
        yield Statement("born_in", name, born_in["place"], "person")
    numbers = re.findall(r"\d[\d,]*\d", plain)
    people = _POPULATION.search(plain)
    if people and sum(not re.fullmatch(r"[12]\d{3}", n) for n in numbers) == 1:
        yield Statement("population", name, people[1] or people[2], "place")


def _whole(plain: str, name: str) -> Iterator[Statement]:
    pronoun = _PRONOUN.match(plain)
    if pronoun is None or plain.count(" ") > 18 or plain.count(",") > 1:
        return
    rest = plain[pronoun.start("verb") :]
    if _VAGUE.search(rest) or not rest.endswith(".") or any(p in name for p in ("List of", ":")):
        return
    family = "" if plain.startswith("It ") else "person"
    yield Statement("whole", name, rest[:-1], family, pronoun["verb"])


def nationality(phrase: str) -> str:
    """Return the one people that a phrase names, or ""."""
    named = [people for people in PEOPLES if re.search(rf"\b{people}\b", phrase)]
    return named[0] if len(named) == 1 else ""
