"""The words of a claim that ask for an operation."""

from msgspec import Struct

from feverfew.english.lexicon import word_set

__all__ = ["OPERATIONS", "STOP", "Triggers", "related_headers"]

_LARGE = """most highest largest greatest longest best biggest oldest heaviest tallest
maximum max top greater latest newest last final fastest richest busiest strongest deepest
leading winning winner recent ending"""
_SMALL = """least lowest smallest fewest shortest worst youngest lightest minimum min bottom
earliest first slowest poorest weakest oldest early opening debut losing"""
_MORE = """more higher larger greater longer better bigger older above over later after
taller heavier exceed outscored exceeding farther further beat ahead upper faster outnumber"""
_LESS = """less lower smaller fewer shorter worse younger below under earlier before lighter
prior behind previous until slower"""
OPERATIONS: dict[str, frozenset[str]] = {
    "large": word_set(_LARGE),
    "small": word_set(_SMALL),
    "more": word_set(_MORE),
    "less": word_set(_LESS),
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

# Words of claims beside the words of headers that they may mean.
_RELATED = """attendance crowd people spectator fan audience|date day when month played|year when
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
    for line in " ".join(_RELATED.split()).split("|"):
        head, *rest = line.strip().split(" ")
        made.setdefault(head.removesuffix("s"), set()).update(rest)
    return {head: frozenset(rest) for head, rest in made.items()}


_HEADERS = _related()


def related_headers(word: str) -> frozenset[str]:
    """Return words of claims that may mean a word of a header."""
    return _HEADERS.get(word, frozenset())


class Triggers(Struct, frozen=True):
    """Which operations a claim's words ask for, and at which of its words."""

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
