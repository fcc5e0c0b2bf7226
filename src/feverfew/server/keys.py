"""API keys in a file: what each is called, what it allows, how often; never the key itself."""

import hashlib
import os
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from filelock import FileLock
from msgspec import Struct

from feverfew.errors import InputError, NotFound

__all__ = ["SCOPES", "Key", "KeyFile", "default_path", "digest_of"]

SCOPES = {
    "check": "check and label claims",
    "read": "search, and read pages",
    "score": "score predictions",
    "upload": "upload documents into private corpora",
    "metrics": "read metrics",
    "reload": "reload the corpus",
}
"""What a key may allow."""
_PREFIX = "ff_"


class Key(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of a key. It is random and long, so a plain digest of it cannot be undone."""

    name: str
    digest: str
    scopes: tuple[str, ...]
    rate: int
    """Requests a minute."""
    created: str
    seal: str = ""
    """A checksum of all else, so that damage is seen; keys of older versions have none."""

    def sealed(self) -> "Key":
        """Return the key with its checksum."""
        return msgspec.structs.replace(self, seal=self._checksum())

    def is_sound(self) -> bool:
        """Say whether the key is as it was written."""
        return self.seal in ("", self._checksum())

    def _checksum(self) -> str:
        said = msgspec.json.encode((self.name, self.digest, self.scopes, self.rate, self.created))
        return hashlib.blake2b(said, digest_size=8).hexdigest()


def default_path() -> Path:
    """Say where keys are kept unless another file is named."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "feverfew" / "keys.json"


def digest_of(token: str) -> str:
    """Return what is kept of a key."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


class KeyFile:
    """The keys of one file, read again whenever it has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int] | None = None
        self._keys: dict[str, Key] = {}

    def keys(self) -> dict[str, Key]:
        """Return the keys by their digests; none if there is no file."""
        try:
            state = self.path.stat()
        except FileNotFoundError:
            self._seen, self._keys = None, {}
            return self._keys
        version = (state.st_mtime_ns, state.st_ino)
        if version != self._seen:
            self._keys = {key.digest: key for key in self._read()}
            self._seen = version
        return self._keys

    def find(self, token: str) -> Key | None:
        """Look a key up by what its bearer shows."""
        return self.keys().get(digest_of(token))

    def add(self, name: str, scopes: Sequence[str], rate: int) -> str:
        """Make a key and return it: the only time that anyone sees it."""
        token = _PREFIX + secrets.token_urlsafe(32)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        wanted = tuple(dict.fromkeys(scopes))
        key = Key(name=name, digest=digest_of(token), scopes=wanted, rate=rate, created=now)
        key = key.sealed()
        with self._lock():
            known = list(self.keys().values())
            if any(other.name == name for other in known):
                raise InputError(f"{self.path}: there is a key {name!r} already; remove it first")
            self._write([*known, key])
        return token

    def remove(self, name: str) -> None:
        """Forget a key; a running server refuses it from then on."""
        with self._lock():
            known = list(self.keys().values())
            kept = [key for key in known if key.name != name]
            if len(kept) == len(known):
                names = ", ".join(repr(key.name) for key in known) or "none"
                raise NotFound(f"{self.path}: no key {name!r}; there are: {names}")
            self._write(kept)

    def _read(self) -> list[Key]:
        try:
            keys = msgspec.json.decode(self.path.read_bytes(), type=list[Key])
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{self.path}: is not a file of keys: {error}") from None
        damaged = next((key for key in keys if not key.is_sound()), None)
        if damaged is not None:
            raise InputError(
                f"{self.path}: the key {damaged.name!r} is damaged; take its lines out of the "
                "file, and add it anew with 'feverfew keys add'"
            )
        return keys

    def _lock(self) -> FileLock:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.path.parent}: cannot be created: {error.strerror}") from None
        return FileLock(self.path.with_name(self.path.name + ".lock"), timeout=10)

    def _write(self, keys: Sequence[Key]) -> None:
        """Put a new file into place whole, readable by its owner alone."""
        new = self.path.with_name(f"{self.path.name}.{os.getpid()}.new")
        data = msgspec.json.format(msgspec.json.encode(keys)) + b"\n"
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
                out.write(data)
            new.replace(self.path)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
        self._seen = None
