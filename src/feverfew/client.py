"""Clients of `feverfew serve`: the same calls as the library's, answered elsewhere.

    with feverfew.Client("http://localhost:8765") as client:
        client.check(["Fritz Lang directed Metropolis."])[0].verdict  → Verdict.SUPPORTED

    async with feverfew.AsyncClient("http://localhost:8765") as client:
        reports = await asyncio.gather(*(client.check([claim]) for claim in claims))

What is sent, what comes back and when to ask again is written once, as generators that yield
requests and pauses; the two clients differ in who carries these out.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Generator, Iterable, Iterator, Sequence
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
from feverfew.types import Claim, Page, Prediction, Ref, Report

if TYPE_CHECKING:
    import httpx

    from feverfew.retrieve import Candidate
    from feverfew.score import Summary

T = TypeVar("T")

_AT_ONCE, _IN_A_STREAM = 64, 1_000
"""Claims that a server takes in one request: to check, and to label."""
_NOUNS = "application/vnd.feverfew.nouns+json"
_URL = "http://localhost:8765"


class _Request(msgspec.Struct, frozen=True):
    """A request to send; with `stream`, its answer is read line by line."""

    method: str
    path: str
    body: object = None
    stream: bool = False

    def content(self) -> dict[str, Any]:
        """Write the body as httpx takes it."""
        if self.body is None:
            return {}
        kind = {"Content-Type": "application/json"}
        return {"content": msgspec.json.encode(self.body), "headers": kind}


_Call = Generator[_Request | int, Any, T]
"""Yields requests, and seconds to pause; is sent responses; returns the result."""


class _Calls:
    """What to ask of a server, whoever carries it out."""

    def __init__(self, patience: float) -> None:
        self._patience = patience

    def send(self, request: _Request) -> "_Call[httpx.Response]":
        """Send a request, again and again while the server says that it is busy."""
        end = time.monotonic() + self._patience
        while True:
            response: httpx.Response = yield request
            try:
                _raise_for(response)
            except TooBusy as busy:
                if time.monotonic() + busy.seconds > end:
                    raise
                yield busy.seconds
            else:
                return response

    def _ask(self, method: str, path: str, kind: type[T], body: object = None) -> _Call[T]:
        response = yield from self.send(_Request(method, path, body))
        try:
            return msgspec.json.decode(response.content, type=kind)
        except msgspec.DecodeError as error:
            raise ServerError(f"{response.url}: not an answer of feverfew's: {error}") from None

    def check(self, claims: Sequence[str]) -> _Call[list[Report]]:
        found: list[Report] = []
        for some in _batches(claims):
            answer = yield from self._ask(
                "POST", "/v1/check", dict[str, list[Report]], {"claims": some}
            )
            found += answer["reports"]
        return found

    def retrieve(
        self, claims: Sequence[str], k: int, max_hops: int
    ) -> "_Call[list[list[Candidate]]]":
        from feverfew.retrieve import Candidate

        found: list[list[Candidate]] = []
        for some in _batches(claims):
            body = {"claims": some, "k": k, "max_hops": max_hops}
            found += yield from self._ask("POST", "/v1/search", list[list[Candidate]], body)
        return found

    def page(self, title: str) -> _Call[Page]:
        return (yield from self._ask("GET", f"/v1/pages/{quote(title, safe='')}", Page))

    def element(self, ref: Ref) -> _Call[str]:
        page = yield from self.page(ref.page)
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
        samples: int,
        seed: int,
    ) -> "_Call[Summary]":
        from feverfew.readers import dump_prediction
        from feverfew.readers.claims import dump
        from feverfew.score import Summary

        body = {
            "task": task,
            "claims": list(dump(claims, task)),
            "predictions": [dump_prediction(one, task) for one in predictions],
            "samples": samples,
            "seed": seed,
        }
        return (yield from self._ask("POST", "/v1/score", Summary, body))

    def health(self) -> _Call[dict[str, Any]]:
        return (yield from self._ask("GET", "/healthz", dict[str, Any]))


class Client:
    """Asks a server; where it is busy, waits as it says, up to `patience` seconds in all."""

    def __init__(
        self, url: str = _URL, key: str | None = None, *, timeout: float = 60, patience: float = 60
    ) -> None:
        self._calls = _Calls(patience)
        self._http = _httpx().Client(base_url=url, headers=_headers(key), timeout=timeout)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims, as `Checker.check` does."""
        return self._run(self._calls.check(claims))

    def verify(self, claims: Iterable[Claim], format: str = "fever") -> Iterator[Prediction]:  # noqa: A002
        """Yield a prediction for each claim, in order, as `feverfew.check.verify` does."""
        for request in _to_verify(claims, format):
            response = self._run(self._calls.send(request))
            with closing(response), _reaching(self._http.base_url):
                for line in response.iter_lines():
                    yield _prediction(line)

    def retrieve(
        self, claims: Sequence[str], k: int = 10, max_hops: int = 1
    ) -> "list[list[Candidate]]":
        """Find the k best pages for each claim: a client is a retriever."""
        return self._run(self._calls.retrieve(claims, k, max_hops))

    def page(self, title: str) -> Page:
        """Return a page by its title in any spelling, or by an alias."""
        return self._run(self._calls.page(title))

    def element(self, ref: Ref) -> str:
        """Return the text of one element."""
        return self._run(self._calls.element(ref))

    def score(
        self,
        task: str,
        claims: Iterable[Claim],
        predictions: Iterable[Prediction],
        samples: int = 1_000,
        seed: int = 0,
    ) -> "Summary":
        """Score predictions by the official rules of a task, as `score.summarise` does."""
        return self._run(self._calls.score(task, claims, predictions, samples, seed))

    def health(self) -> dict[str, Any]:
        """Say what the server serves: pages, fingerprints of corpus and model."""
        return self._run(self._calls.health())

    def _run(self, call: _Call[T]) -> T:
        response: httpx.Response | None = None
        while True:
            try:
                step = call.send(response)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]
            if isinstance(step, int):
                time.sleep(step)
                continue
            with _reaching(self._http.base_url):
                request = self._http.build_request(step.method, step.path, **step.content())
                response = self._http.send(request, stream=step.stream)
                if step.stream and response.is_error:
                    response.read()


