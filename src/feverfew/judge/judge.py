"""The judge: claims and evidence in, probabilities of the verdicts out, a batch at a time."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from feverfew.judge.aggregate import Aggregator
from feverfew.judge.features import (
    FEATURES,
    RETRIEVED,
    features,
    relevance,
    retrieved_features,
    shares,
)
from feverfew.judge.label_policy import FEVER, VERDICTS, LabelPolicy, Probabilities, label_policy
from feverfew.judge.linearise import plain
from feverfew.judge.reading import EncoderOutput, Piece, score_each, score_joint
from feverfew.models.encoder import Encoder, shipped_folder
from feverfew.text import sentences
from feverfew.types import Evidence, Verdict

__all__ = [
    "NOTHING_FOUND",
    "PIECES",
    "VERDICTS",
    "Judge",
    "Judgement",
    "Probabilities",
    "SelectedEvidence",
    "found_features",
    "likeliest",
    "pieces_of",
]

_READABLE = 900
"""Letters that the encoder can read at once."""
PIECES = 5
"""Pieces of evidence that a claim is judged by: as many as FEVER's score counts."""
_RELEVANCE = 0.5
"""What the encoder's view of relevance, a logit, counts beside the selector's score."""
_SURE = 0.6
"""Where the likeliest verdict is likelier than this, the pieces are not read together as well: on
held-out claims it changes nothing, and it costs as much as reading four of them."""
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
    rule: LabelPolicy = FEVER
    """How the probabilities are read."""

    @property
    def verdict(self) -> Verdict:
        """What they say, so read."""
        return self.rule.verdict(self.probabilities)


def likeliest(probabilities: Probabilities) -> Verdict:
    """Return the verdict with the highest probability."""
    return FEVER.verdict(probabilities)


NOTHING_FOUND = Judgement(_NOTHING, (), ())
"""Of a claim without any evidence."""


class SelectedEvidence(Struct, frozen=True):
    """The pieces of evidence that a claim found for itself is judged by, read one by one."""

    evidence: list[Evidence]
    reading: EncoderOutput


