"""What scripts on our pages ask for: rule checks while people type. The log-in is asked for too."""

import msgspec
from fastapi import APIRouter, Request, Response

from feverfew.rules import MUTATIONS, check_claim, check_mutation
from feverfew.server.http import answer, read
from feverfew.workbench.web import check_token, here

router = APIRouter(include_in_schema=False, default_response_class=Response)


class Asked(msgspec.Struct):
    """A text that someone types."""

    text: str
    kind: str = "fever"
    mutation: str = ""
    original: str = ""
    entity: str = ""


_ASKED = msgspec.json.Decoder(Asked)


async def _read(request: Request) -> Asked:
    check_token(request, request.headers.get("x-token", ""))
    return await read(request, _ASKED)


@router.post("/v1/rules")
async def rules(request: Request) -> Response:
    """Say which requirements each line of a text breaks."""
    asked = await _read(request)
    rows = []
    for line in [one.strip() for one in asked.text.splitlines() if one.strip()][:50]:
        hits = check_claim(line, asked.kind, entity=asked.entity)
        if asked.original and asked.mutation in {m.name for m in MUTATIONS.get(asked.kind, ())}:
            hits += check_mutation(asked.kind, asked.mutation, asked.original, line)
        rows.append({"line": line, "hits": hits})
    return answer(rows)


@router.get("/v1/me")
def me(at: here) -> Response:
    """Say who is logged in."""
    return answer({"pseudonym": at.person.pseudonym, "keys": at.person.keys})
