"""What kind of text is this: a statement that can be checked, or something else?

Without a model, and careful: what is not surely something else is a statement.
"""

import html
import re
import unicodedata
from enum import StrEnum

from feverfew.english.lexicon import word_set
from feverfew.text import fold, sentences

__all__ = ["LONGEST", "RejectReason", "reject_reason", "tidy"]

LONGEST = 4000
"""How many characters of a claim are read: thirty sentences or so; the rest is left out."""


class RejectReason(StrEnum):
    """Why a text cannot be checked; the values are phrases for people."""

    EMPTY = "empty"
    NO_WORDS = "without words"
    ADDRESS = "a web address"
    NOT_ENGLISH = "not in English"
    TOO_SHORT = "too short to check"
    QUESTION = "a question"
    OPINION = "an opinion"
    COMMAND = "a request"
    FIRST_PERSON = "about the writer"
    FUTURE = "about the future"


# Invisible: soft hyphen, zero-width signs, directions, byte order marks, variation selectors.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<!--.{0,300}?-->", re.DOTALL)
_BLANK_LINE = re.compile(r"\s*\n\s*\n\s*")


def tidy(text: str) -> str:
    r"""Clean a text that someone typed or pasted, and bound its length; blank lines stay.

    >>> tidy("Metro\u200bpolis\x07 <b>is</b>\u00a0 a film. ")
    'Metropolis is a film.'
    """
    # Cut first, generously, so that nothing below can be slow; and once more at the end.
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


def reject_reason(text: str) -> RejectReason | None:
    """Say why a text cannot be checked, or None: it is a statement.

    >>> unfit("Who directed Metropolis?")
    <Unfit.QUESTION: 'a question'>
    """
    text = tidy(text)
    if _NEW_SENTENCE.search(text):
        reasons = [_unfit(sentence) for sentence in sentences(text)]
        # Of several sentences, one that can be checked is enough.
        return None if None in reasons else reasons[0]
    return _unfit(text)


_NEW_SENTENCE = re.compile(r"[.!?][\"”’)]?\s+\S")


def _unfit(text: str) -> RejectReason | None:
    if not text:
        return RejectReason.EMPTY
    if not any(map(str.isalpha, text)):
        return RejectReason.NO_WORDS
    if _ADDRESS.fullmatch(text):
        return RejectReason.ADDRESS
    found = _WORD.findall(text)
    if _foreign(text, found):
        return RejectReason.NOT_ENGLISH
    for kind, test in _TESTS:
        if test(text):
            return kind
    if len(found) < 2 or (len(found) == 2 and not _VERB.fullmatch(found[1])):
        return RejectReason.TOO_SHORT
    return None


# Two words are a statement only if the second is a verb: "Water boils", "Birds fly".
_VERB = re.compile(r"[a-z]+(?:[^s]s|ed)|swim|sang|won|lost|fell|ran|fly|bark|float|bite|sink|exist")


_ENGLISH = word_set("""
    the of and were are been by with from which who that not for at as it his her their its has
    have had did does you there they he she be or than when where into about after before this
    won made played wrote born only also
""")
# Words that other languages have as well: they neither prove English nor disprove it.
_SHARED = word_set("a an i in is was on to so am do no me will can one")
_FOREIGN = (
    word_set("""
    der die das den dem des ein eine einer eines und ist sind wurde war nicht mit von zu auf für
    auch im zum zur sich als nach bei oder hat haben wird werden ich
    le la les un une des du et est sont dans avec pour pas sur qui que au aux par été à il elle je
    el los las del y en es fue con por para una como su más está lo se al no
    il lo gli che è di della nel sono stato una per non con dei ed
    o os as um uma do da dos das em na é são foi não com ao à
    de het een van zijn werd niet op met voor
    och är en ett på som av inte med den det var til af ikke og et på er
    jest w i nie na się z że była był się ve bir bu için ile az és egy nem hogy
    ja on ei että oli se este și cu pe nu
""")
    - _ENGLISH
    - _SHARED
)
_NEVER_ENGLISH = word_set(
    "ist und sind wurde nicht est sont été è é är och jest się être está são não"
)
_LINKS = word_set("de la le les du des der den von van da di do dos das del della el y e zu al i")
_LATIN_END = "\u024f"
_LATIN_MORE = "\u1e00", "\u1eff"


def _foreign(text: str, found: list[str]) -> bool:
    """Say whether a text is not English: by its script, else by its little words."""
    if text.isascii() and len(found) < 3:
        return False
    letters = [c for c in text if c.isalpha()]
    latin = sum(c <= _LATIN_END or _LATIN_MORE[0] <= c <= _LATIN_MORE[1] for c in letters)
    if latin * 2 < len(letters):
        return True
    english = shared = foreign = 0
    kinds: set[str] = set()
    named = False
    for word in found[:200]:
        lower = word.lower()
        if lower in _ENGLISH:
            english += 1
        elif lower in _SHARED:
            shared += 1
        elif lower in _FOREIGN and not (named and lower in _LINKS):
            # "Oscar de la Hoya", "Ludwig van Beethoven": the little words of names say nothing.
            if word == lower or word is found[0]:
                foreign += 1
                kinds.add(lower)
            continue
        named = word[0].isupper()
    if len(kinds) > 1 and foreign > english + 1:
        return True
    if english == 0 and (len(kinds) > 1 or (kinds & _NEVER_ENGLISH and not shared)):
        return True
    plain = sum(1 for word in found if word.islower())
    bare = english + shared + len(_ENGLISH_ENDS.findall(text))
    return bare == 0 and plain >= 4 and plain * 2 >= len(found) and fold(text) != text.lower()


