"""What all pages share: who asks, forms that only our pages can send, and templates."""

import hmac
import secrets
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote, unquote

from fastapi import Depends, HTTPException, Path, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from sqlalchemy.orm import Session

from feverfew.errors import TooBusy
from feverfew.server.http import read_body
from feverfew.store.people import may, person_of, require_role, roles_of
from feverfew.store.people_tables import Person
from feverfew.store.settings import ROLES
from feverfew.text import display_title
from feverfew.workbench.bench import Bench

COOKIE, VISIT = "feverfew_login", "feverfew_visit"
_LARGEST_FORM, _MOST_FIELDS = 1 << 20, 2000
_STALE = "this form is no longer valid; reload the page and send it again"
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "Vary": "Cookie",
}
STATIC = {
    "icon.svg": "image/svg+xml",
    "workbench.css": "text/css; charset=utf-8",
    "workbench.js": "text/javascript; charset=utf-8",
    "arena.js": "text/javascript; charset=utf-8",
}
_ELSEWHERE = {"icon.svg": "feverfew.server.site", "arena.js": "feverfew.arena"}


@lru_cache
def _templates(packages: tuple[str, ...]) -> Environment:
    made = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(title=display_title, unquote=unquote)
    made.globals.update(static_at=static_at, version=version("feverfew"), ROLES=ROLES)
    return made


@lru_cache
def static_file(name: str) -> bytes:
    """Read a file that pages are shown with; the icon is the server's own."""
    room = _ELSEWHERE.get(name, "feverfew.workbench")
    return files(room).joinpath("static", name).read_bytes()


@lru_cache
def static_at(name: str) -> str:
    """Return the address of a file, which changes with what is in it."""
    data = static_file(name)
    return f"/static/{name}?v={sha256(data).hexdigest()[:12]}"


class Form(dict[str, list[str]]):
    """A form's fields; of several with one name, all."""

    def one(self, name: str, default: str = "") -> str:
        """Return a field's last value."""
        return self.get(name, [default])[-1].strip()

    def lines(self, name: str) -> list[str]:
        """Return a field's lines that are not blank."""
        return [line.strip() for line in self.one(name).splitlines() if line.strip()]


def active_ms(form: Form) -> int:
    """Return the milliseconds of work that a page counted."""
    active = form.one("active")
    return int(active) if active.isdecimal() and len(active) < 10 else 0


async def _read_fields(request: Request) -> Form:
    body = await read_body(request, "application/x-www-form-urlencoded", _LARGEST_FORM)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise HTTPException(400, "the form cannot be read") from None
    form = Form()
    for name, value in pairs:
        # Databases refuse NUL, and half a surrogate pair cannot be written.
        clean = value.replace("\x00", "").encode(errors="replace").decode()
        form.setdefault(name, []).append(clean.replace("\r\n", "\n"))
    return form


def _token_of(kept: str) -> str:
    return sha256(f"form:{kept}".encode(errors="surrogatepass")).hexdigest()


def _kept(request: Request) -> str:
    return request.cookies.get(COOKIE) or request.cookies.get(VISIT) or ""


def form_token(request: Request) -> str:
    """Return what a form must send along: it follows from a cookie that other sites cannot read."""
    kept = _kept(request) or request.scope["state"].setdefault("visit", secrets.token_urlsafe(24))
    return _token_of(kept)


def check_token(request: Request, given: str) -> None:
    """Refuse a form that our own page did not send."""
    kept = _kept(request)
    if not kept or not hmac.compare_digest(_token_of(kept).encode(), given.encode()):
        raise HTTPException(403, _STALE)


async def _form(request: Request) -> Form:
    form = await _read_fields(request)
    check_token(request, form.one("token"))
    return form


Fields = Annotated[Form, Depends(_form)]
"""A form that our own page sent."""


def bench_of(request: Request) -> Bench:
    """Return the workbench that a request came to."""
    found: Bench = request.app.state.bench
    return found


