"""The model that is trained: one small encoder, and heads that read the same features."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertModel
from transformers.utils import logging as transformers_talk

from feverfew.errors import InputError
from feverfew.lab.train.pairs import LABELS, Pair
from feverfew.models.heads import KINDS
from feverfew.models.tokens import TOKENISER, tokenise

__all__ = ["Batch", "Verifier", "collate", "for_all_kinds", "hush"]

_HEADS = "heads.pt"
_DROPPED = 0.1


class Batch(NamedTuple):
    """Pairs as arrays; shorter ones are padded to the longest."""

    ids: Tensor
    segments: Tensor
    mask: Tensor
    verdict: Tensor
    relevant: Tensor
    kind: Tensor


class Verifier(nn.Module):
    """An encoder with a relevance head, and a verdict head for each kind of evidence.

    All heads are linear, and read the first token's state beside the mean of all: the body
    was trained to put a text's meaning into that mean, and learns to use the first token.
    """

    def __init__(self, body: BertModel) -> None:
        super().__init__()
        self.body = body
        features = 2 * body.config.hidden_size
        self.dropout = nn.Dropout(_DROPPED)
        self.verdict = nn.Linear(features, len(KINDS) * len(LABELS))
        self.relevance = nn.Linear(features, 1)

    @classmethod
    def start(cls, folder: Path, seed: int) -> "Verifier":
        """Take the body from a folder of weights; the heads are new unless it holds some."""
        if not (folder / "config.json").is_file():
            raise InputError(f"{folder} holds no weights: it has no config.json")
        torch.manual_seed(seed)
        hush()
        # The pairs are seen about once, so nothing is learned by heart: dropout in the body
        # would only cost time.
        try:
            body = BertModel.from_pretrained(
                folder,
                add_pooling_layer=False,
                hidden_dropout_prob=0.0,
                attention_probs_dropout_prob=0.0,
                local_files_only=True,
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(f"{folder}: {str(error).splitlines()[0]}") from None
        made = cls(body)
        if (folder / _HEADS).is_file():
            heads = torch.load(folder / _HEADS, weights_only=True)
            made.verdict.load_state_dict(for_all_kinds(heads["verdict"]))
            made.relevance.load_state_dict(heads["relevance"])
        return made

    @classmethod
    def tiny(cls, words: int, seed: int) -> "Verifier":
        """Make a very small model with random weights, to try things on."""
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=words,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        return cls(BertModel(config, add_pooling_layer=False))

    def save(self, folder: Path, tokeniser: Path) -> None:
        """Write body, heads and tokeniser, so that `start` can go on from them."""
        folder.mkdir(parents=True, exist_ok=True)
        hush()
        self.body.save_pretrained(folder)
        heads = {"verdict": self.verdict.state_dict(), "relevance": self.relevance.state_dict()}
        torch.save(heads, folder / _HEADS)
        if tokeniser.resolve() != (folder / TOKENISER).resolve():
            shutil.copyfile(tokeniser, folder / TOKENISER)

    def features(self, batch: Batch) -> Tensor:
        """Return what the heads read: the first token's state and the mean of all states."""
        states = self.body(
            input_ids=batch.ids, token_type_ids=batch.segments, attention_mask=batch.mask
        ).last_hidden_state
        weights = batch.mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1)
        return torch.cat([states[:, 0], mean], -1)

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the logits of the verdicts (S, R, N) on evidence of its kind, and of relevance."""
        features = self.dropout(self.features(batch))
        verdicts = self.verdict(features).view(-1, len(KINDS), len(LABELS))
        own = verdicts[torch.arange(len(verdicts)), batch.kind]
        return own, self.relevance(features).squeeze(-1)


def for_all_kinds(head: dict[str, Tensor]) -> dict[str, Tensor]:
    """Give every kind of evidence the only verdict head there is, where there is but one."""
    if len(head["bias"]) > len(LABELS):
        return head
    return {name: torch.cat([values] * len(KINDS)) for name, values in head.items()}


def hush() -> None:
    """Keep the library from drawing its own bars, and from remarking on the unused pooler."""
    transformers_talk.set_verbosity_error()
    transformers_talk.disable_progress_bar()


def collate(pairs: Sequence[Pair], tokeniser: Tokenizer) -> Batch:
    """Turn pairs into arrays."""
    tokens = tokenise(tokeniser, [(pair.claim, pair.evidence) for pair in pairs])
    longest = max(len(t.ids) for t in tokens)
    return Batch(
        torch.tensor([t.ids + [0] * (longest - len(t.ids)) for t in tokens]),
        torch.tensor([t.segments + [0] * (longest - len(t.segments)) for t in tokens]),
        torch.tensor([[1] * len(t.ids) + [0] * (longest - len(t.ids)) for t in tokens]),
        torch.tensor([pair.verdict for pair in pairs]),
        torch.tensor([pair.relevant for pair in pairs]),
        torch.tensor([pair.kind for pair in pairs]),
    )
