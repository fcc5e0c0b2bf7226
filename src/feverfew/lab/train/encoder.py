"""The model that is trained: one encoder, and linear heads that read the same features."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, BertConfig, BertModel, MPNetConfig, MPNetModel
from transformers.utils import logging as transformers_logging

from feverfew.errors import InputError
from feverfew.lab.train.pairs import LABELS, Pair
from feverfew.models.encoder import KINDS
from feverfew.models.inputs import TOKENISER, tokenise

__all__ = ["FAMILIES", "SAFE", "Batch", "Verifier", "collate", "for_all_kinds", "hush"]

FAMILIES = ("bert", "mpnet")
SAFE = {"local_files_only": True, "trust_remote_code": False}
"""A folder that is imported is data: its code is not run, and nothing is fetched."""
"""The kinds of body that can be trained and exported."""
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
    """An encoder with one verdict head, or one for each kind of evidence and a relevance head.

    All heads read the first token's state and the mean of all states: the body was trained to put
    a text's meaning into that mean, and learns to use the first token. Without a relevance head,
    evidence is relevant as far as it supports or refutes.
    """

    def __init__(self, body: Any, *, one_head: bool = False) -> None:
        super().__init__()
        self.body = body
        features = 2 * body.config.hidden_size
        self.dropout = nn.Dropout(_DROPPED)
        self.kinds = 1 if one_head else len(KINDS)
        self.verdict = nn.Linear(features, self.kinds * len(LABELS))
        self.relevance = None if one_head else nn.Linear(features, 1)

    @classmethod
    def start(
        cls, folder: Path, seed: int, *, layers: int | None = None, one_head: bool = False
    ) -> "Verifier":
        """Take the body from a folder of weights; the heads are new unless it holds some.

        `layers` keeps only the lowest layers.
        """
        if not (folder / "config.json").is_file():
            raise InputError(f"{folder} holds no weights: it has no config.json")
        torch.manual_seed(seed)
        hush()
        # The pairs are seen about once, so nothing is learned by heart: dropout in the body
        # would only cost time.
        try:
            family = AutoConfig.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            ).model_type
            if family not in FAMILIES:
                raise ValueError(f"a {family} model; supported are {' and '.join(FAMILIES)}")
            body = AutoModel.from_pretrained(
                folder,
                add_pooling_layer=False,
                hidden_dropout_prob=0.0,
                attention_probs_dropout_prob=0.0,
                **SAFE,
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise InputError(f"{folder}: {str(error).splitlines()[0]}") from None
        if layers:
            body.encoder.layer = body.encoder.layer[:layers]
            body.config.num_hidden_layers = len(body.encoder.layer)
        kept = torch.load(folder / _HEADS, weights_only=True) if _has_heads(folder) else {}
        made = cls(body, one_head=one_head or (bool(kept) and "relevance" not in kept))
        if kept:
            head = kept["verdict"]
            made.verdict.load_state_dict(head if made.kinds == 1 else for_all_kinds(head))
            if made.relevance is not None:
                made.relevance.load_state_dict(kept["relevance"])
        return made

    @classmethod
    def tiny(cls, words: int, seed: int, family: str = "bert") -> "Verifier":
        """Make a very small model with random weights, for tests."""
        torch.manual_seed(seed)
        shape: dict[str, Any] = {
            "vocab_size": words,
            "hidden_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "intermediate_size": 64,
            "hidden_dropout_prob": 0.0,
            "attention_probs_dropout_prob": 0.0,
        }
        if family == "mpnet":
            return cls(MPNetModel(MPNetConfig(**shape), add_pooling_layer=False), one_head=True)
        return cls(BertModel(BertConfig(**shape), add_pooling_layer=False))

    @property
    def heads(self) -> list[nn.Parameter]:
        """The parameters of all heads."""
        parts = [self.verdict, *([self.relevance] if self.relevance is not None else [])]
        return [parameter for part in parts for parameter in part.parameters()]

    @property
    def pad(self) -> int:
        """The id of the padding token: MPNet derives positions from it."""
        return int(self.body.config.pad_token_id or 0)

    def save(self, folder: Path, tokeniser: Path) -> None:
        """Write body, heads and tokeniser, so that `start` can go on from them."""
        folder.mkdir(parents=True, exist_ok=True)
        hush()
        self.body.save_pretrained(folder)
        heads = {"verdict": self.verdict.state_dict()}
        if self.relevance is not None:
            heads["relevance"] = self.relevance.state_dict()
        torch.save(heads, folder / _HEADS)
        if tokeniser.resolve() != (folder / TOKENISER).resolve():
            shutil.copyfile(tokeniser, folder / TOKENISER)

    def features(self, batch: Batch) -> Tensor:
        """Return what the heads read: the first token's state and the mean of all states."""
        inputs = {"input_ids": batch.ids, "attention_mask": batch.mask}
        if self.body.config.model_type == "bert":
            inputs["token_type_ids"] = batch.segments
        states = self.body(**inputs).last_hidden_state
        weights = batch.mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1)
        return torch.cat([states[:, 0], mean], -1)

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the logits of the verdicts (S, R, N) on evidence of its kind, and of relevance."""
        features = self.dropout(self.features(batch))
        verdicts = self.verdict(features).view(-1, self.kinds, len(LABELS))
        kind = batch.kind if self.kinds > 1 else torch.zeros_like(batch.kind)
        own = verdicts[torch.arange(len(verdicts)), kind]
        if self.relevance is None:
            return own, torch.logsumexp(own[:, :2], -1) - own[:, 2]
        return own, self.relevance(features).squeeze(-1)


def _has_heads(folder: Path) -> bool:
    return (folder / _HEADS).is_file()


def for_all_kinds(head: dict[str, Tensor]) -> dict[str, Tensor]:
    """Give every kind of evidence the same verdict head, where there is only one."""
    if len(head["bias"]) > len(LABELS):
        return head
    return {name: torch.cat([values] * len(KINDS)) for name, values in head.items()}


def hush() -> None:
    """Silence the library's progress bars and its remarks on the unused pooler."""
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()


def collate(pairs: Sequence[Pair], tokeniser: Tokenizer, pad: int = 0) -> Batch:
    """Turn pairs into arrays."""
    tokens = tokenise(tokeniser, [(pair.claim, pair.evidence) for pair in pairs])
    longest = max(len(t.ids) for t in tokens)
    return Batch(
        torch.tensor([t.ids + [pad] * (longest - len(t.ids)) for t in tokens]),
        torch.tensor([t.segments + [0] * (longest - len(t.segments)) for t in tokens]),
        torch.tensor([[1] * len(t.ids) + [0] * (longest - len(t.ids)) for t in tokens]),
        torch.tensor([pair.verdict for pair in pairs]),
        torch.tensor([pair.relevant for pair in pairs]),
        torch.tensor([pair.kind for pair in pairs]),
    )
