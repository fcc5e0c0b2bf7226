"""The same for agents, over the Model Context Protocol: three tools that only read."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from feverfew.errors import FeverfewError, InputError
from feverfew.render.as_json import report_json, source_json
from feverfew.render.audit import Settings
from feverfew.server.auth import Authenticator
from feverfew.server.following import reloading
from feverfew.server.keys import KeyFile
from feverfew.server.middleware import KeyMiddleware
from feverfew.server.service import Service
from feverfew.server.serving import bind, listen
from feverfew.types import Evidence

__all__ = ["make_server", "run_http", "run_stdio"]

T = TypeVar("T")

_SAYS = """Checks claims against a corpus that its owner trusts. A verdict (SUPPORTED, REFUTED, NOT
ENOUGH INFO) says what the corpus says, not what is true. Cite evidence by its id."""
_LONGEST = 2_000
_MOST = 50
_ELEMENTS = 200
"""Elements of a page that are given at once."""
_INTERNAL = ("considered", "seconds", "sets")
"""What of a report an agent has no use for."""


def make_server(service: Service) -> MCPServer[Any]:
    """Make a server of the three tools."""
    server: MCPServer[Any] = MCPServer(
        "feverfew", instructions=_SAYS, version=version("feverfew"), log_level="WARNING"
    )

    async def check_claim(claim: str) -> dict[str, Any]:
        """Check one claim: its verdict, how sure that is, the evidence with ids, and why."""
        return await _told(_checked(service, claim))

    async def find_evidence(claim: str, k: int = 5) -> dict[str, Any]:
        """Find the k (at most 50) sentences most likely to settle a claim, without judging it."""
        return await _told(_found(service, claim, k))

    async def read_page(title: str, start: int = 0) -> dict[str, Any]:
        """Read a page: up to 200 of its elements, with ids; `next` says where to go on."""
        return await _told(_page(service, title, start))

    for tool in (check_claim, find_evidence, read_page):
        server.add_tool(tool)
    return server


async def _told(answer: Awaitable[T]) -> T:
    """Let our errors reach the agent in their own words."""
    try:
        return await answer
    except FeverfewError as error:
        raise ToolError(str(error)) from None


async def _checked(service: Service, claim: str) -> dict[str, Any]:
    report = report_json((await service.check([_fit(claim)]))[0])
    return {name: value for name, value in report.items() if name not in _INTERNAL}


async def _found(service: Service, claim: str, k: int) -> dict[str, Any]:
    if not 1 <= k <= _MOST:
        raise InputError(f"k is {k}; it must be from 1 to {_MOST}")
    found = await service.evidence(_fit(claim), k)
    return {"claim": claim, "evidence": [_piece(piece) for piece in found]}


def _piece(piece: Evidence) -> dict[str, Any]:
    context = piece.context
    return {
        "id": str(piece.ref),
        "page": context.title,
        "section": context.section,
        "text": piece.text,
        "source": source_json(piece.source),
        "score": piece.score,
    }


async def _page(service: Service, title: str, start: int) -> dict[str, Any]:
    if start < 0:
        raise InputError(f"start is {start}; it must not be negative")
    page = await service.page(title[:_LONGEST])
    elements = [{"id": str(ref), "text": text} for ref, text in page.elements()]
    end = start + _ELEMENTS
    made: dict[str, Any] = {"title": page.title, "elements": elements[start:end]}
    return {**made, "next": end} if end < len(elements) else made


def _fit(claim: str) -> str:
    if not claim or len(claim) > _LONGEST:
        raise InputError(f"a claim has 1 to {_LONGEST:,} characters; this has {len(claim):,}")
    return claim


def run_stdio(settings: Settings, *, follow: bool = False) -> None:
    """Answer on stdin and stdout until stdin ends."""
    asyncio.run(
        _with_service(settings, follow, lambda service: make_server(service).run_stdio_async())
    )


def run_http(
    settings: Settings,
    port: int,
    on_ready: Callable[[str], None],
    keys: KeyFile | None = None,
    *,
    follow: bool = False,
) -> None:
    """Answer over HTTP, on this machine alone, until SIGTERM or Ctrl-C; who has a key, if any."""
    host = "127.0.0.1"
    with bind(host, port) as bound:

        async def answer(service: Service) -> None:
            app = KeyMiddleware(
                make_server(service).streamable_http_app(host=host), Authenticator(keys)
            )
            await listen(
                app, bound, lambda port: on_ready(f"http://{host}:{port}/mcp"), lifespan="on"
            )

        asyncio.run(_with_service(settings, follow, answer))


async def _with_service(
    settings: Settings, follow: bool, run: Callable[[Service], Awaitable[None]]
) -> None:
    service = await Service.open(settings)
    try:
        async with reloading(service, follow=follow):
            await run(service)
    finally:
        await service.close()
