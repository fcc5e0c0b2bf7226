"""How a claim relates to a text, by numbers that know no word (University of Arizona, 2018).

What is compared: words, names and numbers in common, negations on either side, antonyms (a short
list of common ones stands in for a dictionary), lengths.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from feverfew.english.words import negations
from feverfew.lab.papers.vectors import content_words
from feverfew.text import fold, spelled_words, words

FEATURES = (
    "words_shared",
    "names_shared",
    "names_missing",
    "numbers_shared",
    "numbers_missing",
    "numbers_other",
    "claim_negated",
    "text_negated",
    "negated_otherwise",
    "antonyms",
    "length",
    "nothing",
)
_NUMBER = re.compile(r"\d+")
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


def describe(claim: str, text: str) -> list[float]:
    """Compare a claim with a text.

    >>> dict(zip(FEATURES, describe("It has 3 towns.", "It has 4 towns."), strict=True))[
    ...     "numbers_missing"
    ... ]
    1.0
    """
    said, read, content = set(words(claim)), set(words(text)), content_words(claim)
    names = {fold(word) for word in spelled_words(claim)[1:] if word[0].isupper()}
    numbers, others = (set(_NUMBER.findall(one)) for one in (claim, text))
    negated, negated_there = bool(negations(claim)), bool(negations(text))
    return [
        len(content & read) / (len(content) or 1),
        len(names & read) / (len(names) or 1),
        float(len(names - read)),
        float(len(numbers & others)),
        float(len(numbers - others)),
        float(bool(others - numbers)),
        float(negated),
        float(negated_there),
        float(negated != negated_there),
        float(opposed(said, read)),
        min(len(read) / 40, 3.0),
        float(not read),
    ]


def describe_all(claims: Sequence[str], texts: Sequence[str]) -> list[NDArray[np.float32]]:
    """Compare each claim with its text: a row of features for each."""
    pairs = zip(claims, texts, strict=True)
    return [np.array(describe(claim, text), np.float32) for claim, text in pairs]


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
