"""Submitting from Python and from the command line, to a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.arena_client import submit_file
from feverfew.cli.main import cli
from feverfew.errors import InputError, NotAllowed, NotFound, ServerError
from hosting import LABELS_ONLY, RIGHT, make_task
from running import running


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Return a task's address, and a team's key."""
    arena = make_task(tmp_path_factory.mktemp("hosted") / "arena", "--quota", "2")
    key = arena.team("Athene")
    with running("serve", arena.folder, command="arena") as server:
        yield f"{server.url}/arena/demo", key


def test_a_receipt_comes_back_to_python(task: tuple[str, str], tmp_path: Path) -> None:
    url, key = task
    (tmp_path / "said.jsonl").write_bytes(LABELS_ONLY)
    receipt = submit_file(tmp_path / "said.jsonl", url, key, system="ours", note="first")
    assert (receipt.number, receipt.left, receipt.again) == (1, 1, False)
    assert receipt.means is not None
    assert receipt.means["label_accuracy"] == 1.0
    with pytest.raises(NotAllowed, match="not known"):
        submit_file(tmp_path / "said.jsonl", url, "ffk_guess")
    with pytest.raises(NotFound, match="no task 'other'; there are demo"):
        submit_file(tmp_path / "said.jsonl", url.replace("demo", "other"), key)
    with pytest.raises(InputError, match="is no task"):
        submit_file(tmp_path / "said.jsonl", "http://localhost:1/", key)
    with pytest.raises(ServerError):
        submit_file(tmp_path / "said.jsonl", "http://localhost:1/arena/demo", key)


def test_the_command_lists_every_problem_and_prints_scores(
    task: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, key = task
    said = tmp_path / "said.jsonl"
    said.write_bytes(b'{"id": 1, "predicted_label": "MAYBE"}\n{"id": 8}\n')
    words = ["arena", "submit", str(said), "--to", url]
    assert "set FEVERFEW_TEAM_KEY" in str(CliRunner().invoke(cli, words).exception)
    monkeypatch.setenv("FEVERFEW_TEAM_KEY", key)
    problems = str(CliRunner().invoke(cli, words).exception).splitlines()
    assert [line.partition(" ")[0] for line in problems[:2]] == ["predictions:1:", "predictions:2:"]
    said.write_bytes(RIGHT)
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.stdout.splitlines()[1:3] == ["0 left in the phase test", "fever_score 1.0000"]
