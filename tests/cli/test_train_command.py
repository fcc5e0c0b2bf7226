"""`feverfew train`, as people call it."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.cli.train_progress import TrainingBar
from feverfew.errors import InputError, MissingExtra
from feverfew.lab.train import recipe
from feverfew.lab.train.pairs import LABELS, UNKNOWN
from feverfew.models.encoder import shipped_folder
from tinymodel import PAIRS, WORDS, write_tokeniser


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["train", *map(str, arguments)])


def write_pairs(path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for pair in PAIRS:
            label = {} if pair.verdict == UNKNOWN else {"label": LABELS[pair.verdict]}
            record = {"claim": pair.claim, "evidence": pair.evidence, **label}
            file.write(json.dumps({**record, "relevant": bool(pair.relevant)}) + "\n")
    return path


def test_from_pairs_to_a_measured_model(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
    from feverfew.lab.train.encoder import Verifier

    torch.set_num_threads(1)
    start, pairs = tmp_path / "start", write_pairs(tmp_path / "pairs.jsonl")
    words = write_tokeniser(tmp_path / "words") / "tokenizer.json"
    Verifier.tiny(len(WORDS), seed=1).save(start, words)
    options = ("--steps", 40, "--batch", 8, "--rate", 3e-3, "--longest", 16, "--threads", 1)
    command = ("encoder", "--pairs", f"{pairs}=2", "--held-out", pairs, "--start", start)
    done = run(*command, *map(str, options), "-o", tmp_path / "run")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("best on the held-out pairs: verdict 0.")
    assert "step 20/40  verdict " in done.stderr
    assert "pairs/s" in done.stderr
    assert "held out: verdict 0." in done.stderr

    done = run("plot", tmp_path / "run", "-o", tmp_path / "run.svg")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "run.svg").read_text("utf-8").startswith("<svg ")

    done = run("export", tmp_path / "run/best", "-o", tmp_path / "model")
    assert done.exit_code == 0, done.output
    done = run("measure", tmp_path / "model", pairs, "--json", "--threads", "1")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["file"] == "pairs.jsonl"
    assert said["pairs"] == 9
    assert 0 <= said["low"] <= said["accuracy"] <= said["high"] <= 1


def test_a_model_is_measured_in_words(tmp_path: Path) -> None:
    pairs = write_pairs(tmp_path / "pairs.jsonl")
    done = run("measure", shipped_folder(), pairs, "--threads", "1")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("pairs.jsonl: ")
    assert " of 9, ECE " in done.stdout


def test_pairs_without_labels_measure_nothing(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"claim": "a", "evidence": "b", "relevant": true}\n')
    done = run("measure", shipped_folder(), pairs)
    assert isinstance(done.exception, InputError)
    assert "has no labels" in str(done.exception)


def test_import_converts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Stub:
        @staticmethod
        def convert(name: str, folder: Path) -> None:
            asked.append((name, folder))

    monkeypatch.setitem(sys.modules, "feverfew.lab.train.classifier", Stub)
    done = run("import", "bert", "-o", tmp_path)
    assert done.exit_code == 0, done.output
    assert asked == [("bert", tmp_path)]


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("classifier", ["import", "bert", "-o", "x"]),
        ("export", ["export", "run", "-o", "x"]),
        ("loop", ["encoder", "--pairs", "p", "--held-out", "p", "--steps", "1", "-o", "x"]),
    ],
)
def test_without_torch_the_extra_is_named(
    module: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, f"feverfew.lab.train.{module}", None)
    done = run(*arguments)
    assert isinstance(done.exception, MissingExtra)
    assert "feverfew[train]" in str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["import", "bert"], "Missing option '-o'"),
        (["ranker", "atlas", "-o", "x"], "'atlas' is not one of 'pages'"),
        (["plot", "-o", "x"], "Missing argument 'RUNS...'"),
    ],
)
def test_wrong_usage_is_said(arguments: list[str], why: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert why in done.stderr


def test_a_resumed_run_says_how_long_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from rich.console import Console

    seconds = iter([100.0, 110.0, 120.0])
    monkeypatch.setattr("feverfew.cli.train_progress.time.monotonic", lambda: next(seconds))
    monkeypatch.setattr(
        "feverfew.cli.train_progress.stderr_console", lambda: Console(stderr=True, highlight=False)
    )
    losses = {"verdict_loss": 0.5, "relevance_loss": 0.25}
    with TrainingBar(steps=1000) as bar:
        bar.move({"settings": {}, "step": 500})
        bar.move({"step": 510})
        bar.move({"step": 520, **losses, "pairs": 320})
    said = capsys.readouterr().err
    assert said == "step 520/1,000  verdict 0.500  relevance 0.250  16.0 pairs/s  8 min left\n"


def test_stages_of_the_recipe_are_listed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for stage in recipe.STAGES:
        for pattern in stage.inputs:
            path = data / pattern.replace("*", "x")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x")
    arguments = ["train", "all", "--data", str(data), "-o", str(tmp_path / "out"), "--dry-run"]
    plain = CliRunner().invoke(cli, arguments)
    assert plain.exit_code == 0, plain.output
    assert plain.stdout.split()[:3] == ["wiki", "to", "run"]
    as_json = CliRunner().invoke(cli, [*arguments, "--json"])
    stages = [json.loads(line) for line in as_json.stdout.splitlines()]
    assert [stage["stage"] for stage in stages] == [stage.name for stage in recipe.STAGES]
    assert not any(stage["done"] for stage in stages)
    assert not (tmp_path / "out").exists()
