"""A cache on disk: results under a fingerprint of everything that they depend on."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
_VERSION = 2
"""Raise it when the same settings come to mean another computation: the cache is then old."""


def fingerprint(*what: object) -> str:
    """Hash settings: equal ones give equal names."""
    data = msgspec.json.encode((_VERSION, what), order="deterministic")
    return hashlib.blake2b(data, digest_size=10).hexdigest()


def default_folder() -> Path:
    """Return the user's cache for reproductions."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "feverfew" / "reproduce"


class Cache:
    """Keeps values, arrays and folders, so that an interrupted run resumes where it stopped."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.folder, self.say = folder, say

    def value(self, kind: str, key: object, made: type[T], make: Callable[[], T]) -> T:
        """Return a value of this type from the cache, or make it and keep it."""
        path = self._path(kind, key, ".msgpack")
        try:
            return msgspec.msgpack.decode(path.read_bytes(), type=made)
        except (OSError, msgspec.DecodeError):
            self.say(f"{kind} …")
        value = make()
        self._write(path, lambda part: part.write_bytes(msgspec.msgpack.encode(value)))
        return value

    def arrays(
        self, kind: str, key: object, make: Callable[[], dict[str, NDArray[Any]]]
    ) -> dict[str, NDArray[Any]]:
        """Return named arrays from the cache, or make and keep them."""
        arrays = self.kept_arrays(kind, key)
        if arrays is None:
            self.say(f"{kind} …")
            arrays = make()
            self.keep_arrays(kind, key, arrays)
        return arrays

    def kept_arrays(self, kind: str, key: object) -> dict[str, NDArray[Any]] | None:
        """Return named arrays from the cache; None if they are missing or damaged."""
        try:
            with np.load(self._path(kind, key, ".npz")) as found:
                return {name: found[name] for name in found.files}
        except (OSError, ValueError, EOFError):
            return None

    def keep_arrays(self, kind: str, key: object, arrays: dict[str, NDArray[Any]]) -> None:
        """Keep named arrays."""

        def write(part: Path) -> None:
            with part.open("wb") as out:
                np.savez(out, **arrays)  # type: ignore[arg-type]

        self._write(self._path(kind, key, ".npz"), write)

    def within(self, kind: str, key: object, make: Callable[[Path], None]) -> Path:
        """Return a folder from the cache, or have it filled."""
        path = self._path(kind, key, "")
        if not (path / "settings.json").is_file():
            self.say(f"{kind} …")
            make(path)
        return path

    def _path(self, kind: str, key: object, suffix: str) -> Path:
        return self.folder / kind.replace(" ", "-") / f"{fingerprint(key)}{suffix}"

    def _write(self, path: Path, write: Callable[[Path], object]) -> None:
        """Write a temporary file, then rename it, so that no reader sees half a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        write(part)
        part.replace(path)
