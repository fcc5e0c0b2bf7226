"""The trainer: it learns, it can be interrupted, and what it learned is what is exported."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from feverfew.errors import InputError

torch = pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
pytest.importorskip("transformers", reason="training needs the extra: feverfew[train]")

from feverfew.judge.encoder import Encoder  # noqa: E402
from feverfew.judge.tokens import TOKENISER, open_tokeniser  # noqa: E402
from feverfew.train.encoder import Verifier, collate  # noqa: E402
from feverfew.train.export import export  # noqa: E402
from feverfew.train.loop import HeldOut, Settings, evaluate, train  # noqa: E402
from feverfew.train.pairs import UNKNOWN, Pair, Source  # noqa: E402

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "is", "red", "blue", "not", "sea", "sky", "rose"]
PAIRS = [
    *(Pair(f"{x} is red", f"{x} is red", 0, 1) for x in ("sea", "sky", "rose")),
    *(Pair(f"{x} is red", f"{x} is not red", 1, 1) for x in ("sea", "sky", "rose")),
    *(Pair(f"{x} is red", "blue blue", 2, 0) for x in ("sea", "sky", "rose")),
    Pair("sea is red", "blue", UNKNOWN, 0),
]
SOURCES = [Source("all", PAIRS, 1.0)]
SETTINGS = Settings(steps=150, batch=8, rate=3e-3, check_every=50, log_every=5, longest=16)


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """So small a model is slowed down by a second thread, and its sums depend on it."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def tokeniser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokeniser")
    made = Tokenizer(models.WordPiece({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.save(str(folder / TOKENISER))
    return folder


def run(folder: Path, tokeniser: Path, settings: Settings = SETTINGS) -> tuple[Verifier, HeldOut]:
    model = Verifier.tiny(len(WORDS), seed=1)
    return model, train(model, SOURCES, PAIRS, settings, folder, tokeniser)


def logged(folder: Path) -> list[dict[str, float]]:
    lines = (folder / "log.jsonl").read_text("utf-8").splitlines()
    return [row for row in map(json.loads, lines) if "verdict_loss" in row]


def same(one: Verifier, other: Verifier) -> bool:
    pairs = zip(one.state_dict().values(), other.state_dict().values(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


def test_the_loss_falls_and_the_labels_are_learned(tmp_path: Path, tokeniser: Path) -> None:
    _, best = run(tmp_path, tokeniser)
    log = logged(tmp_path)
    assert log[-1]["verdict_loss"] < log[0]["verdict_loss"] / 3
    assert log[-1]["relevance_loss"] < log[0]["relevance_loss"] / 3
    assert best.verdict > 0.9
    assert best.relevance > 0.9


def test_the_seed_decides_the_weights(tmp_path: Path, tokeniser: Path) -> None:
    short = Settings(steps=6, batch=8, rate=3e-3, longest=16)
    one, _ = run(tmp_path / "a", tokeniser, short)
    again, _ = run(tmp_path / "b", tokeniser, short)
    other, _ = run(tmp_path / "c", tokeniser, Settings(steps=6, batch=8, rate=3e-3, seed=2))
    assert same(one, again)
    assert not same(one, other)


def test_an_interrupted_run_ends_as_if_it_had_not_been(tmp_path: Path, tokeniser: Path) -> None:
    class Killed(Exception):
        pass

    def kill(event: dict[str, object]) -> None:
        if event["step"] == 65:
            raise Killed

    whole, _ = run(tmp_path / "whole", tokeniser)
    model = Verifier.tiny(len(WORDS), seed=1)
    with pytest.raises(Killed):
        train(model, SOURCES, PAIRS, SETTINGS, tmp_path / "cut", tokeniser, kill)
    resumed, best = run(tmp_path / "cut", tokeniser)
    assert same(whole, resumed)
    assert best.verdict > 0.9


def test_accumulating_takes_the_same_step_as_one_large_batch(tokeniser: Path) -> None:
    """Gradients of two half batches add up to that of the whole one."""
    read = open_tokeniser(tokeniser, 16)
    pairs = PAIRS[:8]
    gradients = []
    for parts in ([pairs], [pairs[:4], pairs[4:]]):
        model = Verifier.tiny(len(WORDS), seed=1).eval()
        for part in parts:
            verdict, _ = model(collate(part, read))
            labels = torch.tensor([pair.verdict for pair in part])
            (torch.nn.functional.cross_entropy(verdict, labels) / len(parts)).backward()
        gradients.append(model.verdict.weight.grad)
    assert torch.allclose(*gradients, atol=1e-6)


def test_a_run_stops_early_when_nothing_gets_better(tmp_path: Path, tokeniser: Path) -> None:
    never = Settings(steps=400, batch=8, rate=0.0, head_rate=0.0, check_every=5, patience=2)
    run(tmp_path, tokeniser, never)
    log = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    steps = [json.loads(line)["step"] for line in log]
    assert max(steps) == 15


def test_loaded_weights_change_the_output(tmp_path: Path, tokeniser: Path) -> None:
    run(tmp_path, tokeniser)
    batch = collate(PAIRS, open_tokeniser(tokeniser, 16))
    loaded = Verifier.start(tmp_path / "best", seed=9).eval()
    fresh = Verifier.tiny(len(WORDS), seed=9).eval()
    assert not torch.allclose(loaded(batch)[0], fresh(batch)[0], atol=0.1)
    assert evaluate(loaded, PAIRS, open_tokeniser(tokeniser, 16)).verdict > 0.9


def test_what_is_exported_says_what_was_trained(tmp_path: Path, tokeniser: Path) -> None:
    run(tmp_path / "run", tokeniser)
    model = Verifier.start(tmp_path / "run/best", seed=0).eval()
    export(model, tmp_path / "run/best", tmp_path / "model")
    encoder = Encoder.open(tmp_path / "model", threads=2)
    pairs = [(pair.claim, pair.evidence) for pair in PAIRS]
    with torch.inference_mode():
        verdict, relevance = model(collate(PAIRS, open_tokeniser(tokeniser, 16)))
    said = torch.tensor(encoder.verdict(pairs))
    assert torch.allclose(said, verdict.softmax(-1), atol=0.05)
    assert torch.allclose(torch.tensor(encoder.relevance(pairs)), relevance.sigmoid(), atol=0.05)
    # One at a time or all at once, in whatever company: the same.
    alone = [encoder.verdict([pair])[0] for pair in pairs]
    assert torch.allclose(torch.tensor(alone), said, atol=0.02)


def test_weights_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no config\.json"):
        Verifier.start(tmp_path, seed=1)
    with pytest.raises(InputError, match=r"no tokenizer\.json"):
        open_tokeniser(tmp_path)
    with pytest.raises(InputError, match="is not a model"):
        Encoder.open(tmp_path)
