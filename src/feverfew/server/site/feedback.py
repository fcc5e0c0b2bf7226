"""Remarks on verdicts: what someone says is wrong, kept for whoever runs the server.

A line of the file is a claim as FEVER writes it, with the label that the person gave, so it can be
checked, scored or annotated like any other.
"""

import os
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from fastapi import APIRouter, HTTPException, Request, Response

from feverfew.errors import InputError
from feverfew.readers.claims import LABELS
from feverfew.server.http import read_form
from feverfew.server.service import State
from feverfew.server.site.login import visitor
from feverfew.server.site.render import Site, page
from feverfew.types import Verdict

router = APIRouter(include_in_schema=False, default_response_class=Response)

FILE = "remarks.jsonl"
_LONGEST_NOTE = 2_000
_LARGEST_FILE = 64 << 20
_LABELS = {verdict.value: label for label, verdict in LABELS["fever"].items()}


class Remarks:
    """The file that remarks are written to."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def add(self, record: Mapping[str, object]) -> None:
        """Append a remark, whole or not at all."""
        line = msgspec.json.encode(record) + b"\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists() and self.path.stat().st_size > _LARGEST_FILE:
            raise InputError("too many remarks are waiting to be read; contact the administrator")
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line)
        finally:
            os.close(handle)


@router.post("/remarks", dependencies=[visitor("check")])
async def remark(request: Request) -> Response:
    """Keep what someone says about a verdict."""
    form = await read_form(request)
    Site.of(request).sessions.require_token(request, form)
    remarks: Remarks | None = request.app.state.remarks
    if remarks is None:
        raise HTTPException(403, "this server stores no remarks")
    claim, label = form.get("claim", "").strip(), _LABELS.get(form.get("expected", ""))
    given = form.get("verdict", "")
    if not claim or label is None or given not in set(Verdict):
        raise InputError("name the claim and the right verdict")
    state = State.of(request)
    remarks.add(
        {
            "id": f"remark-{secrets.token_hex(6)}",
            "claim": claim[:4_000],
            "label": label,
            "evidence": [],
            "verdict": given,
            "note": form.get("note", "").strip()[:_LONGEST_NOTE],
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "corpus": state.service.snapshot.fingerprint,
            "model": state.service.snapshot.model,
            "by": request.scope["state"]["facts"].get("key", ""),
        }
    )
    return page(request, "thanks.html", claim=claim, expected=form["expected"])
