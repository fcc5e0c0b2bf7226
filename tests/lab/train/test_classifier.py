"""Classifiers of others: what they say here is what they say at home, or why they cannot come."""

import json
import pickle
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from feverfew.errors import InputError
from tinymodel import WORDS, tiny_tokeniser

torch = pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")

from transformers import (  # noqa: E402
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
)

from feverfew.judge import Judge  # noqa: E402
from feverfew.judge.external import with_external  # noqa: E402
from feverfew.lab.train.classifier import convert  # noqa: E402
from feverfew.lab.train.encoder import hush  # noqa: E402
from feverfew.models.encoder import Encoder  # noqa: E402

LABELS = {0: "CONTRADICTION", 1: "entailment", 2: "neutral"}
OURS = [1, 0, 2]
KINDS: dict[str, Any] = {
    "bert": (BertConfig, BertForSequenceClassification),
    "roberta": (RobertaConfig, RobertaForSequenceClassification),
}
TAUGHT = ["sea sea", "sky", "rose is rose"]
"""Evidence that supports, refutes, and leaves open that something "is red"."""
ASKED = [
    *(("is red", evidence) for evidence in TAUGHT),
    ("sky is red", "sea is not rose"),
    ("red", "not " * 300),
]


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """So small a model is slowed down by a second thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def classifier(folder: Path, kind: str = "bert", steps: int = 0, **changes: Any) -> Path:
    """Save a classifier with random weights, or one that has learned a little."""
    hush()
    torch.manual_seed(3)
    config, made = KINDS[kind]
    settings = {
        "vocab_size": len(WORDS),
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": 300,
        "initializer_range": 0.1,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "id2label": LABELS,
        "pad_token_id": {"bert": 0, "roberta": 1}[kind],
        **changes,
    }
    model = made(config(**settings)).eval()
    kinds = ["token_type_ids"] if kind == "bert" else []
    tokeniser = PreTrainedTokenizerFast(
        tokenizer_object=tiny_tokeniser(),
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_input_names=["input_ids", "attention_mask", *kinds],
    )
    if steps:
        learn(model, tokeniser, steps)
    model.save_pretrained(folder)
    tokeniser.save_pretrained(folder)
    return folder


def learn(model: Any, tokeniser: Any, steps: int) -> None:
    """Teach a classifier: what it says must depend on the pair to prove anything."""
    model.train()
    batch = tokeniser(TAUGHT, ["is red"] * 3, padding=True, return_tensors="pt")
    labels = torch.tensor(OURS)
    optimiser = torch.optim.Adam(model.parameters(), 3e-3)
    for _ in range(steps):
        optimiser.zero_grad()
        model(**batch, labels=labels).loss.backward()
        optimiser.step()
    model.eval()


@torch.inference_mode()  # type: ignore[untyped-decorator]
def at_home(folder: Path) -> Any:
    """Ask a classifier the way its own library does: the premise first."""
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokeniser = AutoTokenizer.from_pretrained(folder)
    found = []
    for claim, evidence in ASKED:
        cut = tokeniser(evidence, claim, truncation=True, max_length=256, return_tensors="pt")
        found.append(model(**cut).logits[0, OURS].softmax(-1))
    return torch.stack(found)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("bert", {}),
        ("bert", {"hidden_act": "gelu_new"}),
        ("bert", {"hidden_act": "relu"}),
        ("roberta", {"type_vocab_size": 1}),
    ],
)
def test_it_says_what_it_said_at_home(tmp_path: Path, kind: str, changes: dict[str, Any]) -> None:
    source = classifier(tmp_path / "source", kind, steps=60, **changes)
    convert(str(source), tmp_path / "model")
    encoder = Encoder.open(tmp_path / "model", threads=2)
    expected = at_home(source)
    assert expected.argmax(-1).tolist()[:3] == [0, 1, 2]
    found = torch.tensor(encoder.verdict(ASKED))
    assert torch.allclose(found, expected, atol=0.06)
    # Evidence is relevant as far as it does not leave the claim open.
    assert encoder.relevance(ASKED) == pytest.approx((1 - found[:, 2]).tolist(), abs=1e-4)


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ({0: "entailment", 1: "not_entailment"}, "none is contradiction or neutral"),
        ({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, "LABEL_0, LABEL_1, LABEL_2: none is"),
        ({0: "POSITIVE"}, "write these into id2label"),
    ],
)
def test_other_labels_are_refused(tmp_path: Path, labels: dict[int, str], why: str) -> None:
    source = classifier(tmp_path / "source", id2label=labels)
    with pytest.raises(InputError, match=why):
        convert(str(source), tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_fever_s_labels_will_do(tmp_path: Path) -> None:
    names = {0: "REFUTES", 1: "SUPPORTS", 2: "NOT ENOUGH INFO"}
    convert(str(classifier(tmp_path / "source", id2label=names)), tmp_path / "model")
    convert(str(classifier(tmp_path / "other")), tmp_path / "second")
    one, other = (Encoder.open(tmp_path / name, threads=1) for name in ("model", "second"))
    assert one.verdict(ASKED) == other.verdict(ASKED)


def test_other_shapes_are_refused(tmp_path: Path) -> None:
    short = classifier(tmp_path / "short", max_position_embeddings=128)
    with pytest.raises(InputError, match="reads 128 tokens at once; 256 are needed"):
        convert(str(short), tmp_path / "model")
    strange = classifier(tmp_path / "strange", hidden_act="silu")
    with pytest.raises(InputError, match="with silu cannot be written"):
        convert(str(strange), tmp_path / "model")
    other = tmp_path / "other"
    other.mkdir()
    (other / "config.json").write_text(json.dumps({"model_type": "distilbert"}))
    with pytest.raises(InputError, match="a distilbert model; only bert and roberta"):
        convert(str(other), tmp_path / "model")


def test_folders_without_a_model_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be loaded: .*config\.json"):
        convert(str(tmp_path), tmp_path / "model")
    source = classifier(tmp_path / "source")
    (source / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"cannot be loaded: .*model\.safetensors"):
        convert(str(source), tmp_path / "model")


def test_what_is_not_here_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nobody/nothing is no folder here, .* give the folder"):
        convert("nobody/nothing", tmp_path / "model")


def test_an_imported_classifier_judges_what_decides(tmp_path: Path) -> None:
    made = tmp_path / "made"
    convert(str(classifier(tmp_path / "own", steps=60)), made)
    judge = with_external(Judge.open("small"), str(made))
    said = judge.judge_texts([("is red", [evidence]) for evidence in TAUGHT])
    verdicts = [max(range(3), key=one.probabilities.__getitem__) for one in said]
    assert verdicts[2] == 2
    assert judge.fingerprint != Judge.open("small").fingerprint
    for one, evidence in zip(said, TAUGHT, strict=True):
        own = Encoder.open(made).verdict([("is red", evidence)])[0]
        assert one.readings.close[0].argmax() == max(range(3), key=own.__getitem__)


def test_code_of_an_imported_folder_is_never_run(tmp_path: Path) -> None:
    folder = classifier(tmp_path / "evil")
    mark = tmp_path / "was run"
    evil = f"open({str(mark)!r}, 'w')\n"
    (folder / "evil.py").write_text(evil)
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = dict.fromkeys(
        ("AutoConfig", "AutoModelForSequenceClassification", "AutoTokenizer"), "evil.Evil"
    )
    (folder / "config.json").write_text(json.dumps(config))
    with suppress(InputError):  # refused, or read without its code
        convert(str(folder), tmp_path / "out")
    assert not mark.exists()


def test_weights_as_pickles_are_refused(tmp_path: Path) -> None:
    folder = classifier(tmp_path / "pickled")
    (folder / "model.safetensors").unlink()
    mark = tmp_path / "was run"

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return open, (str(mark), "w")

    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(InputError, match="safetensors"):
        convert(str(folder), tmp_path / "out")
    assert not mark.exists()
