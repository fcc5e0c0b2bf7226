"""The papers' networks in PyTorch, with one training loop; weights are kept as named arrays.

Decomposable attention (Parikh et al., 2016), the perceptron of Riedel et al. (2017), a joint
network that chooses sentences and judges (SWEEPer, BUPT, 2018), and a plain one for the rest.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import MissingExtra
from feverfew.lab.papers.tfidf import STOP_WORDS
from feverfew.lab.papers.vectors import Vectors, token_scores
from feverfew.text import words

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
    from torch.nn.utils.rnn import pad_sequence
except ModuleNotFoundError:
    raise MissingExtra("the papers' networks", "papers") from None

Arrays = dict[str, NDArray[Any]]
Floats = NDArray[np.float32]
Classes = NDArray[np.int64]
Examples = Sequence[Any] | NDArray[Any]
"""Examples of whatever kind a network reads; rows of features may be one array."""
_DECAY, _CLIP = 1e-4, 5.0
_AT_ONCE = 128
"""Examples that are judged at once."""
M = TypeVar("M", bound="Model")


class Model(nn.Module):  # type: ignore[misc]
    """A classifier over a list of examples, of whatever kind the network reads."""

    def size(self, example: Any) -> int:
        """Return an example's length: those of near length share a batch."""
        return 0

    def loss(self, batch: Sequence[Any], labels: Tensor) -> Tensor:
        """Return the mean loss of a batch."""
        return functional.cross_entropy(self(batch), labels)

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Return a row of probabilities for each example."""
        return self.applied(lambda batch: self(batch).softmax(-1), examples).astype(np.float64)

    def applied(self, read: Callable[[list[Any]], Tensor], examples: Examples) -> Floats:
        """Read examples in batches of near length, without dropout; return their rows in order."""
        order = sorted(range(len(examples)), key=lambda at: self.size(examples[at]))
        self.eval()
        rows: dict[int, Floats] = {}
        with torch.no_grad():
            for start in range(0, len(order), _AT_ONCE):
                group = order[start : start + _AT_ONCE]
                rows.update(zip(group, read([examples[at] for at in group]).numpy(), strict=True))
        return (
            np.stack([rows[at] for at in range(len(examples))])
            if rows
            else np.zeros((0, 3), np.float32)
        )

    def arrays(self) -> Arrays:
        """Return the weights by name."""
        return {name: own.numpy().copy() for name, own in self.state_dict().items()}

    def load(self: M, arrays: Arrays) -> M:
        """Take the weights from arrays, of which others may be there too."""
        own = self.state_dict()
        self.load_state_dict({name: torch.from_numpy(arrays[name].copy()) for name in own})
        return self

    def drawn(self: M, seed: int) -> M:
        """Draw the first weights by a seed (Glorot); biases are 0."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            for own in self.parameters():
                nn.init.xavier_uniform_(own) if own.ndim > 1 else nn.init.zeros_(own)
        return self


class Fitted(Struct, frozen=True):
    """How fitting went."""

    accuracy: float
    """On the held-out examples, of the weights that were kept."""
    losses: list[float]
    """The mean loss of each epoch."""


def fit(
    model: Model,
    examples: Examples,
    labels: Classes,
    held: tuple[Examples, Classes],
    *,
    seed: int,
    epochs: int = 12,
    batch: int = 32,
    rate: float = 1e-3,
    patience: int = 3,
) -> Fitted:
    """Fit a model in place with AdamW; stop when the held-out accuracy no longer grows."""
    rng = np.random.default_rng(seed)
    sizes = np.array([model.size(example) for example in examples])
    matrices, vectors = (
        [p for p in model.parameters() if (p.ndim > 1) == m] for m in (True, False)
    )
    groups = [{"params": matrices, "weight_decay": _DECAY}, {"params": vectors, "weight_decay": 0}]
    optimiser = torch.optim.AdamW(groups, rate)
    best, kept, since = -1.0, model.arrays(), 0
    losses: list[float] = []
    threads = torch.get_num_threads()
    # Several seeds are trained at once in processes of their own; sums depend on the threads.
    torch.set_num_threads(1)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for _ in range(epochs):
            total = 0.0
            model.train()
            for chosen in _batches(sizes, batch, rng):
                optimiser.zero_grad()
                loss = model.loss([examples[at] for at in chosen], torch.from_numpy(labels[chosen]))
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), _CLIP)
                optimiser.step()
                total += float(loss.detach()) * len(chosen)
            losses.append(total / len(labels))
            right = float((model.probabilities(held[0]).argmax(1) == held[1]).mean())
            since += 1
            if right > best:
                best, kept, since = right, model.arrays(), 0
            if since >= patience:
                break
    torch.set_num_threads(threads)
    model.load(kept)
    return Fitted(best, losses)


