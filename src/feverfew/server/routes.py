"""The HTTP API, one function a route."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Request, Response, Security
from fastapi.responses import StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from feverfew.errors import FeverfewError, NotFound, TooBusy
from feverfew.readers import dump_prediction
from feverfew.readers.base import Record, Source
from feverfew.readers.claims import CLAIM_FORMATS
from feverfew.readers.predictions import parse_prediction
from feverfew.render.as_json import page_json, report_json
from feverfew.retrieve import Candidate
from feverfew.score import TASKS, Summary, summarise
from feverfew.server.corpora import REFUSED
from feverfew.server.http import answer, read, wants_nouns
from feverfew.server.messages import (
    NOUNS,
    Checked,
    CheckRequest,
    Found,
    FoundPage,
    Health,
    Problem,
    Reloaded,
    ScoreRequest,
    Searched,
    SearchRequest,
    VerifyRequest,
    Via,
)
from feverfew.server.openapi import CHECK, CHECKED, SCORE, SEARCH, SEARCHED, VERIFY, described
from feverfew.server.service import State
from feverfew.types import Claim, Prediction

__all__ = ["router"]

_bearer = HTTPBearer(
    auto_error=False, description="A key from `feverfew keys add`, where keys are on."
)


def allowed(scope: str) -> Any:
    """Make the dependency of a route that needs a key with this scope, where keys are on."""

    async def admit(
        request: Request,
        given: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
    ) -> None:
        name = State.of(request).auth.admit(given.credentials if given else None, scope)
        if name:
            State.note(request, key=name)

    return Security(admit)


router = APIRouter()

_CHECK = msgspec.json.Decoder(CheckRequest)
_VERIFY = msgspec.json.Decoder(VerifyRequest)
_SEARCH = msgspec.json.Decoder(SearchRequest)
_SCORE = msgspec.json.Decoder(ScoreRequest)
_POSTED = (400, 401, 403, 413, 415, 422, 429, 503)
_READ = (401, 403, 404, 429, 503)
_LINES = "application/x-ndjson"
_CHUNK = 16
"""Claims of a stream that are labelled at once."""


@router.post(
    "/v1/check",
    dependencies=[allowed("check")],
    response_class=Response,
    openapi_extra=described(
        "Checked", takes="CheckRequest", example=CHECK, shown=CHECKED, fails=_POSTED
    ),
)
async def check(request: Request) -> Response:
    """Check claims: a report for each, as `feverfew check --json` writes it."""
    state = State.of(request)
    wanted = await read(request, _CHECK)
    state.note(request, claims=len(wanted.claims))
    async with asyncio.timeout(state.seconds):
        reports = await state.service.check(wanted.claims)
    state.metrics.verdicts(report.verdict for report in reports)
    if wants_nouns(request):
        return answer(Checked(tuple(reports)), NOUNS)
    return answer({"reports": [report_json(report) for report in reports]})


@router.post(
    "/v1/verify",
    dependencies=[allowed("check")],
    response_class=Response,
    openapi_extra=described(
        "Prediction", takes="VerifyRequest", example=VERIFY, fails=_POSTED, media=_LINES
    ),
)
async def verify(request: Request) -> Response:
    """Label claims in the form of a data set: a line for each, as soon as it is known."""
    state = State.of(request)
    wanted = await read(request, _VERIFY)
    state.note(request, claims=len(wanted.claims))
    claims = [Claim(id=one.id, text=one.claim) for one in wanted.claims]
    chunks = [claims[at : at + _CHUNK] for at in range(0, len(claims), _CHUNK)]
    async with asyncio.timeout(state.seconds):
        # Before anything is sent, the status can still say that there is no room.
        first = await state.service.predict(chunks[0], wanted.format)
    nouns = wants_nouns(request)
    lines = _lines(state, first, chunks[1:], wanted.format, nouns)
    return StreamingResponse(lines, media_type=NOUNS if nouns else _LINES)


async def _lines(
    state: State,
    first: Sequence[Prediction],
    chunks: Sequence[Sequence[Claim]],
    format: str,  # noqa: A002
    nouns: bool,
) -> AsyncIterator[bytes]:
    """Write predictions; what goes wrong once a stream has begun is its last line."""

    def written(predictions: Sequence[Prediction]) -> bytes:
        state.metrics.verdicts(one.label for one in predictions)
        values = [one if nouns else dump_prediction(one, format) for one in predictions]
        return b"".join(msgspec.json.encode(value) + b"\n" for value in values)

    yield written(first)
    for chunk in chunks:
        try:
            async with asyncio.timeout(state.seconds):
                predictions = await _patiently(state, chunk, format)
        except (FeverfewError, TimeoutError) as error:
            yield msgspec.json.encode(Problem(str(error) or "the request timed out")) + b"\n"
            return
        yield written(predictions)


async def _patiently(state: State, chunk: Sequence[Claim], format: str) -> list[Prediction]:  # noqa: A002
    """Wait for room: who has begun to stream cannot be asked to come back."""
    while True:
        try:
            return await state.service.predict(chunk, format)
        except TooBusy as error:
            await asyncio.sleep(error.seconds)


@router.post(
    "/v1/search",
    dependencies=[allowed("read")],
    response_class=Response,
    openapi_extra=described(
        "Searched", takes="SearchRequest", example=SEARCH, shown=SEARCHED, fails=_POSTED
    ),
)
async def search(request: Request) -> Response:
    """Find the pages that matter to claims."""
    state = State.of(request)
    wanted = await read(request, _SEARCH)
    async with asyncio.timeout(state.seconds):
        found = await state.service.retrieve(wanted.claims, wanted.k, wanted.max_hops)
    if wants_nouns(request):
        return answer(found, NOUNS)
    return answer(Searched(tuple(Found(tuple(map(_page, own))) for own in found)))


def _page(found: Candidate) -> FoundPage:
    via = Via(str(found.via.by), found.via.how) if found.via else None
    return FoundPage(found.title, found.score, via)


@router.get(
    "/v1/pages/{title:path}",
    dependencies=[allowed("read")],
    response_class=Response,
    openapi_extra=described("Page", path="title", example="Fritz Lang", fails=_READ),
)
async def page(request: Request) -> Response:
    """Read a page by its title in any spelling, or by an alias."""
    state = State.of(request)
    async with asyncio.timeout(state.seconds):
        found = await state.service.page(request.path_params["title"])
    return answer(found, NOUNS) if wants_nouns(request) else answer(page_json(found))


@router.post(
    "/v1/score",
    dependencies=[allowed("score")],
    response_class=Response,
    openapi_extra=described("Summary", takes="ScoreRequest", example=SCORE, fails=_POSTED),
)
async def score(request: Request) -> Response:
    """Score predictions by the official rules of a task."""
    state = State.of(request)
    wanted = await read(request, _SCORE)
    async with asyncio.timeout(state.seconds):
        return answer(await state.service.run_job(lambda: scored(wanted)))


@router.get("/healthz", response_class=Response, openapi_extra=described("Health"))
async def healthz(request: Request) -> Response:
    """Say that the server is up, and what it serves."""
    state = State.of(request)
    return answer(health_of(state))


def health_of(state: State) -> Health:
    """Say which state of which corpus is served, and by which model."""
    now = state.service.snapshot
    return Health(
        status="ok",
        feverfew=version("feverfew"),
        pages=now.pages,
        corpus=now.fingerprint,
        generation=now.generation,
        model=now.model,
        waiting=state.service.waiting,
    )


@router.post(
    "/v1/reload",
    dependencies=[allowed("reload")],
    response_class=Response,
    openapi_extra=described("Reloaded", fails=(401, 403, 429, 503)),
)
async def reload(request: Request) -> Response:
    """Serve the newest state of the corpus; requests under way finish on the old one."""
    service = State.of(request).service
    changed = await service.reload()
    now = service.newest
    return answer(Reloaded(changed, now.generation, now.fingerprint, now.pages))


@router.get(
    "/metrics",
    dependencies=[allowed("metrics")],
    response_class=Response,
    openapi_extra=described("", fails=(401, 403, 429), media="text/plain"),
)
async def metrics(request: Request) -> Response:
    """Give the counters in Prometheus's format."""
    state = State.of(request)
    return Response(state.metrics.text(state.service.waiting), media_type="text/plain")


@router.get(REFUSED, include_in_schema=False)
async def refused(request: Request) -> Response:
    """Say why the corpus that an address names cannot be asked."""
    raise request.scope["state"].get("refused") or NotFound("there is no such page")


# Errors name the list and the place in it, as they name file and line elsewhere.
_CLAIMS = Source(Path("claims"), "claims")
_PREDICTIONS = Source(Path("predictions"), "predictions")


def scored(request: ScoreRequest) -> Summary:
    """Score predictions by the official rules of a task."""
    parse = CLAIM_FORMATS[request.task]
    claims = [
        parse(Record(bytes(raw), place), _CLAIMS) for place, raw in enumerate(request.claims, 1)
    ]
    said = [
        parse_prediction(Record(bytes(raw), place), _PREDICTIONS, request.task)
        for place, raw in enumerate(request.predictions, 1)
    ]
    summary, _ = summarise(
        TASKS[request.task], claims, said, samples=request.samples, seed=request.seed
    )
    return summary
