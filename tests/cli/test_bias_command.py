import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.annotations import read_claim_types
from feverfew.cli.main import cli
from feverfew.errors import BadRecord, FeverfewError

SUBJECTS = ["river", "city", "film", "king", "song"]


def feverous(count: int = 40) -> list[dict[str, object]]:
    """Make claims of which a refuted one says 'never', and cells settle those that count."""
    made: list[dict[str, object]] = []
    for number in range(count):
        refuted, counted = number % 2, number % 4 > 1
        text = f"The {SUBJECTS[number % 5]} {'never ' * refuted}has {'ten towns' * counted} here."
        element = "A_cell_0_1_1" if counted else f"A_sentence_{number % 3 * 12}"
        made.append(
            {
                "id": number,
                "claim": text,
                "label": "REFUTES" if refuted else "SUPPORTS",
                "evidence": [{"content": [element], "context": {}}],
                "challenge": "Numerical Reasoning" if counted else "Other",
            }
        )
    return made


def written(path: Path, lines: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["bias", *map(str, arguments)], catch_exceptions=False)


def test_says_what_is_given_away(tmp_path: Path) -> None:
    result = run(written(tmp_path / "c.jsonl", feverous()))
    assert result.exit_code == 0
    assert "The verdict, guessed from the claim alone" in result.stdout
    assert "The evidence type, guessed from the claim alone" in result.stdout
    assert "Word and verdict" in result.stdout
    assert "Challenge and verdict" in result.stdout
    assert "never" in result.stdout


def test_json_holds_every_table(tmp_path: Path) -> None:
    found = json.loads(run(written(tmp_path / "c.jsonl", feverous()), "--json").stdout)
    assert found["claims"] == 40
    verdict, kind = found["giveaways"]
    assert (verdict["target"], verdict["accuracy"], verdict["majority"]) == ("verdict", 1, 0.5)
    assert (kind["target"], kind["labels"]) == ("evidence type", ["cells", "sentences"])
    words = found["tables"][0]
    assert (words["features"], words["outcomes"], words["claims"]) == ("word", "verdict", 40)
    never = next(a for a in words["found"] if a["feature"] == "never")
    assert (never["outcome"], never["together"], never["npmi"]) == ("REFUTED", 20, 1)


def test_claim_types(tmp_path: Path) -> None:
    types = tmp_path / "types.csv"
    types.write_text("id,type\n" + "".join(f"{n},{'I' * (1 + n % 2)}\n" for n in range(30)))
    claims = written(tmp_path / "c.jsonl", feverous())
    found = json.loads(run(claims, "--claim-types", types, "--json", "--min-count", 5).stdout)
    tables = {(t["features"], t["outcomes"]): t for t in found["tables"]}
    assert tables["claim type", "verdict"]["claims"] == 30
    assert tables["word", "claim type"]["found"][0]["feature"] == "never"


def test_least_and_top_and_folds_are_heeded(tmp_path: Path) -> None:
    claims = written(tmp_path / "c.jsonl", feverous())
    found = json.loads(run(claims, "--json", "--min-count", 20, "--folds", 4).stdout)
    assert {a["feature"] for a in found["tables"][0]["found"]} == {"never", "ten", "towns"}
    assert found["giveaways"][0]["folds"] == 4
    assert run(claims, "--top", 1).stdout.count("REFUTED") < run(claims).stdout.count("REFUTED")


def test_html_is_one_page(tmp_path: Path) -> None:
    page = tmp_path / "bias.html"
    run(written(tmp_path / "c.jsonl", feverous()), "--html", page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.count("<svg") >= 5


def test_what_cannot_be_measured_is_said(tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [
        {"id": n, "claim": f"a {n}", "label": "SUPPORTS"} for n in range(12)
    ]
    result = run(written(tmp_path / "c.jsonl", lines))
    assert result.exit_code == 0
    assert "Not measured" in result.stdout
    assert json.loads(run(tmp_path / "c.jsonl", "--json").stdout)["giveaways"] == []


def test_without_scikit_learn_the_rest_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sklearn.dummy", "sklearn.linear_model"):
        monkeypatch.setitem(sys.modules, name, None)
    result = run(written(tmp_path / "c.jsonl", feverous()))
    assert result.exit_code == 0
    assert "pip install 'feverfew[bias]'" in result.stdout
    assert "Word and verdict" in result.stdout


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "no claims"),
        ([{"id": 1, "claim": "x"}], "no claim has a label"),
        ([{"id": 1, "claim": "x", "label": "MAYBE"}], "c.jsonl:1: unknown label 'MAYBE'"),
    ],
)
def test_bad_claims_say_where(tmp_path: Path, lines: list[dict[str, object]], said: str) -> None:
    with pytest.raises(FeverfewError, match=said):
        run(written(tmp_path / "c.jsonl", lines))


def test_types_of_other_claims_are_refused(tmp_path: Path) -> None:
    types = written(tmp_path / "t.jsonl", [{"id": "x9", "type": "I"}])
    with pytest.raises(FeverfewError, match=r"names no claim .* its ids begin x9"):
        run(written(tmp_path / "c.jsonl", feverous()), "--claim-types", types)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,kind\n1,I\n", "t:1: no column 'type'"),
        ("id\ttype\n1\t\n", "t:2: claim '1' has no type"),
        ("id,type\n1,I\n1,II\n", "t:3: claim '1' is of type 'I' already"),
        ('{"id": 1}\n', "t:1: no 'type'"),
    ],
)
def test_bad_types_say_where(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "t").write_text(content)
    with pytest.raises(BadRecord, match=said):
        read_claim_types(tmp_path / "t")
