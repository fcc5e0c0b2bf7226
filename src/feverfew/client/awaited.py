"""The client to be awaited: many questions at once from one thread.

async with feverfew.AsyncClient("http://localhost:8765") as client:
    reports = await asyncio.gather(*(client.check([claim]) for claim in claims))
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from feverfew.client.wire import (
    AT_ONCE,
    IN_A_STREAM,
    Reports,
    content_of,
    decoded,
    element_of,
    headers_of,
    page_at,
    predicted,
    raise_for,
    reaching,
    to_score,
    to_verify,
)
from feverfew.errors import MissingExtra, TooBusy
from feverfew.types import Claim, Page, Prediction, Ref, Report

if TYPE_CHECKING:
    import httpx

    from feverfew.retrieve import Candidate
    from feverfew.score import Summary

__all__ = ["AsyncClient"]


class AsyncClient:
    """Asks a server as `Client` does, and with the same calls, without holding up its thread."""

    def __init__(
        self,
        url: str = "http://localhost:8765",
        key: str | None = None,
        *,
        timeout: float = 60.0,
        patience: float = 60.0,
    ) -> None:
        try:
            import httpx
        except ModuleNotFoundError:
            raise MissingExtra("the client", "client") from None
        self._patience = patience
        self._http = httpx.AsyncClient(base_url=url, headers=headers_of(key), timeout=timeout)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims, as `Checker.check` does."""
        found: list[Report] = []
        for start in range(0, len(claims), AT_ONCE):
            wanted = {"claims": list(claims[start : start + AT_ONCE])}
            found += decoded(await self._send("POST", "/v1/check", wanted), Reports).reports
        return found

    async def verify(
        self,
        claims: Iterable[Claim],
        format: str = "fever",  # noqa: A002
    ) -> AsyncIterator[Prediction]:
        """Yield a prediction for each claim, in order, as `feverfew.check.verify` does."""
        rest = iter(claims)
        while group := list(islice(rest, IN_A_STREAM)):
            wanted = to_verify(group, format)
            response = await self._send("POST", "/v1/verify", wanted, stream=True)
            try:
                with reaching(self._http.base_url):
                    async for line in response.aiter_lines():
                        yield predicted(line)
            finally:
                await response.aclose()

    async def retrieve(
        self, claims: Sequence[str], k: int = 10, retriever: str = "ranked"
    ) -> "list[list[Candidate]]":
        """Find the k best pages for each claim."""
        from feverfew.retrieve import Candidate

        found: list[list[Candidate]] = []
        for start in range(0, len(claims), AT_ONCE):
            own = list(claims[start : start + AT_ONCE])
            wanted = {"claims": own, "k": k, "retriever": retriever}
            found += decoded(await self._send("POST", "/v1/search", wanted), list[list[Candidate]])
        return found

    async def page(self, title: str) -> Page:
        """Return a page by its title in any spelling, or by an alias."""
        return decoded(await self._send("GET", page_at(title)), Page)

    async def element(self, ref: Ref) -> str:
        """Return the text of one element."""
        return element_of(await self.page(ref.page), ref)

    async def score(
        self,
        task: str,
        claims: Iterable[Claim],
        predictions: Iterable[Prediction],
        samples: int = 1_000,
        seed: int = 0,
    ) -> "Summary":
        """Score predictions by the official rules of a task, as `score.summarise` does."""
        from feverfew.score import Summary

        wanted = to_score(task, claims, predictions, samples, seed)
        return decoded(await self._send("POST", "/v1/score", wanted), Summary)

    async def health(self) -> dict[str, Any]:
        """Say what the server serves: pages, fingerprints of corpus and model."""
        return decoded(await self._send("GET", "/healthz"), dict[str, Any])

    async def _send(
        self, method: str, path: str, body: object = None, *, stream: bool = False
    ) -> "httpx.Response":
        """Send a request, again and again while the server says that it is busy."""
        end = time.monotonic() + self._patience
        while True:
            request = self._http.build_request(method, path, **content_of(body))
            with reaching(self._http.base_url):
                response = await self._http.send(request, stream=stream)
                if stream and response.is_error:
                    await response.aread()
            try:
                raise_for(response)
            except TooBusy as busy:
                if time.monotonic() + busy.seconds > end:
                    raise
                await asyncio.sleep(busy.seconds)
            else:
                return response
