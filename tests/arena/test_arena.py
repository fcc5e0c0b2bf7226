"""From a gold file to the board: over HTTP, on both databases, and nothing blind leaks."""

import gzip
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from feverfew.arena.app import make_arena
from feverfew.arena.golds import Gold
from feverfew.arena.points import Points
from feverfew.arena.scoring import score_file
from feverfew.cli.main import cli
from feverfew.readers.claims import read_claims
from feverfew.workbench.bench import open_bench
from storing import clean_database, postgres_server

SECRET = "Hidden_page"
GOLD = [
    {"id": 1, "claim": "A.", "label": "SUPPORTS", "evidence": [[[0, 0, SECRET, 7]]]},
    {"id": 2, "claim": "B.", "label": "REFUTES", "evidence": [[[0, 0, SECRET, 8]]]},
    {"id": 3, "claim": "C.", "label": "NOT ENOUGH INFO", "evidence": [[[0, None, None, None]]]},
]


def lines(*labels: str, page: str = SECRET) -> bytes:
    rows = [
        {"id": n, "predicted_label": label, "predicted_evidence": [[page, n + 6]]}
        for n, label in enumerate(labels, 1)
    ]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


RIGHT = lines("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
LABELS_ONLY = lines("SUPPORTS", "REFUTES", "NOT ENOUGH INFO", page="Elsewhere")


@pytest.fixture(scope="module")
def server() -> Iterator[str | None]:
    with postgres_server() as found:
        yield found


def run(*words: object) -> str:
    done = CliRunner().invoke(cli, ["arena", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def make(folder: Path, *more: str) -> str:
    gold = folder.parent / "gold.jsonl"
    gold.write_text("\n".join(map(json.dumps, GOLD)), "utf-8")
    run("create", folder, "--name", "demo", "--format", "fever", "--gold", gold, *more)
    return str(json.loads(run("team", folder, "Athene", "--json"))["key"])


@pytest.fixture(params=["sqlite", "postgresql"])
def arena(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    folder = tmp_path / "arena"
    more = []
    if request.param == "postgresql":
        more = ["--database", clean_database(request.getfixturevalue("server"))]
    return folder, make(folder, "--quota", "2", *more)


def send(client: TestClient, key: str, data: bytes) -> tuple[int, dict[str, object]]:
    headers = {"Authorization": f"Bearer {key}"}
    found = client.post("/arena/demo/submissions", content=data, headers=headers)
    return found.status_code, found.json()


def test_a_file_is_refused_or_scored_and_counts_once(arena: tuple[Path, str]) -> None:
    folder, key = arena
    other = str(json.loads(run("team", folder, "Papelo", "--json"))["key"])
    with open_bench(folder) as bench, TestClient(make_arena(bench)) as client:
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
        assert (status, said["again"], said["number"]) == (200, True, 1)
        status, said = send(client, key, gzip.compress(LABELS_ONLY))
        assert (status, said["number"]) == (201, 2)
        assert send(client, key, lines("REFUTES", "REFUTES", "REFUTES"))[0] == 403
        assert send(client, other, RIGHT)[0] == 201
        assert send(client, "ffk_guess", RIGHT)[0] == 401
        rows = client.get("/arena/demo/board").json()
    # The last of Athene's two counts: all labels right, but no evidence.
    assert [(row["rank"], row["team"]) for row in rows] == [(1, "Papelo"), (2, "Athene")]
    assert [round(row["means"]["fever_score"], 4) for row in rows] == [1.0, 0.3333]
    assert [row["means"]["label_accuracy"] for row in rows] == [1.0, 1.0]
    assert rows[0]["p_above"] is None
    assert rows[1]["p_above"] == 0.5


def test_nothing_blind_leaves(tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    key = make(folder, "--end", "2999-01-01T00:00+00:00", "--hidden")
    (gold,) = (folder / "gold").iterdir()
    assert stat.S_IMODE(gold.stat().st_mode) == 0o600
    assert stat.S_IMODE(gold.parent.stat().st_mode) == 0o700
    with open_bench(folder) as bench:
        app = make_arena(bench)
        with TestClient(app) as client:
            assert send(client, key, LABELS_ONLY)[1]["means"] is None
            claims = client.get("/arena/demo/claims")
            assert [sorted(json.loads(line)) for line in claims.text.splitlines()] == [
                ["claim", "id"]
            ] * 3
            assert client.get("/arena/demo/board").status_code == 403
            for address in [
                f"/arena/demo/{gold.name}",
                f"/gold/{gold.name}",
                f"/static/{gold.name}",
            ]:
                assert client.get(address).status_code == 404
            for route in app.routes:
                path = getattr(route, "path", "")
                if "GET" in (getattr(route, "methods", None) or ()):
                    said = client.get(path.replace("{task}", "demo")).text
                    assert SECRET not in said, path
                    assert "REFUTES" not in said, path


def test_after_the_end_nothing_is_taken(tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    key = make(folder, "--end", "2018-07-27T23:59-07:00", "--hidden")
    with open_bench(folder) as bench, TestClient(make_arena(bench)) as client:
        status, said = send(client, key, RIGHT)
        assert (status, said["error"]) == (403, "the phase test ended at 2018-07-28 06:59 UTC")
        assert client.get("/arena/demo/board").json() == []


def test_points_are_kept_exactly(tmp_path: Path) -> None:
    gold, said = tmp_path / "gold.jsonl", tmp_path / "said.jsonl"
    gold.write_text("\n".join(map(json.dumps, GOLD)), "utf-8")
    said.write_bytes(LABELS_ONLY)
    scored = score_file(said, "said", Gold("fever", tuple(read_claims(gold, "fever")), {}))
    points = Points.unpack(scored.points)
    assert points.means() == pytest.approx(scored.means)
    assert points.headline.tolist() == [False, False, True]
    assert points.pack() == scored.points
