"""The judge: claims and evidence in, probabilities of the verdicts out, a batch at a time."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from feverfew.judge.aggregate import Aggregator
from feverfew.judge.encoder import Encoder, shipped_folder
from feverfew.judge.features import (
    FEATURES,
    RETRIEVED,
    features,
    relevance,
    retrieved_features,
    shares,
)
from feverfew.judge.linearise import plain
from feverfew.judge.reading import Piece, Reading, read, read_less
from feverfew.model import Evidence, Verdict
from feverfew.text import sentences

__all__ = ["VERDICTS", "Judge", "Judgement", "Probabilities", "likeliest", "pieces_of"]

VERDICTS = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO)
Probabilities = tuple[float, float, float]
"""Of supported, refuted and left open."""
_READABLE = 900
"""Letters that the encoder can read at once."""
_PIECES = 5
_SENTENCES, _LONGEST = 200, 60_000
"""Sentences, and letters of a text, beyond which nothing is looked at."""
_NOTHING: Probabilities = (0.0, 0.0, 1.0)
"""Without evidence, nothing is supported or refuted."""


class Judgement(Struct, frozen=True):
    """What evidence says of a claim."""

    probabilities: Probabilities
    alone: tuple[Probabilities, ...]
    """What each piece says by itself, in the encoder's own view."""
    relevance: tuple[float, ...]
    """How likely each piece matters at all."""
    reading: Reading

    @property
    def verdict(self) -> Verdict:
        """The likeliest."""
        return likeliest(self.probabilities)


def likeliest(probabilities: Probabilities) -> Verdict:
    """Return the verdict with the highest probability."""
    return VERDICTS[max(range(3), key=lambda i: probabilities[i])]


class Judge:
    """Weighs the encoder's readings and the number checks."""

    def __init__(self, encoder: Encoder, given: Aggregator, found: Aggregator) -> None:
        self._encoder = encoder
        self._given, self._found = given, found

    @classmethod
    def open(cls, model: Path | None = None, threads: int | None = None) -> "Judge":
        """Open a model's folder, or the model that comes with feverfew."""
        folder = model or shipped_folder()
        return cls(
            Encoder.open(folder, threads),
            Aggregator.open("given", FEATURES, folder),
            Aggregator.open("found", FEATURES + RETRIEVED, folder),
        )

    @property
    def fingerprint(self) -> str:
        """Names the weights: equal for equal models."""
        return self._encoder.fingerprint

    def judge(self, claims: Sequence[str], pieces: Sequence[Sequence[Piece]]) -> list[Judgement]:
        """Judge claims by evidence that people bring."""
        readings = read(self._encoder, claims, pieces)
        rows = [features(reading) for reading in readings if len(reading.alone)]
        return _judgements(readings, iter(self._given.probabilities(rows).tolist()))

    def judge_texts(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[Judgement]:
        """Judge claims by texts of any length: of long ones, by the sentences that matter most."""
        claims = [claim for claim, _ in asked]
        return self.judge(claims, [self._shortened(claim, texts) for claim, texts in asked])

    def _shortened(self, claim: str, texts: Sequence[str]) -> list[Piece]:
        if sum(map(len, texts)) <= _READABLE and len(texts) <= _PIECES:
            return [("", text) for text in texts if text.strip()]
        said = [s for text in texts for s in sentences(text[:_LONGEST]) if s.strip()][:_SENTENCES]
        matters = self._encoder.relevance([(plain(claim), plain(s)) for s in said])
        best = sorted(range(len(said)), key=lambda i: -matters[i])[:_PIECES]
        return [("", said[i]) for i in sorted(best)]

    def judge_found(
        self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]]
    ) -> list[Judgement]:
        """Judge claims by what was found for them, best first."""
        readings = read(self._encoder, claims, [pieces_of(own) for own in evidence])
        return self._weigh_found(readings, evidence)

    def without(self, judged: Sequence[tuple[Judgement, Sequence[Evidence], int]]) -> list[Verdict]:
        """Say what each judgement would be if one piece of its evidence had not been found."""
        left = [[e for i, e in enumerate(own) if i != at] for _, own, at in judged]
        readings = read_less(
            self._encoder,
            [(judgement.reading, at) for judgement, _, at in judged],
            [pieces_of(own) for own in left],
        )
        return [judgement.verdict for judgement in self._weigh_found(readings, left)]

    def _weigh_found(
        self, readings: Sequence[Reading], evidence: Sequence[Sequence[Evidence]]
    ) -> list[Judgement]:
        rows = [
            features(reading)
            + retrieved_features(reading, [e.score for e in own], [e.hop for e in own])
            for reading, own in zip(readings, evidence, strict=True)
            if own
        ]
        return _judgements(readings, iter(self._found.probabilities(rows).tolist()))


def pieces_of(evidence: Sequence[Evidence]) -> list[Piece]:
    """Take from evidence what the encoder reads."""
    return [(piece.ref.page, piece.text) for piece in evidence]


def _judgements(readings: Sequence[Reading], rows: Iterator[list[float]]) -> list[Judgement]:
    judged = []
    for reading in readings:
        if not len(reading.alone):
            judged.append(Judgement(_NOTHING, (), (), reading))
            continue
        s, r, n = next(rows)
        alone = tuple((a, b, c) for a, b, c in shares(reading.alone).tolist())
        matters = tuple(relevance(reading.alone).tolist())
        judged.append(Judgement((s, r, n), alone, matters, reading))
    return judged
