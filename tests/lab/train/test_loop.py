"""The trainer: it learns, it can be interrupted, and what it learned is what is exported."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feverfew.errors import InputError
from tinymodel import PAIRS, WORDS, write_tokeniser

torch = pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")

from feverfew.lab.train.encoder import Verifier, collate, for_all_kinds  # noqa: E402
from feverfew.lab.train.export import export  # noqa: E402
from feverfew.lab.train.loop import HeldOut, Settings, evaluate, train, verdict_loss  # noqa: E402
from feverfew.lab.train.pairs import NOT_SUPPORTED, UNKNOWN, Pair, Source  # noqa: E402
from feverfew.models.encoder import Encoder  # noqa: E402
from feverfew.models.inputs import TOKENISER, open_tokeniser  # noqa: E402

SOURCES = [Source("all", PAIRS, 1.0)]
SETTINGS = Settings(
    bfloat16=False, steps=150, batch=8, rate=3e-3, check_every=50, log_every=5, longest=16
)
SHORT = Settings(bfloat16=False, steps=6, batch=8, rate=3e-3, longest=16)


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """So small a model is slowed down by a second thread, and its sums depend on it."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def tokeniser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tokeniser(tmp_path_factory.mktemp("tokeniser"))


class Trained(msgspec.Struct):
    """A run that went to its end."""

    folder: Path
    model: Verifier
    best: HeldOut


@pytest.fixture(scope="module")
def trained(
    _one_thread: None, tokeniser: Path, tmp_path_factory: pytest.TempPathFactory
) -> Trained:
    folder = tmp_path_factory.mktemp("trained")
    return Trained(folder, *run(folder, tokeniser))


def run(folder: Path, tokeniser: Path, settings: Settings = SETTINGS) -> tuple[Verifier, HeldOut]:
    model = Verifier.tiny(len(WORDS), seed=1)
    return model, train(model, SOURCES, PAIRS, settings, folder, tokeniser)


def logged(folder: Path) -> list[dict[str, float]]:
    lines = (folder / "log.jsonl").read_text("utf-8").splitlines()
    return [row for row in map(json.loads, lines) if "verdict_loss" in row]


