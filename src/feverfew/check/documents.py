"""Split a document into passages: sentences to check, and others with the reason to skip them."""

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from feverfew.check.document_blocks import Kind, Stretch, stretches, without_marks
from feverfew.english.checkability import RejectReason, reject_reason, tidy
from feverfew.english.coreference import Coreference
from feverfew.english.decompose import spans
from feverfew.english.words import has_verb


class Passage(Struct, frozen=True):
    """A sentence of a document, or another block, with its position."""

    text: str
    start: int
    end: int
    claim: str
    """What to check: without marks, pronouns replaced by names; "" if it is skipped."""
    skipped: str
    """Why it is skipped: 'a question', 'a heading', 'code'; "" if it can be checked."""


def passages(text: str) -> list[Passage]:
    """Split Markdown or plain text into passages, in order, with the reasons to skip some.

    >>> text = "# Lang\\n\\n*Lang* was born in Vienna. Why is that?"
    >>> [(p.claim, p.skipped) for p in passages(text)]
    [('', 'a heading'), ('Lang was born in Vienna.', ''), ('', 'a question')]
    """
    found: list[Passage] = []
    names = Coreference()
    for stretch in stretches(text):
        if stretch.kind is Kind.HEADING:
            names = Coreference()
        if stretch.kind in (Kind.PROSE, Kind.ITEM):
            found.extend(_sentences(text, stretch, names))
        else:
            reason = str(stretch.kind)
            if stretch.kind is Kind.MARKUP and _LINK.search(text, stretch.start, stretch.end):
                reason = _LINKS
            found.append(_skipped(text, stretch.start, stretch.end, reason))
    return found


_LINK = re.compile(r"https?://|www\.|\]\(|\]:|\[\[")
_LINKS = "a list of links"
_WHOLE_LINK = re.compile(
    r"\[[^\[\]]{1,400}\](?:\([^()\s]{0,500}(?:\s[^()]{0,200})?\)|\[[^\[\]]{0,100}\])"
    r"|\[\[[^\[\]]{1,400}\]\]|<?(?:https?://|www\.)[^\s<>]+>?|[^\w\s]+"
)
_FEW_WORDS = 2
_BLANK_AT_SIGN = re.compile(r"\s+(?=[,.;:!?)\]”])|(?<=[(\[“])\s+")


def _sentences(text: str, stretch: Stretch, names: Coreference) -> Iterator[Passage]:
    inner = text[stretch.start : stretch.end]
    plain = without_marks(inner)
    found = spans(_without_stops_in_code(inner, plain))
    if not found:
        reason = _LINKS if _LINK.search(inner) else "without words"
        yield _skipped(text, stretch.start, stretch.end, reason)
        return
    alone = len(found) == 1
    for (start, end), (left, right) in zip(found, _widened(inner, found), strict=True):
        said = _BLANK_AT_SIGN.sub("", tidy(plain[start:end]))
        claim = names.resolve(" ".join(said.split()))
        left, right = left + stretch.start, right + stretch.start
        reason = _reason(said, text[left:right], stretch.kind, alone)
        if reason:
            yield _skipped(text, left, right, reason)
        else:
            yield Passage(text[left:right], left, right, claim, "")


_CODE = re.compile(r"`[^`]{1,300}`")
_STOP = re.compile(r"[.!?]")


def _without_stops_in_code(text: str, plain: str) -> str:
    """Return text of the same length in which full stops in code end no sentence."""
    for code in _CODE.finditer(text):
        start, end = code.span()
        plain = plain[:start] + _STOP.sub("x", plain[start:end]) + plain[end:]
    return plain


def _widened(text: str, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Attach the marks between sentences to the sentence they touch, or to the previous one."""
    cuts = []
    for (_, end), (start, _) in pairwise(found):
        gap = text[end:start]
        touching = len(gap) - len(gap.rstrip()) == 0 and any(map(str.isspace, gap))
        cuts.append(start - len(gap.split()[-1]) if touching else start)
    starts = [0, *cuts]
    ends = [*cuts, len(text)]
    return [(a, a + len(text[a:b].rstrip())) for a, b in zip(starts, ends, strict=True)]


_QUOTED = re.compile(
    r"[“\"][^“”\"]*[”\"][.]?$"
    r"|.*[,.!?][”\"] (?:\w+ ){0,4}?(?:said|says|wrote|writes|asked|added|explained|replied|told)\b"
    r"|.*\b(?:said|says|wrote|writes|asked|added|explained|replied|told \w+)[,:]? [“\"]",
    re.DOTALL,
)
_ENDS = re.compile(r"[.!?…][\"”’')\]*_]*$")
_LONGEST_HEADING = 12


def _reason(said: str, raw: str, kind: Kind, alone: bool) -> str:
    """Return why a sentence is skipped, "" if it can be checked."""
    if _LINK.search(raw) and len(_WHOLE_LINK.sub(" ", raw).split()) <= _FEW_WORDS:
        return _LINKS
    reason = reject_reason(said)
    if reason in (RejectReason.EMPTY, RejectReason.NO_WORDS, RejectReason.NOT_ENGLISH):
        return str(reason)
    if said.endswith(":"):
        return "an introduction to what follows"
    if alone and not _ENDS.search(said) and not has_verb(said):
        short = len(said.split()) <= _LONGEST_HEADING
        return "a heading" if short and kind is Kind.PROSE else "not a sentence"
    if kind is Kind.ITEM and alone and said[0].islower():
        return "not a sentence"
    if reason:
        return str(reason)
    return "a quotation" if _QUOTED.match(said) else ""


def _skipped(text: str, start: int, end: int, reason: str) -> Passage:
    return Passage(text[start:end], start, end, "", reason)
