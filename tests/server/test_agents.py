"""Agents: the SDK's own client, over a real process's stdin and stdout, and over HTTP."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import httpx
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from feverfew.models.encoder import shipped_folder
from feverfew.server.keys import KeyFile
from making import MAIN, feverfew
from running import running

CLAIM = "Fritz Lang was born in 1975."


async def asked(client: Client) -> dict[str, Any]:
    """Ask everything once."""
    found: dict[str, Any] = {"tools": [tool.name for tool in (await client.list_tools()).tools]}
    calls: dict[str, dict[str, Any]] = {
        "check_claim": {"claim": CLAIM},
        "find_evidence": {"claim": CLAIM, "k": 2},
        "read_page": {"title": "fritz lang"},
    }
    for name, arguments in calls.items():
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

    options = (
        "--http",
        "--max-hops",
        "2",
        "--model",
        shipped_folder(),
        "--label-policy",
        "feverous",
    )
    with running(sample_path, *options, "--max-tables", "0", command="mcp") as server:
        found = asyncio.run(main(server.url))
        verify(found)
        assert found["check_claim"]["label_policy"] == "feverous"
        assert server.stop() == 0


def test_over_http_with_keys(sample_path: Path, tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    key, half = file.add("agent", ["check", "read"], 600), file.add("half", ["check"], 600)
    slow = file.add("slow", ["check", "read"], 1)
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

    async def main(url: str) -> list[str]:
        headers = {"Authorization": f"Bearer {key}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return [tool.name for tool in (await client.list_tools()).tools]

    with running(sample_path, "--http", "--keys", file.path, command="mcp") as server:

        def status(token: str) -> int:
            given = {"Authorization": f"Bearer {token}"} if token else {}
            return httpx.post(server.url, json=body, headers=given).status_code

        assert (status(""), status("ff_wrong"), status(half)) == (401, 401, 403)
        status(slow)
        assert status(slow) == 429
        assert "check_claim" in asyncio.run(main(server.url))


def test_keys_without_http_make_no_sense(tmp_path: Path) -> None:
    done = feverfew("mcp", "--keys", tmp_path / "keys.json")
    assert done.returncode == 2
    assert "--http" in done.stderr
    empty = feverfew("mcp", "--http", "--keys", tmp_path / "keys.json")
    assert (empty.returncode, "has no keys" in empty.stderr) == (2, True)
