"""`feverfew rules` over files."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.errors import InputError


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["rules", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.txt"
    path.write_text("He might be an actor\nFritz Lang made many films.\nLang was born.\n", "utf-8")
    return path


def test_hits_are_marked_and_counted(draft: Path) -> None:
    result = run("check", draft)
    assert "1: cautious: 'might' is cautious or speculative" in result.output
    assert "Fritz Lang made »many« films." in result.output
    assert "3 claims, 2 with hits" in result.stderr
    assert result.exit_code == 0
    assert run("check", draft, "--fail").exit_code == 1


def test_json_has_every_claim(draft: Path) -> None:
    lines = [json.loads(line) for line in run("check", draft, "--json").stdout.splitlines()]
    assert [len(line["hits"]) for line in lines] == [3, 1, 0]
    only = run("check", draft, "--json", "--rule", "vague").stdout.splitlines()
    assert [len(json.loads(line)["hits"]) for line in only] == [0, 1, 0]


def test_the_format_chooses_the_requirements(tmp_path: Path) -> None:
    path = tmp_path / "hover.json"
    claim = {"uid": "a", "claim": "Lang made many films.", "label": "SUPPORTED", "num_hops": 2}
    path.write_text(json.dumps([{**claim, "supporting_facts": [], "hpqa_id": "q"}]), "utf-8")
    assert json.loads(run("check", path, "--json").stdout)["hits"] == []
    assert json.loads(run("check", path, "--json", "--kind", "fever").stdout)["hits"] != []


def test_unknown_rules_are_refused(draft: Path) -> None:
    with pytest.raises(InputError, match="unknown rule 'rude'; expected one of empty"):
        run("check", draft, "--rule", "rude")


def test_rules_are_listed() -> None:
    names = [json.loads(line)["rule"] for line in run("list", "--json").stdout.splitlines()]
    assert "vague" in names
    assert "vague" not in run("list", "--kind", "hover").stdout
