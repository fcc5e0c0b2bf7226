"""The judge of claims that need several sentences: it reads them together, and weighs that.

It says how likely the evidence supports the claim, against all else, as HoVer asks it. How the
rest is shared between refuted and open is left to the judge of single pieces.
"""

import hashlib
from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feverfew.errors import FeverfewError
from feverfew.judge.chain_features import (
    FEW,
    FOUND,
    GIVEN,
    SETS,
    found_row,
    given_row,
    nested,
)
from feverfew.judge.features import best_piece, relevance, shares
from feverfew.judge.judge import (
    NOTHING_FOUND,
    VERDICTS,
    Judge,
    Judgement,
    Probabilities,
)
from feverfew.judge.linearise import linearise, plain
from feverfew.judge.reading import Array, EncoderOutput, Piece, score_each, score_joint
from feverfew.models.encoder import Encoder
from feverfew.models.heads import CHAIN, TEXT
from feverfew.text import sentences
from feverfew.types import Verdict

__all__ = [
    "ChainJudge",
    "LogisticWeightSets",
    "LogisticWeights",
    "Together",
    "few",
    "read_parts",
    "read_sets",
]

_LEAST = 1e-3
"""So that something is left to share between refuted and open."""
_NEARLY = 0.1
"""How much less surely a smaller set may say it."""


