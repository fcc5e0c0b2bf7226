"""Decompose a claim into statements that can be searched and judged alone.

A sentence is split by rules. Each rule returns pieces: a span of the sentence, and the words that
must precede it to make it a statement. Rules are conservative: if a word is ambiguous, the sentence
stays whole.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from feverfew.english.coreference import Coreference
from feverfew.english.words import (
    AUXILIARIES,
    INTRANSITIVE,
    PARTICIPLES,
    PAST,
    PREPOSITIONS,
    VERBS,
    Token,
    first_verb,
    is_name,
    skip_adverbs,
    tokens,
    word_set,
)
from feverfew.text import sentences

_MOST_FACTS = 8
"""A sentence with more facts than this is not split."""
_LONGEST = 600
"""Longer sentences are usually tables or lists, and not safe to split."""


class Part(Struct, frozen=True):
    """A statement that can be searched alone, with its position in the input."""

    text: str
    start: int
    end: int


def sentences_of(claim: str) -> list[Part]:
    """Split a paragraph into its sentences, with pronouns replaced by names.

    >>> [part.text for part in sentences_of("Metropolis is a film. It was shot in Berlin.")]
    ['Metropolis is a film.', 'Metropolis was shot in Berlin.']
    """
    names = Coreference()
    found = []
    for start, end in spans(claim):
        sentence = " ".join(claim[start:end].split())
        found.append(Part(names.resolve(sentence), start, end))
    return found


_MAY_END = re.compile(r"[.!?。…][\"”’')\]]*\s|\n\s*\n")


def spans(text: str) -> list[tuple[int, int]]:
    """Yield the span of each sentence of a text."""
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
    """Split a sentence into the facts it states, or return it whole if that is unsure.

    >>> [part.text for part in facts_of("Fritz Lang was born in Vienna and directed M.")]
    ['Fritz Lang was born in Vienna.', 'Fritz Lang directed M.']
    """
    start, end = len(sentence) - len(sentence.lstrip()), len(sentence.rstrip())
    if start >= end:
        return []
    facts = _facts(sentence) if end - start <= _LONGEST else []
    return facts if 1 < len(facts) <= _MOST_FACTS else [Part(sentence[start:end], start, end)]


def _facts(sentence: str) -> list[Part]:
    pieces = _split(sentence)
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


class _Piece(Struct, frozen=True):
    """A span of a sentence that states a fact, preceded by `before`."""

    before: str
    start: int
    end: int


# What makes the parts depend on each other, so that none can be judged alone.
_TANGLED = re.compile(
    r"\b(?:if|unless|whether|although|though|despite|neither|nor|or|not only|rather than"
    r"|because|so that|respectively|each other|one another|than|said|says|claims|believes|believed"
    r"|stated|argued|thought|reported|alleged|this|these|those)\b|[?!:]|\.\.\.",
    re.IGNORECASE,
)
_SUBORDINATE = word_set("""
    who whom whose which that where when while as after before until since how what why
