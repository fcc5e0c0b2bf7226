"""What every model does, the shipped one and one made here; and folders that are none."""

import json
import math
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.judge import Encoder, linearise
from feverfew.models.encoder import (
    CELLS,
    CHAIN,
    TEXT,
    WIDTH,
    Head,
    Heads,
    Layer,
    Reader,
    shipped_folder,
)
from feverfew.readers.claims import read_claims
from feverfew.sample import sample_claims
from tinymodel import TROUBLE, WORDS, write_tokeniser

VIENNA = linearise([("Fritz Lang", "Fritz Lang was born in Vienna in 1890 .")])
DANUBE = linearise([("Danube", "It is the second-longest river in Europe .")])


def made_here(folder: Path, family: str = "bert") -> Path:
    pytest.importorskip("torch", reason="making a model needs the extra: feverfew[train]")
    from feverfew.lab.train.encoder import Verifier
    from feverfew.lab.train.export import export

    words = write_tokeniser(folder / "words")
    export(Verifier.tiny(len(WORDS), 1, family), words, folder / "model")
    return folder / "model"


MODELS: dict[str, Callable[[Path], Path]] = {
    "made here": made_here,
    "MPNet": lambda folder: made_here(folder, "mpnet"),
    "shipped": lambda _: shipped_folder(),
}


