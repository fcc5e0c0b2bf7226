"""The HTTP interface, asked over a real connection."""

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from feverfew.check import Checker
from feverfew.corpus import Corpus
from feverfew.render.as_json import page_json, report_json
from feverfew.server import openapi
from feverfew.server.http import LARGEST_BODY
from running import Running, running

TRUE, FALSE = "Fritz Lang directed Metropolis.", "Fritz Lang was born in 1975."


@pytest.fixture
def http(server: Running) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=300) as client:
        yield client


def test_it_starts_in_three_seconds(server: Running) -> None:
    assert server.cpu < 3


def test_a_check_is_what_the_library_says(http: httpx.Client, sample_path: Path) -> None:
    answered = http.post("/v1/check", json={"claims": [TRUE, FALSE]}).json()["reports"]
    with Checker.open(sample_path) as checker:
        expected = [json.loads(json.dumps(report_json(r))) for r in checker.check([TRUE, FALSE])]
    assert [one["verdict"] for one in answered] == ["SUPPORTED", "REFUTED"]
    for ours, theirs in zip(answered, expected, strict=True):
        assert ours.keys() == theirs.keys()
        for name in ours.keys() - {"seconds"}:  # numbers, too: to the bit
            assert ours[name] == theirs[name], name


def test_verify_streams_a_line_a_claim_in_order(http: httpx.Client) -> None:
    claims = [{"id": f"c{n}", "claim": TRUE if n % 2 else FALSE} for n in range(20)]
    with http.stream("POST", "/v1/verify", json={"claims": claims}) as response:
        assert response.headers["content-type"].startswith("application/x-ndjson")
        lines = [json.loads(line) for line in response.iter_lines()]
    assert [line["id"] for line in lines] == [claim["id"] for claim in claims]
    assert [line["predicted_label"] for line in lines[:2]] == ["REFUTES", "SUPPORTS"]
    assert lines[1]["predicted_evidence"][0][0] == "Metropolis (1927 film)"


def test_verify_speaks_hovers_language(http: httpx.Client) -> None:
    wanted = {"claims": [{"id": "a", "claim": FALSE}], "format": "hover"}
    line = http.post("/v1/verify", json=wanted).json()
    assert (line["uid"], line["predicted_label"]) == ("a", "NOT_SUPPORTED")


@pytest.mark.parametrize("max_hops", [1, 4])
def test_search_finds_pages(http: httpx.Client, max_hops: int) -> None:
    wanted = {"claims": [TRUE, "Vienna lies on the Danube."], "k": 3, "max_hops": max_hops}
    found = http.post("/v1/search", json=wanted).json()["found"]
    titles = [[page["title"] for page in own["pages"]] for own in found]
    assert "Metropolis (1927 film)" in titles[0]
    assert "Vienna" in titles[1]
    assert all(len(own) <= 3 for own in titles)


def test_a_page_is_read_in_any_spelling(http: httpx.Client, sample: Corpus) -> None:
    answered = http.get("/v1/pages/fritz_lang").json()
    assert answered == json.loads(json.dumps(page_json(sample.page("Fritz Lang"))))


def test_an_unknown_page_names_near_ones(http: httpx.Client) -> None:
    response = http.get("/v1/pages/Fritz Lange")
    assert response.status_code == 404
    assert "Fritz Lang" in response.json()["error"]


def test_scores_are_the_official_ones(http: httpx.Client) -> None:
    answered = http.post("/v1/score", json=openapi.SCORE).json()
    assert answered["scores"]["fever_score"]["value"] == 1.0
    wrong = {**openapi.SCORE, "predictions": [{"id": 2, "predicted_label": "SUPPORTS"}]}
    response = http.post("/v1/score", json=wrong)
    assert response.status_code == 422
    assert "no prediction" in response.json()["error"]


def test_a_bad_prediction_is_named_by_its_place(http: httpx.Client) -> None:
    wrong = {**openapi.SCORE, "predictions": [{"id": 1, "predicted_label": "MAYBE"}]}
    error = http.post("/v1/score", json=wrong).json()["error"]
    assert error.startswith("predictions:1: ")
    assert "MAYBE" in error


def test_health_names_corpus_and_model(http: httpx.Client, sample: Corpus) -> None:
    found = http.get("/healthz").json()
    assert (found["status"], found["pages"]) == ("ok", len(sample))
    assert found["corpus"] == sample.fingerprint
    assert len(found["model"]) >= 16


