"""Every door gives the same answer: library, command line, server, client, agents, predictions."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client as McpClient
from mcp import StdioServerParameters

from feverfew import Client
from feverfew.check import Checker
from feverfew.check.verify import verify
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from feverfew.types import Claim, Report, Verdict
from making import MAIN, feverfew
from running import Running

CLAIMS = [
    "The director of Metropolis was born in Vienna.",
    *[claim.text for path in sample_claims() for claim in read_claims(path)][::45],
]
Answer = tuple[str, dict[str, float], list[str]]
"""The verdict, the probabilities, and the ids of the evidence."""


@pytest.fixture(scope="module")
def expected(sample_path: Path) -> list[Answer]:
    with Checker.open(sample_path) as checker:
        return [of_report(report) for report in checker.check(CLAIMS)]


def of_report(report: Report) -> Answer:
    shares = {str(verdict): round(share, 4) for verdict, share in report.probabilities.items()}
    return str(report.verdict), shares, [str(finding.ref) for finding in report.evidence]


def of_json(found: dict[str, Any]) -> Answer:
    shares = {name: round(share, 4) for name, share in found["probabilities"].items()}
    return found["verdict"], shares, [piece["id"] for piece in found["evidence"]]


def test_the_command_line(sample_path: Path, expected: list[Answer]) -> None:
    ran = feverfew("check", "--corpus", sample_path, "--json", *CLAIMS)
    assert [of_json(json.loads(line)) for line in ran.stdout.splitlines()] == expected


def test_the_server(server: Running, expected: list[Answer]) -> None:
    for claim, own in zip(CLAIMS, expected, strict=True):
        answer = httpx.post(f"{server.url}/v1/check", json={"claims": [claim]}, timeout=300).json()
        assert of_json(answer["reports"][0]) == own


def test_the_client(server: Running, expected: list[Answer]) -> None:
    with Client(server.url, timeout=300) as client:
        assert [of_report(report) for report in client.check(CLAIMS)] == expected


def test_agents(sample_path: Path, expected: list[Answer]) -> None:
    async def ask() -> list[Answer]:
        command = ["-c", MAIN, "mcp", str(sample_path)]
        door = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
        async with McpClient(door) as client:
            found = [await client.call_tool("check_claim", {"claim": claim}) for claim in CLAIMS]
        return [of_json(one.structured_content or {}) for one in found]

    assert asyncio.run(ask()) == expected


def test_predictions(sample_path: Path, expected: list[Answer]) -> None:
    """Predictions keep the likeliest label, however unsure; the probabilities are the same."""
    claims = [Claim(id=at, text=text) for at, text in enumerate(CLAIMS)]
    for prediction, (verdict, shares, _) in zip(
        verify(claims, sample_path, workers=1), expected, strict=True
    ):
        said = {str(v): round(share, 4) for v, share in (prediction.probabilities or {}).items()}
        assert said == shares
        if verdict != str(Verdict.NOT_ENOUGH_INFO):
            assert str(prediction.label) == verdict
