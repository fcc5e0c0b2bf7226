"""A client of `feverfew serve`: the same calls as the library's, answered elsewhere.

with feverfew.Client("http://localhost:8765") as client:
    client.check(["Fritz Lang directed Metropolis."])[0].verdict  → Verdict.SUPPORTED
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
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

__all__ = ["Client"]


class Client:
    """Asks a server; where it is busy, waits as it says, up to `patience` seconds in all."""

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
        self._http = httpx.Client(base_url=url, headers=headers_of(key), timeout=timeout)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims, as `Checker.check` does."""
        found: list[Report] = []
        for start in range(0, len(claims), AT_ONCE):
            wanted = {"claims": list(claims[start : start + AT_ONCE])}
            found += decoded(self._post("/v1/check", wanted), Reports).reports
        return found

    def verify(self, claims: Iterable[Claim], format: str = "fever") -> Iterator[Prediction]:  # noqa: A002
        """Yield a prediction for each claim, in order, as `feverfew.check.verify` does."""
        rest = iter(claims)
        while group := list(islice(rest, IN_A_STREAM)):
            yield from self._verify(group, format)

    def _verify(self, claims: Sequence[Claim], format: str) -> Iterator[Prediction]:  # noqa: A002
        response = self._send("POST", "/v1/verify", to_verify(claims, format), stream=True)
        with closing(response), reaching(self._http.base_url):
            for line in response.iter_lines():
                yield predicted(line)

    def retrieve(
        self, claims: Sequence[str], k: int = 10, retriever: str = "ranked"
    ) -> "list[list[Candidate]]":
        """Find the k best pages for each claim: a client is a retriever."""
        from feverfew.retrieve import Candidate

        found: list[list[Candidate]] = []
        for start in range(0, len(claims), AT_ONCE):
            own = list(claims[start : start + AT_ONCE])
            wanted = {"claims": own, "k": k, "retriever": retriever}
            found += decoded(self._post("/v1/search", wanted), list[list[Candidate]])
        return found

    def page(self, title: str) -> Page:
        """Return a page by its title in any spelling, or by an alias."""
        return decoded(self._send("GET", page_at(title)), Page)

    def element(self, ref: Ref) -> str:
        """Return the text of one element."""
        return element_of(self.page(ref.page), ref)

    def score(
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
        return decoded(self._post("/v1/score", wanted), Summary)

    def health(self) -> dict[str, Any]:
        """Say what the server serves: pages, fingerprints of corpus and model."""
        return decoded(self._send("GET", "/healthz"), dict[str, Any])

    def _post(self, path: str, body: object) -> "httpx.Response":
        return self._send("POST", path, body)

    def _send(
        self, method: str, path: str, body: object = None, *, stream: bool = False
    ) -> "httpx.Response":
        """Send a request, again and again while the server says that it is busy."""
        end = time.monotonic() + self._patience
        while True:
            with reaching(self._http.base_url):
                response = self._http.send(self._request(method, path, body), stream=stream)
                if stream and response.is_error:
                    response.read()
            try:
                raise_for(response)
            except TooBusy as busy:
                if time.monotonic() + busy.seconds > end:
                    raise
                time.sleep(busy.seconds)
            else:
                return response

    def _request(self, method: str, path: str, body: object) -> "httpx.Request":
        return self._http.build_request(method, path, **content_of(body))
