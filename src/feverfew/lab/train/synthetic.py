"""Make training pairs from any corpus, without a person: mutated sentences and their evidence.

A claim is shown with its sentence alone, or among others of its page, in any order; and, so that
the words of a claim do not give its label away, some are shown with other sentences only, which
leave them open.
"""

import random
import re
from collections.abc import Collection, Iterator
from typing import Any

from feverfew.corpus import Corpus
from feverfew.factory.draw import mutate_corpus
from feverfew.text import words
from feverfew.types import Page, Ref, Verdict

Piece = tuple[str, str]

_LABELS = {Verdict.SUPPORTED: "S", Verdict.REFUTED: "R", Verdict.NOT_ENOUGH_INFO: "N"}
_AMONG = 0.3
"""Share of the claims that are shown among other sentences of the page."""
_BESIDE = 0.15
"""Share of the claims that are shown with other sentences only."""
_LETTERS = 480
"""Letters of evidence beyond the first piece that are learned from without being cut."""
_IS_A = re.compile(r" (?:is|was)(?: not)? an? | is in ")
"""Of what kind something is, or where, almost any sentence about it lets one see."""
_SMALL = frozenset(("the", "and", "was", "were", "born", "with", "for", "not", "that", "who"))


def synthetic_pairs(
    corpus: Corpus, count: int, seed: int, apart_from: Collection[str] = ()
) -> Iterator[dict[str, Any]]:
    """Yield training pairs, about a third of each label, until there are `count`."""
    rng = random.Random(seed)
    page: Page | None = None
    for mutation, ref, text in mutate_corpus(corpus, count, seed, apart_from):
        if page is None or page.title != ref.page:
            page = corpus.page(ref.page)
        own = (ref.page, text)
        others = _others(page, ref)
        label = _LABELS[mutation.label]
        chance = rng.random()
        if chance < _BESIDE and label != "N" and not _IS_A.search(mutation.claim):
            silent = [piece for piece in others if _silent(mutation.claim, piece)]
            if silent:
                yield _pair(mutation.claim, [rng.choice(silent)], "N", mutation.kind)
                continue
        pieces = [own]
        if _BESIDE <= chance < _BESIDE + _AMONG:
            # Another sentence may say what is added, or settle what its own leaves open.
            free = [p for p in others if label != "N" or _silent(mutation.claim, p)]
            pieces = _fitting([own, *rng.sample(free, min(2, len(free)))])
            rng.shuffle(pieces)
        yield _pair(mutation.claim, pieces, label, mutation.kind)


def _pair(claim: str, pieces: list[Piece], label: str, kind: str) -> dict[str, Any]:
    made: dict[str, Any] = {"claim": claim, "evidence": pieces, "label": label, "kind": kind}
    if len(pieces) == 1 and label != "N":
        made["relevant"] = True
    return made


def _others(page: Page, ref: Ref) -> list[Piece]:
    return [(page.title, s.text) for s in page.sentences if (s.index,) != ref.position]


def _silent(claim: str, piece: Piece) -> bool:
    """Say whether a sentence surely neither settles a claim nor speaks of the same thing."""
    title, text = piece
    names = set(words(title))
    said = {w for w in words(claim) if len(w) > 2} - names - _SMALL
    shared = said & set(words(text))
    # A year, or one in other words, may be what the claim is about.
    dated = re.search(r"\d", claim) and re.search(r"\d", text)
    return not shared and not dated and not re.search(r" (?:is|was) an? ", text)


def _fitting(pieces: list[Piece]) -> list[Piece]:
    kept = pieces[:1]
    letters = sum(map(len, pieces[0]))
    for title, text in pieces[1:]:
        letters += len(title) + len(text)
        if letters <= _LETTERS:
            kept.append((title, text))
    return kept
