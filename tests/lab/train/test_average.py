"""Averaging runs: the mean of their weights, each run's own pace kept."""

from pathlib import Path

import pytest

from feverfew.errors import InputError
from tinymodel import WORDS, write_tokeniser

torch = pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")

from feverfew.lab.train.average import average, write_mean  # noqa: E402
from feverfew.lab.train.encoder import Verifier  # noqa: E402


def make_run(folder: Path, value: float, step: int) -> Path:
    folder.mkdir()
    model = {"weight": torch.full((2, 2), value), "count": torch.tensor(step)}
    torch.save({"model": model, "step": step}, folder / "checkpoint.pt")
    return folder


def test_runs_go_on_from_the_mean(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / "a", 1.0, 10), make_run(tmp_path / "b", 3.0, 20)]
    average(runs)
    for run, step in zip(runs, (10, 20), strict=True):
        state = torch.load(run / "checkpoint.pt", weights_only=True)
        assert torch.equal(state["model"]["weight"], torch.full((2, 2), 2.0))
        assert int(state["model"]["count"]) == 10  # no weight: the first one's
        assert state["step"] == step


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a run"):
        average([make_run(tmp_path / "a", 1.0, 1), tmp_path / "nothing"])


def test_other_models_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "b"
    other.mkdir()
    torch.save({"model": {"bias": torch.ones(1)}, "step": 1}, other / "checkpoint.pt")
    with pytest.raises(InputError, match="different parts"):
        average([make_run(tmp_path / "a", 1.0, 1), other])


def test_the_mean_can_be_exported_and_the_runs_stay(tmp_path: Path) -> None:
    tokeniser = write_tokeniser(tmp_path) / "tokenizer.json"
    runs, models = [], [Verifier.tiny(len(WORDS), seed) for seed in (1, 2)]
    for name, model in zip("ab", models, strict=True):
        runs.append(tmp_path / name)
        model.save(runs[-1] / "best", tokeniser)
        torch.save({"model": model.state_dict()}, runs[-1] / "checkpoint.pt")
    before = [(run / "checkpoint.pt").read_bytes() for run in runs]
    write_mean(runs, tmp_path / "mean")
    mean = Verifier.start(tmp_path / "mean", seed=3)
    for made, one, other in zip(mean.parameters(), *(m.parameters() for m in models), strict=True):
        assert torch.allclose(made, (one + other) / 2, atol=1e-6)
    assert [(run / "checkpoint.pt").read_bytes() for run in runs] == before
    # What was written so can be averaged again.
    write_mean([tmp_path / "mean", runs[0]], tmp_path / "again")
    again = Verifier.start(tmp_path / "again", seed=3)
    for made, one, other in zip(
        again.parameters(), mean.parameters(), models[0].parameters(), strict=True
    ):
        assert torch.allclose(made, (one + other) / 2, atol=1e-6)
