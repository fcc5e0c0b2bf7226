"""When a table is heard: how likely it speaks of a claim, and how sure it is of its side.

The numbers belong to a model: `python -m feverfew.lab.train.table_gate` chooses them on half of the
sample's claims and writes them beside it. Without such a file, infoboxes are not heard at all.
"""

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.errors import InputError
from feverfew.tables import TableVerdict, TableView
from feverfew.tables.table_features import name_words
from feverfew.types import Table

__all__ = ["FILE", "TableGate", "Threshold", "concerns"]

FILE = "hearing.json"
_KNOWN = 0.5
"""A table must know more than this share of a claim's names: another river's bridges prove nothing,
nor does a list of laureates say where one of them travelled."""


class Threshold(Struct, frozen=True):
    """From where on a table is heard."""

    speaks: float = 0.6
    sure: float = 0.6

    def hears(self, verdict: TableVerdict) -> bool:
        """Say whether a table speaks of the claim, and not in doubt."""
        sure = max(verdict.probability, 1 - verdict.probability)
        return verdict.speaks >= self.speaks and sure >= self.sure


class TableGate(Struct, frozen=True):
    """The rules for tables and for infoboxes, and how what they say is joined to the texts."""

    table: Threshold = Threshold()
    infobox: Threshold | None = None
    """None where infoboxes are not heard."""
    as_one: bool = False
    """Whether texts and table are read as one where neither settles a claim alone."""

    @classmethod
    def open(cls, folder: Path) -> "TableGate":
        """Open what lies beside a model."""
        path = folder / FILE
        if not path.exists():
            return cls()
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except msgspec.MsgspecError as error:
            raise InputError(
                f"{path}: {error}; write it again with 'python -m feverfew.lab.train.table_gate'"
            ) from None

    def fingerprint(self, weights: str) -> str:
        """Name these rules together with the weights that they were chosen for."""
        named = weights.encode() + msgspec.json.encode(self)
        return hashlib.blake2b(named, digest_size=8).hexdigest()

    def hears(self, table: Table, verdict: TableVerdict) -> bool:
        """Say whether a table is heard."""
        rule = self.infobox if table.infobox else self.table
        return rule is not None and rule.hears(verdict)


def concerns(claim: str, view: TableView) -> bool:
    """Say whether a table knows most of the names in a claim."""
    names = name_words(claim)
    return not names or len(names & view.words) > _KNOWN * len(names)
