"""Learn which words of evidence relate to which words of claims.

Takes JSON lines with `claim` and `evidence` (the sentences that settle it, as one text). This is
the first and simplest of IBM's translation models: every word of a claim was prompted by one of
the evidence's words, or by none; expectation-maximisation finds out by which, from the company
that words keep. Claims on the same evidence count together as one, or a page with many claims
would make its names the translation of everything said there.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feverfew.lab.train.datasets import read_rows
from feverfew.text import detokenise, fold, spelled_words

Table = dict[str, dict[str, float]]
"""A claim's word → words of evidence, and how strongly each relates to it."""
Pair = tuple[str, str]
Reals = NDArray[np.float64]

_ROUNDS = 6
_COMMON = 0.4
"""Words in more than this share of the texts prompt nothing in particular."""
_RARE = 8.0
_RARE_NAME = 150.0
"""A capitalised word must be as frequent as this, as months and nationalities are."""
_DOUBT = 5.0
"""Added to what each word of evidence prompts, so that rare ones are not believed at once."""
_WEAKEST, _MOST, _LEAST_COUNT = 0.015, 20, 2.0
_SURER, _SUREST = 3.0, 0.95
"""Chances are small where a word has many uses: strengths are some multiple, below certainty."""


class Company(NamedTuple):
    """Which words stand together in how many pairs: each occurrence with all that may prompt it."""

    key: NDArray[np.int64]
    """Of the claim's word and the prompting word: one number for both."""
    owner: NDArray[np.int64]
    """Which occurrence of a claim's word each key belongs to."""
    share: Reals
    """How much each occurrence counts."""


def read_pairs(paths: Iterable[Path]) -> list[Pair]:
    """Read claims with their evidence."""
    rows = (row for path in paths for row in read_rows(path))
    return [(row["claim"], detokenise(row["evidence"])) for row in rows]


def learn_related(pairs: Sequence[Pair], *, common: float = _COMMON) -> Table:
    """Return, for each word of claims, the related words of evidence, strongest first."""
    together = Counter(evidence for _, evidence in pairs)
    split = {text: _words(text) for pair in pairs for text in pair}
    texts = [(split[claim], split[evidence], 1 / together[evidence]) for claim, evidence in pairs]
    in_claims = _counts((words, share) for words, _, share in texts)
    in_evidence = _counts((words, share) for _, words, share in texts)
    most = common * len(together)
    dull = {w for counts in (in_claims, in_evidence) for w, n in counts.items() if n > most}
    names = _names(together)
    claim_words = [w for w, n in in_claims.items() if n >= _RARE and _fit(w, dull)]
    # The empty word prompts what nothing else does.
    evidence_words = ["", *(
        w for w, n in in_evidence.items()
        if n >= (_RARE_NAME if w in names else _RARE) and _fit(w, dull)
    )]  # fmt: skip
    key, chance, count = _translate(
        _company(texts, claim_words, evidence_words), len(evidence_words)
    )
    table: Table = {}
    for at in np.argsort(-chance, kind="stable").tolist():
        word, other = (
            claim_words[key[at] // len(evidence_words)],
            evidence_words[key[at] % len(evidence_words)],
        )
        others = table.setdefault(word, {})
        worthwhile = chance[at] >= _WEAKEST and count[at] >= _LEAST_COUNT and len(others) < _MOST
        if worthwhile and other not in ("", word):
            others[other] = round(min(_SURER * float(chance[at]), _SUREST), 2)
    return {word: table[word] for word in sorted(table) if table[word]}


def _company(
    texts: Iterable[tuple[list[str], list[str], float]],
    claim_words: list[str],
    evidence_words: list[str],
) -> Company:
    place = {word: i for i, word in enumerate(claim_words)}
    prompt = {word: i for i, word in enumerate(evidence_words)}
    keys: list[int] = []
    sizes: list[int] = []
    shares: list[float] = []
    for claim, evidence, share in texts:
        near = [0, *(prompt[word] for word in evidence if word in prompt)]
        for word in claim:
            if word in place:
                keys += [place[word] * len(evidence_words) + at for at in near]
                sizes.append(len(near))
                shares.append(share)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return Company(np.array(keys, np.int64), owner, np.array(shares))


def _translate(company: Company, evidence_words: int) -> tuple[NDArray[np.int64], Reals, Reals]:
    """Return every key with how surely its words belong together, and its expected count."""
    key, place = np.unique(company.key, return_inverse=True)
    prompt = key % evidence_words
    chance: Reals = np.ones(len(key))
    count: Reals = chance
    for _ in range(_ROUNDS):
        part = chance[place]
        part *= (company.share / np.bincount(company.owner, part))[company.owner]
        count = np.bincount(place, part, len(key)).astype(np.float64)
        chance = count / (np.bincount(prompt, count, evidence_words)[prompt] + _DOUBT)
    claim_words = key // evidence_words
    # 'film' prompts 'film' and seldom 'movie', but of what prompts 'movie' it is a good part.
    claim_share = count / (np.bincount(claim_words, count)[claim_words] + _DOUBT)
    return key, np.maximum(chance, claim_share / 2), count


def _fit(word: str, dull: set[str]) -> bool:
    return word not in dull and not word.isdigit()


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(fold(word) for word in spelled_words(text)))


def _counts(texts: Iterable[tuple[list[str], float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for words, share in texts:
        for word in words:
            found[word] = found.get(word, 0.0) + share
    return found


def _names(texts: Iterable[str]) -> set[str]:
    """List the words that are mostly capitalised inside sentences."""
    capitals: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for text in texts:
        inner = spelled_words(text)[1:]
        every.update(map(fold, inner))
        capitals.update(fold(word) for word in inner if not word[0].islower())
    return {word for word, count in every.items() if capitals[word] > count / 2}
