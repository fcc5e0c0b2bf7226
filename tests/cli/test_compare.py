"""`feverfew compare` on two files of predictions."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.cli.score import compare as command
from feverfew.errors import FeverfewError, ScoreError

GOLD = [
    {"id": i, "label": "SUPPORTS", "claim": f"Claim {i}.", "evidence": [[[9, 8, "A", i]]]}
    for i in range(20)
]
A = [{"id": i, "predicted_label": "SUPPORTS", "predicted_evidence": [["A", i]]} for i in range(20)]
B = [
    {"id": i, "predicted_label": "SUPPORTS", "predicted_evidence": [["A", i]] if i > 7 else []}
    for i in range(20)
]


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    return (
        write(tmp_path / "gold.jsonl", GOLD),
        write(tmp_path / "a.jsonl", A),
        write(tmp_path / "b.jsonl", B),
    )


def compare(*arguments: str) -> Result:
    result = CliRunner().invoke(cli, ["compare", *arguments])
    if isinstance(result.exception, FeverfewError):
        raise result.exception
    return result


def test_json_holds_scores_tests_and_claims(files: tuple[str, str, str]) -> None:
    found = json.loads(compare(*files, "--json").stdout)
    assert found["metric"] == "FEVER@5"
    difference = found["scores"]["fever_score"]
    assert (difference["a"], difference["b"]) == (1, 0.6)
    assert difference["low"] > 0
    assert difference["p"] < 0.05
    assert found["scores"]["label_accuracy"]["p"] == 1
    assert found["mcnemar"]["fever_score"]["only_a"] == 8
    assert found["mcnemar"]["fever_score"]["p_exact"] == pytest.approx(2 / 2**8)
    assert [row["id"] for row in found["differing"]] == list(range(8))
    assert found["differing"][0]["claim"] == "Claim 0."


def test_a_person_reads_tables(files: tuple[str, str, str]) -> None:
    shown = compare(*files).stdout
    assert "FEVER@5 on 20 claims" in shown
    assert "A is a.jsonl, B is b.jsonl." in shown
    assert "Claim 7." in shown
    assert "Claim 8." not in shown


def test_a_file_compared_with_itself_does_not_differ(files: tuple[str, str, str]) -> None:
    found = json.loads(compare(files[0], files[1], files[1], "--json").stdout)
    assert found["differing"] == []
    assert all(d["p"] == 1 for d in found["scores"].values())


def test_the_limit_and_the_samples_are_used(files: tuple[str, str, str]) -> None:
    found = json.loads(compare(*files, "--limit", "3", "--samples", "50", "--json").stdout)
    assert (found["metric"], found["samples"]) == ("FEVER@3", 50)


def test_the_seed_decides(files: tuple[str, str, str]) -> None:
    def interval(seed: str) -> str:
        result = compare(*files, "--samples", "7", "--seed", seed, "--json")
        return str(json.loads(result.stdout)["scores"]["fever_score"])

    assert interval("3") == interval("3")
    assert len({interval(str(seed)) for seed in range(8)}) > 1


HOVER = {
    "uid": "u",
    "claim": "One.",
    "label": "SUPPORTED",
    "supporting_facts": [["A", 0]],
    "num_hops": 2,
    "hpqa_id": "q",
}
FEVEROUS = {
    "id": 7,
    "claim": "Seven.",
    "label": "SUPPORTS",
    "evidence": [{"content": ["A_sentence_0"], "context": {}}],
}


@pytest.mark.parametrize(
    ("gold", "said", "metric"),
    [
        (HOVER, {"uid": "u", "predicted_label": "SUPPORTED"}, "HoVer@10"),
        (FEVEROUS, {"id": 7, "predicted_label": "SUPPORTS"}, "FEVEROUS@5,25"),
        (GOLD[0], {"id": 0, "predicted_label": "SUPPORTS"}, "FEVER@5"),
    ],
)
def test_the_task_is_recognised(tmp_path: Path, gold: Any, said: Any, metric: str) -> None:
    predictions = write(tmp_path / "s.jsonl", [said])
    found = compare(write(tmp_path / "g.jsonl", [gold]), predictions, predictions, "--json")
    assert json.loads(found.stdout)["metric"] == metric


def test_the_task_may_be_given(tmp_path: Path) -> None:
    blank = GOLD[0] | {"evidence": []}
    said = write(tmp_path / "s.jsonl", [{"id": 0, "predicted_label": "SUPPORTS"}])
    gold = write(tmp_path / "g.jsonl", [blank])
    found = json.loads(compare(gold, said, said, "--task", "feverous", "--json").stdout)
    assert found["metric"] == "FEVEROUS@5,25"


def test_the_file_at_fault_is_named(tmp_path: Path, files: tuple[str, str, str]) -> None:
    twice = write(tmp_path / "twice.jsonl", [*B, B[3]])
    with pytest.raises(ScoreError, match=r"twice\.jsonl:21: the id 3 stands twice"):
        compare(files[0], files[1], twice)


def test_html_is_one_page(tmp_path: Path, files: tuple[str, str, str]) -> None:
    page = tmp_path / "compare.html"
    compare(*files, "--html", str(page))
    text = page.read_text(encoding="utf-8")
    assert "Where they differ" in text
    assert "<svg" in text


def test_every_option_is_explained() -> None:
    documented = (
        Path(__file__).parents[2].joinpath("docs/reference/cli.md").read_text(encoding="utf-8")
    )
    for parameter in command.params:
        for option in parameter.opts:
            if option.startswith("--"):
                assert f"`{option}" in documented, option
