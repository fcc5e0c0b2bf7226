"""Export a trained model as it is shipped: int8 weights for CTranslate2, heads, tokeniser.

CTranslate2 knows BERT and RoBERTa. MPNet runs in it as well: its relative attention bias is T5's,
and its positions go in as the second embedding of each token, where BERT has segments.
"""

import shutil
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np
from ctranslate2.specs import common_spec, transformer_spec
from msgspec.structs import replace
from torch import Tensor, nn

from feverfew.errors import InputError
from feverfew.lab.train.encoder import Verifier
from feverfew.lab.train.pairs import LABELS
from feverfew.models.encoder import Head, Heads, Layer
from feverfew.models.inputs import LONGEST, TOKENISER, open_tokeniser
from feverfew.models.weights_io import write_digests

__all__ = ["as_layer", "export", "write_model"]

_ACTIVATIONS = {
    "gelu": common_spec.Activation.GELU,
    "gelu_new": common_spec.Activation.GELUTanh,
    "relu": common_spec.Activation.RELU,
}
_FAMILY = ("bert", "roberta", "mpnet")
_FURTHEST = 128
"""Tokens beyond which MPNet and T5 no longer tell distances apart."""


def export(model: Verifier, tokeniser_folder: Path, folder: Path, numbers: str = "int8") -> None:
    """Write a trained model into a folder that `Encoder.open` reads."""
    text, *others = _verdicts(model.verdict)
    cells, chain = others or (None, None)
    relevance = _head(model.relevance) if model.relevance is not None else None
    heads = Heads(text, relevance, cells=cells, chain=chain)
    write_model(model.body, heads, tokeniser_folder, folder, numbers)


def write_model(
    body: Any, heads: Heads, tokeniser_folder: Path, folder: Path, numbers: str = "int8"
) -> None:
    """Write a body with any heads into a folder that `Encoder.open` reads."""
    if folder.resolve() == tokeniser_folder.resolve():
        raise InputError(f"{folder} would be overwritten by what is made from it: write elsewhere")
    words = open_tokeniser(tokeniser_folder).get_vocab()
    spec = _specification(body)
    spec.register_vocabulary(_vocabulary(words, body.config.vocab_size))
    spec.config.unk_token = "[UNK]" if "[UNK]" in words else "<unk>"
    spec.config.layer_norm_epsilon = body.config.layer_norm_eps
    spec.validate()
    spec.optimize(quantization=numbers)
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))
    positions = body.config.model_type == "mpnet"
    replace(heads, inputs="positions" if positions else "segments").write(folder)
    shutil.copyfile(tokeniser_folder / TOKENISER, folder / TOKENISER)
    write_digests(folder)


def _vocabulary(words: dict[str, int], size: int) -> list[str]:
    listed = [f"[extra{i}]" for i in range(size)]
    for word, number in words.items():
        if number >= size:
            raise InputError(f"the tokeniser knows {word!r}, for which the model has no vector")
        listed[number] = word
    return listed


def _specification(body: Any) -> transformer_spec.TransformerEncoderModelSpec:
    config = body.config
    if config.model_type not in _FAMILY or config.hidden_act not in _ACTIVATIONS:
        raise InputError(
            f"a {config.model_type} model with {config.hidden_act} cannot be written; "
            f"supported are {' and '.join(_FAMILY)} with {', '.join(_ACTIVATIONS)}"
        )
    positions = body.embeddings.position_embeddings.weight
    if config.model_type != "bert":
        positions = positions[config.pad_token_id + 1 :]  # their first token has this position
    if len(positions) < LONGEST:
        raise InputError(f"the model reads {len(positions)} tokens at once; {LONGEST} are needed")
    relative = config.model_type == "mpnet"
    encoder = transformer_spec.TransformerEncoderSpec(
        config.num_hidden_layers,
        config.num_attention_heads,
        pre_norm=False,
        activation=_ACTIVATIONS[config.hidden_act],
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
        relative_attention_bias=relative,
    )
    encoder.scale_embeddings = False
    embeddings = body.embeddings
    encoder.embeddings[0].weight = _array(embeddings.word_embeddings.weight)
    if relative:
        encoder.embeddings[1].weight = _array(positions)
    else:
        encoder.embeddings[1].weight = _array(embeddings.token_type_embeddings.weight)
        encoder.position_encodings.encodings = _array(positions)
    _set_norm(encoder.layernorm_embedding, embeddings.LayerNorm)
    for there, here in zip(encoder.layer, body.encoder.layer, strict=True):
        inner, output, norm = _attention(here.attention, relative)
        parts = [common_spec.LinearSpec() for _ in inner]
        for part, layer in zip(parts, inner, strict=True):
            _set_linear(part, layer)
        ctranslate2.converters.utils.fuse_linear(there.self_attention.linear[0], parts)
        _set_linear(there.self_attention.linear[1], output)
        _set_norm(there.self_attention.layer_norm, norm)
        if relative:
            bias = _array(body.encoder.relative_attention_bias.weight)
            there.self_attention.relative_attention_bias = bias
            there.self_attention.relative_attention_max_distance = np.int32(_FURTHEST)
        _set_linear(there.ffn.linear_0, here.intermediate.dense)
        _set_linear(there.ffn.linear_1, here.output.dense)
        _set_norm(there.ffn.layer_norm, here.output.LayerNorm)
    return transformer_spec.TransformerEncoderModelSpec(encoder)


def _attention(attention: Any, relative: bool) -> tuple[list[nn.Linear], nn.Linear, nn.LayerNorm]:
    """Return query, key and value, the output, and the norm, whatever the family calls them."""
    if relative:
        own = attention.attn
        return [own.q, own.k, own.v], own.o, attention.LayerNorm
    own = attention.self
    return [own.query, own.key, own.value], attention.output.dense, attention.output.LayerNorm


def _array(values: Tensor) -> "np.ndarray[tuple[int, ...], np.dtype[np.float32]]":
    return values.detach().numpy().astype(np.float32)


def _set_linear(there: common_spec.LinearSpec, here: nn.Linear) -> None:
    there.weight = _array(here.weight)
    there.bias = _array(here.bias)


def _set_norm(there: common_spec.LayerNormSpec, here: nn.LayerNorm) -> None:
    there.gamma = _array(here.weight)
    there.beta = _array(here.bias)


def _head(layer: nn.Linear) -> Head:
    flat = as_layer(layer)
    return Head(flat.weights, flat.bias)


def _verdicts(layer: nn.Linear) -> list[Head]:
    """Take the verdict heads of all kinds of evidence apart."""
    flat, size = as_layer(layer), len(LABELS)
    starts = range(0, len(flat.bias), size)
    return [Head(flat.weights[at : at + size], flat.bias[at : at + size]) for at in starts]


def as_layer(layer: nn.Linear) -> Layer:
    """Return a layer's numbers as they are written."""
    weights, bias = (
        _array(values).astype(np.float64).round(6).tolist() for values in (layer.weight, layer.bias)
    )
    return Layer(weights, bias)
