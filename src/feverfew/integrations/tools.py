"""Tools for agents that speak the OpenAI API, or any that copies it: schemas, and how to run them.

The same three as over MCP. `schemas()` goes into the request as `tools`; each call that comes back
is answered by `run(checker, name, arguments)`, whose result goes back as the tool's message.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from feverfew.check import Checker
from feverfew.errors import FeverfewError, NotFound
from feverfew.render.as_json import report_json
from feverfew.retrieve import Ranked
from feverfew.select import PAGES, Sentences

_ELEMENTS = 200
_INTERNAL = ("considered", "seconds", "sets")

_Claim = Annotated[str, Meta(min_length=1, max_length=2_000, description="One plain statement.")]


class CheckClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """Check a claim against the corpus: verdict, probabilities, evidence with ids, reasons."""

    claim: _Claim


class FindEvidence(Struct, frozen=True, forbid_unknown_fields=True):
    """Find the sentences of the corpus most likely to settle a claim, without judging it."""

    claim: _Claim
    k: Annotated[int, Meta(ge=1, le=50, description="How many sentences.")] = 5


class ReadPage(Struct, frozen=True, forbid_unknown_fields=True):
    """Read a page of the corpus: up to 200 elements with ids; `next` says where to go on."""

    title: Annotated[str, Meta(min_length=1, max_length=2_000)]
    start: Annotated[int, Meta(ge=0)] = 0


def _check_claim(checker: Checker, asked: CheckClaim) -> dict[str, Any]:
    report = report_json(checker.check([asked.claim])[0])
    return {name: value for name, value in report.items() if name not in _INTERNAL}


def _find_evidence(checker: Checker, asked: FindEvidence) -> dict[str, Any]:
    corpus = checker.corpus
    pages = Ranked.open(corpus).retrieve([asked.claim], PAGES)
    found = Sentences.open(corpus).select([asked.claim], pages, asked.k)[0]
    pieces = [{"id": str(p.ref), "page": p.context.title, "text": p.text} for p in found]
    return {"claim": asked.claim, "evidence": pieces}


def _read_page(checker: Checker, asked: ReadPage) -> dict[str, Any]:
    page = checker.corpus.page(asked.title)
    elements = [{"id": str(ref), "text": text} for ref, text in page.elements()]
    end = asked.start + _ELEMENTS
    made: dict[str, Any] = {"title": page.title, "elements": elements[asked.start : end]}
    return {**made, "next": end} if end < len(elements) else made


_TOOLS: dict[str, tuple[type[Struct], Callable[[Checker, Any], dict[str, Any]]]] = {
    "check_claim": (CheckClaim, _check_claim),
    "find_evidence": (FindEvidence, _find_evidence),
    "read_page": (ReadPage, _read_page),
}


def schemas() -> list[dict[str, Any]]:
    """Describe the tools as `tools` of a chat completion takes them."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": " ".join((kind.__doc__ or "").split()),
                "parameters": _parameters(kind),
            },
        }
        for name, (kind, _) in _TOOLS.items()
    ]


def _parameters(kind: type[Struct]) -> dict[str, Any]:
    """Write a tool's arguments as one JSON schema, without references."""
    (schema,), definitions = msgspec.json.schema_components([kind])
    found = definitions[schema["$ref"].rpartition("/")[2]]
    return {key: value for key, value in found.items() if key not in ("title", "description")}


def run(checker: Checker, name: str, arguments: str) -> str:
    """Run a tool by its name and the JSON of its arguments; what is wrong is told to the model."""
    try:
        if name not in _TOOLS:
            raise NotFound(f"there is no tool {name!r}; known are {', '.join(_TOOLS)}")
        kind, work = _TOOLS[name]
        answer = work(checker, msgspec.json.decode(arguments, type=kind))
    except (FeverfewError, msgspec.MsgspecError) as error:
        answer = {"error": str(error)}
    return msgspec.json.encode(answer).decode()
