"""Find the words that turn a statement into its opposite, and those that narrow it."""

import re

from feverfew.english.wording import word_set

__all__ = ["Denial", "negations", "only"]

_CUES = word_set(
    """not never cannot neither nor nobody none nothing nowhere no without lack lacks lacked
    incapable unable impossible yet fail fails failed refuse refuses refused decline declines
    declined reject rejected denied avoided"""
)
_ONLY = word_set("only solely exclusively strictly merely just entirely")
_SPELLED = re.compile(r"[a-z]+")
_NEGATION = re.compile(
    r"\b(?:not(?! only\b| just\b| merely\b| to be confused| \w+ than \S*\d)|never|cannot|neither"
    r"|nor|nobody|none|nothing|nowhere|no(?= [a-z])(?! \w+ than \S*\d)|without|lack(?:s|ed)?"
    r"|incapable|unable|impossible"
    r"|(?:has|have|had|is|was) yet to|(?:fail(?:s|ed)?|refuse[sd]?|decline[sd]?) to"
    r"|refused|rejected|denied|avoided)\b|(?<=[a-z])n['’]t\b"
    r"|^(?:Not|Never|Neither|Nobody|None|Nothing|No)(?= [a-z])"
)
_NARROW = re.compile(
    r"(?<!not )(?<!the )\b(?:only|solely|exclusively|strictly|merely|just|entirely)\b"
)

Denial = tuple[str, int]
"""The word that denies, and where it ends."""


def negations(text: str) -> list[Denial]:
    """List the words that negate; in names ("No Country for Old Men") they do not.

    >>> negations("He was not only a singer, but he never acted in No Escape.")
    [('never', 38)]
    """
    # Most texts deny nothing, and a look at their words is far cheaper than the search.
    if _CUES.isdisjoint(_SPELLED.findall(text.lower())) and "n't" not in text and "n’t" not in text:
        return []
    return [(m[0], m.end()) for m in _NEGATION.finditer(text)]


def only(text: str) -> str:
    """Return the first word that leaves all else out ("only", "exclusively"), or ""."""
    if _ONLY.isdisjoint(_SPELLED.findall(text)):
        return ""
    found = _NARROW.search(text)
    return found[0] if found else ""
