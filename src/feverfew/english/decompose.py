"""A claim of several sentences or facts, as statements that can be searched and judged alone."""

import re

from msgspec import Struct

from feverfew.english.clauses import split_once
from feverfew.english.pronouns import Spoken
from feverfew.text import sentences

__all__ = ["Part", "facts_of", "sentences_of", "spans"]

_MOST_FACTS = 8
_LONGEST = 600
"""Longer sentences are tables or lists run together, and never safe to split."""


class Part(Struct, frozen=True):
    """A statement that can be searched alone, and where it stands in what was given."""

    text: str
    start: int
    end: int


def sentences_of(claim: str) -> list[Part]:
    """Split a paragraph into its sentences, with pronouns replaced by the names they stand for.

    >>> [part.text for part in sentences_of("Metropolis is a film. It was shot in Berlin.")]
    ['Metropolis is a film.', 'Metropolis was shot in Berlin.']
    """
    spoken = Spoken()
    found = []
    for start, end in spans(claim):
        sentence = " ".join(claim[start:end].split())
        found.append(Part(spoken.resolve(sentence), start, end))
    return found


_MAY_END = re.compile(r"[.!?。…][\"”’')\]]*\s|\n\s*\n")


def spans(text: str) -> list[tuple[int, int]]:
    """Say where each sentence of a text begins and ends."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if start >= end:
        return []
    if not _MAY_END.search(text, start, end):
        return [(start, end)]
    found: list[tuple[int, int]] = []
    at = start
    for sentence in sentences(text):
        # The splitter changes blanks, so sentences are found again by what is not blank.
        ends = _after(text, at, sentence)
        if ends < 0:
            return [*found, (at, end)]
        found.append((at, ends))
        at = ends
        while at < end and text[at].isspace():
            at += 1
    return found if at >= end else [*found, (at, end)]


def _after(text: str, at: int, sentence: str) -> int:
    """Return where a sentence ends that begins at a place, whatever its blanks; -1 if nowhere."""
    for sign in sentence:
        if sign.isspace():
            continue
        while at < len(text) and text[at].isspace():
            at += 1
        if at == len(text) or text[at] != sign:
            return -1
        at += 1
    return at


def facts_of(sentence: str) -> list[Part]:
    """Split a sentence into the facts it states, or return it whole where that is unsure.

    >>> [part.text for part in facts_of("Fritz Lang was born in Vienna and directed M.")]
    ['Fritz Lang was born in Vienna.', 'Fritz Lang directed M.']
    """
    start, end = len(sentence) - len(sentence.lstrip()), len(sentence.rstrip())
    if start >= end:
        return []
    facts = _facts(sentence) if end - start <= _LONGEST else []
    return facts if 1 < len(facts) <= _MOST_FACTS else [Part(sentence[start:end], start, end)]


def _facts(sentence: str) -> list[Part]:
    pieces = split_once(sentence)
    if not pieces:
        return [Part(sentence, 0, len(sentence))]
    facts = []
    for piece in pieces:
        before = f"{piece.before} " if piece.before else ""
        text = _as_sentence(before + sentence[piece.start : piece.end])
        # A part may state several facts itself; its words lie further on than in the whole.
        for inner in _facts(text):
            start, end = (
                min(max(place - len(before), 0) + piece.start, piece.end)
                for place in (inner.start, inner.end)
            )
            facts.append(Part(inner.text, start, end))
    return facts


def _as_sentence(text: str) -> str:
    text = text if text.endswith((".", "!", "?")) else f"{text}."
    first = text[0].upper()
    return first + text[1:] if len(first) == 1 else text
