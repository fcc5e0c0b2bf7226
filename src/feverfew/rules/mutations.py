"""Mutation contracts: what each way of changing a claim must keep, and what a machine can check.

FEVER has six mutations (section 3.1), FEVEROUS five with fixed probabilities (section 3.1.1), HoVer
five (section 2.2). A label is never assumed from a mutation: every mutated claim is labelled.
"""

import difflib
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from feverfew.english.words import negations
from feverfew.errors import InputError
from feverfew.rules.requirements import Hit, content_words
from feverfew.text import words


class Implication(StrEnum):
    """How a mutated claim (the mutant) and the original must stand to each other."""

    EQUIVALENT = "the mutant implies the original and the original implies the mutant"
    OPPOSITE = "the mutant implies the opposite of the original"
    NOT_ORIGINAL = "the mutant does not imply the original"
    IMPLIES_ORIGINAL = "the mutant implies the original"
    IMPLIED_BY_ORIGINAL = "the original implies the mutant"


class Mutation(Struct, frozen=True):
    """A way of changing a claim."""

    name: str
    title: str
    definition: str
    implication: Implication
    good: tuple[tuple[str, str], ...] = ()
    """Examples that are right, with the reason."""
    bad: tuple[tuple[str, str], ...] = ()
    probability: float | None = None
    """How often it is prescribed, where the data set prescribes it."""


_OBAMA = "Barack Obama toured the UK."

_REPHRASE = Mutation(
    "rephrase",
    "Rephrase",
    "Say the same in other words.",
    Implication.EQUIVALENT,
    (("President Obama visited some places in the United Kingdom.", "toured means visited"),),
    (("Obama has been to London.", "the UK is more than London: it is more specific"),),
)
_NEGATE = Mutation(
    "negate",
    "Negate",
    "Say the opposite, if you can without the word “not”.",
    Implication.OPPOSITE,
    (("Obama has never set foot in the UK.", "he cannot have toured it then"),),
    (("Barack Obama was not the president of the UK.", "it says nothing about the tour"),),
)
_SIMILAR = Mutation(
    "substitute-similar",
    "Substitute, similar",
    "Put a verb or an object of the same kind in place of another.",
    Implication.NOT_ORIGINAL,
    (("Barack Obama toured France.", "the UK and France are both countries"),),
    (("Barack Obama visited the UK.", "it still implies the original: a rephrasing"),),
)
_DISSIMILAR = Mutation(
    "substitute-dissimilar",
    "Substitute, dissimilar",
    "Put a verb or an object of another kind in place; it must stay plausible.",
    Implication.NOT_ORIGINAL,
    (("Barack Obama attended the Whitehouse Correspondents Dinner.", "a dinner is no country"),),
    (("Barack Obama toured the moon.", "nobody would believe it"),),
)
_SPECIFIC = Mutation(
    "specific",
    "More specific",
    "Add information, so that the new claim implies the old one.",
    Implication.IMPLIES_ORIGINAL,
    (("Barack Obama made an official state visit to the UK.", "a state visit is a tour"),),
    (("Barack Obama visited the United Kingdom and Ireland in a year.", "a tour may be missing"),),
)
_GENERAL = Mutation(
    "general",
    "More general",
    "Take information away, so that the old claim implies the new one.",
    Implication.IMPLIED_BY_ORIGINAL,
    (("Barack Obama visited a country.", "the UK is a country"),),
    (("Barack Obama is a person.", "it has nothing to do with the tour"),),
)
_ENTITY = Mutation(
    "entity-substitution",
    "Entity substitution",
    "Put another entity of the same kind in place of one.",
    Implication.NOT_ORIGINAL,
)


def _as(mutation: Mutation, probability: float, title: str) -> Mutation:
    return Mutation(
        mutation.name,
        title,
        mutation.definition,
        mutation.implication,
        mutation.good,
        mutation.bad,
        probability,
    )


