"""Turn a sequence classifier of the Hugging Face kind into a model that Feverfew runs.

It must be a BERT or a RoBERTa, taught natural language inference with three labels. Its labels
become ours: entailment is S, contradiction R, neutral N. Such models read the premise first, so
the evidence goes before the claim. They have no relevance head: evidence is then as relevant as
it does not leave the claim open, 1 - P(N).
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from torch import nn
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

from feverfew.errors import InputError
from feverfew.lab.train.encoder import SAFE, hush
from feverfew.lab.train.export import as_layer, write_model
from feverfew.lab.train.pairs import LABELS
from feverfew.models.encoder import Head, Heads
from feverfew.models.inputs import TOKENISER

_NAMES = {
    "entailment": "S",
    "contradiction": "R",
    "neutral": "N",
    "supports": "S",
    "supported": "S",
    "refutes": "R",
    "refuted": "R",
    "notenoughinfo": "N",
}
_SUPPORTED = ("bert", "roberta")


def convert(name: str, folder: Path, numbers: str = "int8") -> None:
    """Write the classifier in a folder, or in the hub's cache, as `Encoder.open` reads it."""
    hush()
    try:
        config = AutoConfig.from_pretrained(name, **SAFE)
        rows = _rows(name, config)
        # Weights as pickles could run code when they are read.
        model = AutoModelForSequenceClassification.from_pretrained(
            name, use_safetensors=True, **SAFE
        )
        tokeniser = AutoTokenizer.from_pretrained(name, **SAFE)
    except (OSError, ValueError, KeyError) as error:
        if not Path(name).is_dir():
            raise InputError(
                f"{name} is no folder here, nor in the hub's cache: fetch it with 'hf download "
                f"{name}', or give the folder that holds its config.json, model.safetensors and "
                "tokenizer.json"
            ) from None
        first = (str(error).strip() or repr(error)).splitlines()[0]
        raise InputError(f"{name} cannot be loaded: {first}") from None
    backend = getattr(tokeniser, "backend_tokenizer", None)
    if backend is None:
        raise InputError(f"{name} has no {TOKENISER}; save it with its fast tokeniser")
    if "token_type_ids" not in tokeniser.model_input_names:
        # It was never told which text a token belongs to: all belong to the first.
        kinds = model.base_model.embeddings.token_type_embeddings
        kinds.weight = nn.Parameter(kinds.weight[:1].repeat(2, 1))
    with TemporaryDirectory() as between:
        backend.save(str(Path(between) / TOKENISER))
        heads = Heads(_verdict(model.eval(), rows), evidence_first=True)
        write_model(model.base_model, heads, Path(between), folder, numbers)


def _rows(name: str, config: Any) -> list[int]:
    """Find the classifier's outputs for S, R and N by the names that its settings give them."""
    if config.model_type not in _SUPPORTED:
        raise InputError(
            f"{name} is a {config.model_type} model; only {' and '.join(_SUPPORTED)} "
            "classifiers can be imported"
        )
    named = {int(row): str(label) for row, label in config.id2label.items()}
    meant = {_NAMES.get(re.sub("[^a-z]", "", label.lower())): row for row, label in named.items()}
    missing = [label for label in LABELS if label not in meant]
    if missing:
        words = {"S": "entailment", "R": "contradiction", "N": "neutral"}
        raise InputError(
            f"{name} has the labels {', '.join(named.values())}: none is "
            f"{' or '.join(words[label] for label in missing)}. A verdict needs all three; if the "
            "model has them by other names, write these into id2label in its config.json"
        )
    return [meant[label] for label in LABELS]


def _verdict(model: Any, rows: list[int]) -> Head:
    """Take the layers behind the encoder: one with tanh over the first token, then the outputs."""
    if model.config.model_type == "bert":
        hidden, outputs = model.bert.pooler.dense, model.classifier
    else:
        hidden, outputs = model.classifier.dense, model.classifier.out_proj
    last = as_layer(outputs)
    return Head([last.weights[r] for r in rows], [last.bias[r] for r in rows], as_layer(hidden))
