"""`feverfew score` on files as the tasks write them."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.cli.score import score as command
from feverfew.errors import FeverfewError, InputError, ScoreError

FEVER_GOLD = [
    {"id": 1, "label": "SUPPORTS", "claim": "One.", "evidence": [[[9, 8, "A", 0]]]},
    {"id": 2, "label": "REFUTES", "claim": "Two.", "evidence": [[[9, 8, "B", 1], [9, 8, "C", 2]]]},
    {"id": 3, "label": "NOT ENOUGH INFO", "claim": "3.", "evidence": [[[9, None, None, None]]]},
]
FEVER_SAID = [
    {"id": 3, "predicted_label": "not enough info", "predicted_evidence": []},
    {"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["X", 0], ["A", 0]]},
    {"id": 2, "predicted_label": "REFUTES", "predicted_evidence": [["B", 1]]},
]
HOVER_GOLD = [
    {
        "uid": "u1",
        "claim": "One.",
        "label": "SUPPORTED",
        "supporting_facts": [["R&amp;B", 0], ["B", 1]],
        "num_hops": 2,
        "hpqa_id": "q1",
    },
    {
        "uid": "u2",
        "claim": "Two.",
        "label": "NOT_SUPPORTED",
        "supporting_facts": [["A", 0]],
        "num_hops": 3,
        "hpqa_id": "q2",
    },
]
HOVER_SAID = [
    {"uid": "u1", "predicted_label": "SUPPORTED", "predicted_evidence": [["R&B", 0], ["B", 1]]}
]
FEVEROUS_GOLD = [
    {"id": "", "claim": "", "label": "", "evidence": []},
    {
        "id": 7,
        "claim": "Seven.",
        "label": "SUPPORTS",
        "evidence": [{"content": ["A b_sentence_0", "A b_cell_0_1_2"], "context": {}}],
        "challenge": "Combining Tables and Text",
    },
]
FEVEROUS_SAID = [
    {
        "claim": "Seven.",
        "predicted_label": "SUPPORTS",
        "predicted_evidence": [["A b", "cell", "0_1_2"], ["A b", "sentence", "0"]],
    }
]


def write(path: Path, rows: list[Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def score(*arguments: str) -> Result:
    result = CliRunner().invoke(cli, ["score", *arguments], catch_exceptions=True)
    if isinstance(result.exception, FeverfewError):
        raise result.exception
    return result


@pytest.fixture
def fever(tmp_path: Path) -> tuple[str, str, str]:
    gold = write(tmp_path / "gold.jsonl", FEVER_GOLD)
    return "fever", gold, write(tmp_path / "said.jsonl", FEVER_SAID)


def test_json_holds_the_official_scores_in_full(fever: tuple[str, str, str]) -> None:
    found = json.loads(score(*fever, "--json").stdout)
    assert found["metric"] == "FEVER@5"
    assert found["fever_score"] == 2 / 3
    assert found["label_accuracy"] == 1
    assert found["precision"] == 3 / 4
    assert found["recall"] == 1 / 2
    assert found["f1"] == 2 * 0.75 * 0.5 / 1.25
    assert found["scores"]["fever_score"]["low"] <= 2 / 3 <= found["scores"]["fever_score"]["high"]
    assert found["labels"]["confusion"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_feverous_joins_by_the_claims_text_where_there_is_no_id(tmp_path: Path) -> None:
    gold, said = tmp_path / "gold.jsonl", tmp_path / "said.jsonl"
    result = score("feverous", write(gold, FEVEROUS_GOLD), write(said, FEVEROUS_SAID), "--json")
    found = json.loads(result.stdout)
    assert found["metric"] == "FEVEROUS@5,25"
    names = ("feverous_score", "label_accuracy", "precision", "recall", "f1")
    assert [found[name] for name in names] == [1] * 5
    assert found["slices"]["challenge"][0]["name"] == "Combining Tables and Text"


def test_hover_reads_a_list_and_counts_what_is_missing_as_wrong(tmp_path: Path) -> None:
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps(HOVER_GOLD, indent=1), encoding="utf-8")
    found = json.loads(
        score("hover", str(gold), write(tmp_path / "s.jsonl", HOVER_SAID), "--json").stdout
    )
    assert found["metric"] == "HoVer@10"
    assert (found["hover_score"], found["f1"], found["missing"]) == (0.5, 0.5, 1)
    assert [s["name"] for s in found["slices"]["hops"]] == ["2 hops", "3 hops"]


def test_compressed_files_are_read(tmp_path: Path, fever: tuple[str, str, str]) -> None:
    packed = tmp_path / "said.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(fever[2]).read_bytes()))
    found = json.loads(score("fever", fever[1], str(packed), "--json").stdout)
    assert found["fever_score"] == 2 / 3


def test_the_limit_changes_the_score_and_its_name(fever: tuple[str, str, str]) -> None:
    found = json.loads(score(*fever, "--limit", "1", "--json").stdout)
    assert (found["metric"], found["fever_score"]) == ("FEVER@1", 1 / 3)


def test_a_limit_that_is_no_number_is_refused(fever: tuple[str, str, str]) -> None:
    with pytest.raises(ScoreError, match="--limit 'five' is not a number"):
        score(*fever, "--limit", "five")


def test_two_limits_for_one_are_refused(fever: tuple[str, str, str]) -> None:
    with pytest.raises(ScoreError, match="FEVER takes 1 limit"):
        score(*fever, "--limit", "5,25")


def test_no_samples_leave_the_intervals_out(fever: tuple[str, str, str]) -> None:
    found = json.loads(score(*fever, "--samples", "0", "--json").stdout)
    assert found["scores"]["fever_score"] == {"value": 2 / 3}


def test_the_seed_decides_the_intervals(tmp_path: Path) -> None:
    rows = [FEVER_GOLD[2] | {"id": i} for i in range(30)]
    said = [FEVER_SAID[0] | {"id": i} for i in range(29)]
    said.append({"id": 29, "predicted_label": "SUPPORTS"})
    files = write(tmp_path / "g.jsonl", rows), write(tmp_path / "s.jsonl", said)

    def interval(seed: str) -> Any:
        result = score("fever", *files, "--samples", "7", "--seed", seed, "--json")
        return json.loads(result.stdout)["scores"]["fever_score"]

    assert interval("1") == interval("1")
    assert len({str(interval(str(seed))) for seed in range(8)}) > 1


def test_slices_can_be_chosen(fever: tuple[str, str, str]) -> None:
    found = json.loads(score(*fever, "--slices", "label, length", "--json").stdout)
    assert list(found["slices"]) == ["label", "length"]
    assert json.loads(score(*fever, "--slices", "", "--json").stdout)["slices"] == {}


def test_further_measures_can_be_asked_for(fever: tuple[str, str, str]) -> None:
    found = json.loads(score(*fever, "--measure", "SentenceF1@3", "--json").stdout)
    assert "SentenceF1@3" in [row["metric"] for row in found["retrieval"]]


def test_bins_and_coverage_shape_the_confidence(tmp_path: Path) -> None:
    sure = {"S": 0.2, "R": 0.2, "N": 0.6}
    said = [row | {"probabilities": sure} for row in FEVER_SAID]
    files = write(tmp_path / "g.jsonl", FEVER_GOLD), write(tmp_path / "s.jsonl", said)
    result = score("fever", *files, "--bins", "4", "--coverage", "0.5", "--json")
    confidence = json.loads(result.stdout)["confidence"]
    assert len(confidence["measures"]["bins"]) == 4
    assert confidence["coverage"] == 0.5


def test_a_person_reads_tables(fever: tuple[str, str, str]) -> None:
    shown = score(*fever).stdout
    assert re.search(r"FEVER@5 +0\.667", shown)
    assert "By gold label" in shown
    assert "3 claims. 95 % intervals from 10,000 bootstrap samples" in shown


def test_html_is_one_page_with_plots_and_no_other_file(
    tmp_path: Path, fever: tuple[str, str, str]
) -> None:
    page = tmp_path / "scores.html"
    result = score(*fever, "--html", str(page), "--json")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "FEVER@5" in text
    assert text.count("<svg") >= 3
    assert not re.search(r'(?:src|href)="(?!#)', text)
    assert json.loads(result.stdout)["fever_score"] == 2 / 3
    assert "wrote" in result.stderr


def test_a_page_that_cannot_be_written_is_an_error(
    tmp_path: Path, fever: tuple[str, str, str]
) -> None:
    with pytest.raises(InputError, match=r"page\.html: cannot be written"):
        score(*fever, "--html", str(tmp_path / "nowhere/page.html"))


def test_a_repeated_id_names_file_and_line(tmp_path: Path, fever: tuple[str, str, str]) -> None:
    said = write(tmp_path / "twice.jsonl", [*FEVER_SAID, FEVER_SAID[1]])
    with pytest.raises(ScoreError, match=r"twice\.jsonl:4: the id 1 stands twice"):
        score("fever", fever[1], said)


def test_a_missing_prediction_names_the_claims_file_and_line(
    tmp_path: Path, fever: tuple[str, str, str]
) -> None:
    said = write(tmp_path / "short.jsonl", FEVER_SAID[:2])
    with pytest.raises(ScoreError, match=r"gold\.jsonl:2: there is no prediction for claim 2"):
        score("fever", fever[1], said)


def test_an_unknown_prediction_names_file_and_line(
    tmp_path: Path, fever: tuple[str, str, str]
) -> None:
    said = write(tmp_path / "more.jsonl", [FEVER_SAID[0] | {"id": 99}, *FEVER_SAID])
    with pytest.raises(ScoreError, match=r"more\.jsonl:1: there is a prediction for 99"):
        score("fever", fever[1], said)


def test_an_empty_file_is_named(tmp_path: Path, fever: tuple[str, str, str]) -> None:
    empty = write(tmp_path / "empty.jsonl", [])
    with pytest.raises(ScoreError, match=r"empty\.jsonl: there are no predictions"):
        score("fever", fever[1], empty)
    with pytest.raises(ScoreError, match=r"empty\.jsonl: there are no claims"):
        score("fever", empty, fever[2])


def test_probabilities_that_do_not_add_up_name_file_and_line(
    tmp_path: Path, fever: tuple[str, str, str]
) -> None:
    wrong = [*FEVER_SAID[:2], FEVER_SAID[2] | {"probabilities": {"S": 0.5, "R": 0.9}}]
    with pytest.raises(ScoreError, match=r"odd\.jsonl:3: claim 2: the probabilities add up"):
        score("fever", fever[1], write(tmp_path / "odd.jsonl", wrong))


def test_another_tasks_file_is_refused_with_file_and_line(
    tmp_path: Path, fever: tuple[str, str, str]
) -> None:
    hover = write(tmp_path / "hover.jsonl", HOVER_GOLD)
    with pytest.raises(FeverfewError, match=r"hover\.jsonl:1: "):
        score("fever", hover, fever[2])
    with pytest.raises(FeverfewError, match=r"gold\.jsonl:1: "):
        score("hover", fever[1], fever[2])


def test_a_blind_file_is_refused_with_file_and_line(
    tmp_path: Path, fever: tuple[str, str, str]
) -> None:
    blind = write(tmp_path / "blind.jsonl", [{"id": 1, "claim": "One."}])
    with pytest.raises(ScoreError, match=r"blind\.jsonl:1: claim 1 has no gold label"):
        score("fever", blind, fever[2])


def test_a_file_that_is_not_there_is_a_usage_error(fever: tuple[str, str, str]) -> None:
    result = score("fever", fever[1], "nowhere.jsonl")
    assert result.exit_code == 2
    assert "nowhere.jsonl" in result.stderr


def test_every_option_is_explained() -> None:
    documented = (
        Path(__file__).parents[2].joinpath("docs/reference/cli.md").read_text(encoding="utf-8")
    )
    for parameter in command.params:
        for option in parameter.opts:
            if option.startswith("--"):
                assert f"`{option}" in documented, option
