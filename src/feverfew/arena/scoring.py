"""Check a file of predictions, all of it, and score it by the public scorer."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from feverfew.arena.golds import Gold
from feverfew.arena.points import Points
from feverfew.errors import BadRecord, InputError
from feverfew.readers.base import Source
from feverfew.readers.decode import objects
from feverfew.readers.predictions import parse_prediction
from feverfew.score import bootstrap, task_named
from feverfew.types import Prediction

_SAMPLES = 2_000
_MOST_PROBLEMS = 100


class Refused(InputError):
    """A file that cannot be scored, with all that is wrong with it."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:3]) + (" …" if len(problems) > 3 else ""))
        self.problems = problems


class Scored(Struct, frozen=True):
    """What a scoring run keeps."""

    scorer: str
    means: dict[str, float]
    intervals: dict[str, list[float]]
    points: bytes


def score_file(path: Path, name: str, gold: Gold) -> Scored:
    """Score a file, or raise `Refused` with the line of everything that is wrong."""
    predictions = _read(path, name, gold)
    sheet = task_named(gold.format).score(gold.claims, predictions)
    around = bootstrap(sheet, samples=_SAMPLES)
    return Scored(
        sheet.metric,
        sheet.means(),
        {name: [one.low, one.high] for name, one in around.items()},
        Points.of_sheet(sheet).pack(),
    )


def _read(path: Path, name: str, gold: Gold) -> list[Prediction]:
    known = {claim.id for claim in gold.claims}
    source = Source(path, name)
    seen: dict[int | str, int] = {}
    found: list[Prediction] = []
    problems: list[str] = []
    for line, one in _predictions(source, gold.format):
        if isinstance(one, BadRecord):
            problems.append(str(one))
        elif one.id not in known:
            problems.append(f"{name}:{line}: there is no claim {one.id!r}")
        elif (first := seen.setdefault(one.id, line)) != line:
            problems.append(f"{name}:{line}: claim {one.id!r} was predicted in line {first}")
        else:
            found.append(one)
        # A file of rubbish shall not fill the memory.
        if len(problems) >= _MOST_PROBLEMS:
            raise Refused([*problems, "and perhaps more"])
    missing = [claim.id for claim in gold.claims if claim.id not in seen]
    if missing:
        some = ", ".join(map(repr, missing[:5])) + (" …" if len(missing) > 5 else "")
        problems.append(f"{name}: {len(missing):,} claims have no prediction: {some}")
    if problems:
        raise Refused(problems)
    return found


def _predictions(source: Source, name: str) -> Iterator[tuple[int, Prediction | BadRecord]]:
    for record in objects(source):
        try:
            yield record.line, parse_prediction(record, source, name)
        except BadRecord as error:
            yield record.line, error