_ENGLISH_ENDS = re.compile(r"[a-z](?:ed|ing|tion|ly|'s|’s)\b")

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


# Lower-case verbs only: "I Like Chopin" is a song.
_MINDED = re.compile(
    r"(?:I|i|We|we) (?:really |do |just |also |don't |honestly )?"
    r"(?:think|believe|feel|guess|suppose|love|like|hate|prefer|enjoy|hope|wish|want|doubt)\b"
)
_OPINION = re.compile(
    r"(?:in|to) my (?:humble )?(?:opinion|view|mind)\b|imo\b|imho\b|personally,"
    r"|.*\bin my (?:humble )?opinion\b|.*\bif you ask me\b"
    r"|.*\b(?:should|ought to) (?:be (?:banned|ashamed|illegal|abolished|stopped|allowed|free)"
    r"|stop|try|watch|read|visit|never|always|all|resign|apologi[sz]e)\b"
    r"|(?:everyone|everybody|people|you|we|nobody|no one|they) (?:should|shouldn't|ought|must)\b"
    r"|.*\bis (?:so |very |really |truly |just |absolutely |simply |quite |too )+"
    r"(?:beautiful|amazing|awesome|great|good|bad|boring|ugly|wonderful|terrible|stupid|cool"
    r"|nice|delicious|overrated|underrated|awful|horrible|lovely|fantastic|brilliant|funny|sad)\b"
    r"|[^,]*\b(?:is|was|are|were) (?:beautiful|amazing|awesome|boring|ugly|wonderful|terrible"
    r"|delicious|overrated|underrated|awful|horrible|lovely|fantastic)[.!]*$"
    r"|.*\b(?:is|was|are|were) (?:by far )?the (?:best|worst|greatest|coolest"
    r"|most (?:beautiful|amazing|boring|wonderful))"
    r" (?:\w+ ){0,3}(?:ever|in the world|of all time)[.!]*$",
    re.IGNORECASE | re.DOTALL,
)

_FIRST_PERSON = re.compile(
    r"(?!.* is an? )(?:I|i)(?:'m|’m|'ve|’ve|'ll|’ll|'d|’d"
    r"| (?:am|was|have|had|will|went|live|lived|work|worked"
    r"|know|knew|saw|see|need|can|cannot|can't|got|did|do|don't|didn't|never|just|read|heard"
    r"|bought|made|used|wrote|once|always|also) (?=[a-z]))"
    r"|(?:We|we) (?:are|were|have|had|will|went|live|know|need|can|got|did|do|don't|saw) (?=[a-z])"
    r"|(?:My|my|Our|our) (?:name|wife|husband|mother|father|mom|mum|dad|brother|sister|friend"
    r"|friends|family|house|car|dog|cat|job|boss|son|daughter|children|company|team|school) "
    r"(?=[a-z])"
)

_ASKED_FOR = re.compile(
    r"(?:please\b|kindly\b|let's |let us |don't |do not "
    r"|ignore (?:all |any |the |your )?(?:previous|above|prior|instructions)"
    r"|(?:can|could|would) you )",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"(?:tell|show|give|write|explain|describe|list|find|check|verify|make|create|go|look|read|take"
    r"|open|close|translate|summari[sz]e|compare|help|stop|click|visit|try|remember|imagine|listen"
    r"|watch|call|send|add|remove|install|run|use|see|buy|get|bring|say|prove|delete|print"
    r"|select|press|enter|choose|consider|keep|put|leave|wait|come|bake|mix|follow|subscribe|contact)"
    r" (?:me|us|him|them|it|the|a|an|this|that|these|those|your|my|our|to|at|in|into|up|out|if"
    r"|whether|how|why|what|all|every|some|about|here|for|on|down|away|back|more|with|off|two|sure"
    r"|home|now)\b(?! (?:is|was|are|were) )",
)

_FUTURE = re.compile(
    r".*\b(?:will|shall|is going to|are going to|won't)\b.*\b(?:tomorrow|next (?:week|month|year"
    r"|decade|century|summer|winter|spring|season|election)|someday|some day|one day|soon"
    r"|in the (?:near |distant )?future|in (?:\w+ )?years(?: from now)?)\b"
    r"|(?:tomorrow|next (?:week|month|year)),? .*\bwill\b",
    re.IGNORECASE | re.DOTALL,
)


def _is_command(text: str) -> bool:
    if _ASKED_FOR.match(text):
        return True
    # Lower-case words follow: "Kill the Messenger", "Tell Me Lies" and "Run to You" are titles.
    first, _, rest = text.partition(" ")
    return bool(first) and _COMMAND.match(f"{first.lower()} {rest}") is not None


_TESTS = (
    (RejectReason.QUESTION, _is_question),
    (RejectReason.OPINION, lambda text: bool(_MINDED.match(text) or _OPINION.match(text))),
    (RejectReason.COMMAND, _is_command),
    (RejectReason.FIRST_PERSON, lambda text: _FIRST_PERSON.match(text) is not None),
    (RejectReason.FUTURE, lambda text: _FUTURE.match(text) is not None),
)
