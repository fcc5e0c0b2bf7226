"""Small weight files: those that lie in a model's folder, or else those that are shipped."""

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec

from feverfew.errors import InputError

__all__ = ["read_weights", "shipped_fingerprint"]

T = TypeVar("T")


def read_weights(folder: Path | None, name: str, kind: type[T]) -> T:
    """Read a file of weights from a model's folder, or else from the package."""
    own = folder / name if folder else None
    if own is None or not own.is_file():
        data = files("feverfew.weights").joinpath(name).read_bytes()
        return msgspec.json.decode(data, type=kind)
    try:
        return msgspec.json.decode(own.read_bytes(), type=kind)
    except msgspec.MsgspecError as error:
        raise InputError(f"{own}: {error}; fit it to the model again, or delete it") from None


@cache
def shipped_fingerprint() -> str:
    """Name all small weights of the package together: any of them can change a verdict."""
    digest = hashlib.blake2b(digest_size=8)
    shipped = [f for f in files("feverfew.weights").iterdir() if f.name.endswith(".json")]
    for file in sorted(shipped, key=lambda file: file.name):
        digest.update(file.read_bytes())
    return digest.hexdigest()
