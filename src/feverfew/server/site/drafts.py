"""Drafts: texts and documents that take a while to check, and are marked when they are done.

They live in memory alone, a few at a time, and only whoever sent one can see it.
"""

import asyncio
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import Struct
from msgspec.structs import replace

from feverfew.check.document_text import read_document
from feverfew.check.documents import Passage
from feverfew.errors import FeverfewError, InputError, NotFound, TooBusy
from feverfew.render.annotations import CheckedDocument
from feverfew.render.audit import audit_file, audit_of
from feverfew.render.check_html import CheckedPassage
from feverfew.render.exports import FORMS, export
from feverfew.render.wording import tally
from feverfew.server.corpora import Corpora
from feverfew.server.http import answer, read_bytes, read_form
from feverfew.server.library import SUFFIXES, file_name
from feverfew.server.service import Service, State
from feverfew.server.site.login import visitor
from feverfew.server.site.render import Site, page, site_settings
from feverfew.server.site.reports import Wanted, arrange_long, parse
from feverfew.server.site.urls import at
from feverfew.temporary import temporary_folder
from feverfew.types import Report

router = APIRouter(include_in_schema=False, default_response_class=Response)

LARGEST_DRAFT = 16 << 20
MOST_SENTENCES = 3_000
_MOST_DRAFTS = 24
_CHUNK = 16
"""Sentences that are checked at once: between them, others get their turn."""
_AT_ONCE = 1.5
"""Seconds to wait for a short draft before its progress is shown."""


class Draft(Struct, eq=False):
    """A text that is being checked, or was."""

    id: str
    owner: str
    base: str
    name: str
    wanted: Wanted
    original: bytes = b""
    """The Word file that it was, if it was one."""
    lines: bool = True
    reports: list[Report] = []
    done: int = 0
    failed: str = ""
    task: "asyncio.Task[None] | None" = None

    @property
    def total(self) -> int:
        """How many sentences are to be checked."""
        return len(self.wanted.claims)

    @property
    def finished(self) -> bool:
        """Whether there is nothing to wait for."""
        return self.task is None or self.task.done()

    def document(self) -> CheckedDocument:
        """Return the draft with what was found."""
        rest = iter(self.reports)
        passages: Sequence[Passage] = self.wanted.passages or [_whole(self.wanted.text)]
        checked = [CheckedPassage(p, None if p.skipped else next(rest)) for p in passages]
        return CheckedDocument(self.name, self.wanted.text, self.lines, tuple(checked))


def _whole(text: str) -> Passage:
    return Passage(text, 0, len(text), text, "")


def checked_document(wanted: Wanted, reports: list[Report]) -> CheckedDocument:
    """Return a short text with what was found, to be exported."""
    return Draft("", "", "", "text", wanted, reports=reports).document()


