"""Figures become tables; what was not measured says so."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from measure import RESULTS, read_json
from targets import speed_targets, trust_targets
from write_docs import PAGE, before_and_after, parts, speed_table, trust_details

sys.path.pop(0)

BEFORE = read_json(RESULTS / "before.json") or {}


def share(value: float) -> dict[str, float]:
    return {"value": value, "low": value - 0.1, "high": value + 0.1}


def trust_set(**more: Any) -> dict[str, Any]:
    columns = dict.fromkeys(("S", "R", "N", "X", "evidence", "sure", "contradict"))
    return {"claims": 1_200, "accuracy": share(0.6), **columns, "ece": 0.125, **more}


def speed_model() -> dict[str, Any]:
    times = {"p50": 160.0, "p95": 300.0, "mean": 170.0, "answers": 9}
    return {
        "cold": {"seconds": 1.0},
        "open": {"sample": 0.5},
        "single": {"sample": {"wall": times, "processor": times}},
        "batch": {"set": "sample", "claims_a_second": 7.25},
        "peak_private": 900_000_000,
    }


def test_the_page_has_a_place_for_every_part() -> None:
    text = PAGE.read_text("utf-8")
    for name in parts(lambda _: None):
        assert text.count(f"<!-- begin {name} -->\n") == 1
        assert text.count(f"<!-- end {name} -->\n") == 1


def test_every_part_on_the_page_is_written() -> None:
    marks = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("<!-- begin")]
    assert len(marks) == len(parts(lambda _: None))


def test_what_was_not_measured_says_so() -> None:
    made = parts(lambda name: BEFORE if name == "before" else None)
    assert made["speed"] == made["builds"] == "Not measured yet."
    assert "| FEVER score | 76.8 | not measured yet | – |" in made["trust"]


def test_before_and_after_stand_side_by_side() -> None:
    now = {"skills": trust_set(), "tabfact": trust_set(two_way=share(0.7))}
    text = before_and_after(now, BEFORE)
    assert "| Skills: evidence given | 46.9 | 60.0 (50.0–70.0) | 1,200 |" in text
    assert "| TabFact: true or false, table given | 71.1 | 70.0 (60.0–80.0) | 1,200 |" in text
    details = trust_details(now, BEFORE)
    assert "| `skills` | 60 | – | – | – | – | – | – | 0.12 | – |" in details
    assert "`tabfact`, 0.1.0" not in details
    assert "| `skills`, 0.1.0 | 47 | 51 | 61 | 24 | – | – | 56 | 0.28 | – |" in details


def test_targets_are_judged_for_the_sets_that_were_measured() -> None:
    now = {"infotabs": trust_set(), "vitaminc": trust_set(), "summaries": trust_set()}
    found = {target.what: target.met for target in trust_targets(now)}
    assert found == {
        "InfoTabS: three labels, infobox given": False,
        "mean over the out-of-domain sets": False,
    }


def test_speed_compares_models() -> None:
    results = {"models": {"default": speed_model(), "small": speed_model()}}
    text = speed_table(results, BEFORE)
    assert text.startswith("|  | 0.1.0 | default | small |")
    assert "| one claim (sample), p95, ms | – | 300 | 300 |" in text
    assert "| peak private memory, GB | 0.34 | 0.90 | 0.90 |" in text
    assert [target.met for target in speed_targets(results)] == [False, True, True]
