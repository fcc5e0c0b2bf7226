"""A new gold is shown when everything is scored by it, also after an interruption."""

import json
from pathlib import Path

from msgspec.structs import replace

from feverfew.arena.golds import gold_rows, load_gold, write_gold
from feverfew.arena.scoring import Scorer
from feverfew.arena.tasks import task_by_name
from feverfew.arena.versions import rescore
from feverfew.types import Verdict
from feverfew.workbench.bench import open_bench
from hosting import LABELS_ONLY, RIGHT, Arena, make_task, run, send


def write_second(arena: Arena) -> None:
    """Write a gold in which the open claim is refuted, as if rescoring had been cut off at once."""
    with open_bench(arena.folder) as bench, bench.database.write() as session:
        task = task_by_name(session, "demo")
        (first,) = gold_rows(session, task, "test")
        claims = list(load_gold(arena.folder, task, first).claims)
        claims[2] = replace(claims[2], label=Verdict.REFUTED, evidence=claims[1].evidence)
        session.add(write_gold(arena.folder, task, "test", 2, claims))


def test_an_unscored_gold_is_not_shown_and_scoring_goes_on(
    tmp_path: Path, database: list[str]
) -> None:
    arena = make_task(tmp_path / "arena", *database)
    keys = [arena.team("Athene"), arena.team("Papelo")]
    with arena.client() as client:
        send(client, keys[0], RIGHT)
        write_second(arena)
        assert client.get("/v1/arena/demo/board").json()["gold"] == 1
        assert client.get("/v1/arena/demo/board", params={"gold": 2}).status_code == 403
        # It comes meanwhile, is scored by the gold that holds, and again by the new one.
        means = send(client, keys[1], LABELS_ONLY)[1]["means"]
        assert isinstance(means, dict)
        assert means["label_accuracy"] == 1.0
        run("gold", arena.folder, "--task", "demo")
        final = client.get("/v1/arena/demo/board", params={"compare": 1}).json()
        assert final["gold"] == 2
        assert [row["rank_change"] for row in final["rows"]] == [0, 0]
        changes = [round(row["changes"]["label_accuracy"], 4) for row in final["rows"]]
        assert changes == [-0.3333, -0.3333]
        # What comes now is scored by the new gold at once.
        status, said = send(client, keys[0], RIGHT + b"\n")
        assert isinstance(said["means"], dict)
        assert (status, round(said["means"]["label_accuracy"], 4)) == (201, 0.6667)
    old = json.loads(run("board", arena.folder, "--task", "demo", "--gold", "1", "--form", "json"))
    assert [row["means"]["label_accuracy"] for row in old["rows"]] == [1.0, 1.0]


def test_a_gold_that_was_touched_scores_nothing(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena")
    key = arena.team("Athene")
    (gold,) = (arena.folder / "gold").iterdir()
    gold.write_bytes(gold.read_bytes().replace(b"REFUTES", b"SUPPORTS"))
    with arena.client() as client:
        status, said = send(client, key, RIGHT)
    assert status == 422
    assert "is not the gold that the arena was made with" in str(said["error"])


def test_rescoring_nothing_is_done_at_once(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena")
    write_second(arena)
    with open_bench(arena.folder) as bench, Scorer(1) as scorer:
        with bench.database.read() as session:
            task = task_by_name(session, "demo")
        assert rescore(bench.database, arena.folder, task, "test", scorer) == 0
        with bench.database.read() as session:
            assert gold_rows(session, task, "test")[-1].scored is not None