def test_metrics_count_requests_and_verdicts(http: httpx.Client) -> None:
    http.post("/v1/check", json={"claims": [TRUE]})
    text = http.get("/metrics").text
    assert 'feverfew_requests_total{route="/v1/check",status="200"}' in text
    assert 'feverfew_verdicts_total{verdict="SUPPORTED"}' in text
    assert "feverfew_batch_claims_bucket" in text


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (b"{", 400, "broken JSON"),
        (b"{}", 422, "claims"),
        (b'{"claims": []}', 422, "length"),
        (b'{"claims": [""]}', 422, "length"),
        (b'{"claims": ["x"], "k": 3}', 422, "`k`"),
        (json.dumps({"claims": ["x" * 2_001]}).encode(), 422, "length"),
        (json.dumps({"claims": ["x"] * 65}).encode(), 422, "length"),
        (b'{"claims": ["\xff"]}', 400, "broken JSON"),
        (b" " * (LARGEST_BODY + 1), 413, "longer"),
    ],
)
def test_bad_bodies_get_a_clear_answer(
    http: httpx.Client, body: bytes, status: int, word: str
) -> None:
    kind = {"Content-Type": "application/json"}
    response = http.post("/v1/check", content=body, headers=kind)
    assert response.status_code == status
    assert word in response.json()["error"]


def test_deep_nesting_breaks_nothing(http: httpx.Client) -> None:
    body = b'{"task": "fever", "predictions": [], "claims": ' + b"[" * 100_000
    kind = {"Content-Type": "application/json"}
    response = http.post("/v1/score", content=body, headers=kind)
    assert response.status_code == 400
    assert "broken JSON" in response.json()["error"]


def test_a_form_is_refused(http: httpx.Client) -> None:
    assert http.post("/v1/check", data={"claims": "x"}).status_code == 415


def test_unknown_routes_and_methods_are_problems_too(http: httpx.Client) -> None:
    assert http.get("/v2/check").json().keys() == {"error"}
    response = http.get("/v1/check")
    assert (response.status_code, response.json().keys()) == (405, {"error"})


def test_a_foreign_host_is_refused(http: httpx.Client) -> None:
    response = http.get("/healthz", headers={"Host": "evil.example"})
    assert response.status_code == 400
    assert "Host" in response.json()["error"]
    assert http.get("/healthz", headers={"Host": "localhost:1"}).status_code == 200


def test_every_answer_has_safe_headers(http: httpx.Client) -> None:
    for response in (http.get("/healthz"), http.get("/nowhere")):
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in response.headers["content-security-policy"]
        assert response.headers["x-frame-options"] == "DENY"
        assert len(response.headers["x-request-id"]) == 16


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/search", {"claims": [TRUE], "k": 3.0}),
        ("/v1/verify", {"claims": [{"id": 61.0, "claim": TRUE}, {"id": "5", "claim": TRUE}]}),
    ],
)
def test_a_whole_number_may_be_written_as_a_float(
    http: httpx.Client, path: str, body: dict[str, Any]
) -> None:
    found = http.post(path, json=body)
    assert found.status_code == 200
    if path == "/v1/verify":
        assert [json.loads(line)["id"] for line in found.text.splitlines()] == [61, "5"]
    half = http.post("/v1/search", json={"claims": [TRUE], "k": 3.5})
    assert half.status_code == 422


def test_the_host_header_decides_no_redirect(http: httpx.Client) -> None:
    for path in ("/browse/", "/v1/check/", "/healthz/", "/library/"):
        answer = http.get(path, headers={"Host": "localhost", "X-Forwarded-Host": "evil.example"})
        assert "evil" not in answer.headers.get("location", "")
        assert not answer.is_redirect


def test_whoever_leaves_in_the_middle_of_a_body_is_no_fault_of_the_server(
    server: Running,
) -> None:
    host, _, port = server.url.removeprefix("http://").partition(":")
    before = len(server.said())
    with socket.create_connection((host, int(port)), timeout=60) as leaving:
        leaving.sendall(
            b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1000\r\n\r\n{"
        )
        time.sleep(0.2)
    end = time.monotonic() + 60
    while "/v1/check" not in (said := server.said()[before:]) and time.monotonic() < end:
        time.sleep(0.02)
    (line,) = [json.loads(line) for line in said.splitlines() if "/v1/check" in line]
    assert line["status"] == 499
    assert "Traceback" not in said


def test_the_log_has_a_line_a_request_without_the_claim(sample_path: Path) -> None:
    with running(sample_path) as server:
        with httpx.Client(base_url=server.url, timeout=300) as http:
            name = http.post("/v1/check", json={"claims": [TRUE]}).headers["x-request-id"]
        assert server.stop() == 0
        said = server.said()
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    own = next(line for line in lines if line.get("id") == name)
    assert (own["route"], own["status"], own["claims"]) == ("/v1/check", 200, 1)
    assert own["ms"] > 0
    assert "Metropolis" not in said
