"""Turn an exported model back into one that can be trained: the inverse of `export`."""

import shutil
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
import torch
from torch import Tensor
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from feverfew.errors import InputError
from feverfew.lab.train.encoder import Verifier
from feverfew.models.encoder import Head, Heads
from feverfew.models.inputs import TOKENISER

_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
"""How CTranslate2 numbers the kinds of number it writes."""
_BERT = {
    "self_attention/linear_0": (
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
    ),
    "self_attention/linear_1": ("attention.output.dense",),
    "self_attention/layer_norm": ("attention.output.LayerNorm",),
}
_MPNET = {
    "self_attention/linear_0": ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    "self_attention/linear_1": ("attention.attn.o",),
    "self_attention/layer_norm": ("attention.LayerNorm",),
}
_LAYER = {
    "ffn/linear_0": ("intermediate.dense",),
    "ffn/linear_1": ("output.dense",),
    "ffn/layer_norm": ("output.LayerNorm",),
}
_KINDS = {"weight": "weight", "bias": "bias", "gamma": "weight", "beta": "bias"}


def reopen(exported: Path, folder: Path) -> None:
    """Write body, heads and tokeniser of an exported model into a folder to start from.

    Rounded weights stay rounded: training goes on from what is really used.
    """
    try:
        stored, heads = _stored(exported / "model.bin"), Heads.read(exported)
        settings = msgspec.json.decode((exported / "config.json").read_bytes())
        model = Verifier(_body(stored, settings), one_head=heads.relevance is None)
        kinds = [heads.verdict, heads.cells or heads.verdict, heads.chain or heads.verdict]
        model.verdict.load_state_dict(_joined(kinds[: model.kinds]))
        if model.relevance is not None:
            model.relevance.load_state_dict(_joined([heads.relevance]))
    except (
        *(OSError, struct.error, KeyError, ValueError, RuntimeError),
        msgspec.MsgspecError,
    ) as error:
        raise InputError(f"{exported} cannot be trained on: {error}") from None
    model.save(folder, exported / TOKENISER)
    shutil.copyfile(exported / TOKENISER, folder / TOKENISER)


def _stored(path: Path) -> dict[str, Tensor]:
    """Read all weights of a `model.bin` by name, int8 turned back into floats."""
    found: dict[str, Any] = {}
    with path.open("rb") as file:
        _number(file, "I")  # the version of the file's layout
        _text(file)
        _number(file, "I")
        for _ in range(_number(file, "I")):
            name = _text(file)
            shape = [_number(file, "I") for _ in range(_number(file, "B"))]
            kind = np.dtype(_TYPES[_number(file, "B")])
            values = np.frombuffer(file.read(_number(file, "I")), kind)
            found[name] = values.reshape(shape).astype(np.float32)
        for _ in range(_number(file, "I")):  # equal numbers are written once
            name = _text(file)
            found[name] = found[_text(file)]
    return {
        name: torch.from_numpy(
            value / found[f"{name}_scale"][:, None] if f"{name}_scale" in found else value
        )
        for name, value in found.items()
    }


def _number(file: BinaryIO, form: str) -> int:
    value: int = struct.unpack(form, file.read(struct.calcsize(form)))[0]
    return value


def _text(file: BinaryIO) -> str:
    return file.read(_number(file, "H"))[:-1].decode()


def _body(stored: dict[str, Tensor], settings: dict[str, Any]) -> Any:
    words, width = stored["encoder/embeddings_0/weight"].shape
    layers = 1 + max(
        int(name.split("/")[1].removeprefix("layer_"))
        for name in stored
        if name.startswith("encoder/layer_")
    )
    mpnet = "encoder/position_encodings/encodings" not in stored
    second = stored["encoder/embeddings_1/weight"]
    named = {
        "embeddings.word_embeddings.weight": stored["encoder/embeddings_0/weight"],
        "embeddings.LayerNorm.weight": stored["encoder/layernorm_embedding/gamma"],
        "embeddings.LayerNorm.bias": stored["encoder/layernorm_embedding/beta"],
    }
    if mpnet:
        # Its first token has position 2; the rows before belong to padding.
        positions = torch.cat([torch.zeros(2, width), second])
        bias = stored["encoder/layer_0/self_attention/relative_attention_bias"]
        named["encoder.relative_attention_bias.weight"] = bias
    else:
        positions = stored["encoder/position_encodings/encodings"]
        named["embeddings.token_type_embeddings.weight"] = second
    named["embeddings.position_embeddings.weight"] = positions
    for number in range(layers):
        there, here = f"encoder/layer_{number}", f"encoder.layer.{number}"
        for place, parts in {**(_MPNET if mpnet else _BERT), **_LAYER}.items():
            for kind, name in _KINDS.items():
                if f"{there}/{place}/{kind}" in stored:
                    fused = stored[f"{there}/{place}/{kind}"].chunk(len(parts))
                    for part, values in zip(parts, fused, strict=True):
                        named[f"{here}.{part}.{name}"] = values
    shape: dict[str, Any] = {
        "vocab_size": words,
        "hidden_size": width,
        "num_hidden_layers": layers,
        "num_attention_heads": int(stored["encoder/num_heads"]),
        "intermediate_size": len(stored["encoder/layer_0/ffn/linear_0/bias"]),
        "max_position_embeddings": len(positions),
        "layer_norm_eps": settings.get("layer_norm_epsilon") or 1e-12,
    }
    if mpnet:
        shape["relative_attention_num_buckets"] = len(bias)
        body: Any = MPNetModel(MPNetConfig(**shape), add_pooling_layer=False)
    else:
        body = BertModel(BertConfig(**shape), add_pooling_layer=False)
    body.load_state_dict(named, strict=True)
    return body


def _joined(heads: Sequence[Head | None]) -> dict[str, Tensor]:
    rows, biases = list[list[float]](), list[float]()
    for head in heads:
        if head is None or head.hidden is not None:
            raise ValueError("its heads are not those of the trainer")
        rows += head.weights
        biases += head.bias
    return {"weight": torch.tensor(rows), "bias": torch.tensor(biases)}
