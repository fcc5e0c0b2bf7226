"""Decide whether a text is a claim that can be checked.

A text is rejected only if it is certainly not a claim: opinions, rules and statements about "us"
can all be checked against a corpus that covers them.
"""

import html
import re
import unicodedata
from enum import StrEnum
from functools import cache

from feverfew.english.words import table, word_set
from feverfew.text import sentences

LONGEST = 4000
"""Maximum characters of a claim, about thirty sentences; the rest is ignored."""


class RejectReason(StrEnum):
    """Why a text cannot be checked; the values complete the sentence 'This is …'."""

    EMPTY = "empty"
    NO_WORDS = "without words"
    ONE_WORD = "a single word"
    REPEATED = "the same word over and over"
    NOT_ENGLISH = "not in English"
    QUESTION = "a question"


# Invisible: soft hyphen, zero-width signs, directions, byte order marks, variation selectors.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<!--.{0,300}?-->", re.DOTALL)
_BLANK_LINE = re.compile(r"\s*\n\s*\n\s*")


def tidy(text: str) -> str:
    r"""Clean a text that someone typed or pasted, and limit its length; blank lines stay.

    >>> tidy("Metro\u200bpolis\x07 <b>is</b>\u00a0 a film. ")
    'Metropolis is a film.'
    """
    # Truncate first, generously, so that nothing below can be slow; and again at the end.
    text = text[: 4 * LONGEST]
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
    text = _CONTROL.sub(" ", _INVISIBLE.sub("", text))
    text = unicodedata.normalize("NFC", text)
    paragraphs = (" ".join(part.split()) for part in _BLANK_LINE.split(text))
    text = "\n\n".join(part for part in paragraphs if part)
    if len(text) <= LONGEST:
        return text
    kept, blank, _ = text[: LONGEST + 1].rpartition(" ")
    return (kept if blank else text[:LONGEST]).rstrip()


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ADDRESS = re.compile(r"<?(?:https?://|ftp://|www\.)\S+>?|\S+@\S+\.\w+", re.IGNORECASE)
_NEW_SENTENCE = re.compile(r"[.!?][\"”’)]?\s+\S")


def reject_reason(claim: str) -> RejectReason | None:
    """Say why a text cannot be checked; None if it is a claim.

    >>> reject_reason("Who directed Metropolis?")
    <RejectReason.QUESTION: 'a question'>
    """
    claim = tidy(claim)
    words = _WORD.findall(_ADDRESS.sub(" ", claim))
    if len({w.lower() for w in words}) == 1 and _is_latin(claim) and not claim.endswith("?"):
        return RejectReason.ONE_WORD if len(words) == 1 else RejectReason.REPEATED
    if _NEW_SENTENCE.search(claim):
        reasons = [_reason(sentence) for sentence in sentences(claim)]
        # Of several sentences, one that can be checked is enough.
        return None if None in reasons else reasons[0]
    return _reason(claim)


def _reason(text: str) -> RejectReason | None:
    if not text:
        return RejectReason.EMPTY
    words = _WORD.findall(_ADDRESS.sub(" ", text))
    if not words:
        return RejectReason.NO_WORDS
    if _is_foreign(text, words):
        return RejectReason.NOT_ENGLISH
    if _is_question(text):
        return RejectReason.QUESTION
    return None


@cache
def _little_words() -> dict[str, frozenset[str]]:
    return {name: word_set(words) for name, words in table("languages").items()}


_ENGLISH_ENDS = re.compile(r"[a-z](?:ed|ing|tion|ly|'s|’s)\b")
_MANY = 8
"""A text with at least this many words and no English word is not English."""


def _is_foreign(text: str, words: list[str]) -> bool:
    """Say whether a text is not English: by its script, otherwise by function words."""
    if not _is_latin(text):
        return True
    if len(words) < 3 and text.isascii():
        return False
    little = _little_words()
    lower = [word.lower() for word in words[:200]]
    english, shared = (sum(w in little[name] for w in lower) for name in ("english", "shared"))
    foreign = _foreign_words(words[:200], little)
    kinds = set(foreign)
    if len(kinds) > 1 and (english == 0 or len(foreign) > english + 1):
        return True
    if english == 0 and kinds & little["never_english"] and not shared:
        return True
    return len(words) >= _MANY and not (english or shared or _ENGLISH_ENDS.search(text))


def _is_latin(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    # With its extensions, up to the letters of Vietnamese.
    latin = sum(c <= "\u024f" or "\u1e00" <= c <= "\u1eff" for c in letters)
    return 2 * latin >= len(letters)


def _foreign_words(words: list[str], little: dict[str, frozenset[str]]) -> list[str]:
    """List the foreign function words that are not part of a name."""
    found, in_name = [], False
    for i, word in enumerate(words):
        lower = word.lower()
        if lower in little["foreign"] and not (in_name and lower in little["name_links"]):
            if word == lower or i == 0:
                found.append(lower)
        elif lower not in little["name_links"]:
            in_name = word[0].isupper()
    return found


_QUESTION_WORD = r"(?:who|whom|whose|what|which|when|where|why|how)"
_BE = r"(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)"
_ASKS = re.compile(
    rf"(?:{_QUESTION_WORD}|{_BE}|isn't|aren't|wasn't|didn't|doesn't|don't|am)\b", re.IGNORECASE
)
# Without a question mark: "what is the capital of France", "did neil armstrong die".
_ASKS_UNMARKED = re.compile(
    rf"(?i:{_QUESTION_WORD}(?:'s| (?:{_BE}|many|much|old|long|tall|far))) (?!.*[.!]$)"
    r"|(?i:is|are|was|were|did|does|do|can) (?:the|there|it|he|she|they|this|that|you|we) (?!.*\.$)"
    r"|(?i:is|are|was|were|did|does) (?!.* (?:is|was|are|were|has|stars)\b)(?!.*[.!]$)"
)
_CAPITAL_QUESTION = re.compile(
    r"\w,? [“\"'‘]?(?:Who|Whom|Whose|What|Which|When|Where|Why|How|Is|Are|Was|Do|Does|Did|Can"
    r"|Will|Have|Has|Should|Would|Could)\b"
)


def _is_question(text: str) -> bool:
    if text.endswith("?"):
        if _ASKS.match(text):
            return True
        # "Bing Crosby sang Brother, Can You Spare a Dime?" tells, with a title that asks.
        return not _CAPITAL_QUESTION.search(text)
    return _ASKS_UNMARKED.match(text) is not None
