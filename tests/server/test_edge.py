"""Errors become statuses that tell whose fault it is."""

import asyncio
import json
from typing import Any

import pytest
from fastapi import FastAPI, Request

from feverfew.errors import (
    BadRecord,
    CorpusDamaged,
    FeverfewError,
    NotAllowed,
    NotFound,
    ScoreError,
    ServerError,
    TooBusy,
)
from feverfew.server.errors import handle_errors

REQUEST = Request({"type": "http", "method": "GET", "path": "/", "headers": []})


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (TooBusy("later", 7), 429, "later"),
        (NotAllowed("who?"), 401, "who?"),
        (NotAllowed("not you", known=True), 403, "not you"),
        (NotFound("no page"), 404, "no page"),
        (BadRecord("odd", path="claims", line=3), 422, "claims:3: odd"),
        (ScoreError("no claims"), 422, "no claims"),
        (CorpusDamaged("/secret/place is damaged"), 503, "see its log"),
        (ServerError("keys"), 503, "see its log"),
    ],
)
def test_each_error_has_its_status(error: FeverfewError, status: int, said: str) -> None:
    app = FastAPI()
    handle_errors(app)
    answer: Any = asyncio.run(app.exception_handlers[FeverfewError](REQUEST, error))  # type: ignore[arg-type]
    assert answer.status_code == status
    assert said in json.loads(answer.body)["error"]
    assert b"secret" not in answer.body
    assert ("retry-after" in answer.headers) is (status in (429, 503))


def test_an_error_of_ours_is_not_told() -> None:
    app = FastAPI()
    handle_errors(app)
    answer: Any = asyncio.run(app.exception_handlers[Exception](REQUEST, KeyError("inner")))  # type: ignore[arg-type]
    assert answer.status_code == 500
    assert b"inner" not in answer.body
