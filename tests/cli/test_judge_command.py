"""`feverfew judge`: a verdict for each pair, in order; clear words for bad input."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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


RIVERS = [
    ["River", "Country", "Bridges"],
    ["Alva", "Norway", 4],
    ["Berga", "Sweden", None],
    ["Corra", "Norway", 2.0],
]


def answers(*lines: Mapping[str, object]) -> list[dict[str, Any]]:
    result = run("-", stdin="".join(json.dumps(line) + "\n" for line in lines))
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_tables_instead_of_texts() -> None:
    wrong, right, silent = answers(
        {"claim": "Norway has three rivers.", "table": RIVERS, "caption": "Rivers"},
        {"claim": "The Alva is a river in Norway.", "table": RIVERS},
        {"claim": "Bees make honey in the summer.", "table": RIVERS, "id": 7},
    )
    assert [line["label"] for line in (wrong, right, silent)] == ["R", "S", "N"]
    assert wrong["reason"] == "The table has 2 rows with Country Norway; the claim says three."
    assert wrong["cells"] == ["cell_0_1_1", "cell_0_3_1"]
    assert silent["id"] == 7
    for line in (wrong, right, silent):
        assert sum(line["probabilities"].values()) == pytest.approx(1, abs=1e-4)


def test_a_feverous_table_keeps_its_ids() -> None:
    table = {
        "type": "table",
        "table": [
            [{"id": "header_cell_5_0_0", "value": "River", "is_header": True},
             {"id": "header_cell_5_0_1", "value": "Country", "is_header": True}],
            [{"id": "cell_5_1_0", "value": "[[Alva|Alva]]"},
             {"id": "cell_5_1_1", "value": "Norway"}],
        ],
    }  # fmt: skip
    said = answers({"claim": "The Alva is a river in Norway.", "table": table})[0]
    assert said["label"] == "S"
    assert set(said["cells"]) <= {"cell_5_1_0", "cell_5_1_1"}


def test_texts_and_a_table_together() -> None:
    claim = "The Alva is a river in Norway."
    alone, both = answers(
        {"claim": claim, "evidence": "The Alva is a river in Norway."},
        {"claim": claim, "evidence": "The Alva is a river in Norway.", "table": RIVERS},
    )
    assert alone["label"] == "S"
    assert both["probabilities"]["S"] > both["probabilities"]["R"]
    assert both["probabilities"] != alone["probabilities"]
    assert "reason" not in alone


ADA = {"title": ["Ada Byrd"], "Born": ["5 May 1900"], "Died": ["1980"], "Occupation": ["Poet"]}
ROWS = [[key, values[0]] for key, values in ADA.items() if key != "title"]


def test_an_infobox_in_any_form_is_judged_alike() -> None:
    claim = "Ada Byrd was a poet."
    turned = [[row[at] for row in ROWS] for at in (0, 1)]
    feverous = {
        "type": "infobox",
        "table": [[{"value": key, "is_header": True}, {"value": value}] for key, value in ROWS],
    }
    forms = [ROWS, [["", ""], *ROWS], [["Key", "Value"], *ROWS], turned, feverous]
    by_key, *others = answers(
        {"claim": claim, "table": ADA},
        *({"claim": claim, "table": form, "caption": "Ada Byrd"} for form in forms),
    )
    for other in others:
        assert other["probabilities"] == pytest.approx(by_key["probabilities"], abs=1e-3)


def test_cells_are_named_where_they_were_brought() -> None:
    said = answers(
        {"claim": "Ada Byrd was born on 5 May 1900.", "table": [["", ""], *ROWS], "caption": "Ada"}
    )[0]
    if said["label"] != "N":
        assert set(said["cells"]) <= {f"cell_0_{row}_1" for row in (1, 2, 3)}


def test_a_reading_changes_labels_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from feverfew.judge import judge as module
    from feverfew.judge.label_policy import LabelPolicy

    asked = json.dumps({"claim": "Lang is a singer.", "evidence": LANG, "table": RIVERS}) + "\n"
    plain = json.loads(run("-", stdin=asked).stdout)
    rules = {"fever": (1.0, 1.0, 1.0), "feverous": (0.0, 1.0, 0.0)}
    monkeypatch.setattr(
        module, "open_policy", lambda reading, _: LabelPolicy(reading, rules[reading])
    )
    misled = json.loads(run("-", "--label-policy", "feverous", stdin=asked).stdout)
    assert misled["label"] == "R"
    assert misled["probabilities"] == pytest.approx(plain["probabilities"], abs=1e-6)
    assert run("-", "--label-policy", "liar", stdin=asked).exit_code == 2


def test_from_stdin_to_stdout() -> None:
    line = json.dumps({"claim": "Fritz Lang was born in Vienna.", "evidence": LANG})
    result = run("-", stdin=line + "\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["label"] == "S"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"claim": "a"}', "no 'evidence' and no 'table'"),
        ('{"evidence": "a"}', "claim"),
        ('{"claim": 1, "evidence": "a"}', "claim"),
        ("{", "broken JSON"),
        ('{"claim": "a", "table": "x"}', "table: "),
        ('{"claim": "a", "table": [["x"], [[]]]}', "table: "),
        ('{"claim": "a", "table": {"rows": []}}', "table: no 'table'"),
        ('{"claim": "a", "table": [["x"]], "caption": 1}', "caption"),
        ('{"claim": "a", "table": {}}', "table: no 'table'"),
        ('{"claim": "a", "table": {"Born": {"year": 1900}}}', "table: "),
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


def test_read_as_hover_reads_it() -> None:
    asked = {
        "claim": "The film Metropolis was directed by a man who was born in Vienna.",
        "evidence": ["Metropolis is a film directed by Fritz Lang.", LANG],
    }
    silent = {"claim": "Bees make honey.", "evidence": []}
    result = run(
        "-", "--label-policy", "hover", stdin=f"{json.dumps(asked)}\n{json.dumps(silent)}\n"
    )
    assert result.exit_code == 0, result.output
    said, nothing = (json.loads(line) for line in result.stdout.splitlines())
    plain = answers(asked)[0]
    assert said["probabilities"] == plain["probabilities"]
    assert sum(said["probabilities"].values()) == pytest.approx(1, abs=1e-4)
    assert (said["label"] == "S") is (said["probabilities"]["S"] >= 0.5)
    assert nothing["label"] == "N"
    assert run("-", "--label-policy", "other", stdin="").exit_code == 2
