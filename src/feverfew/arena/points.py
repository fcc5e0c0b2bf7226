"""Points of each claim, as a scoring run keeps them: exact, and a few bytes a claim.

A measure takes few different values (0, 1, 2/5 …), so each column is a list of its values and one
or two bytes a claim that say which.
"""

import zlib

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.score.sheet import Sheet, harmonic
from feverfew.types import Verdict

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
VERDICTS = tuple(Verdict)
_PREDICTED = "predicted"


class _Column(Struct, frozen=True):
    name: str
    values: tuple[float | None, ...]
    codes: bytes
    wide: bool
    of_nothing: float | None = None


class _Packed(Struct, frozen=True):
    columns: tuple[_Column, ...]
    f1_of: tuple[str, str] | None


class Points(Struct, frozen=True):
    """Each measure's value for every claim, in the gold's order; NaN where a claim is left out."""

    columns: dict[str, Floats]
    predicted: NDArray[np.int16]
    """Which of `VERDICTS` was predicted; -1 for none."""
    of_nothing: dict[str, float]
    f1_of: tuple[str, str] | None

    @classmethod
    def of_sheet(cls, sheet: Sheet) -> "Points":
        """Take the points of a sheet."""
        return cls(
            {c.name: np.array(c.values, dtype=np.float64) for c in sheet.columns},
            np.array(
                [-1 if p.predicted is None else VERDICTS.index(p.predicted) for p in sheet.pairs],
                dtype=np.int16,
            ),
            {c.name: c.of_nothing for c in sheet.columns if c.of_nothing is not None},
            sheet.f1_of,
        )

    def __len__(self) -> int:
        return len(self.predicted)

    @property
    def headline(self) -> Mask:
        """Which claims earned the official score's point."""
        first = next(iter(self.columns.values()))
        return np.asarray(first == 1.0)

    def means(self, mask: Mask | None = None) -> dict[str, float]:
        """Average every measure, over some of the claims or over all."""
        found: dict[str, float] = {}
        for name, values in self.columns.items():
            kept = values if mask is None else values[mask]
            kept = kept[~np.isnan(kept)]
            if len(kept):
                found[name] = float(kept.mean())
            elif name in self.of_nothing:
                found[name] = self.of_nothing[name]
        if self.f1_of is not None and all(name in found for name in self.f1_of):
            found["f1"] = harmonic(*(found[name] for name in self.f1_of))
        return found

    def pack(self) -> bytes:
        """Write the points compactly."""
        columns = [
            _column(name, values, self.of_nothing.get(name))
            for name, values in self.columns.items()
        ]
        columns.append(_column(_PREDICTED, self.predicted.astype(np.float64), None))
        return zlib.compress(msgspec.msgpack.encode(_Packed(tuple(columns), self.f1_of)), 6)

    @classmethod
    def unpack(cls, data: bytes) -> "Points":
        """Read points that `pack` wrote."""
        packed = msgspec.msgpack.decode(zlib.decompress(data), type=_Packed)
        columns = {c.name: _values(c) for c in packed.columns}
        predicted = columns.pop(_PREDICTED).astype(np.int16)
        empty = {c.name: c.of_nothing for c in packed.columns if c.of_nothing is not None}
        return cls(columns, predicted, empty, packed.f1_of)


def _column(name: str, values: Floats, of_nothing: float | None) -> _Column:
    known, codes = np.unique(values, return_inverse=True)  # all NaN are one value
    wide = len(known) > 256
    written = tuple(None if np.isnan(v) else float(v) for v in known)
    kind = "<u2" if wide else "u1"
    return _Column(name, written, codes.astype(kind).tobytes(), wide, of_nothing)


def _values(column: _Column) -> Floats:
    known = np.array([np.nan if v is None else v for v in column.values], dtype=np.float64)
    found: Floats = known[np.frombuffer(column.codes, dtype="<u2" if column.wide else "u1")]
    return found
