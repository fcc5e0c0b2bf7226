"""Read the files that are scored, and say file and line when they do not fit together."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from feverfew.errors import ScoreError
from feverfew.readers.base import Source
from feverfew.readers.claims import read_claims
from feverfew.readers.decode import objects
from feverfew.readers.files import head
from feverfew.readers.predictions import read_predictions
from feverfew.types import Claim, Prediction

__all__ = ["parse_limits", "placed", "read_gold", "read_said", "task_of"]


def read_gold(path: Path, task: str) -> tuple[Claim, ...]:
    """Read a task's claims with their gold labels."""
    return tuple(read_claims(path, task))


def read_said(path: Path, task: str) -> tuple[Prediction, ...]:
    """Read a system's predictions."""
    return tuple(read_predictions(path, task))


def task_of(gold: Path) -> str:
    """Tell from a gold file's content which task it belongs to."""
    start = head(gold)
    if b'"supporting_facts"' in start or b'"num_hops"' in start:
        return "hover"
    return "feverous" if b'"content"' in start else "fever"


def parse_limits(text: str | None) -> tuple[int, ...] | None:
    """Read `5` or `5,25`."""
    if text is None:
        return None
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ScoreError(f"--limit {text!r} is not a number, or two such as 5,25") from None


@contextmanager
def placed(gold: Path, predictions: Path) -> Iterator[None]:
    """Put the file, and the line where there is one, before what a score has to say."""
    try:
        yield
    except ScoreError as error:
        path = {"claims": gold, "predictions": predictions}.get(error.side)
        if path is None:
            raise
        line = None if error.id is None else _last_line(path, error.id)
        where = f"{path}:{line}" if line else str(path)
        raise ScoreError(f"{where}: {error}", side=error.side, id=error.id) from None


class _Named(msgspec.Struct):
    id: int | str | None = None
    uid: int | str | None = None
    claim: str | None = None


def _last_line(path: Path, wanted: int | str) -> int | None:
    """Find the last line with this id; in a file that is one list, the number of the object."""
    decoder = msgspec.json.Decoder(_Named)
    found = None
    for record in objects(Source(path, path.name)):
        named = decoder.decode(record.data)
        if wanted in (named.id, named.uid, named.claim):
            found = record.line
    return found
