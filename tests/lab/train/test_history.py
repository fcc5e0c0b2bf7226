"""A run's log as a picture: what was logged is drawn, twice-taken steps once, runs together."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from feverfew.errors import BadRecord, InputError
from feverfew.lab.train.history import History, draw, read_history
from feverfew.render import svg

SVG = "{http://www.w3.org/2000/svg}"


def learned(step: int, loss: float) -> dict[str, Any]:
    return {"step": step, "verdict_loss": loss, "relevance_loss": loss / 2, "pairs": 160}


def checked(step: int, verdict: float, relevance: float = -1.0) -> dict[str, Any]:
    found = {"verdict": verdict, "by_label": [verdict] * 3, "relevance": relevance}
    return {"step": step, "held_out": found, "best": True}


def run(folder: Path, *events: dict[str, Any], rest: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(event) + "\n" for event in events)
    (folder / "log.jsonl").write_text(text + rest, encoding="utf-8")
    return folder


def test_a_log_becomes_curves(tmp_path: Path) -> None:
    folder = run(
        tmp_path / "run",
        {"settings": {"steps": 40}, "step": 0},
        learned(20, 1.0),
        learned(40, 0.5),
        checked(40, 0.8),
        {"settings": {"steps": 40}, "step": 20},  # killed here, and started again
        learned(40, 0.4),
        checked(40, 0.9),
        rest='{"step": 60, "verdi',
    )
    assert read_history(folder) == History(
        verdict_loss=[(20.0, 1.0), (40.0, 0.4)],
        relevance_loss=[(20.0, 0.5), (40.0, 0.2)],
        verdict=[(40.0, 0.9)],
        relevance=[],
    )


def test_runs_are_drawn_over_each_other(tmp_path: Path) -> None:
    runs = {
        name: read_history(
            run(tmp_path / name, learned(20, loss), learned(40, loss / 2), checked(40, 0.9))
        )
        for name, loss in (("first", 1.0), ("second", 2.0))
    }
    root = ElementTree.fromstring(draw(runs))
    # No run measured relevance, so that there is no picture of it.
    titles = [group.findtext(f"{SVG}title") for group in root.findall(f"{SVG}g")]
    assert titles == [
        "Verdict: loss",
        "Relevance: loss",
        "Verdict: held-out pairs judged rightly",
    ]
    assert len(root.findall(f".//{SVG}polyline")) == 6
    assert len(root.findall(f".//{SVG}circle")) == 2  # each was looked at once
    said = root.findtext(f"{SVG}g/{SVG}desc") or ""
    assert "second: 2 points, from (20, 2) to (40, 1.5)" in said


def test_what_is_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no run: it has no log\.jsonl"):
        read_history(tmp_path)
    with pytest.raises(BadRecord, match=r"log\.jsonl:2: not a line of a log"):
        read_history(run(tmp_path / "bad", learned(20, 1.0), rest="what?\n"))
    with pytest.raises(BadRecord, match=r"log\.jsonl:1: not a line of a log"):
        read_history(run(tmp_path / "strange", {"verdict_loss": 1.0}))
    with pytest.raises(InputError, match="nothing to draw yet"):
        draw({"new": read_history(run(tmp_path / "new", {"settings": {}, "step": 0}))})


def test_pictures_stand_below_each_other() -> None:
    one = svg.document("a & b", "first", 100, 40, [svg.text(1, 2, "x")])
    two = svg.document("c", "second", 200, 60, [])
    root = ElementTree.fromstring(svg.stack("both", [one, two]))
    assert root.attrib["viewBox"] == "0 0 200 100"
    moved = [group.attrib["transform"] for group in root.findall(f"{SVG}g")]
    assert moved == [
        "translate(0 0)",
        "translate(0 40)",
    ]
    assert root.findtext(f"{SVG}desc") == "Pictures below each other: a & b; c."
    with pytest.raises(ValueError, match="only pictures"):
        svg.stack("none", ["<svg></svg>"])
