"""Words that a claim may use for a word of a cell: 'won' for 'w', 'Swedish' for 'Sweden'."""

from feverfew.english.dates import MONTHS
from feverfew.english.words import CARDINALS, ORDINALS

__all__ = ["aliases"]

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
    """Return the words of cells that a word of a claim may stand for.

    >>> sorted(aliases("second"))
    ['2', '2nd']
    """
    return _ALIASES.get(word, frozenset())
