"""The judge: claims and evidence in, verdicts with what they rest on out, a batch at a time."""

import hashlib
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feverfew.judge.combine import Combination, covered_names
from feverfew.judge.label_policy import FEVER, VERDICTS, LabelPolicy, Probabilities, open_policy
from feverfew.judge.readings import Piece, Readings, read
from feverfew.models.encoder import CachedEncoder, Encoder, PairReader, shipped_folder
from feverfew.models.inputs import plain
from feverfew.text import sentences, without_parenthesis
from feverfew.types import Verdict

__all__ = ["LARGE", "PIECES", "SMALL", "Judge", "Judgement", "likeliest"]

LARGE, SMALL = "large", "small"
"""The large encoder's folder in a model's; and the name of the shipped model without it."""
PIECES = 5
"""Sentences that a claim is judged by: as many as FEVER's score counts."""
_READABLE = 900
"""Letters that the encoders can read at once."""
_SENTENCES, _LONGEST = 200, 60_000
"""Sentences, and letters of a text, beyond which nothing is looked at."""
_NEAR = 0.85
"""A piece is cited if it says the verdict about as surely as the one that says it best."""
_PAIRS = 3
"""Pairs that are read together once more, where no piece says all of a claim; and the best of them
with a third piece."""


class Judgement(Struct, frozen=True):
    """What evidence says of a claim, and which of it says so."""

    readings: Readings
    probabilities: Probabilities
    alone: tuple[Probabilities, ...] = ()
    """What each piece says by itself."""
    cited: tuple[tuple[int, ...], ...] = ()
    """The pieces that say the verdict: alternatives, each one piece or a set read together."""
    against: tuple[int, ...] = ()
    """The pieces that say the opposite; for NOT ENOUGH INFO, those that say REFUTED."""
    conflict: bool = False
    """Whether pieces that say opposite things leave the claim undecided."""
    policy: LabelPolicy = FEVER

    @property
    def verdict(self) -> Verdict:
        """The likeliest label, as the policy weighs it."""
        return self.policy.verdict(self.probabilities)

    @property
    def decisive(self) -> set[int]:
        """The pieces without which nothing would say the verdict."""
        return set.intersection(*map(set, self.cited)) if self.cited else set()


def likeliest(probabilities: Probabilities) -> Verdict:
    """Return the verdict with the highest probability."""
    return FEVER.verdict(probabilities)


def _folder(model: Path | str | None) -> Path:
    return shipped_folder() if model is None or str(model) == SMALL else Path(model)


