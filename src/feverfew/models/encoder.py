"""Run a trained encoder on pairs of claim and evidence, without torch.

A model is a folder: `model.bin`, `config.json` and `vocabulary.json` (CTranslate2, int8),
`tokenizer.json`, and `heads.json`: the small layers on top, and what the model reads next to each
token, the segment it belongs to (BERT) or its position (MPNet). A model may have one verdict head
for everything, or one each for sentences, for table cells and for sentences read together.

**Same pair, same numbers.** On one machine, a pair gets bit for bit the same result alone, in any
batch, in any order and with any number of threads. Padding would break this: it changes how the
attention's sums are split up, and int8 rounding then magnifies the last bit (up to 0.2 in a logit).
So only pairs of equal token length share a batch, and the heads read one pair at a time. Another
kind of processor may still round differently.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Literal, Protocol

import ctranslate2
import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from tokenizers import Tokenizer

from feverfew.errors import InputError
from feverfew.models.inputs import Tokens, open_tokeniser, tokenise
from feverfew.models.weights_io import encoder_fingerprint, renew_digests
from feverfew.workers import cores

__all__ = [
    "CELLS",
    "CHAIN",
    "HEADS",
    "KINDS",
    "TEXT",
    "WIDTH",
    "CachedEncoder",
    "Encoder",
    "Head",
    "Heads",
    "Layer",
    "PairReader",
    "Reader",
    "shipped_folder",
]

HEADS = "heads.json"
KINDS = ("text", "cells", "chain")
"""Kinds of evidence."""
TEXT, CELLS, CHAIN = [0, 1, 2, 3], [4, 5, 6, 3], [7, 8, 9, 3]
"""The columns of S, R, N and relevance in a row of logits, for each kind of evidence."""
WIDTH = 10

Array = NDArray[np.float32]


class Layer(Struct, frozen=True):
    """A linear layer: a row of weights for each output."""

    weights: list[list[float]]
    bias: list[float]


class Head(Struct, frozen=True):
    """A linear layer over the features: the first token's state, then the mean of all states.

    With a hidden layer, that layer reads the features and the outputs read its tanh. Its rows may
    be as short as the first token's state; it then ignores the mean.
    """

    weights: list[list[float]]
    bias: list[float]
    hidden: Layer | None = None


class Heads(Struct, frozen=True):
    """Everything a model predicts for a pair, and what it reads."""

    verdict: Head
    relevance: Head | None = None
    """Without one, evidence is as relevant as it is likely to support or refute the claim."""
    evidence_first: bool = False
    """Whether the model was trained with the evidence before the claim."""
    cells: Head | None = None
    chain: Head | None = None
    """Without a head of its own, a kind of evidence is read by the verdict head."""
    inputs: Literal["segments", "positions"] = "segments"
    """What goes in with each token: its segment (BERT) or its position (MPNet)."""

    @classmethod
    def read(cls, folder: Path) -> "Heads":
        """Read `heads.json` from a model's folder."""
        return msgspec.json.decode((folder / HEADS).read_bytes(), type=cls)

    def write(self, folder: Path) -> None:
        """Write `heads.json` into a model's folder."""
        (folder / HEADS).write_bytes(msgspec.json.encode(self))
        renew_digests(folder)


class Reader:
    """The heads as arrays: features in, rows of logits out."""

    def __init__(self, heads: Heads) -> None:
        verdicts = [heads.verdict, heads.cells or heads.verdict, heads.chain or heads.verdict]
        self._verdicts = [_arrays(head) for head in verdicts]
        self._relevance = _arrays(heads.relevance) if heads.relevance else None
        if any(len(head.bias) != 3 for head in verdicts) or (
            heads.relevance and len(heads.relevance.bias) != 1
        ):
            raise ValueError("a verdict head has three outputs, the relevance head one")

    def __call__(self, features: Array) -> Array:
        """Return a row of logits for each row of features; see `TEXT`, `CELLS` and `CHAIN`."""
        verdict, cells, chain = (_through(layers, features) for layers in self._verdicts)
        if self._relevance:
            relevance = _through(self._relevance, features)
        else:
            # The logit of 1 - P(N).
            relevance = np.logaddexp(verdict[:, :1], verdict[:, 1:2]) - verdict[:, 2:]
        return np.concatenate([verdict, relevance, cells, chain], 1)


def _arrays(head: Head) -> list[tuple[Array, Array]]:
    layers = [head.hidden] if head.hidden else []
    return [
        (np.array(layer.weights, np.float32).T, np.array(layer.bias, np.float32))
        for layer in (*layers, Layer(head.weights, head.bias))
    ]


def _through(layers: list[tuple[Array, Array]], values: Array) -> Array:
    *hidden, (weights, bias) = layers
    # One product per row: a product over all rows would sum in an order that depends on them.
    rows = values[:, None, :]
    for inner, shift in hidden:
        rows = np.tanh(rows[:, :, : len(inner)] @ inner + shift)
    result: Array = (rows @ weights + bias)[:, 0]
    return result


_BATCH_TOKENS = 512
"""Tokens computed at once: larger batches no longer fit the processor's caches."""


