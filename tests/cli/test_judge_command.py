"""`feverfew judge`: a verdict for each pair, in order; clear words for bad input."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.errors import InputError

LANG = "Fritz Lang was an Austrian film director who was born in Vienna in 1890."


def run(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["judge", *map(str, arguments)], input=stdin)


def test_pairs_in_verdicts_out(tmp_path: Path) -> None:
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    asked = [
        {"id": "a", "claim": "Fritz Lang was born in Vienna.", "evidence": LANG},
        {"claim": "Fritz Lang was born in 1975.", "evidence": ["Oslo is in Norway.", LANG]},
        {"id": 3, "claim": "Bees make honey.", "evidence": "Oslo is the capital of Norway."},
        {"id": 4, "claim": "Bees make honey.", "evidence": []},
    ]
    pairs.write_text("".join(json.dumps(pair) + "\n" for pair in asked))
    assert run(pairs, "-o", out).exit_code == 0
    said = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["label"] for line in said] == ["S", "R", "N", "N"]
    assert [line.get("id") for line in said] == ["a", None, 3, 4]
    for line in said:
        assert sum(line["probabilities"].values()) == pytest.approx(1, abs=1e-4)


def test_from_stdin_to_stdout() -> None:
    line = json.dumps({"claim": "Fritz Lang was born in Vienna.", "evidence": LANG})
    result = run("-", stdin=line + "\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["label"] == "S"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"claim": "a"}', "no 'evidence'"),
        ('{"evidence": "a"}', "claim"),
        ('{"claim": 1, "evidence": "a"}', "claim"),
        ("{", "broken JSON"),
        ('{"claim": "a", "table": [["x"]]}', "tables cannot be judged yet"),
    ],
)
def test_bad_pairs_are_refused_where_they_stand(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"claim": "a", "evidence": "b"}\n' + line + "\n")
    result = run(path)
    assert isinstance(result.exception, InputError)
    assert "pairs.jsonl:2" in str(result.exception)
    assert said in str(result.exception)


def test_a_model_that_is_none_is_refused(tmp_path: Path) -> None:
    result = run("-", "--model", tmp_path, stdin='{"claim": "a", "evidence": "b"}\n')
    assert isinstance(result.exception, InputError)
    assert "is not a model" in str(result.exception)
