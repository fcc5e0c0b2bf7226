"""Training pairs: read them from files, mix the sources by weight, batch by length.

A file of pairs holds JSON lines: `claim`; `evidence`, a text or a list of [title, sentence];
`label` (S, R, N, or X for "R or N"), and/or `relevant` (true, false). A pair without one of the
two teaches the other head alone. `head` names the verdict head that the label teaches: `text`
(the default), `cells` or `chain`.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from feverfew.errors import BadRecord, InputError
from feverfew.models.encoder import KINDS
from feverfew.models.inputs import linearise, plain
from feverfew.readers.files import open_bytes

__all__ = [
    "LABELS",
    "NOT_SUPPORTED",
    "UNKNOWN",
    "Mixture",
    "Pair",
    "PairSource",
    "Source",
    "read_pairs",
]

LABELS = ("S", "R", "N")
NOT_SUPPORTED = len(LABELS)
"""The label X, of sets such as HoVer that do not tell refuted from open claims."""
_READ = (*LABELS, "X")
UNKNOWN = -100
"""The label that the loss ignores."""
_POOL = 32
"""Batches that are sorted by length together: enough for even lengths, few enough to mix."""


class Pair(Struct, frozen=True, gc=False):
    """What the encoder reads, and what its heads should say of it."""

    claim: str
    evidence: str
    verdict: int
    relevant: int
    kind: int = 0
    """Which of `KINDS` the evidence is of."""


class _Record(Struct):
    claim: str
    evidence: str | list[tuple[str, str]]
    label: str | None = None
    relevant: bool | None = None
    head: str = KINDS[0]


class PairSource(Protocol):
    """Where pairs come from, and how often to draw from it."""

    @property
    def name(self) -> str: ...

    @property
    def weight(self) -> float: ...

    def stream(self, seed: int) -> Iterator[Pair]:
        """Yield pairs without end, the same for the same seed; none if there are none."""
        ...


class Source(Struct, frozen=True):
    """Pairs of one file."""

    name: str
    pairs: list[Pair]
    weight: float
    balanced: bool = False
    """Draw by label first, so that no label falls below half of an equal share."""

    def stream(self, seed: int) -> Iterator[Pair]:
        """Go through the pairs in a shuffled order, then again in another."""
        if not self.balanced:
            yield from _shuffled(self.pairs, seed)
            return
        rng = random.Random(seed)
        by_label: dict[int, list[Pair]] = {}
        for pair in self.pairs:
            by_label.setdefault(pair.verdict, []).append(pair)
        least = 0.5 / max(1, len(by_label))
        shares = [max(least, len(own) / len(self.pairs)) for own in by_label.values()]
        streams = [_shuffled(own, seed + label) for label, own in by_label.items()]
        while streams:
            yield next(rng.choices(streams, shares)[0])


def read_pairs(path: Path) -> list[Pair]:
    """Read a file of pairs."""
    decode = msgspec.json.Decoder(_Record).decode
    pairs = []
    with open_bytes(path) as lines:
        for number, line in enumerate(lines, 1):
            try:
                pairs.append(_pair(decode(line)))
            except (msgspec.MsgspecError, ValueError) as error:
                raise BadRecord(str(error), path=str(path), line=number) from None
    if not pairs:
        raise InputError(f"{path} holds no pairs; give JSON lines with claim, evidence and label")
    return pairs


def _pair(record: _Record) -> Pair:
    if record.label is None and record.relevant is None:
        raise ValueError("a pair needs a label (S, R, N or X), relevant (true or false), or both")
    if record.label is not None and record.label not in _READ:
        raise ValueError(f"unknown label {record.label!r}; expected S, R, N or X")
    if record.head not in KINDS:
        raise ValueError(f"unknown head {record.head!r}; expected {', '.join(KINDS)}")
    evidence = record.evidence
    return Pair(
        plain(record.claim),
        plain(evidence) if isinstance(evidence, str) else linearise(evidence),
        UNKNOWN if record.label is None else _READ.index(record.label),
        UNKNOWN if record.relevant is None else int(record.relevant),
        KINDS.index(record.head),
    )


class Mixture:
    """An endless, seeded stream of batches drawn from several sources by weight.

    Pairs of similar length share a batch. The same seed gives the same batches, so that a resumed
    run can skip those it has seen.
    """

    def __init__(self, sources: Sequence[PairSource], batch: int, seed: int) -> None:
        self._sources = [
            source
            for source in sources
            if source.weight > 0 and next(source.stream(seed), None) is not None
        ]
        self._batch = batch
        self._seed = seed
        if not self._sources:
            raise InputError("no pairs to train on: every source is empty or weighs nothing")

    def batches(self, skip: int = 0) -> Iterator[list[Pair]]:
        """Yield batches without end, beginning after the first `skip` of them."""
        rng = random.Random(self._seed)
        draws = [source.stream(self._seed + i) for i, source in enumerate(self._sources)]
        weights = [source.weight for source in self._sources]
        seen = 0
        while True:
            drawn = rng.choices(draws, weights, k=_POOL * self._batch)
            pool = sorted((next(draw) for draw in drawn), key=_length)
            groups = [pool[i : i + self._batch] for i in range(0, len(pool), self._batch)]
            rng.shuffle(groups)
            for group in groups:
                seen += 1
                if seen > skip:
                    yield group


def _shuffled(pairs: Sequence[Pair], seed: int) -> Iterator[Pair]:
    rng = random.Random(seed)
    order = list(range(len(pairs)))
    while order:
        rng.shuffle(order)
        for at in order:
            yield pairs[at]


def _length(pair: Pair) -> int:
    # Characters stand for tokens: good enough to sort by, and nothing is tokenised twice.
    return len(pair.claim) + len(pair.evidence)