class LogisticWeights(Struct, frozen=True):
    """A weight for each named feature; their sum, as a share, is how likely a claim holds."""

    features: list[str]
    mean: list[float]
    spread: list[float]
    weights: list[float]
    bias: float

    def support(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Return how likely the evidence supports each claim."""
        if not len(rows):
            return []
        scaled = (np.array(rows, np.float64) - self.mean) / self.spread
        sums = scaled @ np.array(self.weights) + self.bias
        found: list[float] = (1 / (1 + np.exp(-sums.clip(-30, 30)))).tolist()
        return found


class LogisticWeightSets(Struct, frozen=True):
    """Both: for what our own search found, and for evidence that people bring."""

    found: LogisticWeights
    given: LogisticWeights

    def checked(self) -> "LogisticWeightSets":
        """Refuse weights of another version."""
        for own, names in ((self.found, FOUND), (self.given, GIVEN)):
            if tuple(own.features) != names:
                odd = sorted(set(own.features) ^ set(names))
                raise FeverfewError(f"the weights of chains are of another version: {odd}")
        return self


class Together(Struct, frozen=True):
    """What pieces say together of a claim."""

    judgement: Judgement
    settles: tuple[int, ...]
    """The smallest of the sets read together that says most what the verdict is."""


class ChainJudge:
    """Judges claims by sentences that must be read together."""

    def __init__(self, judge: Judge, weighings: LogisticWeightSets) -> None:
        self._judge = judge
        self._weighings = weighings.checked()

    @property
    def fingerprint(self) -> str:
        """Names all weights that have a say."""
        own = self._judge.fingerprint.encode() + msgspec.json.encode(self._weighings)
        return hashlib.blake2b(own, digest_size=8).hexdigest()

    def judge_found(self, readings: Sequence[EncoderOutput]) -> list[Together]:
        """Judge claims by what was found for them, best first, and read piece by piece."""
        asked = [reading for reading in readings if reading.pieces]
        joint = read_sets(self._judge.encoder, asked)
        best = [few(*one) for one in zip(asked, joint, strict=True)]
        parts = read_parts(self._judge.encoder, best)
        answers = self._judge.judge_readings(best)
        rows = [
            found_row(reading, own, part, answer.probabilities)
            for reading, own, part, answer in zip(asked, joint, parts, answers, strict=True)
        ]
        support = self._weighings.found.support(rows)
        found = zip(asked, joint, answers, support, strict=True)
        return [
            _together(*next(found)) if reading.pieces else Together(NOTHING_FOUND, ())
            for reading in readings
        ]

    def without(self, asked: Sequence[tuple[EncoderOutput, Sequence[int], int]]) -> list[Verdict]:
        """Say what the pieces of a set say together if one of them had not been found."""
        pairs = [
            (plain(r.claim), linearise([r.pieces[at] for at in kept if at != left_out]))
            for r, kept, left_out in asked
        ]
        said = shares(self._judge.encoder.logits(pairs)[:, CHAIN]).tolist()
        return [self._judge.rule.verdict((s, r, n)) for s, r, n in said]

    def judge_given(
        self, claims: Sequence[str], pieces: Sequence[Sequence[Piece]]
    ) -> list[Judgement]:
        """Judge claims by evidence that people bring."""
        alone = score_each(self._judge.encoder, claims, pieces)
        return self.judge_readings(score_joint(self._judge.encoder, alone))

    def judge_readings(self, readings: Sequence[EncoderOutput]) -> list[Judgement]:
        """Judge claims by evidence that has been read already, each piece and all together."""
        answers = self._judge.judge_readings(readings)
        asked = [at for at, reading in enumerate(readings) if reading.pieces]
        parts = read_parts(self._judge.encoder, [readings[at] for at in asked])
        rows = [
            given_row(readings[at], part, answers[at].probabilities)
            for at, part in zip(asked, parts, strict=True)
        ]
        for at, likely in zip(asked, self._weighings.given.support(rows), strict=True):
            shared = _shared(answers[at].probabilities, likely)
            answers[at] = replace(answers[at], probabilities=shared)
        return answers

    def judge_texts(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[Judgement]:
        """Judge claims by texts of any length, as `Judge.judge_texts` does."""
        pieces = [self._judge.shortened(claim, texts, SETS[-1]) for claim, texts in asked]
        return self.judge_given([claim for claim, _ in asked], pieces)


def read_sets(encoder: Encoder, readings: Sequence[EncoderOutput]) -> list[Array]:
    """Read nested sets of each claim's pieces; a row of logits a set, one batch for all.

    A set that is like one before it is not read twice.
    """
    sets = [[tuple(one) for one in nested(reading.pieces)] for reading in readings]
    asked = [
        (reading, one)
        for reading, own in zip(readings, sets, strict=True)
        for one in dict.fromkeys(own)
    ]
    logits = encoder.logits(
        [(plain(r.claim), linearise([r.pieces[at] for at in one])) for r, one in asked]
    )
    found, at = [], 0
    for own in sets:
        place = {one: at + row for row, one in enumerate(dict.fromkeys(own))}
        at += len(place)
        found.append(logits[[place[one] for one in own]])
    return found


def read_parts(encoder: Encoder, readings: Sequence[EncoderOutput]) -> list[Array]:
    """Read each sentence of a claim beside all its pieces; a row of logits a sentence.

    A claim of one sentence has been read so already.
    """
    parts = [sentences(reading.claim) for reading in readings]
    pairs = [
        (plain(part), linearise(reading.pieces))
        for reading, own in zip(readings, parts, strict=True)
        if len(own) > 1
        for part in own
    ]
    logits, at, found = encoder.logits(pairs), 0, []
    for reading, own in zip(readings, parts, strict=True):
        if len(own) > 1:
            found.append(logits[at : at + len(own)])
            at += len(own)
        else:
            whole = reading.alone[0] if reading.together is None else reading.together
            found.append(whole[None])
    return found


def few(reading: EncoderOutput, joint: Array) -> EncoderOutput:
    """Take as many of the best pieces as the judge of single pieces knows, read together."""
    count = min(FEW, len(reading.pieces))
    kept = reading.of(range(count))
    return replace(kept, together=joint[SETS.index(FEW)] if count > 1 else None)


def _together(reading: EncoderOutput, joint: Array, answer: Judgement, support: float) -> Together:
    alone = tuple((s, r, n) for s, r, n in shares(reading.alone).tolist())
    matters = tuple(relevance(reading.alone).tolist())
    judgement = Judgement(_shared(answer.probabilities, support), alone, matters, answer.rule)
    return Together(judgement, _settles(judgement.verdict, reading, joint))


def _shared(answer: Probabilities, support: float) -> Probabilities:
    """Put in how likely the claim is supported; refuted and open share the rest as before."""
    _, refuted, silent = answer
    rest = (1 - support) / (refuted + silent + 2 * _LEAST)
    return support, (refuted + _LEAST) * rest, (silent + _LEAST) * rest


def _settles(verdict: Verdict, reading: EncoderOutput, joint: Array) -> tuple[int, ...]:
    """Find the smallest set that says the verdict nearly as surely as any; one piece may do."""
    best = best_piece(reading)
    sets = [[best], *nested(reading.pieces)]
    logits = np.vstack([reading.alone[best, TEXT], joint[:, CHAIN]])
    said = shares(logits)[:, VERDICTS.index(verdict)]
    enough = [at for at in range(len(sets)) if said[at] >= said.max() - _NEARLY]
    return tuple(sets[min(enough, key=lambda at: len(sets[at]))])
