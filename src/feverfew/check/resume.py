"""Resume an interrupted run over a file of claims, if it is the same work.

Until the run is done, `FILE.run` records a digest of everything that determines the predictions.
Only a run of the same work may continue, and only one at a time.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout
from msgspec import Struct

from feverfew.errors import InputError
from feverfew.types import Claim

_GIVEN = ("claims", "corpus", "model")


class Run(Struct, frozen=True):
    """The inputs and settings of a run; errors name the fields that differ."""

    claims: str
    """A digest of the ids and texts, in their order."""
    corpus: str
    model: str
    format: str
    max_hops: int
    max_tables: int
    label_policy: str

    def differs(self, other: "Run") -> list[str]:
        """Name the fields that differ in another run."""
        others = [n for n in self.__struct_fields__ if getattr(self, n) != getattr(other, n)]
        return [n if n in _GIVEN else f"--{n.replace('_', '-')}" for n in others]


def digest_claims(claims: Sequence[Claim]) -> str:
    """Return a digest of claims: equal for the same ids and texts in the same order."""
    digest = hashlib.blake2b(digest_size=16)
    for claim in claims:
        digest.update(msgspec.json.encode((claim.id, claim.text)) + b"\n")
    return digest.hexdigest()


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """Lock a file against other runs."""
    lock = FileLock(_beside(output, ".lock"), blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise InputError(
            f"another run is writing to {output}; wait for it, or give another -o"
        ) from None
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from None
    try:
        yield
    finally:
        _beside(output, ".lock").unlink(missing_ok=True)
        lock.release()


def resume(output: Path, run: Run, claims: Sequence[Claim], *, restart: bool) -> int:
    """Prepare to write; return how many predictions an earlier run of the same work has left."""
    try:
        done = 0
        if output.exists() and not restart:
            _require_same(output, run)
            done = _keep_whole_lines(output, claims)
        else:
            output.unlink(missing_ok=True)
        _beside(output, ".run").write_bytes(msgspec.json.encode(run))
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from None
    return done


def finish(output: Path) -> None:
    """Sync the predictions to disk, then remove the record."""
    with output.open("rb") as file:
        os.fsync(file.fileno())
    _beside(output, ".run").unlink(missing_ok=True)


def _beside(output: Path, suffix: str) -> Path:
    return output.with_name(output.name + suffix)


def _require_same(output: Path, run: Run) -> None:
    record = _beside(output, ".run")
    if not record.exists():
        raise InputError(f"{output} exists and is complete; give another -o, or --restart")
    try:
        begun = msgspec.json.decode(record.read_bytes(), type=Run)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise InputError(
            f"{record} is damaged, or of another version, so {output} cannot be continued; "
            "give another -o, or --restart"
        ) from None
    if other := begun.differs(run):
        raise InputError(
            f"{output} was started with other {', '.join(other)}; give another -o, or --restart"
        )


class _Line(Struct):
    """The id of a prediction, in either spelling."""

    id: int | str | None = None
    uid: int | str | None = None


def _keep_whole_lines(output: Path, claims: Sequence[Claim]) -> int:
    """Drop an incomplete last line; the others must be the predictions of the first claims."""
    whole = output.read_bytes().rpartition(b"\n")[0]
    lines = whole.split(b"\n") if whole else []
    for place, line in enumerate(lines, 1):
        try:
            found = msgspec.json.decode(line, type=_Line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(
                f"{output}:{place}: is not a prediction ({error}); give --restart"
            ) from None
        if place > len(claims) or claims[place - 1].id not in (found.id, found.uid):
            raise InputError(
                f"{output}:{place}: is not the prediction of claim {place}; give another -o, or "
                "--restart"
            )
    with output.open("r+b") as file:
        file.truncate(len(whole) + 1 if lines else 0)
    return len(lines)