MUTATIONS: dict[str, tuple[Mutation, ...]] = {
    "fever": (_REPHRASE, _NEGATE, _SIMILAR, _DISSIMILAR, _SPECIFIC, _GENERAL),
    "feverous": (
        _as(_SPECIFIC, 0.15, "More Specific"),
        _as(_GENERAL, 0.15, "Generalization"),
        _as(_NEGATE, 0.30, "Negation"),
        _as(_REPHRASE, 0.10, "Paraphrasing"),
        _as(_ENTITY, 0.30, "Entity Substitution"),
    ),
    "hover": (
        _SPECIFIC,
        _GENERAL,
        _NEGATE,
        _ENTITY,
        Mutation(
            "word-substitution",
            "Word substitution",
            "Put another word in place of one or two that are no names.",
            Implication.NOT_ORIGINAL,
        ),
    ),
}
"""The mutations of each data set."""


def mutation_named(kind: str, name: str) -> Mutation:
    """Return a data set's mutation by its name."""
    known = {one.name: one for one in MUTATIONS.get(kind, ())}
    if name not in known:
        listed = ", ".join(known) or "none"
        raise InputError(f"unknown mutation {name!r} of {kind}; known are {listed}")
    return known[name]


def draw_mutation(rng: random.Random, kind: str = "feverous") -> str:
    """Draw the name of a mutation by the probabilities of a data set, or evenly without any."""
    choices = MUTATIONS[kind]
    weights = [1.0 if one.probability is None else one.probability for one in choices]
    return rng.choices([one.name for one in choices], weights)[0]


_TRIVIAL = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.IGNORECASE)
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


def is_trivial_negation(text: str) -> bool:
    """Say whether a negation is made by “not”, “never” or “no”: allowed, but discouraged."""
    return _TRIVIAL.search(text) is not None


def changed_spans(before: str, after: str) -> list[tuple[int, int]]:
    """Return where `after` has other words than `before`; neighbouring ones as one span.

    >>> changed_spans("Lang was born in Vienna.", "Lang was born in Graz.")
    [(17, 21)]
    """
    old = [found[0].lower() for found in _TOKEN.finditer(before)]
    new = list(_TOKEN.finditer(after))
    matcher = difflib.SequenceMatcher(None, old, [found[0].lower() for found in new], False)
    return [
        (new[start].start(), new[end - 1].end())
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag != "equal" and end > start
    ]


def check_mutation(
    kind: str, name: str, original: str, mutant: str, *, protected: Iterable[str] = ()
) -> list[Hit]:
    """Return what of a mutation's contract a machine sees broken.

    What is protected must stay in the claim as it is spelled: HoVer's supporting titles.
    """
    mutation = mutation_named(kind, name)
    return [
        *_same(original, mutant),
        *_own_rule(kind, mutation, original, mutant),
        *_protected(original, mutant, protected),
    ]


def _same(original: str, mutant: str) -> Iterator[Hit]:
    if words(original) == words(mutant):
        yield Hit("unchanged", "this is the original claim", 0, len(mutant))


def _own_rule(kind: str, mutation: Mutation, original: str, mutant: str) -> Iterator[Hit]:
    before, after = content_words(original), content_words(mutant)
    match mutation.name:
        case "negate":
            if kind == "fever" and (found := _TRIVIAL.search(mutant)):
                message = f"'{found[0]}' makes a trivial negation; try another wording"
                yield Hit("trivial-negation", message, *found.span())
            if kind == "hover" and (added := after - before) and negations(mutant):
                listed = ", ".join(sorted(added))
                yield Hit("words-added", f"a negation adds no further words: {listed}")
        case "substitute-similar" | "substitute-dissimilar" | "entity-substitution":
            if before < after:
                yield Hit("implies-original", "only words were added, so it implies the original")
        case "specific":
            if after < before:
                yield Hit("less-specific", "words were only taken away: that is more general")
        case "general":
            if after > before:
                yield Hit("less-general", "words were only added: that is more specific")
        case "word-substitution":
            changed = changed_spans(original, mutant)
            count = sum(len(mutant[start:end].split()) for start, end in changed)
            if count > 2:
                yield Hit("too-many-words", f"{count} words were changed; change one or two")


def _protected(original: str, mutant: str, protected: Iterable[str]) -> Iterator[Hit]:
    for name in _present(original, protected):
        if name not in mutant:
            yield Hit("protected", f"keep '{name}' as it is")


def _present(text: str, names: Iterable[str]) -> Sequence[str]:
    return [name for name in names if name and name in text]
