"""From a gold file to the board: over HTTP, on both databases."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.arena.golds import Gold
from feverfew.arena.points import Points
from feverfew.arena.scoring import score_file
from feverfew.cli.main import cli
from feverfew.readers.claims import read_claims
from hosting import GOLD, LABELS_ONLY, RIGHT, lines, make_task, run, send


def test_a_file_is_refused_or_scored_and_counts_once(tmp_path: Path, database: list[str]) -> None:
    arena = make_task(tmp_path / "arena", "--quota", "2", *database)
    key, other = arena.team("Athene"), arena.team("Papelo")
    with arena.client() as client:
        bad = b'{"id": 1, "predicted_label": "MAYBE"}\n{"id": 9, "predicted_label": "SUPPORTS"}\n'
        status, said = send(client, key, bad)
        assert status == 422
        problems = said["problems"]
        assert isinstance(problems, list)
        assert problems[0].startswith("predictions:1: unknown label 'MAYBE'")
        assert problems[1] == "predictions:2: there is no claim 9"
        assert "3 claims have no prediction" in problems[2]
        assert send(client, key, RIGHT)[0] == 201
        status, said = send(client, key, RIGHT)  # as if the answer had been lost
        assert (status, said["again"], said["number"], said["left"]) == (200, True, 1, 1)
        status, said = send(client, key, gzip.compress(LABELS_ONLY))
        assert (status, said["number"], said["left"]) == (201, 2, 0)
        assert send(client, key, lines("REFUTES", "REFUTES", "REFUTES"))[0] == 403
        assert send(client, other, RIGHT)[0] == 201
        assert send(client, "ffk_guess", RIGHT)[0] == 401
        rows = client.get("/v1/arena/demo/board").json()["rows"]
        table = client.get("/v1/arena/demo/board", params={"form": "csv"}).text
        tex = client.get("/v1/arena/demo/board", params={"form": "latex"}).text
    # The last of Athene's two counts: all labels right, but no evidence.
    assert [(row["rank"], row["team"]) for row in rows] == [(1, "Papelo"), (2, "Athene")]
    assert [round(row["means"]["fever_score"], 4) for row in rows] == [1.0, 0.3333]
    assert [row["means"]["label_accuracy"] for row in rows] == [1.0, 1.0]
    assert rows[0]["p_above"] is None
    assert rows[1]["p_above"] == 0.5
    assert table.splitlines()[1].startswith("1,Papelo,Papelo,0,1.000000,1.000000,1.000000,")
    assert r"2 & Athene & 33.33 & 100.00 &" in tex


def test_organisers_enter_baselines_outside_quota_and_dates(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", "--end", "2018-07-27T23:59-07:00", "--quota", "1")
    file = tmp_path / "said.jsonl"
    file.write_bytes(RIGHT)
    rules = ("--system", "not-enough-info", "--system", "random")
    run("baseline", arena.folder, "--task", "demo", *rules, "--file", f"oracle={file}")
    rows = json.loads(run("board", arena.folder, "--task", "demo", "--form", "json"))["rows"]
    scores = {row["system"]: round(row["means"]["fever_score"], 2) for row in rows}
    assert scores.keys() == {"oracle", "not-enough-info", "random"}
    assert (scores["oracle"], scores["not-enough-info"]) == (1.0, 0.33)
    assert all(row["baseline"] and row["team"] == "Organisers" for row in rows)


def test_our_checker_is_entered_by_one_command(tmp_path: Path) -> None:
    gold: list[dict[str, object]] = [
        {
            "id": 7,
            "claim": "Fritz Lang directed Metropolis.",
            "label": "SUPPORTS",
            "evidence": [[[0, 0, "Fritz_Lang", 0]]],
        }
    ]
    arena = make_task(tmp_path / "arena", gold=gold)
    run("baseline", arena.folder, "--task", "demo", "--system", "checker")
    (row,) = json.loads(run("board", arena.folder, "--task", "demo", "--form", "json"))["rows"]
    assert row["means"]["label_accuracy"] == 1.0


def test_a_paper_s_system_needs_a_row_that_exists(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena")
    words = ["arena", "baseline", str(arena.folder), "--task", "demo", "--system"]
    done = CliRunner().invoke(cli, [*words, "fever/table-4:nothing"])
    assert "fever/table-4 has no row 'nothing'; there are" in str(done.exception)


def test_points_are_kept_exactly(tmp_path: Path) -> None:
    gold, said = tmp_path / "gold.jsonl", tmp_path / "said.jsonl"
    gold.write_text("\n".join(map(json.dumps, GOLD)), "utf-8")
    said.write_bytes(LABELS_ONLY)
    scored = score_file(said, "said", Gold("fever", tuple(read_claims(gold, "fever")), {}))
    points = Points.unpack(scored.points)
    assert points.means() == pytest.approx(scored.means)
    assert points.headline.tolist() == [False, False, True]
    assert points.pack() == scored.points
