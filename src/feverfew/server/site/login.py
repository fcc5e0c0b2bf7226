"""Who a browser is: logging in with a key, signed cookies, and tokens that guard each form.

The secret is made when the server starts and never leaves it, so a restart ends all sessions.
"""

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, HTTPException, Request, Response, Security
from fastapi.responses import RedirectResponse

from feverfew.errors import NotAllowed
from feverfew.server.http import read_form
from feverfew.server.keys import digest_of
from feverfew.server.service import State
from feverfew.server.site.render import FORM_FIELD, Site, page
from feverfew.server.site.urls import at

__all__ = ["Sessions", "after", "router", "visitor"]

router = APIRouter(include_in_schema=False, default_response_class=Response)
_VISIT, _KEY = "feverfew_visit", "feverfew_key"
TOKEN_HEADER = "x-feverfew-token"
"""Where a script sends what a form sends in its hidden field."""
_LASTS = 12 * 3600
"""Seconds until a browser has to show its key again."""
_STALE = "this form is no longer valid; reload the page and send it again"


class Sessions:
    """Signs what browsers keep, and reads it back."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._secret = secrets.token_bytes(32)
        self._clock = clock
        self._ended: dict[str, int] = {}
        """Sessions that were logged out of, and until when their cookies would have lasted."""

    def token(self, visit: str) -> str:
        """Return what a form of this visit must send along."""
        return self._sign("form", visit)

    def visit(self, request: Request) -> str:
        """Return the name of a browser's visit: its cookie's, or a new one, once a request."""
        known = request.cookies.get(_VISIT, "")
        if not known.isalnum() or len(known) != 32:
            known = request.scope["state"].setdefault("visit", secrets.token_hex(16))
        return known

    def keep_visit(self, request: Request, response: Response) -> None:
        """Let the browser remember its visit, which a form will be held against."""
        if request.cookies.get(_VISIT) != self.visit(request):
            _set(request, response, _VISIT, self.visit(request))

    def require_token(self, request: Request, form: Mapping[str, str]) -> None:
        """Refuse a form that our own page did not send."""
        visit, given = request.cookies.get(_VISIT, ""), form.get(FORM_FIELD, "")
        if not visit or not hmac.compare_digest(self.token(visit).encode(), given.encode()):
            raise HTTPException(403, _STALE)

    def require_header(self, request: Request) -> None:
        """Refuse what a script sends that is not our own page's."""
        self.require_token(request, {FORM_FIELD: request.headers.get(TOKEN_HEADER, "")})

    def digest(self, request: Request) -> str:
        """Return the digest of the key that a browser has shown; "" if none, or too long ago."""
        digest, _, rest = request.cookies.get(_KEY, "").partition(".")
        until, _, signed = rest.partition(".")
        own = self._sign("key", f"{digest}.{until}")
        if not hmac.compare_digest(own.encode(), signed.encode()) or signed in self._ended:
            return ""
        return digest if int(until.partition("-")[0]) > self._clock() else ""

    def log_in(self, request: Request, response: Response, digest: str) -> None:
        """Let the browser remember which key it has shown, and begin a new visit."""
        # Random, so that logging out ends this session alone.
        said = f"{digest}.{int(self._clock()) + _LASTS}-{secrets.token_hex(8)}"
        _set(request, response, _KEY, f"{said}.{self._sign('key', said)}", _LASTS)
        _set(request, response, _VISIT, secrets.token_hex(16))

    def log_out(self, request: Request, response: Response) -> None:
        """Let the browser forget, and end the session for whoever has copied its cookie."""
        if self.digest(request):
            now = self._clock()
            self._ended = {one: until for one, until in self._ended.items() if until > now}
            self._ended[request.cookies[_KEY].rpartition(".")[2]] = int(now) + _LASTS
        response.delete_cookie(_KEY)

    def _sign(self, what: str, value: str) -> str:
        said = f"{what}:{value}".encode(errors="surrogatepass")
        return hmac.new(self._secret, said, sha256).hexdigest()


def _set(
    request: Request, response: Response, name: str, value: str, lasts: int | None = None
) -> None:
    """Set a cookie that scripts cannot read, and that other sites' forms do not send."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, lasts, httponly=True, samesite="lax", secure=secure)


def visitor(scope: str) -> Any:
    """Make the dependency of a page that needs a key with this scope, where keys are on."""

    async def admit(request: Request) -> None:
        auth = State.of(request).auth
        if auth.open:
            return
        digest = Site.of(request).sessions.digest(request)
        try:
            name = auth.admit_digest(digest, scope)
        except NotAllowed as error:
            if error.known:
                raise
            raise HTTPException(303, "log in", {"Location": _login_at(request)}) from None
        State.note(request, key=name)

    return Security(admit)


def _login_at(request: Request) -> str:
    """Return where to log in, and come back from; a form that was sent is not sent again."""
    wanted = "/"
    if request.method == "GET":
        query = request.url.query
        wanted = at(quote(request.scope["path"])) + (f"?{query}" if query else "")
    return "/login?" + urlencode({"next": wanted})


def after(wanted: str) -> str:
    """Return where to go after a login: a place of ours, never another site.

    >>> after("/check?claim=x"), after("//evil.example"), after("https://evil.example")
    ('/check?claim=x', '/', '/')
    """
    plain = wanted.isprintable() and "\\" not in wanted
    return wanted if plain and wanted[:1] == "/" and wanted[1:2] != "/" else "/"


@router.get("/login")
async def ask(request: Request) -> Response:
    """Ask for a key."""
    wanted = after(request.query_params.get("next", "/"))
    if State.of(request).auth.open:
        return RedirectResponse(wanted, 303)
    return page(request, "login.html", wanted=wanted, wrong=False)


@router.post("/login")
async def log_in(request: Request) -> Response:
    """Take a key, and let the browser remember that it was shown."""
    form = await read_form(request)
    site, auth = Site.of(request), State.of(request).auth
    site.sessions.require_token(request, form)
    wanted = after(form.get("next", "/"))
    digest = digest_of(form.get("key", "").strip())
    if auth.find(digest) is None:
        auth.count_wrong()
        return page(request, "login.html", 403, wanted=wanted, wrong=True)
    response = RedirectResponse(wanted, 303)
    site.sessions.log_in(request, response, digest)
    return response


@router.post("/logout")
async def log_out(request: Request) -> Response:
    """Let the browser forget the key."""
    form = await read_form(request)
    site = Site.of(request)
    site.sessions.require_token(request, form)
    response = RedirectResponse("/login", 303)
    site.sessions.log_out(request, response)
    return response
