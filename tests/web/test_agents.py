"""Agents: the SDK's own client, over a real process's stdin and stdout, and over HTTP."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from feverfew.judge.encoder import shipped_folder
from making import MAIN
from running import running

CLAIM = "Fritz Lang was born in 1975."


async def asked(client: Client) -> dict[str, Any]:
    """Ask everything once."""
    found: dict[str, Any] = {"tools": [tool.name for tool in (await client.list_tools()).tools]}
    for name, arguments in {
        "check_claim": {"claim": CLAIM},
        "find_evidence": {"claim": CLAIM, "k": 2},
        "read_page": {"title": "fritz lang"},
    }.items():
        result = await client.call_tool(name, arguments)
        assert not result.is_error
        found[name] = result.structured_content
    unknown = await client.call_tool("read_page", {"title": "Fritz Lange"})
    assert unknown.is_error
    found["unknown"] = str(unknown.content)
    long = await client.call_tool("check_claim", {"claim": "x" * 2_001})
    assert long.is_error
    found["long"] = str(long.content)
    return found


def verify(found: dict[str, Any]) -> None:
    assert found["tools"] == ["check_claim", "find_evidence", "read_page"]
    assert found["check_claim"]["verdict"] == "REFUTED"
    assert found["check_claim"]["evidence"][0]["id"] == "Fritz Lang_sentence_0"
    assert len(found["find_evidence"]["evidence"]) == 2
    assert found["read_page"]["title"] == "Fritz Lang"
    assert found["read_page"]["elements"][0] == {"id": "Fritz Lang_title", "text": "Fritz Lang"}
    assert "near names are 'Fritz Lang'" in found["unknown"]
    assert "2,000 characters" in found["long"]


def test_over_stdin_and_stdout(sample_path: Path) -> None:
    async def main() -> dict[str, Any]:
        command = ["-c", MAIN, "mcp", str(sample_path)]
        server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
        async with Client(server) as client:
            return await asked(client)

    verify(asyncio.run(main()))


def test_over_http(sample_path: Path) -> None:
    async def main(url: str) -> dict[str, Any]:
        async with Client(url) as client:
            return await asked(client)

    options = ("--http", "--hops", "--model", shipped_folder())
    with running(sample_path, *options, command="mcp") as server:
        verify(asyncio.run(main(server.url)))
        assert server.stop() == 0