def same(one: Verifier, other: Verifier) -> bool:
    pairs = zip(one.state_dict().values(), other.state_dict().values(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


def test_the_loss_falls_and_the_labels_are_learned(trained: Trained) -> None:
    log = logged(trained.folder)
    assert log[-1]["verdict_loss"] < log[0]["verdict_loss"] / 2
    assert log[-1]["relevance_loss"] < log[0]["relevance_loss"] / 3
    assert trained.best.verdict > 0.9
    assert trained.best.relevance > 0.9


def test_the_seed_decides_the_weights(tmp_path: Path, tokeniser: Path) -> None:
    one, _ = run(tmp_path / "a", tokeniser, SHORT)
    again, _ = run(tmp_path / "b", tokeniser, SHORT)
    other, _ = run(tmp_path / "c", tokeniser, msgspec.structs.replace(SHORT, seed=2))
    assert same(one, again)
    assert not same(one, other)


class Killed(Exception):
    """What ends a run in a test."""


def killed(folder: Path, tokeniser: Path, settings: Settings, at: int) -> None:
    def kill(event: dict[str, Any]) -> None:
        if event["step"] == at:
            raise Killed

    with pytest.raises(Killed):
        train(Verifier.tiny(len(WORDS), seed=1), SOURCES, PAIRS, settings, folder, tokeniser, kill)


def test_an_interrupted_run_ends_as_if_it_had_not_been(
    trained: Trained, tmp_path: Path, tokeniser: Path
) -> None:
    killed(tmp_path, tokeniser, SETTINGS, at=65)
    with (tmp_path / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write('{"step": 65, "verd')
    resumed, best = run(tmp_path, tokeniser)
    assert same(trained.model, resumed)
    assert best == trained.best
    # The second half begins at the checkpoint, and each of its lines is whole.
    assert [row["step"] for row in logged(tmp_path)] == [*range(5, 65, 5), *range(55, 155, 5)]


def test_a_run_can_go_on_from_any_step(trained: Trained, tmp_path: Path, tokeniser: Path) -> None:
    often = msgspec.structs.replace(SETTINGS, save_seconds=0.0)
    killed(tmp_path, tokeniser, often, at=9)
    resumed, _ = run(tmp_path, tokeniser)
    assert same(trained.model, resumed)
    # Step 8 was the last one kept, so that two steps stand behind the line of step 10.
    assert [row["pairs"] for row in logged(tmp_path) if row["step"] == 10] == [2 * 8]
    steady = {row["step"]: row["verdict_loss"] for row in logged(trained.folder)}
    found = {row["step"]: row["verdict_loss"] for row in logged(tmp_path)}
    assert found[10] == pytest.approx(steady[10], rel=0.5)
    assert found[15] == steady[15]


def test_a_finished_run_stays_finished(trained: Trained, tokeniser: Path) -> None:
    before = logged(trained.folder)
    again, best = run(trained.folder, tokeniser)
    assert same(trained.model, again)
    assert best == trained.best
    assert logged(trained.folder) == before


def test_a_run_does_not_go_on_with_other_settings(tmp_path: Path, tokeniser: Path) -> None:
    run(tmp_path, tokeniser, SHORT)
    with pytest.raises(InputError, match=r"other settings \(batch 8, now 4\); give the same"):
        run(tmp_path, tokeniser, msgspec.structs.replace(SHORT, batch=4))
    run(tmp_path, tokeniser, msgspec.structs.replace(SHORT, patience=1))


def test_a_damaged_or_foreign_checkpoint_is_named(tmp_path: Path, tokeniser: Path) -> None:
    run(tmp_path, tokeniser, SHORT)
    wider = Verifier.tiny(len(WORDS) + 1, seed=1)
    with pytest.raises(InputError, match=r"checkpoint\.pt is damaged, or of another model"):
        train(wider, SOURCES, PAIRS, SHORT, tmp_path, tokeniser)
    whole = (tmp_path / "checkpoint.pt").read_bytes()
    for damaged in (b"", b"not a checkpoint", whole[: len(whole) // 2]):
        (tmp_path / "checkpoint.pt").write_bytes(damaged)
        with pytest.raises(InputError, match="delete it to begin anew"):
            run(tmp_path, tokeniser, SHORT)


def test_pairs_that_teach_one_head_leave_the_other_alone(tmp_path: Path, tokeniser: Path) -> None:
    only = [Pair(pair.claim, pair.evidence, pair.verdict, UNKNOWN) for pair in PAIRS[:9]]
    model = Verifier.tiny(len(WORDS), seed=1)
    assert model.relevance is not None
    before = model.relevance.bias.detach().clone()
    best = train(model, [Source("only", only, 1.0)], only, SHORT, tmp_path, tokeniser)
    assert torch.equal(model.relevance.bias, before)
    assert best.relevance == -1
    assert best.score == best.verdict


def test_a_pair_teaches_the_verdict_head_of_its_kind_alone(tmp_path: Path, tokeniser: Path) -> None:
    cells = [Pair(pair.claim, pair.evidence, pair.verdict, UNKNOWN, 1) for pair in PAIRS[:9]]
    model = Verifier.tiny(len(WORDS), seed=1)
    before = model.verdict.bias.detach().clone().view(3, 3)
    train(model, [Source("cells", cells, 1.0)], cells, SHORT, tmp_path, tokeniser)
    moved = (model.verdict.bias.view(3, 3) - before).abs().amax(-1)
    assert (moved > 1e-4).tolist() == [False, True, False]  # all decay a little


def test_a_model_with_one_verdict_head_begins_with_it_for_every_kind() -> None:
    one = {"weight": torch.tensor([[1.0], [2.0], [3.0]]), "bias": torch.zeros(3)}
    every = for_all_kinds(one)
    assert every["weight"].view(3, 3).tolist() == [[1, 2, 3]] * 3
    assert for_all_kinds(every) == every


def test_frozen_layers_stay_as_they_are(tmp_path: Path, tokeniser: Path) -> None:
    before = Verifier.tiny(len(WORDS), seed=1).body
    model, _ = run(tmp_path, tokeniser, msgspec.structs.replace(SHORT, frozen=1))

    def moved(part: str) -> bool:
        one, other = (
            body.get_submodule(part).state_dict().values() for body in (before, model.body)
        )
        return not all(torch.equal(a, b) for a, b in zip(one, other, strict=True))

    assert not moved("embeddings")
    assert not moved("encoder.layer.0")
    assert moved("encoder.layer.1")


def test_half_precision_learns_too_and_keeps_whole_weights(tmp_path: Path, tokeniser: Path) -> None:
    model, best = run(
        tmp_path / "half", tokeniser, msgspec.structs.replace(SETTINGS, bfloat16=True)
    )
    assert best.verdict > 0.9
    assert all(value.dtype == torch.float32 for value in model.state_dict().values())
    short = msgspec.structs.replace(SHORT, bfloat16=True)
    whole, half = run(tmp_path / "1", tokeniser, SHORT)[0], run(tmp_path / "2", tokeniser, short)[0]
    assert not same(whole, half)


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


def test_loaded_weights_change_the_output(trained: Trained, tokeniser: Path) -> None:
    batch = collate(PAIRS, open_tokeniser(tokeniser, 16))
    loaded = Verifier.start(trained.folder / "best", seed=9).eval()
    fresh = Verifier.tiny(len(WORDS), seed=9).eval()
    assert not torch.allclose(loaded(batch)[0], fresh(batch)[0], atol=0.1)
    assert evaluate(loaded, PAIRS, open_tokeniser(tokeniser, 16)).verdict > 0.9


def test_what_is_exported_says_what_was_trained(
    trained: Trained, tmp_path: Path, tokeniser: Path
) -> None:
    best = trained.folder / "best"
    model = Verifier.start(best, seed=0).eval()
    export(model, best, tmp_path / "model")
    encoder = Encoder.open(tmp_path / "model", threads=2)
    pairs = [(pair.claim, pair.evidence) for pair in PAIRS]
    with torch.inference_mode():
        verdict, relevance = model(collate(PAIRS, open_tokeniser(tokeniser, 16)))
    said = torch.tensor(encoder.verdict(pairs))
    assert torch.allclose(said, verdict.softmax(-1), atol=0.05)
    assert torch.allclose(torch.tensor(encoder.relevance(pairs)), relevance.sigmoid(), atol=0.05)


def test_exporting_does_not_overwrite_its_source(trained: Trained) -> None:
    best = trained.folder / "best"
    with pytest.raises(InputError, match="write elsewhere"):
        export(Verifier.start(best, seed=0), best, best)


def test_weights_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no config\.json"):
        Verifier.start(tmp_path, seed=1)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(InputError, match=r"model\.safetensors"):
        Verifier.start(tmp_path, seed=1)
    with pytest.raises(InputError, match=r"no tokenizer\.json"):
        open_tokeniser(tmp_path)
    (tmp_path / TOKENISER).write_text('{"version": ')
    with pytest.raises(InputError, match=r"tokenizer\.json is not a tokeniser"):
        open_tokeniser(tmp_path)


def test_what_is_not_supported_may_be_refuted_or_open() -> None:
    logits = torch.tensor([[2.0, 0.5, -1.0], [2.0, 0.5, -1.0], [0.0, 3.0, 0.0]])
    labels = torch.tensor([NOT_SUPPORTED, 0, UNKNOWN])
    shares = torch.softmax(logits, -1)
    expected = -(torch.log(1 - shares[0, 0]) + torch.log(shares[1, 0])) / 2
    assert float(verdict_loss(logits, labels)) == pytest.approx(float(expected))
