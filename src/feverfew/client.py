"""A client of `feverfew serve`: the same calls as the library's, answered elsewhere.

with feverfew.Client("http://localhost:8765") as client:
    client.check(["Fritz Lang directed Metropolis."])[0].verdict  → Verdict.SUPPORTED
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import msgspec

from feverfew.errors import (
    InputError,
    MissingExtra,
    NotAllowed,
    NotFound,
    ServerError,
    TooBusy,
)
from feverfew.model import Claim, Page, Prediction, Ref, Report

if TYPE_CHECKING:
    import httpx

    from feverfew.retrieve import Candidate
    from feverfew.score import Summary

__all__ = ["Client"]

T = TypeVar("T")

_NOUNS = "application/vnd.feverfew.nouns+json"
_AT_ONCE = 64
_IN_A_STREAM = 1_000
"""Claims that a server takes in one request: to check, and to label."""


class _Reports(msgspec.Struct):
    reports: list[Report]


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
        headers = {"Accept": _NOUNS}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._patience = patience
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout)

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
        for start in range(0, len(claims), _AT_ONCE):
            wanted = {"claims": list(claims[start : start + _AT_ONCE])}
            found += _decoded(self._post("/v1/check", wanted), _Reports).reports
        return found

    def verify(self, claims: Iterable[Claim], format: str = "fever") -> Iterator[Prediction]:  # noqa: A002
        """Yield a prediction for each claim, in order, as `feverfew.check.verify` does."""
        rest = iter(claims)
        while group := list(islice(rest, _IN_A_STREAM)):
            yield from self._verify(group, format)

    def _verify(self, claims: Sequence[Claim], format: str) -> Iterator[Prediction]:  # noqa: A002
        wanted = {
            "claims": [{"id": claim.id, "claim": claim.text} for claim in claims],
            "format": format,
        }
        decode = msgspec.json.Decoder(Prediction).decode
        response = self._send("POST", "/v1/verify", wanted, stream=True)
        with closing(response), _reaching(self._http.base_url):
            for line in response.iter_lines():
                if line.startswith('{"error"'):
                    raise ServerError(msgspec.json.decode(line)["error"])
                yield decode(line)

    def retrieve(
        self, claims: Sequence[str], k: int = 10, retriever: str = "ranked"
    ) -> "list[list[Candidate]]":
        """Find the k best pages for each claim: a client is a retriever."""
        from feverfew.retrieve import Candidate

        found: list[list[Candidate]] = []
        for start in range(0, len(claims), _AT_ONCE):
            own = list(claims[start : start + _AT_ONCE])
            wanted = {"claims": own, "k": k, "retriever": retriever}
            found += _decoded(self._post("/v1/search", wanted), list[list[Candidate]])
        return found

    def page(self, title: str) -> Page:
        """Return a page by its title in any spelling, or by an alias."""
        return _decoded(self._send("GET", f"/v1/pages/{quote(title, safe='')}"), Page)

    def element(self, ref: Ref) -> str:
        """Return the text of one element."""
        page = self.page(ref.page)
        wanted = Ref(page.title, ref.kind, ref.position)
        for at, text in page.elements():
            if at == wanted:
                return text
        raise NotFound(f"page {page.title!r} has no element '{wanted}'")

    def score(
        self,
        task: str,
        claims: Iterable[Claim],
        predictions: Iterable[Prediction],
        samples: int = 1_000,
        seed: int = 0,
    ) -> "Summary":
        """Score predictions by the official rules of a task, as `score.summarise` does."""
        from feverfew.readers import dump_prediction
        from feverfew.readers.claims import dump
        from feverfew.score import Summary

        wanted = {
            "task": task,
            "claims": list(dump(claims, task)),
            "predictions": [dump_prediction(one, task) for one in predictions],
            "samples": samples,
            "seed": seed,
        }
        return _decoded(self._post("/v1/score", wanted), Summary)

    def health(self) -> dict[str, Any]:
        """Say what the server serves: pages, fingerprints of corpus and model."""
        return _decoded(self._send("GET", "/healthz"), dict[str, Any])

    def _post(self, path: str, body: object) -> "httpx.Response":
        return self._send("POST", path, body)

    def _send(
        self, method: str, path: str, body: object = None, *, stream: bool = False
    ) -> "httpx.Response":
        """Send a request, again and again while the server says that it is busy."""
        end = time.monotonic() + self._patience
        while True:
            with _reaching(self._http.base_url):
                response = self._http.send(self._request(method, path, body), stream=stream)
                if stream and response.is_error:
                    response.read()
            try:
                _raise_for(response)
            except TooBusy as busy:
                if time.monotonic() + busy.seconds > end:
                    raise
                time.sleep(busy.seconds)
            else:
                return response

    def _request(self, method: str, path: str, body: object) -> "httpx.Request":
        if body is None:
            return self._http.build_request(method, path)
        data = msgspec.json.encode(body)
        kind = {"Content-Type": "application/json"}
        return self._http.build_request(method, path, content=data, headers=kind)


@contextmanager
def _reaching(url: object) -> Iterator[None]:
    """Say in our own words that a server cannot be reached."""
    import httpx

    try:
        yield
    except httpx.HTTPError as error:
        raise ServerError(f"{url}: {error or type(error).__name__}") from None


def _raise_for(response: "httpx.Response") -> None:
    """Raise what the library itself would have raised."""
    if not response.is_error:
        return
    try:
        why = msgspec.json.decode(response.content, type=dict[str, str])["error"]
    except (msgspec.DecodeError, KeyError):
        why = f"{response.url}: answered with status {response.status_code}"
    match response.status_code:
        case 401 | 403 as status:
            raise NotAllowed(why, status == 403)
        case 404:
            raise NotFound(why)
        case 429 | 503:
            after = response.headers.get("retry-after", "")
            raise TooBusy(why, int(after) if after.isdecimal() else 1)
        case status if status < 500:
            raise InputError(why)
    raise ServerError(why)


def _decoded(response: "httpx.Response", kind: type[T]) -> T:
    try:
        return msgspec.json.decode(response.content, type=kind)
    except msgspec.DecodeError as error:
        raise ServerError(f"{response.url}: not an answer of feverfew's: {error}") from None
