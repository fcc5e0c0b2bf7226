"""`feverfew reproduce`: everything on the sample, resumed from its cache; errors that say what."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.errors import InputError, NotFound
from feverfew.lab.papers.experiment import experiment_names, load_experiment


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["reproduce", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path, Path]:
    """Run every experiment once, on few claims of the sample."""
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    folder = tmp_path_factory.mktemp("reproduced")
    cache, output = folder / "cache", folder / "results"
    done = run("--quick", "--all", "--claims", 24, "--cache", cache, "-o", output, "--json")
    return done, cache, output


def test_every_figure_is_filled_or_says_why(everything: tuple[Result, Path, Path]) -> None:
    done, _, _ = everything
    assert done.exit_code == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["name"] for result in results] == experiment_names()
    for result in results:
        for figure in result["figures"]:
            assert figure.get("here") or figure.get("missing"), (result["name"], figure)
            here = figure.get("here")
            if here and figure["metric"] != "claims_a_second":
                assert 0 <= here["low"] <= here["value"] <= here["high"] <= 100


def test_what_was_measured_is_written_to_be_read(everything: tuple[Result, Path, Path]) -> None:
    _, _, output = everything
    page = (output / "fever/table-4.md").read_text("utf-8")
    assert "| DA / NP | ScoreEv | 32.57 |" in page
    assert "What the paper concludes" in page
    assert "<svg" in (output / "fever/figure-3.svg").read_text("utf-8")
    index = (output / "README.md").read_text("utf-8")
    assert all(f"[{name}]({name}.md)" in index for name in experiment_names())


def test_a_second_run_computes_nothing_anew(everything: tuple[Result, Path, Path]) -> None:
    first, cache, _ = everything
    again = run("--quick", "fever/table-3", "--claims", 24, "--cache", cache, "--json")
    before = next(line for line in first.stdout.splitlines() if '"fever/table-3"' in line)
    assert json.loads(again.stdout)["figures"] == json.loads(before)["figures"]
    assert "…" not in again.stderr


def test_a_damaged_cache_is_made_again(everything: tuple[Result, Path, Path]) -> None:
    _, cache, _ = everything
    for path in cache.glob("answers-mlp/*"):
        path.write_bytes(b"\x00")
    again = run("--quick", "fever/table-3", "--claims", 24, "--cache", cache)
    assert "answers mlp …" in again.stderr
    assert "NEARESTP" in again.stdout


def test_a_table_of_your_own_is_run(everything: tuple[Result, Path, Path], tmp_path: Path) -> None:
    _, cache, _ = everything
    own = tmp_path / "own.toml"
    own.write_text(
        'paper = "Ours"\ntable = "1"\ntitle = "Titles"\n[[figures]]\nrow = "titles"\n'
        'column = "found"\nmetric = "DocumentSupport@5"\nsystem = { retrieve = "titles" }\n',
        "utf-8",
    )
    done = run("--quick", own, "--claims", 24, "--cache", cache, "--json")
    (figure,) = json.loads(done.stdout)["figures"]
    assert figure["here"]["value"] > 0


def test_the_list_names_every_experiment() -> None:
    listed = run("--list", "--json").stdout.splitlines()
    assert [json.loads(line)["name"] for line in listed] == experiment_names()
    assert load_experiment("fever/table-2").title in " ".join(run("--list").stdout.split())


def test_without_data_it_says_what_is_needed(tmp_path: Path) -> None:
    assert "give --data" in run("fever/table-2").stderr
    assert "name an experiment" in run().stderr
    assert "without --data" in run("--quick", "--data", tmp_path, "fever/table-2").stderr
    with pytest.raises(NotFound, match="there are fever/"):
        run("--quick", "fever/nothing")


def test_a_folder_without_the_data_is_told(sample_path: Path, tmp_path: Path) -> None:
    asked = ("fever/table-2", "--corpus", sample_path, "--cache", tmp_path / "cache")
    with pytest.raises(InputError, match="no folder"):
        run(*asked, "--data", tmp_path / "absent")
    with pytest.raises(InputError, match=r"train_pairs\.jsonl\.gz is needed"):
        run(*asked, "--data", tmp_path)
