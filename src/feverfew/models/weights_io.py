"""Weights that lie beside a model, or, where it has none of its own, those that are shipped."""

from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec

from feverfew.errors import InputError

__all__ = ["read_weights"]

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
