"""Starting, refusing to start, and stopping a server."""

import socket
import threading
from pathlib import Path

import httpx
import pytest

from feverfew import Client
from feverfew.models.encoder import shipped_folder
from feverfew.types import Report, Verdict
from making import feverfew
from running import running

# A few that take a while, and more than a batch holds in all, so that some wait.
CLAIMS = [f"Fritz Lang was born in {year}." for year in range(1900, 1908)]
CLAIMS += [f"Is {number} a number?" for number in range(32)]


def test_elsewhere_a_key_is_needed_unless_refused(tmp_path: Path) -> None:
    empty = tmp_path / "keys.json"
    done = feverfew("serve", "--host", "0.0.0.0", "--keys", empty, "--port", "0")
    assert done.returncode == 2
    assert "feverfew keys add NAME" in done.stderr
    assert "--no-keys" in done.stderr
    both = feverfew("serve", "--keys", empty, "--no-keys")
    assert both.returncode == 2


def test_no_keys_lets_everyone_in(sample_path: Path) -> None:
    with running(sample_path, "--host", "0.0.0.0", "--no-keys", "--timeout", "300") as server:
        with Client(server.url.replace("0.0.0.0", "127.0.0.1"), timeout=300) as client:
            assert client.health()["status"] == "ok"
            two = client.check(["Fritz Lang directed Metropolis. He was born in Vienna."])[0]
            assert two.verdict is Verdict.SUPPORTED
        assert server.stop() == 0


def test_the_options_of_the_checker_reach_it(sample_path: Path) -> None:
    options = (
        "--max-hops",
        "2",
        "--min-confidence",
        "0.5",
        "--model",
        shipped_folder(),
        "--timeout",
        "300",
    )
    more = ("--label-policy", "feverous", "--max-tables", "0")
    with (
        running(sample_path, *options, *more) as server,
        Client(server.url, timeout=300) as client,
    ):
        one = client.check(["Fritz Lang directed Metropolis. He was born in Vienna."])[0]
        assert one.label_policy == "feverous"
        audit = httpx.get(f"{server.url}/audit?claim=Is it so?", timeout=300).json()
        settings = audit["audit"]["settings"]
        names = ("max_hops", "max_tables", "label_policy", "min_confidence")
        assert [settings[name] for name in names] == [2, 0, "feverous", 0.5]
    wrong = feverfew("serve", sample_path, "--model", sample_path, "--port", "0")
    assert wrong.returncode == 2
    assert "is not a model" in wrong.stderr


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = feverfew("serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "cannot listen on" in done.stderr


def test_what_is_no_corpus_is_said(tmp_path: Path) -> None:
    done = feverfew("serve", tmp_path, "--port", "0")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1


def test_a_stop_waits_for_the_answers_that_were_asked_for(sample_path: Path) -> None:
    found: list[Report] = []
    with running(sample_path, "--timeout", "300") as server:

        def ask() -> None:
            with Client(server.url, timeout=300) as client:
                found.extend(client.check(CLAIMS))

        asking = threading.Thread(target=ask)
        asking.start()
        with Client(server.url) as watcher:
            while asking.is_alive() and not watcher.health()["waiting"]:
                pass
        assert server.stop() == 0
        asking.join()
    assert [report.claim for report in found] == CLAIMS


@pytest.mark.parametrize(
    ("options", "status"),
    [(("--queue", "1", "--timeout", "300"), 429), (("--timeout", "0.05"), 503)],
)
def test_too_much_is_refused(sample_path: Path, options: tuple[str, str], status: int) -> None:
    with running(sample_path, *options) as server:
        answers: list[httpx.Response] = []

        def ask() -> None:
            body = {"claims": CLAIMS}
            answers.append(httpx.post(f"{server.url}/v1/check", json=body, timeout=300))

        asking = [threading.Thread(target=ask) for _ in range(3)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        refused = [answer for answer in answers if answer.status_code == status]
        assert refused
        assert int(refused[0].headers["retry-after"]) >= 1
        assert {answer.status_code for answer in answers} <= {200, 429, status}
        assert httpx.get(f"{server.url}/healthz").json()["status"] == "ok"