""")


def _split(sentence: str) -> list[_Piece]:
    """Split a sentence into statements by the first rule that applies; empty if none does."""
    if _TANGLED.search(sentence):
        return []
    found = tokens(sentence)
    for rule in _RULES:
        if pieces := rule(sentence, found):
            return pieces
    return []


def _semicolon(sentence: str, found: list[Token]) -> list[_Piece]:
    """Split 'A is a film; B is a book.'"""
    at = next((i for i, token in enumerate(found) if token.text == ";"), -1)
    if at < 0:
        return []
    left, right = found[:at], found[at + 1 :]
    if right and right[0].text in ("then", "later", "also", "however"):
        right = right[2 if right[1:2] and right[1].text == "," else 1 :]
    if not _is_clause(left) or not _is_clause(right) or right[0].text in _SUBORDINATE:
        return []
    if _PRONOUNS & {token.text for token in right[1:]} and right[0].text not in _PRONOUNS:
        return []  # "the only other club he played for": who?
    subject = _subject_text(sentence, left) or _name_before_comma(sentence, left)
    if not subject and right[0].text in _PRONOUNS:
        return []
    return [_piece("", left), *_second_clause(right, subject)]


def _name_before_comma(sentence: str, clause: Sequence[Token]) -> str:
    """Return the name with which 'X, born in Vienna, was …' begins, "" if it is none."""
    comma = next((i for i, token in enumerate(clause) if token.text == ","), 0)
    return sentence[clause[0].start : clause[comma - 1].end] if is_name(clause[:comma]) else ""


def _inserted(sentence: str, found: list[Token]) -> list[_Piece]:
    """Split 'X, a German film, was released in 1927.' and 'X, which was …, is …'."""
    commas = [i for i, token in enumerate(found) if token.text == ","]
    if len(commas) < 2 or not is_name(found[: commas[0]]):
        return []
    # A date or a place within may hold commas too: the insertion ends where a verb follows.
    for close in commas[1:]:
        at = skip_adverbs(found, close + 1)
        if at < len(found) and found[at].text in VERBS:
            break
    else:
        return []
    inserted = found[commas[0] + 1 : close]
    name = sentence[found[0].start : found[commas[0] - 1].end]
    copula = "was" if re.match(r"was an? |died ", sentence[found[at].start :]) else "is"
    before = _insertion(inserted, name, copula)
    if not before:
        return []
    stated = inserted[1:] if inserted[0].text in ("who", "which") else inserted
    return [_piece(before, stated), _piece(name, found[close + 1 :])]


def _insertion(inserted: Sequence[Token], name: str, copula: str) -> str:
    """Return what makes an insertion behind a name a statement, "" if nothing safely does."""
    first = inserted[0].text if inserted else ""
    texts = [token.text for token in inserted]
    if first in ("who", "which"):
        at = skip_adverbs(inserted, 1)
        plain = at < len(inserted) and inserted[at].text in VERBS and len(inserted) > at + 1
        return name if plain and not _SUBORDINATE & set(texts[1:]) else ""
    if first in ("a", "an", "the") and len(inserted) > 1:
        verbs = [word for word in texts if word in VERBS and word not in PARTICIPLES]
        lists = "," in texts or "and" in texts
        relative = _SUBORDINATE & set(texts)
        return "" if verbs or lists or relative else f"{name} {copula}"
    if first in ("born", "founded", "located", "released", "established", "situated", "published"):
        following = texts[1] if len(texts) > 1 else ""
        plain = following in PREPOSITIONS and not _SUBORDINATE & set(texts)
        is_or_was = "is" if first in ("located", "situated") else "was"
        return f"{name} {is_or_was}" if plain and "and" not in texts else ""
    return ""


def _trailing(sentence: str, found: list[Token]) -> list[_Piece]:
    """Split '… was directed by Fritz Lang, who was born in Vienna.'"""
    commas = [i for i, token in enumerate(found) if token.text == ","]
    if not commas or not _is_clause(found[: commas[-1]]):
        return []
    comma = commas[-1]
    name = _name_before(found, comma)
    rest = found[comma + 1 :]
    if not name or len(rest) < 3 or (len(commas) > 1 and found[comma - 1].text.isdigit()):
        return []
    spelled = sentence[name[0].start : name[-1].end]
    first, texts = rest[0].text, [token.text for token in rest]
    if first in ("who", "which"):
        at = skip_adverbs(rest, 1)
        if at >= len(rest) - 1 or rest[at].text not in VERBS or _SUBORDINATE & set(texts[1:]):
            return []
        return [_piece("", found[:comma]), _piece(spelled, rest[1:])]
    if first in ("a", "an", "the") and rest[1].text.islower() and len(commas) == 1:
        finite = {word for word in texts if word in VERBS and word not in PARTICIPLES}
        if finite or {"and", "("} & set(texts) or _SUBORDINATE & set(texts):
            return []
        return [_piece("", found[:comma]), _piece(f"{spelled} is", rest)]
    return []


def _name_before(found: Sequence[Token], end: int) -> Sequence[Token]:
    """Return the name that ends right before a place, if its begin is sure."""
    start = end
    while start > 0 and found[start - 1].text[:1].isupper():
        start -= 1
    name = found[start:end]
    before = found[start - 1].text if start else ""
    noun = before.islower() and before not in PREPOSITIONS | VERBS | PARTICIPLES
    if noun and "of" in [token.text for token in found[max(start - 6, 0) : start]]:
        return []  # "the creator of the music form Geetam, who": not the form is meant
    # "the Bank of England": only its end would be taken.
    unsure = before in ("of", "and", "&", "the", ",", "de", "von", "van", '"', "“") or not start
    return [] if unsure or not is_name(name) else name


def _clauses(sentence: str, found: list[Token]) -> list[_Piece]:
    """Split 'X was born in Vienna, and he directed Metropolis.'"""
    for at in range(3, len(found) - 2):
        joint = found[at].text
        if joint not in (",", "and", "but", "while"):
            continue
        comma = found[at - 1].text == ","
        left, right = found[: at - comma], found[at + 1 :]
        subject = _subject_text(sentence, left)
        if not subject or not _is_clause(right) or _SUBORDINATE & {t.text for t in left}:
            continue
        verb = first_verb(right)
        pronoun = right[0].text in _PRONOUNS and skip_adverbs(right, 1) == verb
        named = comma and joint != "," and is_name(right[:verb]) and _agrees(right, verb)
        if named or (pronoun and (comma or joint != "while")):
            return [_piece("", left), *_second_clause(right, subject)]
    return []


def _agrees(clause: Sequence[Token], verb: int) -> bool:
    """Say whether a name can be the whole subject: 'and David Wall are' began further left."""
    plural = clause[verb].text in ("are", "were", "have", "do")
    return not plural or clause[verb - 1].text.endswith("s")


def _predicates(sentence: str, found: list[Token]) -> list[_Piece]:
    """Split 'X was born in Vienna and directed Metropolis.'"""
    verb = first_verb(found)
    if verb < 1 or not _plain_subject(found[:verb], found[verb].text):
        return []
    subject = sentence[found[0].start : found[verb - 1].end]
    for at in range(verb + 2, len(found) - 1):
        if found[at].text not in ("and", "but"):
            continue
        comma = found[at - 1].text == ","
        left = found[verb : at - comma]
        second = skip_adverbs(found, at + 1)
        if (
            second >= len(found) - 1
            or not _owns(left)
            or found[second].text not in VERBS | PARTICIPLES
        ):
            continue
        auxiliary = _auxiliary(left, found[second:])
        if auxiliary is None:
            continue
        before = f"{subject} {auxiliary}".strip()
        return [_piece("", found[: at - comma]), _piece(before, found[at + 1 :])]
    return []


def _owns(left: Sequence[Token]) -> bool:
    """Say whether a predicate is complete, and what follows can only belong to its subject."""
    texts = [token.text for token in left]
    if len(left) < 2 or texts[-1] in VERBS | PARTICIPLES | PREPOSITIONS | {"between", "both"}:
        return False
    if any(word in ("to", "between", "both", "from") for word in texts[-2:-1]):
        return False
    # "studied singing, enrolled at … and became": three things, and the middle one is unsure.
    listed = any(a == "," and b in VERBS | PARTICIPLES for a, b in pairwise(texts))
    return (
        not listed
        and not _SUBORDINATE & set(texts)
        and texts.count('"') % 2 == 0
        and "(" not in texts[-3:]
    )


def _auxiliary(left: Sequence[Token], right: Sequence[Token]) -> str | None:
    """Say which auxiliary the second predicate takes from the first; None if that is unsure."""
    first, verb = left[0].text, right[0].text
    following = right[1].text
    if verb in AUXILIARIES:
        return ""
    if first in ("do", "does", "did", "can", "could", "will", "would", "may", "might", "must"):
        return None
    if verb not in PAST | PARTICIPLES:
        return "" if verb in VERBS and first not in PAST else None
    passive = first in ("is", "was", "are", "were") and left[skip_adverbs(left, 1)].text in (
        PARTICIPLES
    )
    prepositional = following in PREPOSITIONS
    if following == "by" or (passive and prepositional and verb not in INTRANSITIVE):
        return first if passive and verb in PARTICIPLES else None
    if first in ("has", "have", "had"):
        return None
    if verb in PAST and (verb in INTRANSITIVE or not prepositional):
        return ""
    return "" if verb in PAST and first in PAST else None


def _both(sentence: str, found: list[Token]) -> list[_Piece]:
    """Split 'X starred in both A and B.'"""
    at = next((i for i, token in enumerate(found) if token.text == "both"), -1)
    ands = [i for i in range(max(at, 0), len(found)) if found[i].text == "and"]
    if at < 2 or len(ands) != 1 or not _is_clause(found[:at] + found[at + 1 :]):
        return []
    first, second = found[at + 1 : ands[0]], found[ands[0] + 1 :]
    if not is_name(first) or not is_name(second) or first_verb(found[:at]) < 1:
        return []
    start = sentence[: found[at].start].rstrip()
    # Between the first verb and "both" stands only a preposition, or nothing at all.
    if _SUBORDINATE & {token.text for token in found[:at]} or "not" in start.split():
        return []
    return [_piece(start, first), _piece(start, second)]


_PRONOUNS = word_set("he she it they his her its their")
_POSSESSIVE = word_set("his her its their")


def _second_clause(right: Sequence[Token], subject: str) -> list[_Piece]:
    """Return a clause with its pronoun replaced by the subject of the one before."""
    word = right[0].text
    if word.lower() in _PRONOUNS and subject:
        owner = f"{subject}'" if subject.endswith("s") else f"{subject}'s"
        return [_piece(owner if word.lower() in _POSSESSIVE else subject, right[1:])]
    return [_piece("", right)]


def _is_clause(found: Sequence[Token]) -> bool:
    return len(found) > 2 and 0 < first_verb(found) < len(found) - 1


def _subject_text(sentence: str, clause: Sequence[Token]) -> str:
    """Return the subject of a clause as it stands there, "" where it is not sure."""
    verb = first_verb(clause)
    if verb < 1 or not _plain_subject(clause[:verb], clause[verb].text):
        return ""
    last = verb
    while last > 1 and skip_adverbs(clause, last - 1) >= verb:
        last -= 1
    return sentence[clause[0].start : clause[last - 1].end]


def _plain_subject(subject: Sequence[Token], verb: str) -> bool:
    """Say whether tokens are a whole subject: a name, or before an auxiliary 'The first film'."""
    texts = [token.text for token in subject]
    if "," in texts or ";" in texts or ("(" in texts and ")" not in texts):
        return False
    if is_name([token for token in subject if token.text not in ("(", ")", '"', "“", "”")]):
        return True
    determined = texts[0] in ("The", "His", "Her", "Its", "Their") or texts[0][:1].isupper()
    words = {text.lower() for text in texts}
    loose = words & (_SUBORDINATE | PARTICIPLES | {"and", "in", "on", "at", "during", "with"})
    return determined and verb in AUXILIARIES and not loose and len(texts) < 8


def _piece(before: str, stretch: Sequence[Token]) -> _Piece:
    return _Piece(before, stretch[0].start, stretch[-1].end)


_RULES = (_semicolon, _inserted, _clauses, _predicates, _trailing, _both)
