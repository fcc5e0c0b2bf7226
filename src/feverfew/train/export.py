"""Write a trained model as it is shipped: int8 weights for CTranslate2, heads, tokeniser."""

import shutil
from pathlib import Path
from typing import Any

import ctranslate2
import msgspec
import numpy as np
from ctranslate2.specs import common_spec, transformer_spec
from torch import Tensor, nn

from feverfew.judge.encoder import HEADS, Head, Heads
from feverfew.judge.tokens import TOKENISER, open_tokeniser
from feverfew.train.encoder import Verifier

__all__ = ["export"]


def export(model: Verifier, tokeniser_folder: Path, folder: Path, numbers: str = "int8") -> None:
    """Write a model into a folder that `Encoder.open` reads."""
    words = open_tokeniser(tokeniser_folder).get_vocab()
    spec = _specification(model)
    spec.register_vocabulary(_vocabulary(words, model.body.config.vocab_size))
    spec.config.unk_token = "[UNK]"
    spec.config.layer_norm_epsilon = model.body.config.layer_norm_eps
    spec.validate()
    spec.optimize(quantization=numbers)
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))
    heads = Heads(_head(model.verdict), _head(model.relevance))
    (folder / HEADS).write_bytes(msgspec.json.encode(heads))
    shutil.copyfile(tokeniser_folder / TOKENISER, folder / TOKENISER)


def _vocabulary(words: dict[str, int], size: int) -> list[str]:
    listed = [f"[extra{i}]" for i in range(size)]
    for word, number in words.items():
        listed[number] = word
    return listed


def _specification(model: Verifier) -> transformer_spec.TransformerEncoderModelSpec:
    body: Any = model.body  # torch cannot tell mypy what a module holds
    encoder = transformer_spec.TransformerEncoderSpec(
        body.config.num_hidden_layers,
        body.config.num_attention_heads,
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
    )
    encoder.scale_embeddings = False
    embeddings = body.embeddings
    encoder.embeddings[0].weight = _array(embeddings.word_embeddings.weight)
    encoder.embeddings[1].weight = _array(embeddings.token_type_embeddings.weight)
    encoder.position_encodings.encodings = _array(embeddings.position_embeddings.weight)
    _set_norm(encoder.layernorm_embedding, embeddings.LayerNorm)
    for there, here in zip(encoder.layer, body.encoder.layer, strict=True):
        attention = here.attention
        parts = [common_spec.LinearSpec() for _ in range(3)]
        for part, layer in zip(
            parts,
            (attention.self.query, attention.self.key, attention.self.value),
            strict=True,
        ):
            _set_linear(part, layer)
        ctranslate2.converters.utils.fuse_linear(there.self_attention.linear[0], parts)
        _set_linear(there.self_attention.linear[1], attention.output.dense)
        _set_norm(there.self_attention.layer_norm, attention.output.LayerNorm)
        _set_linear(there.ffn.linear_0, here.intermediate.dense)
        _set_linear(there.ffn.linear_1, here.output.dense)
        _set_norm(there.ffn.layer_norm, here.output.LayerNorm)
    return transformer_spec.TransformerEncoderModelSpec(encoder)


def _array(values: Tensor) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
    return values.detach().numpy().astype(np.float32)


def _set_linear(there: common_spec.LinearSpec, here: nn.Linear) -> None:
    there.weight = _array(here.weight)
    there.bias = _array(here.bias)


def _set_norm(there: common_spec.LayerNormSpec, here: nn.LayerNorm) -> None:
    there.gamma = _array(here.weight)
    there.beta = _array(here.bias)


def _head(layer: nn.Linear) -> Head:
    return Head(_array(layer.weight).round(6).tolist(), _array(layer.bias).round(6).tolist())
