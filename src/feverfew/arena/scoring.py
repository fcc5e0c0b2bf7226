"""Check a file of predictions, all of it, and score it by the public scorer.

A server scores in worker processes: a file that takes too long or too much memory ends one of
them, and is refused.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feverfew.arena.golds import Gold, load_file
from feverfew.arena.points import Points
from feverfew.errors import BadRecord, InputError
from feverfew.readers.base import Source
from feverfew.readers.decode import is_blank, objects
from feverfew.readers.predictions import parse_prediction
from feverfew.score import Sheet, bootstrap, task_named
from feverfew.score.hover import official_column
from feverfew.types import Prediction
from feverfew.workers import Budget, Overrun, Workers

_SAMPLES = 2_000
_MOST_PROBLEMS = 100
_BUDGET = Budget(seconds=60.0, memory=2 << 30)


class Refused(InputError):
    """A file that cannot be scored, with all that is wrong with it."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:3]) + (" …" if len(problems) > 3 else ""))
        self.problems = problems


class Work(Struct, frozen=True):
    """A file to score, and the gold's file."""

    path: str
    name: str
    gold: str
    digest: str
    format: str


class Scored(Struct, frozen=True):
    """What a scoring run keeps."""

    scorer: str
    means: dict[str, float]
    intervals: dict[str, list[float]]
    points: bytes


def score_file(path: Path, name: str, gold: Gold) -> Scored:
    """Score a file, or raise `Refused` with the line of everything that is wrong."""
    sheet = score_sheet(path, name, gold)
    around = bootstrap(sheet, samples=_SAMPLES)
    return Scored(
        sheet.metric,
        sheet.means(),
        {name: [one.low, one.high] for name, one in around.items()},
        Points.of_sheet(sheet).pack(),
    )


def score_sheet(path: Path, name: str, gold: Gold) -> Sheet:
    """Score a file, or raise `Refused`; HoVer's sheet has the official page's counting as well."""
    sheet = task_named(gold.format).score(gold.claims, read_file(path, name, gold))
    if gold.format != "hover":
        return sheet
    return replace(sheet, columns=(*sheet.columns, official_column(sheet)))


def worker(_: None) -> Callable[[bytes], bytes]:
    """Make a worker process's function: a file in; scores, or what is wrong with it, out."""

    def work(payload: bytes) -> bytes:
        try:
            return msgspec.msgpack.encode(score_here(msgspec.msgpack.decode(payload, type=Work)))
        except Refused as error:
            return msgspec.msgpack.encode(error.problems)

    return work


class Scorer:
    """Scores files in so many processes; use it in a `with` statement."""

    def __init__(self, processes: int) -> None:
        self._workers = Workers(f"{worker.__module__}:{worker.__name__}", None, processes, _BUDGET)

    def __enter__(self) -> "Scorer":
        self._workers.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._workers.__exit__(None, None, None)

    def score_one(self, work: Work) -> Scored:
        """Score a file."""
        (found,) = self.score([work])
        return found

    def score(self, work: Iterable[Work]) -> Iterator[Scored]:
        """Score files in their order; raise `Refused` at one that cannot be scored."""
        payloads = (msgspec.msgpack.encode(one) for one in work)
        try:
            for answer in self._workers.map(payloads):
                said = msgspec.msgpack.decode(answer, type=Scored | list[str])
                if isinstance(said, list):
                    raise Refused(said)
                yield said
        except Overrun as overrun:
            raise Refused([f"the file cannot be scored: {overrun}"]) from None


def read_file(path: Path, name: str, gold: Gold) -> list[Prediction]:
    """Read predictions, one for each claim; or raise `Refused` with the line of every problem."""
    known = {claim.id for claim in gold.claims}
    by_text = {claim.text: claim.id for claim in gold.claims} if gold.format == "feverous" else {}
    source = Source(path, name)
    seen: dict[int | str, int] = {}
    found: list[Prediction] = []
    problems: list[str] = []
    for line, one in _predictions(source, gold.format):
        if isinstance(one, BadRecord):
            problems.append(str(one))
        elif (id_ := one.id if one.id in known else by_text.get(str(one.id))) is None:
            problems.append(f"{name}:{line}: there is no claim {one.id!r}")
        elif (first := seen.setdefault(id_, line)) != line:
            problems.append(f"{name}:{line}: claim {id_!r} was predicted in line {first}")
        else:
            found.append(one if one.id == id_ else replace(one, id=id_))
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
    for number, record in enumerate(objects(source)):
        try:
            if number == 0 and is_blank(record):
                continue
            yield record.line, parse_prediction(record, source, name)
        except BadRecord as error:
            yield record.line, error


def score_here(work: Work) -> Scored:
    """Score a file in this process."""
    gold = load_file(Path(work.gold), work.digest, work.format)
    return score_file(Path(work.path), work.name, gold)