class AsyncClient:
    """Asks a server as `Client` does, with the same calls, to be awaited."""

    def __init__(
        self, url: str = _URL, key: str | None = None, *, timeout: float = 60, patience: float = 60
    ) -> None:
        self._calls = _Calls(patience)
        self._http = _httpx().AsyncClient(base_url=url, headers=_headers(key), timeout=timeout)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims, as `Checker.check` does."""
        return await self._run(self._calls.check(claims))

    async def verify(
        self,
        claims: Iterable[Claim],
        format: str = "fever",  # noqa: A002
    ) -> AsyncIterator[Prediction]:
        """Yield a prediction for each claim, in order, as `feverfew.check.verify` does."""
        for request in _to_verify(claims, format):
            response = await self._run(self._calls.send(request))
            try:
                with _reaching(self._http.base_url):
                    async for line in response.aiter_lines():
                        yield _prediction(line)
            finally:
                await response.aclose()

    async def retrieve(
        self, claims: Sequence[str], k: int = 10, max_hops: int = 1
    ) -> "list[list[Candidate]]":
        """Find the k best pages for each claim."""
        return await self._run(self._calls.retrieve(claims, k, max_hops))

    async def page(self, title: str) -> Page:
        """Return a page by its title in any spelling, or by an alias."""
        return await self._run(self._calls.page(title))

    async def element(self, ref: Ref) -> str:
        """Return the text of one element."""
        return await self._run(self._calls.element(ref))

    async def score(
        self,
        task: str,
        claims: Iterable[Claim],
        predictions: Iterable[Prediction],
        samples: int = 1_000,
        seed: int = 0,
    ) -> "Summary":
        """Score predictions by the official rules of a task, as `score.summarise` does."""
        return await self._run(self._calls.score(task, claims, predictions, samples, seed))

    async def health(self) -> dict[str, Any]:
        """Say what the server serves: pages, fingerprints of corpus and model."""
        return await self._run(self._calls.health())

    async def _run(self, call: _Call[T]) -> T:
        response: httpx.Response | None = None
        while True:
            try:
                step = call.send(response)
            except StopIteration as done:
                return done.value  # type: ignore[no-any-return]
            if isinstance(step, int):
                await asyncio.sleep(step)
                continue
            with _reaching(self._http.base_url):
                request = self._http.build_request(step.method, step.path, **step.content())
                response = await self._http.send(request, stream=step.stream)
                if step.stream and response.is_error:
                    await response.aread()


def _httpx() -> Any:
    try:
        import httpx
    except ModuleNotFoundError:
        raise MissingExtra("the client", "client") from None
    return httpx


def _headers(key: str | None) -> dict[str, str]:
    """Ask for values as the library spells them, and show the key, if any."""
    return {"Accept": _NOUNS, **({"Authorization": f"Bearer {key}"} if key else {})}


def _batches(claims: Sequence[str]) -> Iterator[list[str]]:
    for start in range(0, len(claims), _AT_ONCE):
        yield list(claims[start : start + _AT_ONCE])


def _to_verify(claims: Iterable[Claim], format: str) -> Iterator[_Request]:  # noqa: A002
    rest = iter(claims)
    while group := list(islice(rest, _IN_A_STREAM)):
        wanted = [{"id": claim.id, "claim": claim.text} for claim in group]
        yield _Request("POST", "/v1/verify", {"claims": wanted, "format": format}, stream=True)


def _prediction(line: str) -> Prediction:
    """Read a line of predictions; an error in the middle of a stream is its last line."""
    if line.startswith('{"error"'):
        raise ServerError(msgspec.json.decode(line)["error"])
    return msgspec.json.decode(line, type=Prediction)


@contextmanager
def _reaching(url: object) -> Iterator[None]:
    """Turn a failed connection into an error of ours."""
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
