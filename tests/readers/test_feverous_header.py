"""The empty record at the head of FEVEROUS's files, in every form that tools write it."""

import json
from pathlib import Path
from typing import Any

import pytest

from feverfew.errors import BadRecord
from feverfew.readers import read_claims, read_predictions
from feverfew.readers.claims import format_of

REAL = {
    "id": 1,
    "claim": "Linz is a city.",
    "label": "SUPPORTS",
    "evidence": [{"content": ["Linz_sentence_0"], "context": {}}],
    "predicted_label": "SUPPORTS",
    "predicted_evidence": [["Linz", "sentence", "0"]],
    "challenge": "Other",
}
EMPTY = {"id": "", "claim": "", "label": "", "predicted_label": "", "challenge": ""}
HEADERS: list[dict[str, Any]] = [
    {**EMPTY, "evidence": "", "predicted_evidence": "", "annotator_operations": ""},
    {**EMPTY, "evidence": [], "predicted_evidence": []},
    {**EMPTY, "evidence": [{"content": [""], "context": {}}], "predicted_evidence": [["", "", ""]]},
    {**EMPTY, "evidence": [""], "predicted_evidence": [""]},
    {**EMPTY, "evidence": [{"content": [], "context": []}], "predicted_evidence": [[]]},
    dict.fromkeys(REAL),
    {**dict.fromkeys(REAL, " ")},
    {**EMPTY, "id": 0},
    {"claim": "", "label": "", "evidence": []},
    {"predicted_label": "", "predicted_evidence": ""},
    {},
]


@pytest.mark.parametrize("header", HEADERS)
def test_it_is_passed_over(header: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "combined.jsonl"
    path.write_text(f"{json.dumps(header)}\n{json.dumps(REAL)}\n")
    for format in ("feverous", None):  # noqa: A001
        assert [claim.id for claim in read_claims(path, format)] == [1]
    assert [said.id for said in read_predictions(path, "feverous", [1])] == [1]
    assert format_of(path) == "feverous"


def test_it_must_be_the_first_and_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text(f"{json.dumps(REAL)}\n{json.dumps(HEADERS[1])}\n")
    with pytest.raises(BadRecord, match=r":2: the claim is empty"):
        list(read_claims(path))
    path.write_text(json.dumps({**HEADERS[1], "id": 7}) + "\n")
    with pytest.raises(BadRecord, match=r":1: the claim is empty"):
        list(read_claims(path))
