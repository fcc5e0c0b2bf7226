"""Workers on a Ray cluster: the same answers as here, also when a machine of it is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from feverfew.check.verify import verify
from feverfew.corpus import Corpus
from feverfew.corpus.fsck import fsck
from feverfew.readers import dump_prediction, read_claims
from making import fever_file, feverfew, many_pages

HERE = Path(__file__).parent
LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}
FULL = os.environ.get("FEVERFEW_CLUSTER") == "full"


@pytest.fixture(autouse=True)
def _ray_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    if not FULL:
        pytest.importorskip("ray", reason="needs Ray")
    places = (str(HERE.parent), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, places)))


def on_two_nodes(work: str, folder: Path) -> Any:
    """Do work on two nodes, one of which is killed; nothing may be left of the cluster."""
    before = {*Path("/tmp").glob("ff-*")}
    done = subprocess.run(
        [sys.executable, HERE / "two_nodes.py", work, folder],
        capture_output=True,
        text=True,
        check=False,
        timeout=570,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["killed"]
    assert seen["listening"]
    assert set(seen["listening"]) <= LOOPBACK
    assert {*Path("/tmp").glob("ff-*")} <= before
    return seen["made"]


def test_answers_are_whole_and_in_order_when_a_node_is_lost(tmp_path: Path) -> None:
    assert on_two_nodes("echo", tmp_path) == [f"{number}!" for number in range(40)]


def test_an_index_is_whole_when_a_node_is_lost(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "pages.jsonl", many_pages(1_500))
    assert on_two_nodes("index", tmp_path) == {"pages": 1_500, "bad": 0}
    whole = Corpus.build([source], tmp_path / "whole.corpus", workers=0)
    with whole, Corpus.open(tmp_path / "ray.corpus") as corpus:
        assert corpus.fingerprint == whole.fingerprint
        assert corpus.text.search(["own900word"], 3) == whole.text.search(["own900word"], 3)
    assert fsck(tmp_path / "ray.corpus") == []


@pytest.mark.skipif(not FULL, reason="takes minutes: make test-cluster")
def test_predictions_are_whole_when_a_node_is_lost(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "pages.jsonl", many_pages(60))
    Corpus.build([source], tmp_path / "ray.corpus", workers=0).close()
    claims = tmp_path / "claims.txt"
    claims.write_text("".join(f"{' '.join(text)}\n" for text in many_pages(100, 1).values()))
    here = verify(read_claims(claims), tmp_path / "ray.corpus", "fever", "small", 1)
    expected = [dump_prediction(prediction, "fever") for prediction in here]
    assert on_two_nodes("verify", tmp_path) == json.loads(json.dumps(expected))


@pytest.mark.skipif(not FULL, reason="takes minutes: make test-cluster")
def test_the_command_starts_a_cluster_of_its_own(tmp_path: Path) -> None:
    source = fever_file(tmp_path / "pages.jsonl", many_pages(60))
    ours = feverfew("index", source, "-o", tmp_path / "a.corpus", "--workers", "ray")
    assert ours.returncode == 0, ours.stderr
    assert "60 pages" in ours.stderr
    refused = feverfew("index", source, "-o", tmp_path / "b.corpus", "--workers", "ray:/x")
    assert refused.returncode == 2
    assert "is not a number from 0 on, ray or ray://HOST:PORT" in refused.stderr
