"""What the aggregators learn from: the encoder's readings of claims that it never saw.

There are two of them: `given`, for evidence that people bring, and `found`, for what our own
search found, which also knows how surely it was found.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from feverfew.check import Checker
from feverfew.corpus import Corpus
from feverfew.judge.features import FEATURES, RETRIEVED, best_piece, features
from feverfew.judge.judge import VERDICTS, Judge, SelectedEvidence, found_features
from feverfew.judge.reading import EncoderOutput, Piece, score_each, score_joint
from feverfew.models.encoder import Encoder
from feverfew.readers.files import open_bytes
from feverfew.types import Claim

__all__ = ["NAMES", "Rows", "claim_rows", "pair_rows"]

NAMES = {"given": FEATURES, "found": FEATURES + RETRIEVED}
"""What each of the two weighs."""
_GROUP = 64


class Rows(NamedTuple):
    """Feature rows, which verdict is right for each (0 S, 1 R, 2 N), and whose they are."""

    features: list[list[float]]
    labels: list[int]
    claims: list[int]

    def add(self, row: list[float], label: int, claim: int) -> None:
        """Add a row."""
        self.features.append(row)
        self.labels.append(label)
        self.claims.append(claim)

    def join(self, others: "Rows") -> "Rows":
        """Return these rows and those of other claims."""
        first = 1 + max(self.claims, default=-1)
        return Rows(
            self.features + others.features,
            self.labels + others.labels,
            self.claims + [first + claim for claim in others.claims],
        )


def pair_rows(encoder: Encoder, paths: Sequence[Path], most: int, seed: int = 1) -> Rows:
    """Describe labelled pairs from files of training pairs, at most so many of each file."""
    made = Rows([], [], [])
    for path in paths:
        records = [record for record in _records(path) if "label" in record]
        random.Random(seed).shuffle(records)
        for group in _groups(records[:most]):
            pieces = [_pieces(record) for record in group]
            alone = score_each(encoder, [record["claim"] for record in group], pieces)
            for record, reading in zip(group, score_joint(encoder, alone), strict=True):
                made.add(features(reading), "SRN".index(record["label"]), len(made.claims))
    return made


def claim_rows(
    judge: Judge, corpus: Corpus, claims: Sequence[Claim], seed: int = 1
) -> dict[str, Rows]:
    """Describe labelled claims for both aggregators, by their gold evidence and by what is found.

    Every claim gives several rows, with few pieces and with many, whatever its label: what is
    learned must not hang on how many there are.
    """
    checker = Checker(corpus, judge)
    rng = random.Random(seed)
    sizes = [len(min(claim.evidence, key=len)) for claim in claims if claim.evidence] or [1]
    made = {name: Rows([], [], []) for name in NAMES}
    for group in _groups(list(enumerate(claims))):
        texts = [claim.text for _, claim in group]
        found = checker.choose(texts, sentences_only=True)
        joint = score_joint(judge.encoder, [one.reading for one in found])
        gold = score_each(judge.encoder, texts, [_gold(corpus, claim) for _, claim in group])
        given: list[tuple[int, int, EncoderOutput]] = []
        for (number, claim), one, every, own in zip(group, found, joint, gold, strict=True):
            if not one.evidence or not claim.label:
                continue
            label = VERDICTS.index(claim.label)
            for seen in (one, replace(one, reading=every), _some(one, rng)):
                made["found"].add(found_features(seen), label, number)
            if own.pieces:
                few, many = own, _among(own, one.reading, rng)
            else:
                few = one.reading.of(range(min(rng.choice(sizes), len(one.evidence))))
                many = one.reading
            given += [(number, label, few), (number, label, many)]
        readings = score_joint(judge.encoder, [reading for _, _, reading in given])
        for (number, label, _), reading in zip(given, readings, strict=True):
            made["given"].add(features(reading), label, number)
    return made


def _gold(corpus: Corpus, claim: Claim) -> list[Piece]:
    """Return the smallest gold set; an open claim has none."""
    refs = min(claim.evidence, key=len) if claim.evidence else ()
    return [(ref.page, corpus.element(ref)) for ref in refs]


def _some(chosen: SelectedEvidence, rng: random.Random) -> SelectedEvidence:
    """Keep the piece that says most, and a random part of the others."""
    best, count = best_piece(chosen.reading), len(chosen.evidence)
    kept = [at for at in range(count) if at == best or rng.random() < 0.5]
    return SelectedEvidence([chosen.evidence[at] for at in kept], chosen.reading.of(kept))


def _among(gold: EncoderOutput, found: EncoderOutput, rng: random.Random) -> EncoderOutput:
    """Put gold pieces among others, up to as many as search finds, in any order."""
    others = [at for at, piece in enumerate(found.pieces) if piece not in gold.pieces]
    beside = found.of(others[: max(0, len(found.pieces) - len(gold.pieces))])
    both = EncoderOutput(
        gold.claim,
        gold.pieces + beside.pieces,
        gold.texts + beside.texts,
        np.concatenate([gold.alone, beside.alone]),
    )
    return both.of(rng.sample(range(len(both.pieces)), len(both.pieces)))


def _pieces(record: dict[str, Any]) -> list[Piece]:
    evidence = record["evidence"]
    if isinstance(evidence, str):
        return [("", evidence)]
    return [(title, text) for title, text in evidence]


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


def _groups(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), _GROUP):
        yield items[start : start + _GROUP]