class Judge:
    """Reads claims with their evidence, and weighs what was read."""

    def __init__(
        self,
        small: PairReader,
        large: PairReader | None,
        combination: Combination,
        policy: LabelPolicy = FEVER,
    ) -> None:
        self.encoder, self._large = small, large
        self._combination, self.policy = combination, policy

    @classmethod
    def open(
        cls,
        model: Path | str | None = None,
        threads: int | None = None,
        label_policy: str = "fever",
    ) -> "Judge":
        """Open a model's folder, or the shipped model; "small" is that without its large encoder.

        The label policy says how probabilities become a verdict: when FEVER or FEVEROUS refutes.
        """
        folder, small = _folder(model), str(model) == SMALL
        large = folder / LARGE
        return cls(
            Encoder.open(folder, threads),
            Encoder.open(large, threads) if large.is_dir() and not small else None,
            Combination.open(folder),
            open_policy(label_policy, folder),
        )

    def cached(self) -> "CachedJudge":
        """Return a judge that reads no pair twice until it is told to forget."""
        return CachedJudge(
            CachedEncoder(self.encoder),
            CachedEncoder(self._large) if self._large else None,
            self._combination,
            self.policy,
        )

    def with_policy(self, name: str, model: Path | str | None = None) -> "Judge":
        """Return the same judge, opened from `model`, with another label policy."""
        return Judge(
            self.encoder, self._large, self._combination, open_policy(name, _folder(model))
        )

    def with_large(
        self, large: PairReader, combine: Callable[[Combination], Combination]
    ) -> "Judge":
        """Return the same judge with another reader of what decides, and how it is weighed."""
        return Judge(self.encoder, large, combine(self._combination), self.policy)

    @property
    def large(self) -> PairReader | None:
        """What reads the evidence that decides, if not the small encoder alone."""
        return self._large

    def small_readings(self, readings: Readings) -> Readings:
        """Read the same evidence as a model without a large encoder does."""
        return read(self.encoder, None, [readings.claim], [readings.pieces])[0]

    @property
    def fingerprint(self) -> str:
        """Names all weights: equal for equal models."""
        parts = [self.encoder.fingerprint, self._combination.fingerprint]
        parts += [self._large.fingerprint] if self._large else []
        return hashlib.blake2b("".join(parts).encode(), digest_size=8).hexdigest()

    def weigh(self, claims: Sequence[str], pieces: Sequence[Sequence[Piece]]) -> list[Judgement]:
        """Read claims with their evidence, and weigh it; what says the verdict is left open."""
        readings = read(self.encoder, self._large, claims, pieces)
        weighed = self._combination.probabilities(readings)
        return [
            Judgement(one, shares, policy=self.policy)
            for one, shares in zip(readings, weighed, strict=True)
        ]

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")  # as in the pipeline
    def judge(self, claims: Sequence[str], pieces: Sequence[Sequence[Piece]]) -> list[Judgement]:
        """Judge claims, each by its own evidence, best first."""
        return self.decide(read(self.encoder, self._large, claims, pieces))

    def judge_texts(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[Judgement]:
        """Judge claims by texts of any length: of long ones, by the sentences that matter most."""
        pieces = [self.shorten(claim, texts) for claim, texts in asked]
        return self.judge([claim for claim, _ in asked], pieces)

    def shorten(self, claim: str, texts: Sequence[str], most: int = PIECES) -> list[Piece]:
        """Keep texts as they are, if they are few and short; else the sentences that matter."""
        if sum(map(len, texts)) <= _READABLE and len(texts) <= most:
            return [Piece("", text) for text in texts if text.strip()]
        said = [s for text in texts for s in sentences(text[:_LONGEST]) if s.strip()][:_SENTENCES]
        matters = self.encoder.relevance([(plain(claim), plain(s)) for s in said])
        best = sorted(range(len(said)), key=lambda at: -matters[at])[:most]
        return [Piece("", said[at]) for at in sorted(best)]

    def decide(self, readings: Sequence[Readings]) -> list[Judgement]:
        """Weigh what was read, and find the pieces that say so."""
        weighed = self._combination.probabilities(readings)
        alone = [
            tuple(self._combination.probabilities([one.only(at) for at in range(len(one.pieces))]))
            for one in readings
        ]
        readings = self._read_subsets(readings, weighed, alone)
        return [self._consistent(*one) for one in zip(readings, weighed, alone, strict=True)]

    def _read_subsets(
        self,
        readings: Sequence[Readings],
        weighed: Sequence[Probabilities],
        alone: Sequence[Sequence[Probabilities]],
    ) -> list[Readings]:
        """Read the few together that lean to a verdict, where no piece says all of it alone."""
        asked: list[tuple[int, tuple[int, ...]]] = []
        for number, (one, shares, said) in enumerate(zip(readings, weighed, alone, strict=True)):
            verdict = self.policy.verdict(shares)
            if verdict is Verdict.NOT_ENOUGH_INFO or len(one.pieces) < 2:
                continue
            names = covered_names(one.claim, one.pieces)
            every = set[str]().union(*names)
            speaking = [at for at in one.deciding if self.policy.verdict(said[at]) is verdict]
            if any(names[at] == every for at in speaking):
                continue
            asked += [
                (number, subset)
                for subset in _subsets(one, said, VERDICTS.index(verdict), names)
                if subset not in one.sets
            ]
        if not asked:
            return list(readings)
        again = read(
            self.encoder,
            self._large,
            [readings[number].claim for number, _ in asked],
            [[readings[number].pieces[at] for at in subset] for number, subset in asked],
        )
        found = list(readings)
        for (number, subset), own in zip(asked, again, strict=True):
            one = found[number]
            found[number] = replace(
                one,
                sets=[*one.sets, subset],
                close_sets=np.concatenate([one.close_sets, own.close_sets]),
            )
        return found

    def _consistent(
        self, readings: Readings, shares: Probabilities, alone: tuple[Probabilities, ...]
    ) -> Judgement:
        """Rest a verdict on evidence that says so itself, or leave the claim undecided."""
        verdict = self.policy.verdict(shares)
        says = [Verdict.NOT_ENOUGH_INFO] * len(alone)
        for at in readings.deciding:
            says[at] = self.policy.verdict(alone[at])
        if verdict is Verdict.NOT_ENOUGH_INFO:
            sides = [[at for at, own in enumerate(says) if own is side] for side in VERDICTS[:2]]
            if not all(sides):
                return Judgement(readings, shares, alone, policy=self.policy)
            cited: tuple[tuple[int, ...], ...] = tuple((at,) for at in sides[0])
            return Judgement(readings, shares, alone, cited, tuple(sides[1]), True, self.policy)
        side = VERDICTS.index(verdict)
        of_sets = self._combination.probabilities(
            [readings.of_set(number) for number in range(len(readings.sets))]
        )
        strength: dict[tuple[int, ...], float] = {
            (at,): own[side] for at, own in enumerate(alone) if says[at] is verdict
        } | {
            one: own[side]
            for one, own in zip(readings.sets, of_sets, strict=True)
            if self.policy.verdict(own) is verdict
        }
        names = covered_names(readings.claim, readings.pieces)
        strength = _widest(strength, names)
        opposite = VERDICTS[1 - side]
        # What has fewer of the claim's names than the evidence speaks of something else.
        least = max((len(names[at]) for one in strength for at in one), default=0)
        against = [at for at, own in enumerate(says) if own is opposite and len(names[at]) >= least]
        strongest = max((alone[at][1 - side] for at in against), default=0.0)
        if not strength or strongest > min(max(strength.values()), shares[side]):
            undecided = _undecided(shares, side)
            return Judgement(
                readings, undecided, alone, tuple(strength), tuple(against), bool(against),
                self.policy,
            )  # fmt: skip
        near = _NEAR * max(strength.values())
        surest = [one for one in strength if strength[one] >= near]
        singles = tuple(one for one in surest if len(one) == 1)
        # Of the sets that say it about as surely, the smallest.
        cited = singles or (min(surest, key=lambda one: (len(one), -strength[one])),)
        within = {at for one in cited for at in one}
        return Judgement(
            readings, shares, alone, cited, tuple(at for at in against if at not in within),
            policy=self.policy,
        )  # fmt: skip


class CachedJudge(Judge):
    """A judge that remembers what it has read."""

    def forget(self) -> None:
        """Drop what was read."""
        for encoder in (self.encoder, self._large):
            if isinstance(encoder, CachedEncoder):
                encoder.forget()


def _subsets(
    one: Readings, said: Sequence[Probabilities], side: int, names: Sequence[set[str]]
) -> list[tuple[int, ...]]:
    """Pair pieces that together have most of the claim's names: a chain first, then what leans."""
    matters = (1 / (1 + np.exp(-one.relevance.clip(-30, 30)))).tolist()
    lean = [own[side] - own[1 - side] + m for own, m in zip(said, matters, strict=True)]

    def promise(chosen: tuple[int, ...]) -> tuple[int, int, float]:
        links = sum(_linked(one.pieces[a], one.pieces[b]) for a, b in combinations(chosen, 2))
        known = set[str]().union(*(names[at] for at in chosen))
        return len(known), links, sum(lean[at] for at in chosen)

    pairs = sorted(combinations(range(len(said)), 2), key=promise, reverse=True)[:_PAIRS]
    wider = [tuple(sorted((*pairs[0], at))) for at in range(len(said)) if at not in pairs[0]]
    return [*pairs, *([max(wider, key=promise)] if wider else [])]


def _linked(one: Piece, other: Piece) -> bool:
    """Say whether one of two pages' pieces names the other page."""
    return any(
        a.title != b.title and bool(base := without_parenthesis(b.title)) and base in a.text
        for a, b in ((one, other), (other, one))
    )


def _widest(
    strength: dict[tuple[int, ...], float], names: Sequence[set[str]]
) -> dict[tuple[int, ...], float]:
    """Keep the evidence that has most of the claim's names: another page's may say it by chance."""
    covered = {one: len(set[str]().union(*(names[at] for at in one))) for one in strength}
    return {one: s for one, s in strength.items() if covered[one] == max(covered.values())}


def _undecided(shares: Probabilities, side: int) -> Probabilities:
    """Move what no evidence says by itself to NOT ENOUGH INFO."""
    kept = [*shares[:2], shares[2] + shares[side]]
    kept[side] = 0.0
    return kept[0], kept[1], kept[2]
