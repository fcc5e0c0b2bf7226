"""The pages of the site, one function each; none of them changes anything."""

import asyncio
import re
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.readers import read_claims
from feverfew.render.audit import Settings, audit_file, audit_of
from feverfew.render.wording import tally
from feverfew.sample import sample_claims
from feverfew.server.http import read_form
from feverfew.server.service import State
from feverfew.server.site.articles import describe, list_titles, read_article
from feverfew.server.site.login import visitor
from feverfew.server.site.render import STATIC, Site, page
from feverfew.server.site.reports import LONGEST_CLAIM, Wanted, arrange, check, parse
from feverfew.server.site.urls import check_at
from feverfew.text import fold
from feverfew.types import Ref, Report

__all__ = ["Example", "example_claims", "router"]

router = APIRouter(include_in_schema=False, default_response_class=Response)

_RESULTS = 20
_READINGS = ("claim", "sentences")
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@router.get("/", dependencies=[visitor("check")])
async def home(request: Request) -> Response:
    """Ask for a claim or a text."""
    return page(request, "home.html", nav="check")


@router.get("/check", dependencies=[visitor("check")])
async def checked(request: Request) -> Response:
    """Check the claim, or the short text, that is in the address."""
    text = request.query_params.get("claim", "")
    if len(text) > LONGEST_CLAIM:
        raise HTTPException(
            413, f"an address holds up to {LONGEST_CLAIM:,} characters; paste a longer text instead"
        )
    if not text.strip():
        return RedirectResponse("/", 303)
    return await _shown(request, text, request.query_params.get("as", ""))


@router.post("/check", dependencies=[visitor("check")])
async def sent(request: Request) -> Response:
    """Check what a form sent; what fits into an address gets one that lasts."""
    form = await read_form(request)
    Site.of(request).sessions.require_token(request, form)
    text = form.get("claim", "").strip()
    if len(text) <= LONGEST_CLAIM and text:
        return RedirectResponse(check_at(text), 303)
    return await _shown(request, text, "sentences")


async def _shown(request: Request, text: str, reading: str) -> Response:
    reading = reading if reading in _READINGS else ""
    wanted = parse(text, reading)
    reports = await check(request, wanted)
    arranged = await arrange(request, wanted, reports)
    lasts = len(wanted.text) <= LONGEST_CLAIM
    values: dict[str, Any] = {
        "wanted": wanted,
        "reports": reports,
        "lasts": lasts,
        "reading": reading,
    }
    if not isinstance(arranged, tuple):
        return page(request, "claim.html", nav="check", shown=arranged, **values)
    said = tally([report.verdict for report in reports])
    return page(request, "document.html", nav="check", arranged=arranged, said=said, **values)


@router.get("/audit", dependencies=[visitor("check")])
async def audit(request: Request) -> Response:
    """Give the audit report of the claim that is in the address, as a file."""
    asked = request.query_params
    text = asked.get("claim", "")[:LONGEST_CLAIM]
    return await _audit(request, parse(text, asked.get("as", "")), asked.get("form", "json"))


@router.post("/audit", dependencies=[visitor("check")])
async def audit_text(request: Request) -> Response:
    """Give the audit report of a text that is too long for an address."""
    form = await read_form(request)
    Site.of(request).sessions.require_token(request, form)
    wanted = parse(form.get("claim", ""), "sentences")
    return await _audit(request, wanted, form.get("form", "json"))


async def _audit(request: Request, wanted: Wanted, form: str) -> Response:
    state = State.of(request)
    reports = await check(request, wanted)
    settings, model = _settings(state), state.service.snapshot.model
    made = await state.service.read(lambda corpus: audit_of(reports, corpus, model, settings))
    html = form == "html"
    data = audit_file(made, html=html)
    name = _file_name(reports) + (".html" if html else ".json")
    media = "text/html; charset=utf-8" if html else "application/json"
    attached = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=media, headers=attached)


def _settings(state: State) -> Settings:
    """Say how the checker was opened; where it lies only to who is on the same machine."""

    own = state.service.settings
    if state.local:
        return own
    return replace(own, corpus=Path(own.corpus).name, model=Path(own.model).name)


def _file_name(reports: list[Report]) -> str:
    """Name a file after the first claim, in plain letters."""
    first = fold(reports[0].claim) if reports else ""
    return "-".join(["feverfew", *re.findall(r"[a-z0-9]+", first)[:8]])


@router.get("/browse", dependencies=[visitor("read")])
async def browse(request: Request) -> Response:
    """List the corpus's pages."""
    given = request.query_params.get("start", "")
    start = int(given) if given.isascii() and given.isdigit() and len(given) < 16 else 0
    found = await State.of(request).service.read(lambda corpus: list_titles(corpus, start))
    return page(request, "browse.html", nav="browse", titles=found)


@router.get("/search", dependencies=[visitor("read")])
async def search(request: Request) -> Response:
    """Find pages by what they are about, or are called."""
    query = " ".join(request.query_params.get("q", "").split())[:LONGEST_CLAIM]
    if not query:
        return RedirectResponse("/browse", 303)
    state = State.of(request)
    async with asyncio.timeout(state.seconds):
        candidates = (await state.service.retrieve([query], _RESULTS))[0]
        found = await state.service.read(lambda corpus: describe(corpus, candidates))
    return page(request, "search.html", nav="browse", query=query, found=found)


@router.get("/pages/{title:path}", dependencies=[visitor("read")])
async def article(request: Request) -> Response:
    """Read a page of the corpus."""
    title = request.path_params["title"]
    state = State.of(request)
    async with asyncio.timeout(state.seconds):
        found = await state.service.read(lambda corpus: read_article(corpus, title))
    return page(request, "article.html", nav="browse", article=found)


@router.get("/help")
async def guide(request: Request) -> Response:
    """Explain verdicts, confidence and the keyboard."""
    return page(request, "help.html", nav="help")


@router.get("/static/{name}")
async def static(request: Request) -> Response:
    """Give one of the files that pages are shown with."""
    name = request.path_params["name"]
    if name not in STATIC:
        raise HTTPException(404, "there is no such file")
    data = files("feverfew.server.site").joinpath("static", name).read_bytes()
    return Response(data, media_type=STATIC[name], headers=_FOREVER)


_CHOSEN = {
    1028: "a date to compare",
    4007: "cells of a table to count",
    1026: "one word that matters",
    4001: "a row of a table to find",
    1054: "something that nobody may have written down",
}
_TEXT = (
    "Fritz Lang was born in Vienna. He died in 1995. Was he famous? He owned a parrot. "
    "His wife was the novelist Thea von Harbou."
)
_TEXT_NEEDS = ("Fritz Lang", "Thea von Harbou")


class Example(Struct, frozen=True):
    """A claim to try, and what it shows."""

    claim: str
    shows: str


@lru_cache
def _claims() -> dict[int | str, tuple[str, tuple[tuple[Ref, ...], ...]]]:
    return {
        claim.id: (claim.text, claim.evidence)
        for path in sample_claims()
        for claim in read_claims(path)
    }


def example_claims(corpus: Corpus) -> list[Example]:
    """List claims whose pages the corpus has; none for a corpus of other things."""
    known = _claims()
    found = []
    for number, shows in _CHOSEN.items():
        text, evidence = known[number]
        if all(ref.page in corpus for one in evidence for ref in one):
            found.append(Example(text, shows))
    if found and all(title in corpus for title in _TEXT_NEEDS):
        found.append(Example(_TEXT, "a whole paragraph, sentence by sentence"))
    return found
