"""An exported model is trained on: what it says stays, and what cannot be is refused."""

from pathlib import Path
from typing import Any

import pytest

from feverfew.errors import InputError
from feverfew.judge import Encoder
from feverfew.models.encoder import shipped_folder
from tinymodel import write_tokeniser

torch = pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")

from feverfew.lab.train.encoder import Verifier, collate  # noqa: E402
from feverfew.lab.train.export import export  # noqa: E402
from feverfew.lab.train.pairs import UNKNOWN, Pair  # noqa: E402
from feverfew.lab.train.starts import starting_weights  # noqa: E402
from feverfew.models.inputs import open_tokeniser  # noqa: E402

ASKED = [("sea is red", "sea is not red"), ("sky is blue", "rose is red red red")]


def said(model: Verifier, folder: Path) -> Any:
    pairs = [Pair(*pair, UNKNOWN, UNKNOWN) for pair in ASKED]
    with torch.inference_mode():
        verdict, relevance = model.eval()(collate(pairs, open_tokeniser(folder), model.pad))
    return torch.cat([verdict, relevance.unsqueeze(-1)], -1)


@pytest.fixture(params=["bert", "mpnet"])
def exported(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Verifier, Path]:
    words = write_tokeniser(tmp_path / "words")
    model = Verifier.tiny(open_tokeniser(words).get_vocab_size(), 3, request.param)
    export(model, words, tmp_path / "model")
    return model, tmp_path / "model"


def test_what_was_exported_comes_back(exported: tuple[Verifier, Path], tmp_path: Path) -> None:
    model, folder = exported
    again = Verifier.start(starting_weights(str(folder), tmp_path / "start"), seed=1)
    assert torch.allclose(said(again, folder), said(model, folder), atol=0.02)
    for name, values in model.state_dict().items():
        used = slice(2 if "position" in name and len(values) == 512 else 0, None)
        assert torch.allclose(values[used], again.state_dict()[name][used], atol=0.02), name


def test_an_exported_model_says_what_it_said_in_training(exported: tuple[Verifier, Path]) -> None:
    model, folder = exported
    in_use = Encoder.open(folder, 1).logits(ASKED)[:, :4]
    assert in_use == pytest.approx(said(model, folder).numpy(), abs=0.05)


def test_the_shipped_model_says_what_it_says_in_use(tmp_path: Path) -> None:
    folder = starting_weights("shipped", tmp_path / "start")
    pairs = [("Fritz Lang was born in 1975.", "Fritz Lang was born in Vienna in 1890.")]
    asked = collate([Pair(*pairs[0], UNKNOWN, UNKNOWN)], open_tokeniser(folder))
    with torch.inference_mode():
        verdict, relevance = Verifier.start(folder, seed=1).eval()(asked)
    in_use = Encoder.open(shipped_folder(), 1).logits(pairs)[0].tolist()
    assert [*verdict[0].tolist(), float(relevance[0])] == pytest.approx(in_use[:4], abs=0.5)


def test_a_damaged_model_is_refused(exported: tuple[Verifier, Path], tmp_path: Path) -> None:
    _, folder = exported
    path = folder / "model.bin"
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match="cannot be trained on"):
        starting_weights(str(folder), tmp_path / "start")
