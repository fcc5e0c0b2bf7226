"""The pages of private corpora: upload files, index them, look at them, delete them."""

import asyncio
from typing import Any
from urllib.parse import quote, unquote

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import FileResponse, RedirectResponse

from feverfew.server.corpora import Corpora
from feverfew.server.http import answer, read_form, save_body
from feverfew.server.library import (
    LARGEST_CORPUS,
    LARGEST_FILE,
    SUFFIXES,
    Library,
    PrivateCorpus,
)
from feverfew.server.site.login import visitor
from feverfew.server.site.render import Site, page

router = APIRouter(include_in_schema=False, default_response_class=Response)

_ENOUGH_SUFFIXES = ("pdf", "docx", "xlsx", "md", "txt", "html", "csv")


def _own(request: Request) -> tuple[Library, str]:
    """Return the library and whoever asks; refuse where there is none."""
    corpora = Corpora.of(request)
    if corpora.library is None:
        raise HTTPException(403, "this server does not accept documents; --data DIR allows them")
    return corpora.library, corpora.owner(request)


def _corpus(request: Request) -> tuple[Library, PrivateCorpus]:
    library, owner = _own(request)
    return library, library.find(owner, request.path_params["name"])


@router.get("/library", dependencies=[visitor("read")])
async def listed(request: Request) -> Response:
    """List the corpora that can be asked, and offer to make one."""
    corpora = Corpora.of(request)
    own = corpora.library.of(corpora.owner(request)) if corpora.library else []
    return page(
        request,
        "library.html",
        nav="library",
        own=[(one, corpora.library.files(one)) for one in own] if corpora.library else [],
        uploads=corpora.library is not None,
    )


@router.post("/library", dependencies=[visitor("upload")])
async def create(request: Request) -> Response:
    """Make a corpus, still empty."""
    form = await read_form(request)
    Site.of(request).sessions.require_token(request, form)
    library, owner = _own(request)
    made = library.create(owner, form.get("label", ""))
    return RedirectResponse(f"/library/{made.name}", 303)


@router.get("/library/{name}", dependencies=[visitor("read")])
async def show(request: Request) -> Response:
    """Show the files of a corpus."""
    library, corpus = _corpus(request)
    files = library.files(corpus)
    return page(
        request,
        "shelf.html",
        nav="library",
        shelf=corpus,
        files=files,
        size=sum(file.size for file in files),
        built=library.is_built(corpus),
        indexing=library.indexing(corpus),
        largest=LARGEST_FILE,
        largest_corpus=LARGEST_CORPUS,
        suffixes=sorted(SUFFIXES),
        known_suffixes=_ENOUGH_SUFFIXES,
    )


@router.put("/library/{name}/files/{file}", dependencies=[visitor("upload")])
async def receive(request: Request) -> Response:
    """Take a file in, as it comes."""
    Site.of(request).sessions.require_header(request)
    library, corpus = _corpus(request)
    part, most = library.receiving(corpus, unquote(request.path_params["file"]))
    try:
        await save_body(request, part, most)
        return answer(library.received(part))
    finally:
        part.unlink(missing_ok=True)


@router.post("/library/{name}/index", dependencies=[visitor("upload")])
async def index(request: Request) -> Response:
    """Begin to build the corpus from its files."""
    Site.of(request).sessions.require_header(request)
    library, corpus = _corpus(request)
    if not library.indexing(corpus).running:
        _begin(request, library, corpus)
    return answer(library.indexing(corpus), status=202)


def _begin(request: Request, library: Library, corpus: PrivateCorpus) -> None:
    # Whoever asks next finds the new state: a corpus is reloaded when it is asked.
    library.indexing(corpus).running = True
    tasks: set[asyncio.Task[Any]] = request.app.state.tasks
    task = asyncio.create_task(asyncio.to_thread(library.index, corpus))
    tasks.add(task)
    task.add_done_callback(tasks.discard)


@router.get("/library/{name}/status", dependencies=[visitor("read")])
async def status(request: Request) -> Response:
    """Say how far the building is."""
    library, corpus = _corpus(request)
    return answer(library.indexing(corpus))


@router.post("/library/{name}/delete", dependencies=[visitor("upload")])
async def delete(request: Request) -> Response:
    """Delete a file, or the whole corpus."""
    form = await read_form(request)
    Site.of(request).sessions.require_token(request, form)
    library, corpus = _corpus(request)
    if library.indexing(corpus).running:
        raise HTTPException(409, "the corpus is being built; wait until it is done")
    if file := form.get("file"):
        library.remove(corpus, file)
        if not library.files(corpus):
            await Corpora.of(request).retire(str(library.path(corpus)))
        _begin(request, library, corpus)
        return RedirectResponse(f"/library/{corpus.name}", 303)
    await Corpora.of(request).retire(str(library.path(corpus)))
    library.delete(corpus)
    return RedirectResponse("/library", 303)


@router.get("/library/{name}/files/{file}", dependencies=[visitor("read")])
async def original(request: Request) -> Response:
    """Give a file as it was uploaded: PDF to look at, all else to keep, never to be run."""
    library, corpus = _corpus(request)
    path = library.file(corpus, unquote(request.path_params["file"]))
    if path.suffix.lower() == ".pdf":
        return FileResponse(path, media_type="application/pdf")
    named = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(path.name, safe='')}"}
    return FileResponse(path, media_type="application/octet-stream", headers=named)