class Here:
    """Who asks, and for what; a dependency of every page that needs a log-in."""

    def __init__(self, request: Request, session: Session, person: Person) -> None:
        self.request = request
        self.session = session
        self.person = person
        self.bench = bench_of(request)

    def may(self, role: str, campaign_id: int | None = None) -> bool:
        """Say whether the person has a role."""
        return may(self.session, self.person, role, campaign_id)

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """Write a page for the person."""
        return page(self.request, template, status, person=self.person, here=self, **values)


def _here(request: Request) -> Iterator[Here]:
    """Open a transaction for a person who is logged in; it is committed unless something fails."""
    bench = bench_of(request)
    token = request.cookies.get(COOKIE, "")
    opened = bench.database.write() if request.method == "POST" else bench.database.read()
    with opened as session:
        person = person_of(session, token)
        if person is None:
            wanted = quote(request.url.path) if request.method == "GET" else "/work"
            raise HTTPException(303, "log in", {"Location": f"/login?next={wanted}"})
        yield Here(request, session, person)


def _looking(request: Request) -> Iterator[Here]:
    """Open a transaction that only reads, for what begins one of its own to write."""
    with bench_of(request).database.read() as session:
        person = person_of(session, request.cookies.get(COOKIE, ""))
        if person is None:
            raise HTTPException(303, "log in", {"Location": "/login?next=/work"})
        yield Here(request, session, person)


Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""A row's number in an address."""
looking = Annotated[Here, Depends(_looking, scope="function")]
here = Annotated[Here, Depends(_here, scope="function")]
"""Committed before the answer is sent: what was acknowledged is kept."""


def require(at: Here, role: str, campaign_id: int | None = None) -> None:
    """Refuse who has not a role."""
    require_role(at.session, at.person, role, campaign_id)


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """Write a page."""
    frame: dict[str, Any] = {"person": None, "here": None, "says": request.query_params.get("says")}
    frame["token"] = form_token(request)
    frame["manages"] = False
    if at := values.get("here"):
        roles = roles_of(at.session, at.person, None)
        frame["manages"] = bool(roles & {"organiser", "manager"})
    packages = request.app.state.packages
    frame["arena"] = len(packages) > 1
    text = _templates(packages).get_template(template).render(**{**frame, **values})
    response = HTMLResponse(text.encode(errors="replace"), status, headers=_HEADERS)
    if visit := request.scope["state"].get("visit"):
        set_cookie(request, response, VISIT, visit)
    return response


def to(address: str) -> RedirectResponse:
    """Send a browser on, after a form."""
    return RedirectResponse(address, 303)


def set_cookie(
    request: Request, response: Response, name: str, value: str, lasts: int | None = None
) -> None:
    """Set a cookie that scripts cannot read, and that other sites' forms do not send."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, lasts, httponly=True, samesite="lax", secure=secure)


class Attempts:
    """Counts failed log-ins and the like, and refuses more than a few in some minutes."""

    def __init__(
        self,
        most: int = 8,
        seconds: float = 300.0,
        why: str = "too many failed log-ins; wait some minutes",
    ) -> None:
        self._most, self._seconds, self._why = most, seconds, why
        self._failed: dict[str, deque[float]] = defaultdict(deque)

    def check(self, name: str) -> None:
        """Refuse a name that failed too often of late."""
        failed = self._failed[name]
        moment = time.monotonic()
        while failed and failed[0] < moment - self._seconds:
            failed.popleft()
        if len(failed) >= self._most:
            raise TooBusy(self._why, 60)

    def take(self, name: str) -> None:
        """Count a use, unless there were too many."""
        self.check(name)
        self.fail(name)

    def fail(self, name: str) -> None:
        """Count a failure."""
        if len(self._failed) > 10_000:  # whoever tries many names shall not fill the memory
            self._failed.clear()
        self._failed[name].append(time.monotonic())
