"""Foreign sets: read as their packages carry them, apart from all that was learned."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from feverfew.judge import Judge
from feverfew.lab.train.splits import is_tuning

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from foreign import Pair, learned, measure, summaries, vitaminc

sys.path.pop(0)

PAGES = [page for page in map("Ferry {}".format, range(40)) if not is_tuning(page)]


def example(page: str, claim: str, label: str) -> dict[str, object]:
    scores = {name: int(name == label) for name in ("True", "False", "Neither")}
    return {"input": f"{page}: It has 12 rooms .\nClaim: {claim}", "target_scores": scores}


def test_made_up_revisions_and_pages_for_tuning_are_left_out(tmp_path: Path) -> None:
    tuning = next(page for page in map("Ferry {}".format, range(40)) if is_tuning(page))
    examples = [
        example(PAGES[0], "It has 12 rooms .", "True"),
        example(tuning, "It has 12 rooms .", "True"),
        example(PAGES[1], "It has red rooms .", "Neither"),
        example(PAGES[2], "It has 9 rooms .", "False"),  # behind the last open one: made up
    ]
    (tmp_path / "task.json").write_text(json.dumps({"examples": examples}))
    first = Pair("It has 12 rooms.", f"{PAGES[0]}: It has 12 rooms.", "S", PAGES[0])
    second = Pair("It has red rooms.", f"{PAGES[1]}: It has 12 rooms.", "N", PAGES[1])
    assert vitaminc(tmp_path / "task.json") == [first, second]


def test_a_summary_that_is_right_and_wrong_is_left_out(tmp_path: Path) -> None:
    rows = [
        {"article_sent": "a b c.", "correct_sent": "a b.", "incorrect_sent": "a c."},
        {"article_sent": "a b c.", "correct_sent": "a c.", "incorrect_sent": "c a."},
    ]
    (tmp_path / "test.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert summaries(tmp_path / "test.jsonl") == [
        Pair("a b.", "a b c.", "S", "a b c."),
        Pair("c a.", "a b c.", "X", "a b c."),
    ]


def test_what_was_learned_is_known_by_claim_and_by_evidence(tmp_path: Path) -> None:
    (tmp_path / "nli").mkdir()
    row = {"claim": "It rains.", "ev_sents": ["It pours."], "label": "S"}
    with gzip.open(tmp_path / "nli" / "some.jsonl.gz", "wt") as out:
        out.write(json.dumps(row) + "\n")
    assert len(learned(tmp_path)) == 2


def test_what_is_not_supported_may_be_refuted_or_open() -> None:
    evidence = "The hotel has 12 rooms."
    pairs = [
        Pair(evidence, evidence, "S", "a"),
        Pair("The hotel has 90 rooms.", evidence, "X", "b"),
        Pair("The hotel has 90 rooms.", evidence, "S", "c"),
    ]
    found = measure(Judge.open(), pairs)
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert found["by_label"] == {"S": 0.5, "X": 1.0}
    assert found["groups"] == 3
    assert found["low"] <= found["accuracy"] <= found["high"]
