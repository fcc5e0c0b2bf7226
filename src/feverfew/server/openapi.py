"""The OpenAPI document: schemas from the structs that the decoders use, and examples."""

from collections.abc import Sequence
from typing import Any

import msgspec

from feverfew.score import Summary
from feverfew.server import messages
from feverfew.types import Report

__all__ = ["CHECK", "CHECKED", "SCORE", "SEARCH", "SEARCHED", "VERIFY", "components", "described"]

_TEMPLATE = "#/components/schemas/{name}"
_TYPES = (
    messages.CheckRequest,
    messages.Checked,
    messages.VerifyRequest,
    messages.SearchRequest,
    messages.Searched,
    messages.ScoreRequest,
    messages.Reloaded,
    messages.Health,
    messages.Problem,
    Report,
    Summary,
)
_TEXT = {"type": "string"}
_ID = {"type": "string", "examples": ["Fritz Lang_sentence_0"]}
_WHY = {
    400: "the body is not JSON",
    401: "a key is needed",
    403: "the key does not allow this",
    404: "there is no such page",
    413: "the body is too long",
    415: "the content type is not JSON",
    422: "the body has invalid fields",
    429: "the server is busy, or the key exceeds its rate; see Retry-After",
    503: "the request timed out",
}


def components() -> dict[str, Any]:
    """Return the schemas of everything that goes in or out, by name."""
    _, found = msgspec.json.schema_components(_TYPES, ref_template=_TEMPLATE)
    return {**found, **_as_written(found), **_written_by_hand()}


def _as_written(found: dict[str, Any]) -> dict[str, Any]:
    """Describe a report as `report_json` writes it: ids for Refs, evidence laid flat."""
    evidence, finding = found["Evidence"]["properties"], found["Finding"]["properties"]
    excerpt = dict(found["Excerpt"]["properties"])
    piece = {"id": _ID, "page": _TEXT, "section": _TEXT, "name": _TEXT, "text": _TEXT}
    piece["source"] = evidence["source"]
    hop = {"hop": evidence["hop"]}
    more = {name: finding[name] for name in ("says", "probabilities", "decisive", "marks")}
    return {
        "Ref": _ID,
        "Evidence": _object({**piece, "score": evidence["score"], **hop}),
        "Finding": _object({**piece, **more, **hop}),
        "Excerpt": _object({"table": excerpt.pop("index"), **excerpt}),
        "Report": {**found["Report"], "required": sorted(found["Report"]["properties"])},
    }


def _written_by_hand() -> dict[str, Any]:
    """Describe what is written without a struct: a page, and a line of predictions."""
    texts = {"type": "array", "items": _TEXT}
    element = _object({"id": _ID, "text": _TEXT})
    link = _object({"id": _ID, "target": _TEXT, "text": _TEXT})
    return {
        "Page": _object(
            {
                "title": _TEXT,
                "name": _TEXT,
                "aliases": texts,
                "disambiguation": {"type": "boolean"},
                "source": _TEXT,
                "elements": {"type": "array", "items": element},
                "links": {"type": "array", "items": link},
                "fingerprint": _TEXT,
            }
        ),
        "Prediction": {
            "type": "object",
            "description": "A line in the data set's own form; or, last, an error.",
            "properties": {"predicted_label": _TEXT, "predicted_evidence": {"type": "array"}},
        },
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": sorted(properties)}


def described(
    gives: str,
    *,
    takes: str = "",
    example: object = None,
    shown: object = None,
    fails: Sequence[int] = (),
    media: str = "application/json",
    path: str = "",
) -> dict[str, Any]:
    """Describe an operation: what it takes and gives, by the schemas' names, with examples."""
    content: dict[str, Any] = {"schema": _ref(gives) if gives else _TEXT}
    if shown is not None:
        content["example"] = shown
    made: dict[str, Any] = {
        "responses": {
            "200": {"description": "done", "content": {media: content}},
            **{str(status): _failure(status) for status in fails},
        }
    }
    if takes:
        body = {"schema": _ref(takes), "example": example}
        made["requestBody"] = {"required": True, "content": {"application/json": body}}
    if path:
        where = {"name": path, "in": "path", "required": True, "schema": _TEXT}
        made["parameters"] = [{**where, "example": example}]
    return made


def _failure(status: int) -> dict[str, Any]:
    content = {"application/json": {"schema": _ref("Problem")}}
    return {"description": _WHY[status], "content": content}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _TEMPLATE.format(name=name)}


CHECK: dict[str, Any] = {"claims": ["Fritz Lang directed Metropolis."]}
CHECKED: dict[str, Any] = {
    "reports": [
        {
            "claim": "Fritz Lang directed Metropolis.",
            "verdict": "SUPPORTED",
            "probabilities": {"SUPPORTED": 0.79, "REFUTED": 0.03, "NOT ENOUGH INFO": 0.18},
            "evidence": [
                {
                    "id": "Metropolis (1927 film)_sentence_0",
                    "page": "Metropolis (1927 film)",
                    "section": "",
                    "name": "",
                    "text": "Metropolis is a silent science-fiction film that Fritz Lang directed.",
                    "source": {"path": "pages.xml", "page": None},
                    "says": "SUPPORTED",
                    "probabilities": {"SUPPORTED": 0.97, "REFUTED": 0.01, "NOT ENOUGH INFO": 0.02},
                    "decisive": True,
                    "hop": 0,
                }
            ],
            "sets": [["Metropolis (1927 film)_sentence_0"]],
            "against": [],
            "considered": [],
            "open_reason": None,
            "missing": "",
            "reasons": ["Metropolis (1927 film) supports it."],
            "parts": [],
            "seconds": {"find": 0.01, "judge": 0.09},
            "corpus": "9f2c66d15ba4e034",
            "model": "5c1a0b7d9e8f4321",
            "chain": [],
            "tables": [],
        }
    ]
}
VERIFY: dict[str, Any] = {
    "claims": [{"id": 1, "claim": "Fritz Lang was born in 1975."}],
    "format": "fever",
}
SEARCH: dict[str, Any] = {"claims": ["Fritz Lang was born in Vienna."], "k": 2}
SEARCHED: dict[str, Any] = {
    "found": [{"pages": [{"title": "Fritz Lang", "score": 7.1}, {"title": "Vienna", "score": 5.9}]}]
}
SCORE: dict[str, Any] = {
    "task": "fever",
    "claims": [
        {
            "id": 1,
            "claim": "Fritz Lang was born in Vienna.",
            "label": "SUPPORTS",
            "evidence": [[[None, None, "Fritz Lang", 0]]],
        }
    ],
    "predictions": [
        {"id": 1, "predicted_label": "SUPPORTS", "predicted_evidence": [["Fritz Lang", 0]]}
    ],
    "samples": 100,
}