@pytest.fixture(scope="module", params=MODELS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return MODELS[request.param](tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Encoder:
    return Encoder.open(folder, threads=2)


def test_shares_are_shares_whatever_comes_in(encoder: Encoder) -> None:
    pairs = [*zip(TROUBLE, TROUBLE[::-1], strict=True), *((text, "") for text in TROUBLE)]
    verdicts, relevance = encoder.verdict(pairs), encoder.relevance(pairs)
    assert len(verdicts) == len(relevance) == len(pairs)
    for shares in verdicts:
        assert sum(shares) == pytest.approx(1, abs=1e-4)
        assert all(math.isfinite(share) and share >= 0 for share in shares)
    assert all(0 <= share <= 1 for share in relevance)


def sample_pairs(count: int) -> list[tuple[str, str]]:
    """Take claims of the sample with sentences of very different lengths."""
    claims = [claim.text for claim in read_claims(sample_claims()[0])]
    with Corpus.sample() as corpus:
        texts = [s.text for page in corpus for s in page.sentences]
    return [(claims[i], " ".join(texts[7 * i : 7 * i + 1 + i % 5])) for i in range(count)]


def test_a_pair_gets_the_same_bits_in_any_batch_order_and_number_of_threads(folder: Path) -> None:
    pairs = sample_pairs(50)
    pairs[9] = pairs[3]
    one = Encoder.open(folder, threads=1)
    alone = np.concatenate([one.logits([pair]) for pair in pairs])
    assert (alone[9] == alone[3]).all()
    for threads in (1, 2, 3):
        encoder = Encoder.open(folder, threads)
        for seed, size in enumerate((50, 17, 4)):
            order = random.Random(seed).sample(range(50), 50)
            parts = [order[at : at + size] for at in range(0, 50, size)]
            found = np.concatenate([encoder.logits([pairs[i] for i in part]) for part in parts])
            assert (found == alone[order]).all(), (threads, size)


def test_the_heads_shares_come_from_their_logits(encoder: Encoder) -> None:
    pairs = [("sea is red", "sea is not red"), ("The Danube is long.", DANUBE)]
    logits = encoder.logits(pairs)
    assert logits.shape == (2, WIDTH)
    for row, shares, share in zip(
        logits, encoder.verdict(pairs), encoder.relevance(pairs), strict=True
    ):
        powers = [math.exp(value) for value in row[:3]]
        assert shares == pytest.approx([power / sum(powers) for power in powers], abs=1e-3)
        assert share == pytest.approx(1 / (1 + math.exp(-row[3])), abs=1e-3)


def test_nothing_in_nothing_out(encoder: Encoder) -> None:
    assert encoder.verdict([]) == []
    assert encoder.relevance([]) == []
    assert encoder.logits([]).shape == (0, WIDTH)


def test_equal_models_have_equal_fingerprints(encoder: Encoder, folder: Path) -> None:
    assert encoder.fingerprint == Encoder.open(folder, threads=1).fingerprint


def linked(folder: Path, there: Path) -> Path:
    """Make a folder whose files are those of another, but without a list of their digests."""
    there.mkdir()
    for path in folder.iterdir():
        if path.name != "digests.json":
            (there / path.name).symlink_to(path)
    return there


def put(folder: Path, name: str, content: bytes) -> None:
    (folder / name).unlink()
    (folder / name).write_bytes(content)


def test_other_heads_have_another_fingerprint(folder: Path, tmp_path: Path) -> None:
    changed = linked(folder, tmp_path / "changed")
    heads: dict[str, Any] = json.loads((folder / "heads.json").read_bytes())
    heads["verdict"]["bias"][0] += 1
    put(changed, "heads.json", json.dumps(heads).encode())
    assert Encoder.open(changed).fingerprint != Encoder.open(folder).fingerprint


@pytest.mark.parametrize(
    "name", ["model.bin", "config.json", "vocabulary.json", "heads.json", "tokenizer.json"]
)
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "foreign"])
def test_a_folder_that_is_no_model_is_named(
    folder: Path, tmp_path: Path, name: str, damage: str
) -> None:
    broken = linked(folder, tmp_path / "broken")
    whole = (folder / name).read_bytes()
    if damage == "missing":
        (broken / name).unlink()
    else:
        content = {"empty": b"", "cut": whole[: len(whole) // 2], "foreign": b"[1, 2]"}[damage]
        put(broken, name, content)
    with pytest.raises(InputError, match=r"is not a (model|tokeniser)"):
        Encoder.open(broken)


def test_no_folder_at_all_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="make one with 'feverfew train export'"):
        Encoder.open(tmp_path / "nowhere")


FLAT = {"weights": [[1.0], [1.0], [1.0]], "bias": [0.0, 0.0, 0.0]}
ONE = {"weights": [[1.0]], "bias": [0.0]}


@pytest.mark.parametrize(
    "heads",
    [
        {"verdict": FLAT, "relevance": ONE},
        {"verdict": ONE, "relevance": FLAT},
        {"verdict": {"weights": [[1.0], [1.0, 2.0], []], "bias": [0.0, 0.0, 0.0]}},
        {"relevance": ONE},
    ],
    ids=["too narrow", "swapped", "ragged", "no verdict"],
)
def test_heads_that_do_not_fit_are_named(
    folder: Path, tmp_path: Path, heads: dict[str, Any]
) -> None:
    broken = linked(folder, tmp_path / "broken")
    put(broken, "heads.json", json.dumps(heads).encode())
    with pytest.raises(InputError, match="is not a model"):
        Encoder.open(broken)


def test_a_hidden_layer_reads_through_tanh(tmp_path: Path) -> None:
    """Of the features 2, 3 the hidden layer reads the first alone."""
    verdict = Head([[1.0], [0.0], [-1.0]], [0.0, 0.5, 0.0], Layer([[0.25]], [0.1]))
    heads = Heads(verdict, evidence_first=True)
    heads.write(tmp_path)
    assert Heads.read(tmp_path) == heads
    (found,) = Reader(heads)(np.array([[2.0, 3.0]], np.float32))
    inner = math.tanh(0.6)
    s, r, n = (math.exp(x) for x in (inner, 0.5, -inner))
    assert found.tolist() == pytest.approx(
        [inner, 0.5, -inner, math.log((s + r) / n), *[inner, 0.5, -inner] * 2], abs=1e-5
    )


def test_each_kind_of_evidence_has_a_head_of_its_own_or_that_of_texts(tmp_path: Path) -> None:
    text = Head([[1.0], [2.0], [3.0]], [0.0] * 3)
    cells = Head([[4.0], [5.0], [6.0]], [0.5] * 3)
    heads = Heads(text, Head([[7.0]], [0.0]), cells=cells)
    heads.write(tmp_path)
    assert Heads.read(tmp_path) == heads
    rows = Reader(heads)(np.array([[1.0]], np.float32))
    assert rows[:, TEXT].tolist() == [[1, 2, 3, 7]]
    assert rows[:, CELLS].tolist() == [[4.5, 5.5, 6.5, 7]]
    assert rows[:, CHAIN].tolist() == [[1, 2, 3, 7]]


def test_a_head_without_three_verdicts_is_refused() -> None:
    whole, half = Head([[1.0]] * 3, [0.0] * 3), Head([[1.0]], [0.0])
    for heads in (Heads(half), Heads(whole, whole), Heads(whole, cells=half)):
        with pytest.raises(ValueError, match="three outputs"):
            Reader(heads)


def test_verdicts_are_read_by_the_head_that_the_evidence_asks_for(encoder: Encoder) -> None:
    pairs = [("sea is red", "sea is not red"), ("The Danube is long.", DANUBE)] * 2
    logits, kinds = encoder.logits(pairs), [0, 1, 2, 1]
    said = encoder.verdict(pairs, kinds)
    for row, kind, shares in zip(logits, kinds, said, strict=True):
        powers = np.exp(row[[TEXT, CELLS, CHAIN][kind][:3]])
        assert shares == pytest.approx((powers / powers.sum()).tolist(), abs=1e-3)


def test_the_shipped_model_tells_support_from_refutation() -> None:
    said = Encoder.shipped(threads=2).verdict(
        [("Fritz Lang was born in Vienna.", VIENNA), ("Fritz Lang was born in 1975.", VIENNA)]
    )
    (s_true, r_true, _), (s_false, r_false, _) = said
    assert s_true > r_true
    assert r_false > s_false


def test_the_shipped_model_ranks_the_sentence_that_matters_first() -> None:
    claim = "Fritz Lang was born in Vienna."
    encoder = Encoder.shipped(threads=1)
    matters, beside = encoder.relevance([(claim, VIENNA), (claim, DANUBE)])
    assert matters > beside


def test_running_a_model_needs_no_torch() -> None:
    code = (
        "import sys; from feverfew.judge import Encoder; Encoder.shipped().relevance([('a', 'b')]);"
        "sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
