"""Link a claim to a table: its words to cells, headers and operations, its numbers to values.

Positions in the claim are bit masks, so that finding what a program leaves unexplained is one
operation.
"""

from collections import defaultdict

from msgspec import Struct

from feverfew.english.dates import MONTHS
from feverfew.english.numbers import UNITS
from feverfew.english.words import CARDINALS, ORDINALS, word_set
from feverfew.tables.language import Is, Relation
from feverfew.tables.values import cell_words, read_value
from feverfew.tables.view import TableView

_LARGE = """most highest largest greatest longest best biggest oldest heaviest tallest
maximum max top greater latest newest last final fastest richest busiest strongest deepest
leading winning winner recent ending"""
_SMALL = """least lowest smallest fewest shortest worst youngest lightest minimum min bottom
earliest first slowest poorest weakest oldest early opening debut losing"""
_MORE_WORDS = """more higher larger greater longer better bigger older above over later after
taller heavier exceed outscored exceeding farther further beat ahead upper faster outnumber"""
_LESS_WORDS = """less lower smaller fewer shorter worse younger below under earlier before lighter
prior behind previous until slower"""
OPERATIONS: dict[str, frozenset[str]] = {
    "large": word_set(_LARGE),
    "small": word_set(_SMALL),
    "more": word_set(_MORE_WORDS),
    "less": word_set(_LESS_WORDS),
    "mean": word_set("average mean averaged averaging"),
    "sum": word_set("total sum combined altogether overall cumulative together"),
    "count": word_set("there total number time only number different occasion multiple several"),
    "difference": word_set("difference between gap margin by separate than apart"),
    "only": word_set("only sole single solely just exclusively unique lone"),
    "all": word_set("all every each alway both entire whole everyone throughout"),
    "none": word_set("no not never none neither nor nobody without zero nothing didn doesn wasn"),
    "majority": word_set("majority mostly most half"),
    "same": word_set("same equal tie tied equally identical share shared both also"),
    "differ": word_set("different distinct unique various differ unlike"),
    "order": word_set("first second third fourth fifth last next previous before after following"),
    "consecutive": word_set("consecutive row straight successive"),
}
STOP = word_set(
    """the a an of in is was are were and or to for by with on at from has have had been be it he
    she they that this than as who which their his her its there did do does when where while also
    s t thi doe ha wa being into during will would can could one"""
)

# A header word, then claim words that may refer to it.
_BY_HEADER = """attendance crowd people spectator fan audience|date day when month played|year when
season in|score point result goal|result won lost win loss beat defeated score lose winning victory
outcome| opponent against versus team play|venue stadium location ground held place home site
arena|location city country place where located|country nation nationality from
nationality|nationality country nation from|nation country|player he who name person|name player
who person|driver racer who| points score scored|total overall sum|rank place position ranked
finished placed|position rank place finished played ranked pick|pos position rank place|height
tall taller tallest high higher highest|weight heavy weigh heavier heaviest lighter
lightest|population people inhabitant resident populous|gold medal|title film movie episode song
called named| viewers watched million people audience|air date aired premiered|original air
date|aired|released release|built constructed|established founded|enrollment student|party
republican democrat democratic political|incumbent representative|first elected elected|time
finish minute|to par under over|money earned prize won dollar|college school attended
university|pick drafted selected draft| round drafted|directed by director|written by writer
wrote|laps completed|constructor team car made by|laps lap|speed fast faster fastest slower
slowest|area size large larger largest bigger biggest smaller smallest|length long longer
longest shorter shortest|cost price|size large larger largest bigger biggest|age old older
oldest younger youngest|depth deep deeper deepest|width wide wider widest narrower|elevation
high higher highest lower lowest|opened older oldest newer newest earlier later|tournament event
competition championship|winner won winning champion|runner up second|surface court clay grass
hard|home team host hosted|away team visitor visiting|record win loss|high points scorer scored|
high rebounds rebound|high assists assist|silver medal|bronze medal|won win victory|lost loss
defeat|drawn draw tie|tries try|against conceded|played match game|games game|apps appearance
appeared|language spoken|genre type kind|label record|format type|manufacturer made maker|engine
powered|status is condition|role played character|notes note|partner with doubles|capacity seat
hold| birth born|born birth|death died|died death"""


