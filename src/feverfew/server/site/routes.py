"""The pages of the site, one function each; none of them changes anything."""

import asyncio
import re
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from msgspec.structs import replace

from feverfew.errors import InputError
from feverfew.render.wording import tally
from feverfew.server.http import read_form
from feverfew.server.service import State
from feverfew.server.site.articles import describe, list_titles, read_article
from feverfew.server.site.drafts import as_file, audited, begin, checked_document, parse_draft
from feverfew.server.site.login import visitor
from feverfew.server.site.render import STATIC, Site, page
from feverfew.server.site.reports import LONGEST_CLAIM, Wanted, arrange, check, parse
from feverfew.server.site.urls import at, check_at
from feverfew.text import fold
from feverfew.types import Report

router = APIRouter(include_in_schema=False, default_response_class=Response)

_RESULTS = 20
_READINGS = ("claim", "sentences")
_LARGEST_FORM = 4 << 20
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@router.get("/", dependencies=[visitor("check")])
async def home(request: Request) -> Response:
    """Ask for a claim or a text."""
    return await _home(request)


async def _home(request: Request, status: int = 200, text: str = "", wrong: str = "") -> Response:
    """Write the home page, with what someone has written already and what is wrong with it."""
    service = State.of(request).service
    examples = await Site.of(request).examples.of(service)
    return page(
        request, "home.html", status, nav="check", text=text, wrong=wrong, examples=examples
    )


@router.get("/check", dependencies=[visitor("check")])
async def checked(request: Request) -> Response:
    """Check the claim, or the short text, that is in the address."""
    text = request.query_params.get("claim", "")
    if len(text) > LONGEST_CLAIM:
        raise HTTPException(
            413, f"an address holds up to {LONGEST_CLAIM:,} characters; paste a longer text instead"
        )
    if not text.strip():
        return RedirectResponse(at("/"), 303)
    return await _shown(request, text, request.query_params.get("as", ""))


@router.post("/check", dependencies=[visitor("check")])
async def sent(request: Request) -> Response:
    """Check what a form sent: what fits into an address there, the rest as a draft."""
    form = await read_form(request, _LARGEST_FORM)
    Site.of(request).sessions.require_token(request, form)
    text = form.get("claim", "").strip()
    if len(text) <= LONGEST_CLAIM and text:
        return RedirectResponse(check_at(text), 303)
    try:
        return await begin(request, "draft", parse_draft(text))
    except InputError as error:
        wrong = str(error)
        return await _home(request, 422, text, f"{wrong[:1].upper()}{wrong[1:]}.")


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
        "draft": None,
    }
    if not isinstance(arranged, tuple):
        return page(request, "claim.html", nav="check", shown=arranged, **values)
    said = tally([report.verdict for report in reports])
    return page(request, "document.html", nav="check", arranged=arranged, said=said, **values)


@router.get("/audit", dependencies=[visitor("check")])
async def audit(request: Request) -> Response:
    """Give the audit report of the claim that is in the address, as a file."""
    asked = request.query_params
    reports = await check(request, _asked(request))
    return await audited(request, reports, _file_name(reports), asked.get("form", "json"))


@router.get("/export", dependencies=[visitor("check")])
async def exported(request: Request) -> Response:
    """Give the claim that is in the address, checked, as a file."""
    wanted = _asked(request)
    reports = await check(request, wanted)
    document = replace(checked_document(wanted, reports), name=_file_name(reports))
    return await as_file(document, request.query_params.get("form", ""))


def _asked(request: Request) -> Wanted:
    asked = request.query_params
    return parse(asked.get("claim", "")[:LONGEST_CLAIM], asked.get("as", ""))


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
        return RedirectResponse(at("/browse"), 303)
    state = State.of(request)
    async with asyncio.timeout(state.seconds):
        candidates = (await state.service.retrieve([query], _RESULTS))[0]
        found = await state.service.read(lambda corpus: describe(corpus, candidates, query))
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
