"""The auth: whose request it is, whether the key allows it, and whether it comes too often."""

import ipaddress
import time
from collections.abc import Callable

from msgspec import Struct

from feverfew.errors import InputError, NotAllowed, ServerError, TooBusy
from feverfew.server.keys import Key, KeyFile, digest_of

__all__ = ["Authenticator", "is_loopback"]


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

    def admit(self, token: str | None, scope: str) -> str:
        """Return the name of the key; raise NotAllowed, or TooBusy if it is used too often."""
        return self.admit_digest(digest_of(token) if token else "", scope)

    def admit_digest(self, digest: str, scope: str) -> str:
        """Do the same for whoever has shown the key before, and is known by its digest."""
        if self._keys is None:
            return ""
        key = self.find(digest)
        if key is None:
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

    def _count(self, key: Key) -> None:
        now = self._clock()
        bucket = self._buckets.setdefault(key.digest, _Bucket(key.rate, now))
        per_second = key.rate / 60
        bucket.left = min(key.rate, bucket.left + (now - bucket.seen) * per_second)
        bucket.seen = now
        if bucket.left < 1:
            seconds = max(1, round((1 - bucket.left) / per_second))
            raise TooBusy(f"the key {key.name!r} allows {key.rate} requests a minute", seconds)
        bucket.left -= 1


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
