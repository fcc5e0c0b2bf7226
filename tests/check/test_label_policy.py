"""`--label-policy`: how probabilities become verdicts, in reports and predictions."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.corpus.build import build
from feverfew.judge import judge as module
from feverfew.judge.label_policy import LabelPolicy

RULES = {"fever": (1.0, 1.0, 1.0), "feverous": (0.0, 1.0, 0.0)}
CLAIM = "Alva is a river in Norway."


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a corpus of one page, and let FEVEROUS's policy refute everything."""
    source = tmp_path / "alva.txt"
    source.write_text("Alva is a river in Norway. It is long.")
    build([source], tmp_path / "alva.corpus", workers=1)
    monkeypatch.setattr(
        module, "open_policy", lambda reading, _: LabelPolicy(reading, RULES[reading])
    )
    return tmp_path / "alva.corpus"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(cli, [str(one) for one in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_check_reads_as_fever_unless_told(corpus: Path) -> None:
    plain, misled = (
        json.loads(run("check", CLAIM, "--corpus", corpus, "--json", *more))
        for more in ((), ("--label-policy", "feverous"))
    )
    assert (plain["verdict"], plain["label_policy"]) == ("SUPPORTED", "fever")
    assert (misled["verdict"], misled["label_policy"]) == ("REFUTED", "feverous")


@pytest.mark.parametrize(
    ("more", "label"),
    [
        (("--format", "fever"), "SUPPORTS"),
        (("--format", "feverous"), "REFUTES"),
        (("--format", "feverous", "--label-policy", "fever"), "SUPPORTS"),
        (("--format", "fever", "--label-policy", "feverous"), "REFUTES"),
    ],
)
def test_verify_reads_as_its_format_does_unless_told(
    corpus: Path, more: tuple[str, ...], label: str
) -> None:
    claims, out = corpus.parent / "claims.txt", corpus.parent / "out.jsonl"
    claims.write_text(CLAIM + "\n")
    run("verify", claims, "--corpus", corpus, "-o", out, "--workers", 1, *more)
    assert json.loads(out.read_text())["predicted_label"] == label