def _related() -> dict[str, frozenset[str]]:
    made: dict[str, set[str]] = {}
    for line in " ".join(_BY_HEADER.split()).split("|"):
        head, *rest = line.strip().split(" ")
        made.setdefault(head.removesuffix("s"), set()).update(rest)
    return {head: frozenset(rest) for head, rest in made.items()}


_RELATED_HEADERS = _related()


def related_headers(word: str) -> frozenset[str]:
    """Return claim words that may refer to a header word."""
    return _RELATED_HEADERS.get(word, frozenset())


class Triggers(Struct, frozen=True):
    """The operations that a claim's words ask for, and the positions of these words."""

    at: dict[str, list[int]]

    @classmethod
    def of(cls, words: tuple[str, ...]) -> "Triggers":
        """Find them."""
        found: dict[str, list[int]] = {name: [] for name in OPERATIONS}
        for place, word in enumerate(words):
            for name, listed in OPERATIONS.items():
                if word in listed:
                    found[name].append(place)
        return cls(found)

    def has(self, name: str) -> bool:
        """Say whether an operation is asked for."""
        return bool(self.at[name])


_SAME = """w won win: won win winning winner victory beat defeated victorious|l loss lost: lost loss
lose losing defeat|d draw drawn tie t: draw drew tie tied drawn|yes: did|n no: not|gold: 1st|canada
can: canadian|sweden swe: swedish|germany ger west: german|france fra: french|italy ita:
italian|spain esp: spanish|russia rus: russian|japan jpn: japanese|china chn: chinese|england eng:
english british|united kingdom gbr great britain: british|scotland sco: scottish|ireland irl:
irish|wales: welsh|norway nor: norwegian|finland fin: finnish|denmark den: danish|netherlands ned:
dutch|belgium bel: belgian|austria aut: austrian|switzerland sui: swiss|poland pol: polish|czech
cze: czech|hungary hun: hungarian|romania rou: romanian|ukraine ukr: ukrainian|greece gre:
greek|turkey tur: turkish|australia aus: australian|brazil bra: brazilian|argentina arg:
argentine argentinian|mexico mex: mexican|states usa us american: american usa us america|korea kor:
korean|india ind: indian|south africa rsa: african|kenya ken: kenyan|ethiopia eth:
ethiopian|jamaica jam: jamaican|cuba cub: cuban|democratic: democrat|democrat: democratic|defence
defenseman: defense defender|forward: forward|goalkeeper gk: goalie goalkeeper|km: kilometer
kilometre|m: meter metre|kg: kilogram|tv: television|nov: november"""


def _made() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in " ".join(_SAME.split()).split("|"):
        cell, _, claim = line.partition(":")
        for said in claim.split():
            found.setdefault(said, set()).update(cell.split())
    for word, number in CARDINALS.items():
        if number < 100:
            found.setdefault(word, set()).add(str(number))
    for word, number in ORDINALS.items():
        found.setdefault(word, set()).update((str(number), _nth(number)))
    for number in range(1, 60):
        found.setdefault(_nth(number), set()).add(str(number))
    for name, month in MONTHS.items():
        found.setdefault(name, set()).update(n for n, m in MONTHS.items() if m == month)
    return {word: frozenset(other - {word}) for word, other in found.items()}