class Drafts:
    """The drafts that a server remembers, the newest at the end."""

    def __init__(self) -> None:
        self._known: dict[str, Draft] = {}

    @staticmethod
    def of(request: Request) -> "Drafts":
        """Return those of the application that a request came to."""
        found: Drafts = request.app.state.drafts
        return found

    def start(self, request: Request, name: str, wanted: Wanted, **more: Any) -> Draft:
        """Begin to check a text."""
        while len(self._known) >= _MOST_DRAFTS:
            finished = [one for one in self._known.values() if one.finished]
            if not finished:
                raise TooBusy("too many drafts are being checked; try again later", 30)
            self.forget(finished[0])
        owner = Corpora.of(request).owner(request)
        draft = Draft(secrets.token_hex(12), owner, at(""), name, wanted, **more)
        state = State.of(request)
        draft.task = asyncio.create_task(_run(draft, state.service))
        draft.task.add_done_callback(
            lambda _: state.metrics.verdicts(r.verdict for r in draft.reports)
        )
        self._known[draft.id] = draft
        return draft

    def find(self, request: Request, id_: str) -> Draft:
        """Return a draft to whoever sent it."""
        found = self._known.get(id_)
        if found is None or found.owner != Corpora.of(request).owner(request):
            raise NotFound("this draft has expired; send it again")
        return found

    def forget(self, draft: Draft) -> None:
        """Drop a draft, and stop checking it."""
        if draft.task is not None:
            draft.task.cancel()
        self._known.pop(draft.id, None)

    async def close(self) -> None:
        """Stop all that is being checked."""
        tasks = [one.task for one in self._known.values() if one.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _run(draft: Draft, service: Service) -> None:
    """Check the sentences of a draft, those that are repeated once, a few at a time."""
    claims = draft.wanted.claims
    distinct = list(dict.fromkeys(claims))
    known: dict[str, Report] = {}
    try:
        for start in range(0, len(distinct), _CHUNK):
            chunk = distinct[start : start + _CHUNK]
            known.update(zip(chunk, await _patiently(service, chunk), strict=True))
            draft.done = sum(claim in known for claim in claims)
    except FeverfewError as error:
        draft.failed = str(error)
        return
    long = len(distinct) > _CHUNK * 8
    draft.reports = [_shortened(known[claim]) if long else known[claim] for claim in claims]


def _shortened(report: Report) -> Report:
    """Leave out of a report what a long document does not show, and memory need not hold."""
    return replace(report, considered=report.considered[:1], reasoning=None)


async def _patiently(service: Service, claims: Sequence[str]) -> list[Report]:
    while True:
        try:
            return await service.check(claims)
        except TooBusy as error:
            await asyncio.sleep(min(error.seconds, 5))


def parse_draft(text: str) -> Wanted:
    """Read a text sentence by sentence; refuse one that is too long for a page."""
    return parse(text, "sentences", MOST_SENTENCES)


async def begin(request: Request, name: str, wanted: Wanted, **more: Any) -> Response:
    """Start a draft, and lead to it; a short one is done when the browser gets there."""
    draft = Drafts.of(request).start(request, name, wanted, **more)
    assert draft.task is not None
    await asyncio.wait([draft.task], timeout=_AT_ONCE)
    return RedirectResponse(at(f"/drafts/{draft.id}"), 303)


@router.post("/drafts/file", dependencies=[visitor("check")])
async def upload(request: Request) -> Response:
    """Take a document, and begin to check it; the answer says where to look."""
    Site.of(request).sessions.require_header(request)
    name = file_name(unquote(request.headers.get("x-file-name", "")))
    if Path(name).suffix.lower() not in SUFFIXES:
        raise InputError(f"{name}: a draft is text, Markdown, HTML, PDF or Word")
    data = await read_bytes(request, LARGEST_DRAFT)
    text, lines = await asyncio.to_thread(_read, name, data)
    is_word = data.startswith(b"PK\x03\x04") and name.lower().endswith(".docx")
    draft = Drafts.of(request).start(
        request, name, parse_draft(text), original=data if is_word else b"", lines=lines
    )
    return answer({"at": at(f"/drafts/{draft.id}"), "sentences": draft.total})


def _read(name: str, data: bytes) -> tuple[str, bool]:
    with temporary_folder() as folder:
        path = folder / name
        path.write_bytes(data)
        try:
            found = read_document(path)
        except FeverfewError as error:
            raise InputError(str(error).replace(f"{folder}/", "")) from None
    return found.text, found.lines


@router.get("/drafts/{id_}", dependencies=[visitor("check")])
async def show(request: Request) -> Response:
    """Show a draft with its sentences marked, or how far the checking is."""
    draft = Drafts.of(request).find(request, request.path_params["id_"])
    if draft.failed:
        raise InputError(draft.failed)
    if not draft.finished or len(draft.reports) < draft.total:
        return page(request, "progress.html", nav="check", draft=draft)
    arranged = await arrange_long(request, draft.wanted, draft.reports)
    return page(
        request,
        "document.html",
        nav="check",
        arranged=arranged,
        said=tally([report.verdict for report in draft.reports]),
        wanted=draft.wanted,
        reports=draft.reports,
        lasts=False,
        reading="sentences",
        draft=draft,
    )


@router.get("/drafts/{id_}/status", dependencies=[visitor("check")])
async def status(request: Request) -> Response:
    """Say how far the checking is."""
    draft = Drafts.of(request).find(request, request.path_params["id_"])
    return answer({"done": draft.done, "total": draft.total, "finished": draft.finished})


@router.get("/drafts/{id_}/export", dependencies=[visitor("check")])
async def exported(request: Request) -> Response:
    """Give a checked draft as a file."""
    draft = Drafts.of(request).find(request, request.path_params["id_"])
    form = request.query_params.get("form", "")
    if not draft.finished or len(draft.reports) < draft.total:
        raise HTTPException(409, "the draft is still being checked; wait until it is done")
    if form in ("audit-json", "audit-html"):
        return await audited(request, draft.reports, draft.name, form.removeprefix("audit-"))
    return await as_file(draft.document(), form, draft.original)


@router.post("/drafts/{id_}/forget", dependencies=[visitor("check")])
async def forget(request: Request) -> Response:
    """Drop a draft before its time."""
    Site.of(request).sessions.require_token(request, await read_form(request))
    drafts = Drafts.of(request)
    drafts.forget(drafts.find(request, request.path_params["id_"]))
    return RedirectResponse(at("/"), 303)


async def audited(request: Request, reports: list[Report], name: str, form: str) -> Response:
    """Give the audit report of what was found, as a file."""
    state = State.of(request)
    settings, model = site_settings(state), state.service.snapshot.model
    made = await state.service.read(lambda corpus: audit_of(reports, corpus, model, settings))
    html = form == "html"
    media = FORMS["html"] if html else FORMS["json"]
    data = audit_file(made, html=html)
    return attached(data, media, f"{Path(name).stem}.{'html' if html else 'json'}")


async def as_file(document: CheckedDocument, form: str, original: bytes = b"") -> Response:
    """Write a checked document as a file of some form."""
    if form not in FORMS:
        raise InputError(f"unknown form {form!r}; known are {', '.join(FORMS)}")
    data = await asyncio.to_thread(export, document, form, original)
    return attached(data, FORMS[form], f"{Path(document.name).stem}-checked.{form}")


def attached(data: bytes, media: str, name: str) -> Response:
    """Give a file to keep."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_. ") else "_" for c in name)
    return Response(
        data, media_type=media, headers={"Content-Disposition": f'attachment; filename="{plain}"'}
    )
