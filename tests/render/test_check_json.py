"""The JSON of a report: names that stay, and numbers that are numbers."""

import json

import msgspec
import pytest

from feverfew.render.as_json import report_json
from feverfew.types import Report
from reported import ALL, HOSTILE, PARTLY, REFUTED, SUPPORTED


def written(report: Report) -> dict[str, object]:
    return json.loads(msgspec.json.encode(report_json(report)))  # type: ignore[no-any-return]


def test_the_fields_and_their_order() -> None:
    assert list(written(SUPPORTED)) == [
        "claim",
        "verdict",
        "probabilities",
        "evidence",
        "sets",
        "against",
        "considered",
        "open_reason",
        "missing",
        "reasons",
        "parts",
        "seconds",
        "corpus",
        "model",
        "chain",
        "tables",
        "label_policy",
        "reasoning",
        "leaning",
        "marks",
        "generation",
    ]


def test_a_finding() -> None:
    evidence = written(SUPPORTED)["evidence"]
    assert isinstance(evidence, list)
    assert evidence[1] == {
        "id": "Ada_Quill_sentence_1",
        "page": "Ada Quill",
        "section": "Life",
        "name": "",
        "text": "Quill was born in Tartu.",
        "source": None,
        "says": "SUPPORTED",
        "probabilities": {"SUPPORTED": 0.75, "REFUTED": 0.125, "NOT ENOUGH INFO": 0.125},
        "decisive": False,
        "hop": 1,
        "marks": [],
    }


def test_what_was_considered() -> None:
    considered = written(REFUTED)["considered"]
    assert isinstance(considered, list)
    assert considered[1] == {
        "id": "Tartu_sentence_0",
        "page": "Tartu",
        "section": "",
        "name": "",
        "text": "Tartu is a city of Estonia.",
        "source": None,
        "score": 1.5,
        "hop": 0,
    }


def test_the_rest() -> None:
    report = written(SUPPORTED)
    assert report["verdict"] == "SUPPORTED"
    assert report["sets"] == [["Harbour_Lights_-LRB-film-RRB-_sentence_0", "Ada_Quill_sentence_1"]]
    assert report["open_reason"] is None
    assert report["seconds"] == {"retrieve": 0.25, "judge": 0.5}
    assert (report["corpus"], report["model"]) == ("c0ffee", "decade")


def test_parts_are_reports_themselves() -> None:
    report = written(PARTLY)
    assert report["open_reason"] == "partly supported"
    assert report["missing"] == "Ada Quill kept bees."
    assert report["parts"] == [written(part) for part in PARTLY.parts]


@pytest.mark.parametrize("report", [*ALL, HOSTILE], ids=lambda r: r.claim[:12])
def test_never_nan_and_on_one_line(report: Report) -> None:
    line = msgspec.json.encode(report_json(report))
    assert b"\n" not in line
    assert b"NaN" not in line
    assert b"Infinity" not in line
