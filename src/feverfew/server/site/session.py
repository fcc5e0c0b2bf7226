"""Who a browser is: a signed cookie for a key that was shown, a token that guards each form.

The secret is made when the server starts and never leaves it, so that a restart ends all sessions.
"""

import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from hashlib import sha256

from fastapi import HTTPException, Request, Response

__all__ = ["FORM_FIELD", "Sessions"]

FORM_FIELD = "token"
"""The hidden field that every form sends along."""
_VISIT, _KEY = "feverfew_visit", "feverfew_key"
_LASTS = 12 * 3600
"""Seconds until a browser has to show its key again."""
_STALE = "this form is no longer valid; open the page again and send it once more"


class Sessions:
    """Signs what browsers keep, and reads it back."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._secret = secrets.token_bytes(32)
        self._clock = clock

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

    def digest(self, request: Request) -> str:
        """Return the digest of the key that a browser has shown; "" if none, or too long ago."""
        digest, _, rest = request.cookies.get(_KEY, "").partition(".")
        until, _, signed = rest.partition(".")
        own = self._sign("key", f"{digest}.{until}")
        if not hmac.compare_digest(own.encode(), signed.encode()):
            return ""
        return digest if int(until) > self._clock() else ""

    def log_in(self, request: Request, response: Response, digest: str) -> None:
        """Let the browser remember which key it has shown, and begin a new visit."""
        said = f"{digest}.{int(self._clock()) + _LASTS}"
        _set(request, response, _KEY, f"{said}.{self._sign('key', said)}", _LASTS)
        _set(request, response, _VISIT, secrets.token_hex(16))

    def log_out(self, response: Response) -> None:
        """Let the browser forget."""
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
