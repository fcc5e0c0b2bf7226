"""Words that exclude each other: a short list of common ones, in place of a dictionary."""

__all__ = ["opposed"]

_PAIRS = """
alive dead; born died; married unmarried; married single; male female; man woman; men women; boy
girl; father mother; son daughter; brother sister; husband wife; actor actress; king queen; north
south; northern southern; east west; eastern western; left right; up down; above below; inside
outside; first last; early late; earlier later; before after; old new; old young; older younger;
oldest youngest; ancient modern; large small; larger smaller; largest smallest; big little; bigger
smaller; biggest smallest; long short; longer shorter; longest shortest; high low; higher lower;
highest lowest; tall short; taller shorter; tallest shortest; more less; most least; many few; all
none; always never; ever never; everyone nobody; everything nothing; win lose; won lost; winner
loser; winning losing; start end; started ended; starts ends; begin end; began ended; begins ends;
open closed; opened closed; success failure; successful unsuccessful; succeeded failed; positive
negative; good bad; better worse; best worst; love hate; loved hated; likes dislikes; liked
disliked; true false; fictional real; fiction nonfiction; public private; public secret;
democratic republican; liberal conservative; amateur professional; rich poor; strong weak; fast
slow; hot cold; warm cool; hard soft; heavy light; dark light; black white; day night; land sea;
war peace; friend enemy; ally enemy; hero villain; protagonist antagonist; buy sell; bought sold;
arrive leave; arrived left; accepted rejected; included excluded; increased decreased; increase
decrease; rose fell; major minor; maximum minimum; majority minority; former current; previous
next; domestic foreign; native foreign; urban rural; acquitted convicted; innocent guilty; legal
illegal; possible impossible; known unknown; released unreleased; same different; similar
different; together apart; vegetarian carnivorous
"""


def _both_ways() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split(";"):
        if pair.strip():
            first, second = pair.split()
            found.setdefault(first, set()).add(second)
            found.setdefault(second, set()).add(first)
    return found


_OPPOSITES = _both_ways()


def opposed(said: set[str], read: set[str]) -> int:
    """Count the words of one text that the other lacks, having their opposite instead.

    >>> opposed({"the", "largest", "city"}, {"the", "smallest", "city"})
    1
    """
    return sum(bool(_OPPOSITES.get(word, set()) & read) for word in said - read)