class Judge:
    """Weighs the encoder's readings and the number checks."""

    def __init__(
        self,
        encoder: Encoder,
        given: Aggregator,
        found: Aggregator,
        rule: LabelPolicy = FEVER,
        folder: Path | None = None,
    ) -> None:
        self.encoder, self.rule = encoder, rule
        self.folder = folder or shipped_folder()
        """Where the model lies, and what weighs its answers."""
        self._given, self._found = given, found

    @classmethod
    def open(
        cls, model: Path | None = None, threads: int | None = None, reading: str = "fever"
    ) -> "Judge":
        """Open a model's folder, or the model that comes with feverfew.

        `reading` says how probabilities become a verdict: as FEVER or as FEVEROUS refutes.
        """
        folder = model or shipped_folder()
        return cls(
            Encoder.open(folder, threads),
            Aggregator.open("given", FEATURES, folder),
            Aggregator.open("found", FEATURES + RETRIEVED, folder),
            label_policy(reading, folder),
            folder,
        )

    @property
    def fingerprint(self) -> str:
        """Names all weights, the encoder's and those that weigh its answers."""
        parts = (self.encoder.fingerprint, self._given.fingerprint, self._found.fingerprint)
        return hashlib.blake2b("".join(parts).encode(), digest_size=8).hexdigest()

    def judge(self, claims: Sequence[str], pieces: Sequence[Sequence[Piece]]) -> list[Judgement]:
        """Judge claims by evidence that people bring."""
        return self.judge_readings(
            score_joint(self.encoder, score_each(self.encoder, claims, pieces))
        )

    def judge_readings(self, readings: Sequence[EncoderOutput]) -> list[Judgement]:
        """Judge claims by evidence that has been read already, each piece and all together."""
        rows = [features(reading) for reading in readings if reading.pieces]
        return _judgements(readings, self._given.probabilities(rows).tolist(), self.rule)

    def judge_texts(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[Judgement]:
        """Judge claims by texts of any length: of long ones, by the sentences that matter most."""
        claims = [claim for claim, _ in asked]
        return self.judge(claims, [self.shortened(claim, texts) for claim, texts in asked])

    def shortened(self, claim: str, texts: Sequence[str], most: int = PIECES) -> list[Piece]:
        """Keep texts as they are, if they are few and short; else the sentences that matter."""
        if sum(map(len, texts)) <= _READABLE and len(texts) <= most:
            return [("", text) for text in texts if text.strip()]
        said = [s for text in texts for s in sentences(text[:_LONGEST]) if s.strip()][:_SENTENCES]
        matters = self.encoder.relevance([(plain(claim), plain(s)) for s in said])
        best = sorted(range(len(said)), key=lambda i: -matters[i])[:most]
        return [("", said[i]) for i in sorted(best)]

    def choose(
        self, claims: Sequence[str], evidence: Sequence[Sequence[Evidence]], k: int = PIECES
    ) -> list[SelectedEvidence]:
        """Keep the k pieces of evidence that matter most, best first, and what each says.

        They are ranked by the selector's score and the encoder's view of relevance together.
        """
        readings = score_each(self.encoder, claims, [pieces_of(own) for own in evidence])
        chosen = []
        for own, reading in zip(evidence, readings, strict=True):
            matters = reading.alone[:, 3].tolist()
            ranked = [
                replace(piece, score=piece.score + _RELEVANCE * logit)
                for piece, logit in zip(own, matters, strict=True)
            ]
            best = sorted(range(len(own)), key=lambda at: -ranked[at].score)[:k]
            chosen.append(SelectedEvidence([ranked[at] for at in best], reading.of(best)))
        return chosen

    def judge_chosen(self, chosen: Sequence[SelectedEvidence]) -> list[Judgement]:
        """Judge claims by what was found for them.

        Where the pieces leave no doubt one by one, they need not be read together.
        """
        first = self._weigh(chosen)
        doubtful = [
            at
            for at, judgement in enumerate(first)
            if chosen[at].evidence and max(judgement.probabilities) < _SURE
        ]
        readings = score_joint(self.encoder, [chosen[at].reading for at in doubtful])
        second = self._weigh(
            [
                replace(chosen[at], reading=reading)
                for at, reading in zip(doubtful, readings, strict=True)
            ]
        )
        for at, judgement in zip(doubtful, second, strict=True):
            first[at] = judgement
        return first

    def without(self, asked: Sequence[tuple[SelectedEvidence, int]]) -> list[Verdict]:
        """Say what the verdict would be if one of the pieces had not been found."""
        left = []
        for chosen, at in asked:
            rest = [i for i in range(len(chosen.evidence)) if i != at]
            left.append(
                SelectedEvidence([chosen.evidence[i] for i in rest], chosen.reading.of(rest))
            )
        return [judgement.verdict for judgement in self.judge_chosen(left)]

    def _weigh(self, chosen: Sequence[SelectedEvidence]) -> list[Judgement]:
        rows = [found_features(one) for one in chosen if one.evidence]
        weighed = self._found.probabilities(rows).tolist()
        return _judgements([one.reading for one in chosen], weighed, self.rule)


def found_features(chosen: SelectedEvidence) -> list[float]:
    """Describe what was found for a claim; at least one piece."""
    scores, hops = [e.score for e in chosen.evidence], [e.hop for e in chosen.evidence]
    return features(chosen.reading) + retrieved_features(chosen.reading, scores, hops)


def pieces_of(evidence: Sequence[Evidence]) -> list[Piece]:
    """Take from evidence what the encoder reads."""
    return [(piece.ref.page, piece.text) for piece in evidence]


def _judgements(
    readings: Sequence[EncoderOutput], rows: list[list[float]], rule: LabelPolicy
) -> list[Judgement]:
    """Join probabilities to the readings they are of; those without a piece have none."""
    found = iter(rows)
    judged = []
    for reading in readings:
        if not reading.pieces:
            judged.append(NOTHING_FOUND)
            continue
        s, r, n = next(found)
        alone = tuple((a, b, c) for a, b, c in shares(reading.alone).tolist())
        matters = tuple(relevance(reading.alone).tolist())
        judged.append(Judgement((s, r, n), alone, matters, rule))
    return judged
