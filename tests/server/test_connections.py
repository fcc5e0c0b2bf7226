"""Idle, half-sent and too many connections stop nobody who has something to ask."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import uvicorn

from feverfew.server.connections import Connections, bounded_protocol


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer "ok"; where the path says so, not before it is let go."""
    if scope["path"] == "/slow":
        AT_WORK.append(asyncio.Event())
        await AT_WORK[-1].wait()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def served(connections: Connections) -> AsyncIterator[int]:
    config = uvicorn.Config(
        app, log_config=None, lifespan="off", ws="none", http=bounded_protocol(connections)
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as bound:
        running = asyncio.create_task(server.serve(sockets=[bound]))
        while not server.started:
            await asyncio.sleep(0.01)
        yield bound.getsockname()[1]
        server.should_exit = True
        await running


async def ask(port: int, path: str = "/") -> int:
    async with httpx.AsyncClient() as client:
        return (await client.get(f"http://127.0.0.1:{port}{path}", timeout=60)).status_code


async def hold(port: int, start: bytes) -> asyncio.StreamReader:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(start)
    HELD.append(writer)
    return reader


HELD: list[asyncio.StreamWriter] = []
AT_WORK: list[asyncio.Event] = []


def let_go() -> None:
    while HELD:
        HELD.pop().close()


def test_idle_and_half_sent_connections_make_room_for_requests() -> None:
    async def run() -> list[int]:
        async with served(Connections(most=8, per_address=8, header_seconds=60)) as port:
            for number in range(40):
                await hold(port, (b"", b"GET / HTTP/1.1\r\nHost: x\r\n")[number % 2])
            found = [await ask(port) for _ in range(10)]
            let_go()
            return found

    assert asyncio.run(run()) == [200] * 10


def test_a_header_that_does_not_come_in_time_ends_its_connection() -> None:
    async def run() -> None:
        async with served(Connections(header_seconds=0.2)) as port:
            whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
            silent = await hold(port, b"")
            half = await hold(port, b"GET / HTTP/1.1\r\nHo")
            second = await hold(port, whole + b"GET / HTTP/1.1\r\nHo")
            for reader, answers in ((silent, 0), (half, 0), (second, 1)):
                try:
                    said = await asyncio.wait_for(reader.read(), 20)
                except ConnectionResetError:
                    said = b""
                assert said.count(b" 200 ") in {0, answers}
            let_go()

    asyncio.run(run())


def test_connections_at_work_are_kept_and_more_are_refused_at_once() -> None:
    async def run() -> list[int]:
        async with served(Connections(most=20, per_address=3)) as port:
            at_work = [asyncio.create_task(ask(port, "/slow")) for _ in range(3)]
            while len(AT_WORK) < 3:
                await asyncio.sleep(0.01)
            refused = await ask(port)
            for one in AT_WORK:
                one.set()
            return [refused, *await asyncio.gather(*at_work)]

    assert asyncio.run(run()) == [429, 200, 200, 200]