def _batches(sizes: Classes, batch: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Yield batches of near length in any order; the seed decides which."""
    order = np.lexsort((rng.random(len(sizes)), sizes // 8))
    starts = np.arange(0, len(order), batch)
    rng.shuffle(starts)
    for start in starts.tolist():
        yield order[start : start + batch].tolist()


def _feed(inputs: int, hidden: int, dropout: float = 0.2) -> nn.Sequential:
    """Make two layers with ReLU, each after dropout."""
    layers = [(inputs, hidden), (hidden, hidden)]
    parts = [(nn.Dropout(dropout), nn.Linear(*shape), nn.ReLU()) for shape in layers]
    return nn.Sequential(*(part for own in parts for part in own))


class Mlp(Model):
    """Two hidden layers over rows of features."""

    def __init__(self, features: int, hidden: int = 24, outputs: int = 3) -> None:
        super().__init__()
        self.body, self.out = _feed(features, hidden, 0.1), nn.Linear(hidden, outputs)

    @classmethod
    def of(cls, arrays: Arrays) -> "Mlp":
        """Restore a network from its weights."""
        features, (outputs, hidden) = arrays["body.1.weight"].shape[1], arrays["out.weight"].shape
        return cls(features, hidden, outputs).load(arrays)

    def forward(self, batch: Sequence[Floats]) -> Tensor:
        """Return logits."""
        return self.out(self.body(torch.from_numpy(np.stack(batch).astype(np.float32))))


class Attention(Model):
    """Decomposable attention: attend, compare, aggregate; an example is a pair of token rows."""

    longest = (50, 300)
    """Words of a claim, and of its evidence, that are read."""

    def __init__(self, vectors: Vectors, hidden: int = 100, *, scored: bool = False) -> None:
        super().__init__()
        self._words, self._scored = vectors, scored
        self._table = torch.from_numpy(vectors.table)
        self.project = nn.Linear(vectors.table.shape[1] + scored, hidden, bias=False)
        self.attend = _feed(hidden, hidden)
        self.compare, self.join = _feed(2 * hidden, hidden), _feed(2 * hidden, hidden)
        self.out = nn.Linear(hidden, 3)

    def prepare(self, claims: Sequence[str], texts: Sequence[str]) -> list[tuple[Any, ...]]:
        """Look up the words of claims and evidence; `scored`: how near each word's sentence is."""
        most_claim, most_text = self.longest
        return [
            (
                self._words.tokens(claim, most_claim),
                self._words.tokens(text, most_text),
                token_scores(claim, text, most_text) if self._scored else None,
            )
            for claim, text in zip(claims, texts, strict=True)
        ]

    def size(self, example: tuple[Any, ...]) -> int:
        """Return the length of the evidence."""
        return len(example[1])

    def forward(self, batch: Sequence[tuple[Any, ...]]) -> Tensor:
        """Return logits."""
        return self.out(self._encode(batch))

    def vectors(self, examples: Sequence[tuple[Any, ...]]) -> Floats:
        """Return what the network knows of each pair before it judges: its last layer."""
        if not examples:
            return np.zeros((0, self.out.in_features), np.float32)
        return self.applied(self._encode, examples)

    def _encode(self, batch: Sequence[tuple[Any, ...]]) -> Tensor:
        a, real_a = self._embed([claim for claim, _, _ in batch], None)
        b, real_b = self._embed([text for _, text, _ in batch], [near for *_, near in batch])
        match = self.attend(a) @ self.attend(b).transpose(1, 2)
        to_b = match.masked_fill(~real_b.transpose(1, 2), -1e9).softmax(2)
        to_a = match.masked_fill(~real_a, -1e9).softmax(1)
        compared_a = self.compare(torch.cat([a, to_b @ b], -1))
        compared_b = self.compare(torch.cat([b, to_a.transpose(1, 2) @ a], -1))
        sums = [(compared_a * real_a).sum(1), (compared_b * real_b).sum(1)]
        return self.join(torch.cat(sums, -1))

    def _embed(self, tokens: list[Any], scores: list[Any] | None) -> tuple[Tensor, Tensor]:
        rows = [torch.from_numpy(own.astype(np.int64)) for own in tokens]
        places = pad_sequence(rows, batch_first=True)
        real = pad_sequence([torch.ones_like(own, dtype=torch.bool) for own in rows], True)[
            ..., None
        ]
        read = self._table[places] * real
        if self._scored:
            near = torch.zeros(*places.shape, 1)
            for at, own in enumerate(scores or ()):
                near[at, : len(own), 0] = torch.from_numpy(own)
            read = torch.cat([read, near], -1)
        return self.project(read), real


class Perceptron(Model):
    """One hidden layer over the term frequencies of both texts and the cosine of their TF-IDF."""

    size_of_vocabulary = 5_000

    def __init__(self, vocabulary: Sequence[str], rarity: Floats, hidden: int = 100) -> None:
        super().__init__()
        self.vocabulary, self._rarity = list(vocabulary), rarity
        self._place = {word: at for at, word in enumerate(self.vocabulary)}
        self.hidden = nn.EmbeddingBag(2 * len(self.vocabulary) + 1, hidden, mode="sum")
        self.hidden_bias = nn.Parameter(torch.zeros(hidden))
        self.dropout, self.out = nn.Dropout(0.4), nn.Linear(hidden, 3)

    @classmethod
    def over(cls, texts: Sequence[str], hidden: int = 100) -> "Perceptron":
        """Take the most frequent words of some texts."""
        split = [[word for word in words(text) if word not in STOP_WORDS] for text in texts]
        counts = Counter(word for own in split for word in own)
        pages = Counter(word for own in split for word in set(own))
        chosen = [word for word, _ in counts.most_common(cls.size_of_vocabulary)]
        rarity = [np.log((1 + len(split)) / (1 + pages[word])) + 1 for word in chosen]
        return cls(chosen, np.array(rarity, np.float32), hidden)

    @classmethod
    def of(cls, arrays: Arrays) -> "Perceptron":
        """Restore a network from its weights."""
        hidden = arrays["hidden.weight"].shape[1]
        return cls(arrays["vocabulary"].tolist(), arrays["rarity"], hidden).load(arrays)

    def arrays(self) -> Arrays:
        """Return the weights by name, and the words with their rarity."""
        return {
            **super().arrays(),
            "vocabulary": np.array(self.vocabulary),
            "rarity": self._rarity,
        }

    def prepare(self, claims: Sequence[str], texts: Sequence[str]) -> list[tuple[Any, Any]]:
        """Return the places of each pair's features, and their values."""
        found = []
        for claim, text in zip(claims, texts, strict=True):
            (said, often_said), (read, often_read) = self._counted(claim), self._counted(text)
            _, at_said, at_read = np.intersect1d(said, read, return_indices=True)
            rare = [_unit(often_said * self._rarity[said]), _unit(often_read * self._rarity[read])]
            cosine = rare[0][at_said] @ rare[1][at_read]
            size = len(self.vocabulary)
            places = np.concatenate([said, read + size, [2 * size]])
            values = np.concatenate([_unit(often_said), _unit(often_read), [cosine]])
            found.append((places, values.astype(np.float32)))
        return found

    def forward(self, batch: Sequence[tuple[Any, Any]]) -> Tensor:
        """Return logits."""
        places, values = (torch.from_numpy(np.concatenate(own)) for own in zip(*batch, strict=True))
        starts = np.cumsum([0, *(len(own) for own, _ in batch[:-1])])
        read = self.hidden(places, torch.from_numpy(starts), per_sample_weights=values)
        return self.out(self.dropout(functional.relu(read + self.hidden_bias)))

    def _counted(self, text: str) -> tuple[Classes, NDArray[np.float64]]:
        counts = Counter(self._place[word] for word in words(text) if word in self._place)
        places = sorted(counts)
        return np.array(places, np.int64), np.array([counts[at] for at in places], np.float64)


def _unit(values: NDArray[np.float64]) -> NDArray[np.float64]:
    unit: NDArray[np.float64] = values / max(float(np.linalg.norm(values)), 1e-9)
    return unit


class JointNetwork(Model):
    """Chooses among a claim's sentences and judges by them, trained for both at once.

    An example is the vectors of a claim's sentences, a row each, and which of them are gold. One
    layer is shared; from it, a pointer says which sentences matter, and they are pooled by it.
    """

    choice = 0.5
    """How much choosing counts, next to judging."""

    def __init__(self, width: int, hidden: int = 48) -> None:
        super().__init__()
        self.shared, self.dropout = nn.Linear(width, hidden), nn.Dropout(0.2)
        self.point, self.out = nn.Linear(hidden, 1, bias=False), nn.Linear(hidden, 3)

    @classmethod
    def of(cls, arrays: Arrays) -> "JointNetwork":
        """Restore a network from its weights."""
        hidden, width = arrays["shared.weight"].shape
        return cls(width, hidden).load(arrays)

    def size(self, example: tuple[Floats, Any]) -> int:
        """Return how many sentences a claim has."""
        return len(example[0])

    def forward(self, batch: Sequence[tuple[Floats, Any]]) -> Tensor:
        """Return the logits of the verdict."""
        return self._both(batch)[0]

    def loss(self, batch: Sequence[tuple[Floats, Any]], labels: Tensor) -> Tensor:
        """Return the mean loss of both tasks; without a gold sentence there is none to choose."""
        logits, matters = self._both(batch)
        gold = pad_sequence([torch.from_numpy(own) for _, own in batch], batch_first=True)
        known = gold.any(1)
        missed = -((matters * gold).sum(1)[known] + 1e-9).log().sum() / len(batch)
        return functional.cross_entropy(logits, labels) + self.choice * missed

    def weights_of(self, vectors: Floats) -> Floats:
        """Return how much each of a claim's sentences matters."""
        self.eval()
        with torch.no_grad():
            matters: Floats = self._both([(vectors, None)])[1][0].numpy()
        return matters

    def _both(self, batch: Sequence[tuple[Floats, Any]]) -> tuple[Tensor, Tensor]:
        rows = [torch.from_numpy(own) for own, _ in batch]
        padded = pad_sequence(rows, batch_first=True)
        real = pad_sequence([torch.ones(len(own), dtype=torch.bool) for own in rows], True)
        hidden = self.dropout(functional.relu(self.shared(padded)))
        matters = self.point(hidden)[..., 0].masked_fill(~real, -1e9).softmax(1)
        return self.out((matters[:, None] @ hidden)[:, 0]), matters
