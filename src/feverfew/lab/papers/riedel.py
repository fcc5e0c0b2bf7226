"""The perceptron of Riedel et al. (2017): term frequencies of both texts, and their cosine."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feverfew.errors import MissingExtra
from feverfew.lab.papers.grams import STOP_WORDS
from feverfew.lab.papers.layers import Weights, drop, glorot, softmax
from feverfew.text import words

__all__ = ["VOCABULARY", "Perceptron", "Rows"]

VOCABULARY = 5_000
_DROPOUT = 0.4


class Rows:
    """Feature rows as a sparse matrix: the claim's words, the evidence's, their cosine."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def of(self, chosen: Sequence[int]) -> "Rows":
        """Keep some of them."""
        return Rows(self.matrix[chosen])

    def sizes(self) -> NDArray[np.int64]:
        """All are alike: any may share a batch."""
        return np.zeros(len(self), np.int64)


class Perceptron:
    """One hidden layer over a vocabulary of the most frequent words."""

    def __init__(self, vocabulary: Sequence[str], weights: Weights) -> None:
        self.vocabulary, self.weights = list(vocabulary), weights
        self._place = {word: at for at, word in enumerate(self.vocabulary)}

    @classmethod
    def start(cls, texts: Iterable[str], seed: int, hidden: int = 100) -> "Perceptron":
        """Take the words from texts, and begin with weights drawn by a seed."""
        counts: Counter[str] = Counter()
        pages: Counter[str] = Counter()
        read = list(texts)
        for text in read:
            split = [word for word in words(text) if word not in STOP_WORDS]
            counts.update(split)
            pages.update(set(split))
        chosen = [word for word, _ in counts.most_common(VOCABULARY)]
        rng = np.random.default_rng(seed)
        weights: Weights = {
            "hidden": glorot(rng, 2 * len(chosen) + 1, hidden),
            "hiddenb": np.zeros(hidden, np.float32),
            "out": glorot(rng, hidden, 3),
            "outb": np.zeros(3, np.float32),
        }
        rarity = [np.log((1 + len(read)) / (1 + pages[word])) + 1 for word in chosen]
        weights["rarity"] = np.array(rarity, np.float32)
        return cls(chosen, weights)

    def prepare(self, claims: Sequence[str], texts: Sequence[str]) -> Rows:
        """Make the feature rows of pairs."""
        try:
            from scipy.sparse import csr_matrix, hstack
        except ModuleNotFoundError:
            raise MissingExtra("the perceptron", "papers") from None
        said, read = self._frequencies(claims), self._frequencies(texts)
        rarity = self.weights["rarity"]
        both = [_to_length_one(table.multiply(rarity).tocsr()) for table in (said, read)]
        cosine = np.asarray(both[0].multiply(both[1]).sum(axis=1))
        parts = [_to_length_one(said), _to_length_one(read), csr_matrix(cosine)]
        return Rows(hstack(parts, format="csr", dtype=np.float32))

    def probabilities(self, inputs: Rows) -> NDArray[np.float64]:
        """Return the shares of supported, refuted and open for each pair."""
        logits, _ = self._forward(inputs, None)
        shares: NDArray[np.float64] = softmax(logits, -1).astype(np.float64)
        return shares

    def learn(
        self, inputs: Rows, labels: NDArray[np.int64], rng: np.random.Generator | None
    ) -> tuple[float, Weights]:
        """Return the mean loss of a batch, and the slopes of all weights but the words' rarity."""
        logits, (hidden, mask) = self._forward(inputs, rng)
        shares = softmax(logits, -1)
        rows = np.arange(len(labels))
        loss = -float(np.log(shares[rows, labels] + 1e-9).mean())
        back = shares.copy()
        back[rows, labels] -= 1
        back = (back / len(labels)).astype(np.float32)
        kept = hidden * mask
        below = (back @ self.weights["out"].T) * mask * (hidden > 0)
        return loss, {
            "out": kept.T @ back,
            "outb": back.sum(0),
            "hidden": np.asarray(inputs.matrix.T @ below),
            "hiddenb": below.sum(0),
        }

    def _forward(self, inputs: Rows, rng: np.random.Generator | None) -> tuple[Any, Any]:
        w = self.weights
        hidden = np.maximum(np.asarray(inputs.matrix @ w["hidden"]) + w["hiddenb"], 0)
        mask = drop(hidden, _DROPOUT, rng)
        return (hidden * mask) @ w["out"] + w["outb"], (hidden, mask)

    def _frequencies(self, texts: Sequence[str]) -> Any:
        from scipy.sparse import csr_matrix

        places: list[int] = []
        starts = [0]
        for text in texts:
            places += (self._place[word] for word in words(text) if word in self._place)
            starts.append(len(places))
        ones = np.ones(len(places), np.float32)
        table = csr_matrix((ones, places, starts), shape=(len(texts), len(self.vocabulary)))
        table.sum_duplicates()
        return table


def _to_length_one(table: Any) -> Any:
    from scipy.sparse import diags

    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1))).ravel()
    return diags(1 / np.maximum(lengths, 1e-9)) @ table