class Encoder:
    """Predicts whether evidence is relevant to a claim, and what it says."""

    def __init__(
        self, model: ctranslate2.Encoder, tokeniser: Tokenizer, heads: Heads, fingerprint: str
    ) -> None:
        self._model = model
        self._tokeniser = tokeniser
        self._reader = Reader(heads)
        self._evidence_first = heads.evidence_first
        self._positions = heads.inputs == "positions"
        self._threads = ThreadPoolExecutor(model.num_encoders)
        self.fingerprint = fingerprint
        """Identifies the weights: equal for equal models."""

    @classmethod
    def open(cls, folder: Path | str, threads: int | None = None) -> "Encoder":
        """Open a model folder."""
        folder = Path(folder)
        try:
            fingerprint = encoder_fingerprint(folder)  # First: loading damaged weights may crash.
            heads = Heads.read(folder)
            # One thread per batch: several threads on one batch spend their time waiting.
            model = ctranslate2.Encoder(
                str(folder), inter_threads=threads or cores(), intra_threads=1, compute_type="int8"
            )
            opened = cls(model, open_tokeniser(folder), heads, fingerprint)
            opened.logits([("", "")])  # each part may be sound and still not fit the others
        except (OSError, RuntimeError, ValueError, msgspec.MsgspecError) as error:
            raise InputError(
                f"{folder} is not a model ({error}); make one with 'feverfew train export'"
            ) from None
        return opened

    @classmethod
    def shipped(cls, threads: int | None = None) -> "Encoder":
        """Open the model that comes with feverfew."""
        return cls.open(shipped_folder(), threads)

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how likely each evidence is to matter to its claim, from 0 to 1."""
        logits = self.logits(pairs)[:, 3].clip(-30, 30)
        relevance: list[float] = (1 / (1 + np.exp(-logits))).tolist()
        return relevance

    def verdict(
        self, pairs: Sequence[tuple[str, str]], kinds: Sequence[int] | None = None
    ) -> list[tuple[float, float, float]]:
        """Return the probabilities that each piece of evidence supports, refutes, or is neutral.

        `kinds` gives the kind of each evidence, as an index into `KINDS`; the default is text.
        """
        rows = np.arange(len(pairs))[:, None]
        places = np.array([TEXT, CELLS, CHAIN])[[*kinds] if kinds else [0] * len(pairs), :3]
        logits = self.logits(pairs)[rows, places]
        powers = np.exp(logits - logits.max(1, keepdims=True, initial=-np.inf))
        shares = powers / powers.sum(1, keepdims=True)
        return [(float(s), float(r), float(n)) for s, r, n in shares]

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return the outputs of all heads, one row per pair, in the columns that `heads` names."""
        return self._reader(self.states(pairs)) if pairs else np.zeros((0, WIDTH), np.float32)

    def states(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return what the heads read: the first token's state, then the mean of all states."""
        if self._evidence_first:
            pairs = [(evidence, claim) for claim, evidence in pairs]
        tokens = tokenise(self._tokeniser, pairs)
        batches = list(_batches(tokens))
        results = self._threads.map(lambda batch: self._read([tokens[i] for i in batch]), batches)
        found: Array = np.concatenate(list(results))
        return found[np.argsort([i for batch in batches for i in batch])]

    def _read(self, tokens: Sequence[Tokens]) -> Array:
        seconds = [[*range(len(t.ids))] if self._positions else t.segments for t in tokens]
        output = self._model.forward_batch([t.ids for t in tokens], token_type_ids=seconds)
        states: Array = np.array(output.last_hidden_state)
        return np.concatenate([states[:, 0], states.mean(1)], 1)


def shipped_folder() -> Path:
    """Return the folder of the model that comes with feverfew."""
    return Path(str(files("feverfew.weights") / "encoder"))


def _batches(tokens: Sequence[Tokens]) -> Iterator[list[int]]:
    """Yield batches of pairs with the same number of tokens, the longest first."""
    lengths = defaultdict[int, list[int]](list)
    for i, token in enumerate(tokens):
        lengths[len(token.ids)].append(i)
    for length in sorted(lengths, reverse=True):
        same, size = lengths[length], max(1, _BATCH_TOKENS // length)
        yield from (same[at : at + size] for at in range(0, len(same), size))


class PairReader(Protocol):
    """Reads pairs of claim and evidence: an encoder does."""

    @property
    def fingerprint(self) -> str: ...
    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array: ...
    def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]: ...


class CachedEncoder:
    """Wraps an encoder."""

    def __init__(self, encoder: PairReader) -> None:
        self._encoder = encoder
        self._known: dict[tuple[str, str], Array] = {}

    @property
    def fingerprint(self) -> str:
        """Names the weights."""
        return self._encoder.fingerprint

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return the outputs of all heads, one row per pair."""
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known.update(zip(fresh, self._encoder.logits(fresh), strict=True))
        rows = [self._known[pair] for pair in pairs]
        return np.array(rows, np.float32).reshape(-1, WIDTH)

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how likely each evidence is to matter to its claim, from 0 to 1."""
        shares: list[float] = (1 / (1 + np.exp(-self.logits(pairs)[:, 3].clip(-30, 30)))).tolist()
        return shares

    def forget(self) -> None:
        """Clear the cache."""
        self._known.clear()
