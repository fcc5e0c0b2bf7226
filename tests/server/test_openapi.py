"""The OpenAPI document is true: its examples work, and nothing made up from it breaks a server."""

import json
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from running import Running

ROUTES = {
    ("/v1/check", "post"),
    ("/v1/verify", "post"),
    ("/v1/search", "post"),
    ("/v1/pages/{title}", "get"),
    ("/v1/score", "post"),
    ("/v1/reload", "post"),
    ("/healthz", "get"),
    ("/metrics", "get"),
}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.mark.parametrize(("path", "method"), sorted(ROUTES))
@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_nothing_made_up_breaks_the_server(
    server: Running, path: str, method: str, mode: schemathesis.GenerationMode
) -> None:
    operation = schemathesis.openapi.from_url(f"{server.url}/openapi.json")[path][method]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=8,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, timeout=300)

    try:
        ask()
    except Unsatisfiable:
        # Of a route that takes nothing, nothing wrong can be made up.
        assert mode is schemathesis.GenerationMode.NEGATIVE
        assert method == "get" or path == "/v1/reload"


def test_every_route_is_described_with_its_failures(server: Running) -> None:
    found = httpx.get(f"{server.url}/openapi.json").json()
    assert found["openapi"].startswith("3.1")
    routes = {(path, method) for path, own in found["paths"].items() for method in own}
    assert routes == ROUTES
    for path, own in found["paths"].items():
        for operation in own.values():
            assert operation["summary"]
            if path.startswith("/v1/"):
                assert {"401", "403", "429", "503"} <= operation["responses"].keys()
                assert operation["security"]


def test_every_example_is_answered(server: Running) -> None:
    found = httpx.get(f"{server.url}/openapi.json").json()
    asked = 0
    for path, own in found["paths"].items():
        if body := own.get("post", {}).get("requestBody"):
            example = body["content"]["application/json"]["example"]
            response = httpx.post(f"{server.url}{path}", json=example, timeout=300)
            assert response.status_code == 200, (path, response.text)
            shown = own["post"]["responses"]["200"]["content"]
            for kind, content in shown.items():
                if kind == "application/json" and "example" in content:
                    assert shape(response.json()) >= shape(content["example"])
            asked += 1
    assert asked == 4


def shape(value: Any, at: str = "") -> set[str]:
    """List the names in a JSON value, with where they stand."""
    if isinstance(value, dict):
        return {f"{at}.{name}" for name in value}.union(
            *(shape(inner, f"{at}.{name}") for name, inner in value.items())
        )
    if isinstance(value, list):
        return set().union(*(shape(inner, at) for inner in value))
    return set()


def test_a_report_is_exactly_what_the_schema_says(server: Running) -> None:
    schemas = httpx.get(f"{server.url}/openapi.json").json()["components"]["schemas"]
    claims = ["Fritz Lang was born in 1975.", "Fritz Lang directed Metropolis. He was a cat."]
    answer = httpx.post(f"{server.url}/v1/check", json={"claims": claims}, timeout=300).json()
    for report in answer["reports"]:
        assert report.keys() == schemas["Report"]["properties"].keys()
        for finding in report["evidence"]:
            assert finding.keys() == schemas["Finding"]["properties"].keys()
        for piece in report["considered"]:
            assert piece.keys() == schemas["Evidence"]["properties"].keys()
    assert json.dumps(schemas["CheckRequest"]).count('"maxLength": 2000') == 1