def _nth(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


_ALIASES = _made()


def aliases(word: str) -> frozenset[str]:
    """Return the cell words that a claim word may stand for.

    >>> sorted(aliases("second"))
    ['2', '2nd']
    """
    return _ALIASES.get(word, frozenset())


_PER_COLUMN, _CELLS = 4, 14
"""Maximum numbers of linked cells, per column and in all."""
_SHARE = 0.34
"""The share of a cell's words that the claim must contain."""
_LIGHT = 0.15
"""The weight of a stop word relative to others."""
_RELATED = 0.6
"""The weight of a related word relative to the word itself."""
_MORE = {"more", "over", "above", "exceeding", "greater", "higher", "least", "minimum", "after"}
_LESS = {"les", "less", "fewer", "under", "below", "lower", "most", "maximum", "before", "up"}
_STRICT = {"least", "minimum", "most", "maximum", "up"}
_REACH = 7
"""Number of words before "than" in which to look for the comparative."""
_NTH = {"st", "nd", "rd", "th"}


class CellLink(Struct, frozen=True):
    """Words of the claim that occur in cells of a column."""

    condition: Is
    places: int
    share: float
    """The share of the cell's words that are in the claim."""
    exact: bool
    """Whether the claim contains the cell word for word."""
    weight: float
    columns: int
    """Number of columns that have these words."""


class ColumnLink(Struct, frozen=True):
    """A column that the claim names."""

    column: int
    places: int
    share: float


class NumberLink(Struct, frozen=True):
    """A number of the claim."""

    number: float
    text: str
    places: int
    relation: Relation = "="
    """The comparison it is used with: more than 5."""
    ordinal: bool = False
    spelled: bool = False
    measure: str = ""
    factor: float = 1.0
    """Its unit, relative to the measure's base unit."""

    def within(self, unit: str, factor: float) -> float:
        """Return the number in the unit of a column."""
        return (
            self.number * self.factor / factor
            if self.measure and self.measure == unit
            else self.number
        )


class Links(Struct, frozen=True):
    """All links of a claim."""

    words: tuple[str, ...]
    content: int
    """The positions of content words."""
    cells: list[CellLink]
    columns: dict[int, ColumnLink]
    numbers: list[NumberLink]
    triggers: Triggers
    caption: int
    """The positions of words in the caption or the title."""
    known: int
    """The positions of words that occur anywhere in the table."""


def link(claim: str, view: TableView) -> Links:
    """Link a claim to a table."""
    words = cell_words(claim)
    content = 0
    for place, word in enumerate(words):
        if word not in STOP:
            content |= 1 << place
    named = set(cell_words(f"{view.caption} {view.title}"))
    caption = _places(words, named)
    known = _places(words, view.index.keys() - STOP)
    columns = _columns(words, view)
    return Links(
        words,
        content,
        _cells(words, view),
        columns,
        _numbers(claim, words),
        Triggers.of(words),
        caption & content,
        known,
    )


def _places(words: tuple[str, ...], wanted: set[str]) -> int:
    found = 0
    for place, word in enumerate(words):
        if word in wanted:
            found |= 1 << place
    return found


def _weight(word: str) -> float:
    return _LIGHT if word in STOP else 1.0


def _cells(words: tuple[str, ...], view: TableView) -> list[CellLink]:
    at: dict[str, int] = defaultdict(int)
    for place, word in enumerate(words):
        at[word] |= 1 << place
    for place, word in enumerate(words):
        for other in aliases(word):
            if other in view.index and other not in words:
                at[other] |= 1 << place
    held: dict[int, list[str]] = defaultdict(list)
    for word in at:
        if word not in STOP:
            for number in view.index.get(word, ()):
                held[number].append(word)
    for word in at:
        if word in STOP:
            for number in view.index.get(word, ()):
                if number in held or len(view.entries[number].words) == 1:
                    held[number].append(word)
    text = f" {' '.join(words)} "
    groups: dict[tuple[int, tuple[str, ...]], list[tuple[float, bool, tuple[str, ...]]]] = {}
    for number, own in held.items():
        entry = view.entries[number]
        total = sum(map(_weight, set(entry.words)))
        share = sum(map(_weight, own)) / total
        if share >= _SHARE:
            exact = share > 0.99 and f" {' '.join(entry.words)} " in text
            key = (entry.column, tuple(sorted(own)))
            groups.setdefault(key, []).append((share, exact, entry.words))
    spread: dict[tuple[str, ...], int] = defaultdict(int)
    for _, own_words in groups:
        spread[own_words] += 1
    by_column: dict[int, list[CellLink]] = defaultdict(list)
    for (column, own_words), found in groups.items():
        share, exact, entry_words = max(found, key=lambda f: (f[1], f[0]))
        places = 0
        for word in own_words:
            places |= at[word]
        whole = exact or share > 0.99
        condition = Is(column, entry_words if whole else own_words, whole)
        if exact:
            places = _span(words, entry_words)
        weight = sum(map(_weight, own_words)) * (0.5 + 0.5 * share) + 0.2 * exact
        by_column[column].append(
            CellLink(condition, places, share, exact, weight, spread[own_words])
        )
    best: list[CellLink] = []
    for own_links in by_column.values():
        own_links.sort(key=lambda one: -one.weight)
        kept: list[CellLink] = []
        for one in own_links:
            # A link adds nothing if a better one of this column explains the same words.
            if not any(one.places & ~other.places == 0 for other in kept):
                kept.append(one)
        best += kept[:_PER_COLUMN]
    return sorted(best, key=lambda one: -one.weight)[:_CELLS]


def _span(words: tuple[str, ...], part: tuple[str, ...]) -> int:
    """Return every position of a sequence of words."""
    found = 0
    run = (1 << len(part)) - 1
    for start in range(len(words) - len(part) + 1):
        if words[start : start + len(part)] == part:
            found |= run << start
    return found


def _columns(words: tuple[str, ...], view: TableView) -> dict[int, ColumnLink]:
    found: dict[int, ColumnLink] = {}
    for column in view.columns:
        header = [word for word in cell_words(column.header) if word not in STOP]
        places, gained = 0, 0.0
        for head in set(header):
            own = _places(words, {head}) or _alike(words, head)
            if own:
                gained += 1.0
            else:
                own = _places(words, set(related_headers(head)))
                gained += _RELATED if own else 0.0
            places |= own
        if places:
            found[column.index] = ColumnLink(column.index, places, gained / len(set(header)))
    return found


def _alike(words: tuple[str, ...], head: str) -> int:
    """Return the positions of words with the prefix of a header word: 'viewed' for 'viewers'."""
    if len(head) < 5:
        return 0
    found = 0
    for place, word in enumerate(words):
        if word[:4] == head[:4] and abs(len(word) - len(head)) < 4:
            found |= 1 << place
    return found


def _numbers(claim: str, words: tuple[str, ...]) -> list[NumberLink]:
    found: list[NumberLink] = []
    for place, word in enumerate(words):
        ordinal, spelled = False, True
        following = words[place + 1] if place + 1 < len(words) else ""
        if word[0].isdecimal():
            spelled = False
            if word[-2:] in _NTH and word[:-2].isdecimal():
                number, ordinal = float(word[:-2]), True
            elif word[-1].isdecimal() and word.replace(".", "", 1).isdecimal():
                number, ordinal = float(word), following in _NTH
                if following in ("million", "billion", "thousand", "crore", "lakh"):
                    number = read_value(f"{word} {following}").number
            else:
                continue
        elif word in CARDINALS:
            number = float(CARDINALS[word])
        elif word in ORDINALS:
            number, ordinal = float(ORDINALS[word]), True
        elif word in ("once", "twice"):
            number = 1.0 if word == "once" else 2.0
        else:
            continue
        places = 1 << place
        relation, said = _relation(words, place)
        measure, factor = UNITS.get(following, ("", 1.0))
        found.append(
            NumberLink(number, word, places | said, relation, ordinal, spelled, measure, factor)
        )
    return found


def _relation(words: tuple[str, ...], place: int) -> tuple[Relation, int]:
    """Find the comparison around a number: 'more than 5', '5 or more'."""
    than = place > 0 and words[place - 1] == "than"
    for at in range(place - 1, max(place - (_REACH if than else 3), -1), -1):
        word = words[at]
        if word in _MORE or (than and word in OPERATIONS["more"]):
            return ("≥" if word in _STRICT else ">"), 1 << at
        if word in _LESS or (than and word in OPERATIONS["less"]):
            return ("≤" if word in _STRICT else "<"), 1 << at
        if not than and word not in ("than", "at", "the"):
            break
    after = words[place + 1 : place + 3]
    if len(after) == 2 and after[0] in ("or", "and"):
        if after[1] in _MORE:
            return "≥", 1 << (place + 2)
        if after[1] in _LESS:
            return "≤", 1 << (place + 2)
    return "=", 0
