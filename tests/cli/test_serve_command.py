"""Starting, refusing to start, and stopping a server."""

import threading
from pathlib import Path

import pytest

from feverfew import Client
from feverfew.model import Report
from making import feverfew
from running import running


def test_elsewhere_a_key_is_needed_unless_refused(tmp_path: Path) -> None:
    empty = tmp_path / "keys.json"
    done = feverfew("serve", "--host", "0.0.0.0", "--keys", empty, "--port", "0")
    assert done.returncode == 2
    assert "feverfew keys add NAME" in done.stderr
    assert "--no-keys" in done.stderr
    both = feverfew("serve", "--keys", empty, "--no-keys")
    assert both.returncode == 2


def test_no_keys_lets_everyone_in(sample_path: Path) -> None:
    with running(sample_path, "--host", "0.0.0.0", "--no-keys") as server:
        with Client(server.url.replace("0.0.0.0", "127.0.0.1")) as client:
            assert client.health()["status"] == "ok"
        assert server.stop() == 0


def test_a_port_that_is_taken_is_said() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = feverfew("serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "cannot listen on" in done.stderr


def test_what_is_no_corpus_is_said(tmp_path: Path) -> None:
    done = feverfew("serve", tmp_path, "--port", "0")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1


def test_a_stop_waits_for_the_answers_that_were_asked_for(sample_path: Path) -> None:
    claims = [f"Fritz Lang was born in {year}." for year in range(1900, 1948)]
    found: list[Report] = []
    with running(sample_path, "--hops", "--timeout", "300") as server:

        def ask() -> None:
            with Client(server.url, timeout=300) as client:
                found.extend(client.check(claims))

        asking = threading.Thread(target=ask)
        asking.start()
        with Client(server.url) as watcher:
            while asking.is_alive() and not watcher.health()["waiting"]:
                pass
        assert server.stop() == 0
        asking.join()
    assert [report.claim for report in found] == claims


@pytest.mark.parametrize(
    ("options", "status"), [(("--queue", "1"), 429), (("--timeout", "0.05"), 503)]
)
def test_too_much_is_refused(sample_path: Path, options: tuple[str, str], status: int) -> None:
    import httpx

    with running(sample_path, *options) as server, httpx.Client(base_url=server.url) as http:
        claims = [f"Fritz Lang was born in {year}." for year in range(1900, 1960)]
        answers: list[httpx.Response] = []

        def ask() -> None:
            answers.append(
                httpx.post(f"{server.url}/v1/check", json={"claims": claims}, timeout=300)
            )

        asking = [threading.Thread(target=ask) for _ in range(3)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        refused = [answer for answer in answers if answer.status_code == status]
        assert refused
        assert int(refused[0].headers["retry-after"]) >= 1
        assert {answer.status_code for answer in answers} <= {200, status}
        assert http.get("/healthz").json()["status"] == "ok"
