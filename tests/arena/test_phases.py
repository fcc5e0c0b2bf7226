"""Phases: what is taken when, what counts, and what is seen before the end."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.errors import InputError
from hosting import LABELS_ONLY, RIGHT, join, lines, make_task, run, send, token_of

WRONG = lines("REFUTES", "SUPPORTS", "SUPPORTS")


def test_before_the_start_and_after_the_end_nothing_is_taken(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", "--end", "2018-07-27T23:59 America/Los_Angeles")
    key = arena.team("Athene")
    with arena.client() as client:
        status, said = send(client, key, RIGHT)
        when = "2018-07-28 06:59 UTC (2018-07-27 23:59 America/Los_Angeles)"
        assert (status, said["error"]) == (403, f"the phase test ended at {when}")
        assert client.get("/v1/arena/demo/board").json()["rows"] == []
        run("phase", arena.folder, "after", "--task", "demo", "--start", "2999-01-01T00:00+00:00")
        status, said = send(client, key, RIGHT, phase="after")
        assert (status, said["error"]) == (403, "the phase after starts at 2999-01-01 00:00 UTC")
        assert client.get("/v1/arena/demo/claims", params={"phase": "after"}).status_code == 403


def test_phases_of_one_part_never_run_together(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", "--end", "2999-01-01T00:00+00:00")
    with pytest.raises(InputError, match="would run at the same time"):
        run("phase", arena.folder, "after", "--task", "demo")


def test_a_part_of_its_own_has_its_own_gold_and_quota(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", "--quota", "1", "--start", "2999-01-01T00:00+00:00")
    dev = tmp_path / "dev.jsonl"
    dev.write_text(json.dumps({"id": 9, "claim": "D.", "label": "SUPPORTS", "evidence": []}))
    words = ("--task", "demo", "--part", "dev", "--gold", dev, "--quota", "3")
    run("phase", arena.folder, "dev", *words)
    key = arena.team("Athene")
    with arena.client() as client:
        assert client.get("/v1/arena/demo/claims").text == '{"id":9,"claim":"D."}\n'
        status, said = send(client, key, b'{"id": 9, "predicted_label": "SUPPORTS"}')
        assert (status, said["phase"], said["left"]) == (201, "dev", 2)


@pytest.mark.parametrize(("counts", "score"), [("last", 0.0), ("best", 1.0), ("chosen", 1 / 3)])
def test_what_counts_is_a_setting(tmp_path: Path, counts: str, score: float) -> None:
    arena = make_task(tmp_path / "arena", "--counts", counts)
    key, link = arena.team_and_link("Athene")
    with arena.client() as client:
        numbers = [send(client, key, one)[1]["submission"] for one in (LABELS_ONLY, RIGHT, WRONG)]
        join(client, link, "Ann")
        token = token_of(client, "/arena/demo/submissions")
        address = f"/arena/demo/submissions/{numbers[0]}"
        chosen = client.post(address, data={"do": "choose", "token": token})
        assert chosen.status_code == (200 if counts == "chosen" else 422)
        (row,) = client.get("/v1/arena/demo/board").json()["rows"]
    assert row["means"]["fever_score"] == pytest.approx(score, abs=1e-4)


def test_a_hidden_submission_does_not_count_but_costs(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", "--quota", "2")
    key, link = arena.team_and_link("Athene")
    with arena.client() as client:
        send(client, key, RIGHT)
        last = send(client, key, WRONG)[1]["submission"]
        join(client, link, "Ann")
        token = token_of(client, "/arena/demo/submissions")
        client.post(f"/arena/demo/submissions/{last}", data={"do": "hide", "token": token})
        (row,) = client.get("/v1/arena/demo/board").json()["rows"]
        assert row["means"]["fever_score"] == 1.0
        assert send(client, key, LABELS_ONLY)[0] == 403


def test_scores_of_a_part_are_those_of_a_fixed_share_of_claims(tmp_path: Path) -> None:
    gold: list[dict[str, object]] = [
        {"id": n, "claim": f"{n}.", "label": "NOT ENOUGH INFO", "evidence": []} for n in range(50)
    ]
    end = ("--end", "2999-01-01T00:00+00:00")
    arena = make_task(tmp_path / "arena", *end, "--scores", "part", "--share", "0.1", gold=gold)
    key = arena.team("Athene")
    seen = set()
    with arena.client() as client:
        for right in range(0, 50, 10):
            said = [
                {"id": n, "predicted_label": "NOT ENOUGH INFO" if n < right else "REFUTES"}
                for n in range(50)
            ]
            means = send(client, key, "\n".join(map(json.dumps, said)).encode())[1]["means"]
            assert isinstance(means, dict)
            seen.add(means["fever_score"])
        assert client.get("/v1/arena/demo/board").status_code == 403
    assert seen <= {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}  # five claims are seen
    assert len(seen) > 1


def test_a_time_needs_a_zone(tmp_path: Path) -> None:
    words = ["arena", "phase", str(tmp_path), "x", "--task", "demo", "--end", "2018-07-27T23:59"]
    done = CliRunner().invoke(cli, words)
    assert "write a time with its zone" in str(done.exception)
