"""The encoder at work: pairs of claim and evidence in, relevance and verdicts out; no torch.

A model is a folder: `model.bin`, `config.json` and `vocabulary.json` (CTranslate2, int8),
`heads.json` (what is read from the features), `tokenizer.json`.
"""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import ctranslate2
import msgspec
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from feverfew.errors import InputError
from feverfew.models.heads import CELLS, CHAIN, HEADS, TEXT, WIDTH, Heads, Reader
from feverfew.models.tokens import TOKENISER, Tokens, open_tokeniser, tokenise
from feverfew.workers import cores

__all__ = ["Encoder", "shipped_folder"]

_BATCH_TOKENS = 512
"""Tokens computed at once, padding included: more of them leave the caches."""

Array = NDArray[np.float32]


class Encoder:
    """Reads a claim with evidence; says whether the evidence matters, and what it says."""

    def __init__(
        self, model: ctranslate2.Encoder, tokeniser: Tokenizer, heads: Heads, fingerprint: str
    ) -> None:
        self._model = model
        self._tokeniser = tokeniser
        self._heads = Reader(heads)
        self._evidence_first = heads.evidence_first
        self._threads = ThreadPoolExecutor(model.num_encoders)
        self.fingerprint = fingerprint
        """Names the weights: equal for equal models."""

    @classmethod
    def open(cls, folder: Path | str, threads: int | None = None) -> "Encoder":
        """Open a model's folder."""
        folder = Path(folder)
        try:
            heads = Heads.read(folder)
            # Whole batches go to single threads: several of them on one batch wait for each other.
            model = ctranslate2.Encoder(
                str(folder), inter_threads=threads or cores(), intra_threads=1, compute_type="int8"
            )
            digest = hashlib.blake2b(digest_size=8)
            for name in ("model.bin", HEADS, TOKENISER):
                digest.update((folder / name).read_bytes())
            opened = cls(model, open_tokeniser(folder), heads, digest.hexdigest())
            opened.logits([("", "")])  # the parts may each be sound, and not fit each other
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
        """Return how likely each evidence supports, refutes, or leaves open its claim.

        `kinds` tells which of `KINDS` each evidence is of; without it, all are texts.
        """
        rows = np.arange(len(pairs))[:, None]
        places = np.array([TEXT, CELLS, CHAIN])[[*kinds] if kinds else [0] * len(pairs), :3]
        logits = self.logits(pairs)[rows, places]
        powers = np.exp(logits - logits.max(1, keepdims=True, initial=-np.inf))
        shares = powers / powers.sum(1, keepdims=True)
        return [(float(s), float(r), float(n)) for s, r, n in shares]

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return all heads' outputs before they become shares, in the places `heads` tells."""
        return self._heads(self.states(pairs)) if pairs else np.zeros((0, WIDTH), np.float32)

    def states(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return what the heads read: the first token's state, and the mean of all."""
        if self._evidence_first:
            pairs = [(evidence, claim) for claim, evidence in pairs]
        tokens = tokenise(self._tokeniser, pairs)
        groups = _groups(tokens, self._model.num_encoders)
        results = self._threads.map(lambda group: self._read([tokens[i] for i in group]), groups)
        found: Array = np.concatenate(list(results))
        return found[np.argsort([i for group in groups for i in group])]

    def _read(self, tokens: Sequence[Tokens]) -> Array:
        output = self._model.forward_batch(
            [t.ids for t in tokens], token_type_ids=[t.segments for t in tokens]
        )
        states: Array = np.array(output.last_hidden_state)
        lengths = np.array([len(t.ids) for t in tokens])
        inside = np.arange(states.shape[1]) < lengths[:, None]
        mean = np.einsum("btf,bt->bf", states, inside.astype(np.float32)) / lengths[:, None]
        return np.concatenate([states[:, 0], mean], 1)


def shipped_folder() -> Path:
    """Return the folder of the model that comes with feverfew."""
    return Path(str(files("feverfew.weights") / "encoder"))


def _groups(tokens: Sequence[Tokens], threads: int) -> list[list[int]]:
    """Put pairs of near length together, in groups that keep every thread at work."""
    order = sorted(range(len(tokens)), key=lambda i: -len(tokens[i].ids))
    budget = min(_BATCH_TOKENS, -(-sum(len(t.ids) for t in tokens) // threads))
    groups: list[list[int]] = []
    room = 0
    for i in order:
        # The longest comes first in its group, and all others are padded to it.
        if room < 1:
            groups.append([])
            room = max(1, round(budget / len(tokens[i].ids)))
        groups[-1].append(i)
        room -= 1
    return groups
