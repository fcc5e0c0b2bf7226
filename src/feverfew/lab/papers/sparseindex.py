"""A sparse matrix of TF-IDF weights in a folder of arrays, read where they lie."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.corpus import Corpus
from feverfew.errors import InputError, MissingExtra

__all__ = ["csr", "open_index", "write_index"]

_MATRIX = ("weights", "places", "starts")


class _Settings(Struct, frozen=True):
    corpus: str
    """The fingerprint of what was indexed."""
    rows: int


def csr() -> Any:
    """Return scipy's matrix, or say which extra brings it."""
    try:
        from scipy.sparse import csr_matrix
    except ModuleNotFoundError:
        raise MissingExtra("the papers' TF-IDF search", "papers") from None
    return csr_matrix


def write_index(
    corpus: Corpus, folder: Path, rows: Any, others: Mapping[str, NDArray[Any]]
) -> None:
    """Write a matrix, turned to be asked by bin, and arrays beside it.

    The settings come last, so that a cut-off build is none.
    """
    by_bin = rows.T.tocsr()
    matrix = zip(_MATRIX, (by_bin.data, by_bin.indices, by_bin.indptr), strict=True)
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in (*matrix, *others.items()):
        np.save(folder / f"{name}.npy", array)
    settings = _Settings(corpus.fingerprint, rows.shape[0])
    (folder / "settings.json").write_bytes(msgspec.json.encode(settings))


def open_index(
    corpus: Corpus, folder: Path, what: str, others: Sequence[str]
) -> tuple[Any, dict[str, NDArray[Any]]]:
    """Open the matrix and the arrays beside it; they must be of this very corpus."""
    csr_matrix = csr()
    try:
        found = msgspec.json.decode((folder / "settings.json").read_bytes(), type=_Settings)
        names = (*_MATRIX, *others)
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in names}
    except (OSError, ValueError, msgspec.DecodeError):
        raise InputError(f"{folder} is no index of {what}; build it again") from None
    if found.corpus != corpus.fingerprint:
        raise InputError(f"{folder} indexes another corpus than {corpus.path}; build it again")
    parts = tuple(arrays.pop(name) for name in _MATRIX)
    shape = (len(parts[2]) - 1, found.rows)
    return csr_matrix(parts, shape=shape, copy=False), arrays
