"""The auth: whose request it is, whether the key allows it, and whether it comes too often."""

import ipaddress
import time
from collections.abc import Callable

from msgspec import Struct

from feverfew.errors import InputError, NotAllowed, ServerError, TooBusy
from feverfew.server.batching import client
from feverfew.server.keys import Key, KeyFile, digest_of

__all__ = ["Authenticator", "is_loopback"]

_WRONG_A_MINUTE = 20
_MOST_CLIENTS = 10_000
"""Whose wrong keys are counted; beyond, the first are forgotten."""


class _Bucket(Struct):
    """What is left of a key's minute; it fills up steadily."""

    left: float
    seen: float


class Authenticator:
    """Admits requests by their keys; without a file of keys, everyone."""

    def __init__(self, keys: KeyFile | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._keys = keys
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}
        self._wrong: dict[str, _Bucket] = {}
        """What is left of the wrong keys that each client may show."""

    def admit(self, token: str | None, scope: str) -> str:
        """Return the name of the key; raise NotAllowed, or TooBusy if it is used too often."""
        return self.admit_digest(digest_of(token) if token else "", scope)

    def admit_digest(self, digest: str, scope: str) -> str:
        """Do the same for whoever has shown the key before, and is known by its digest."""
        if self._keys is None:
            return ""
        key = self.find(digest)
        if key is None:
            if digest:
                self.count_wrong()
            raise NotAllowed("a key is needed: send 'Authorization: Bearer KEY'")
        if scope not in key.scopes:
            raise NotAllowed(f"the key {key.name!r} does not allow {scope!r}", known=True)
        self._count(key)
        return key.name

    @property
    def open(self) -> bool:
        """Whether everyone is admitted."""
        return self._keys is None

    def find(self, digest: str) -> Key | None:
        """Look a key up by its digest, without counting."""
        try:
            return self._keys.keys().get(digest) if self._keys else None
        except InputError as error:
            raise ServerError(f"no key can be looked up: {error}") from None

    def count_wrong(self) -> None:
        """Count a key that is none; raise TooBusy if a client shows too many of them."""
        if len(self._wrong) >= _MOST_CLIENTS:
            self._wrong.pop(next(iter(self._wrong)))
        why = "too many wrong keys; try again later"
        self._take(self._wrong, client.get(), _WRONG_A_MINUTE, why)

    def _count(self, key: Key) -> None:
        why = f"the key {key.name!r} allows {key.rate} requests a minute"
        self._take(self._buckets, key.digest, key.rate, why)

    def _take(self, buckets: dict[str, _Bucket], name: str, rate: int, why: str) -> None:
        """Take one from a bucket that fills up at a rate; raise TooBusy if it is empty."""
        now = self._clock()
        bucket = buckets.setdefault(name, _Bucket(rate, now))
        per_second = rate / 60
        bucket.left = min(rate, bucket.left + (now - bucket.seen) * per_second)
        bucket.seen = now
        if bucket.left < 1:
            raise TooBusy(why, max(1, round((1 - bucket.left) / per_second)))
        bucket.left -= 1


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
