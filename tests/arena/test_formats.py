"""The other two formats: FEVEROUS by id or text, HoVer with the official page's counting."""

import json
from pathlib import Path

import pytest

from feverfew.arena.golds import Gold, read_gold
from feverfew.arena.scoring import Refused, score_file
from feverfew.errors import InputError
from hosting import run


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def gold(tmp_path: Path, name: str, rows: list[dict[str, object]]) -> Gold:
    return Gold(name, read_gold(write(tmp_path / "gold.jsonl", rows), name), {})


FEVEROUS: list[dict[str, object]] = [
    {
        "id": n,
        "claim": text,
        "label": "SUPPORTS",
        "evidence": [{"content": [f"Aruba_cell_0_{n}_1"], "context": {}}],
    }
    for n, text in ((1, "One."), (2, "Two."))
]


def test_feverous_predictions_may_name_their_claim(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"predicted_label": "", "predicted_evidence": []},  # the official header
        {
            "claim": "Two.",
            "predicted_label": "SUPPORTS",
            "predicted_evidence": [["Aruba", "cell", "0_2_1"]],
        },
        {"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": ["Aruba_cell_0_9_1"]},
    ]
    said = write(tmp_path / "said.jsonl", rows)
    scored = score_file(said, "said", gold(tmp_path, "feverous", FEVEROUS))
    assert scored.scorer == "FEVEROUS@5,25"
    assert scored.means["feverous_score"] == 0.5
    twice = write(tmp_path / "twice.jsonl", [*rows, {**rows[2], "id": 2}])
    with pytest.raises(Refused, match="claim 2 was predicted in line 2"):
        score_file(twice, "said", gold(tmp_path, "feverous", FEVEROUS))


def test_hover_is_counted_in_both_ways(tmp_path: Path) -> None:
    claim: dict[str, object] = {
        "uid": "a",
        "claim": "A.",
        "label": "SUPPORTED",
        "num_hops": 2,
        "supporting_facts": [["P", 0], ["Q", 3]],
    }
    known = gold(tmp_path, "hover", [claim])

    def means(*evidence: list[object]) -> tuple[float, float]:
        row: dict[str, object] = {"uid": "a", "predicted_label": "SUPPORTED"}
        row["predicted_evidence"] = evidence
        found = score_file(write(tmp_path / "said.jsonl", [row]), "said", known).means
        return found["hover_score"], found["official_score"]

    assert means(["P", 0], ["X", 0], ["Q", 3]) == (1.0, 1.0)
    # Q is the fourth document, and of two hops the first three count.
    assert means(["P", 0], ["X", 0], ["Y", 0], ["Q", 3]) == (1.0, 0.0)
    # The third sentence of Q, of which two count.
    assert means(["P", 0], ["Q", 1], ["Q", 2], ["Q", 3]) == (1.0, 0.0)
    # The eleventh sentence, of which ten count here and two of each document there.
    many = [["P", n] for n in range(10)]
    assert means(*many, ["Q", 3]) == (0.0, 1.0)


def test_hover_s_evidence_is_not_pooled(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"uid": "a", "claim": "A.", "label": "SUPPORTED", "supporting_facts": [["P", 0]]}
    ]
    file = write(tmp_path / "gold.jsonl", rows)
    folder = tmp_path / "arena"
    run(
        "create",
        folder,
        "--name",
        "h",
        "--format",
        "hover",
        "--gold",
        file,
        "--end",
        "2020-01-01T00:00Z",
    )
    with pytest.raises(InputError, match="its score knows no alternatives"):
        run("pool", folder, "--task", "h", "--draw", "1")
