"""Gold files: labels and evidence of the blind parts, which only the arena's process reads.

They lie in a folder that no one else may enter, and nothing of them goes into the database or over
the network but digests, scores, and what a phase allows.
"""

import os
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.arena.points import Mask
from feverfew.errors import InputError, NotFound
from feverfew.readers.claims import dump, read_claims
from feverfew.score.slices import SLICES
from feverfew.store.arena_tables import ArenaTask, GoldVersion
from feverfew.types import Claim

FOLDER = "gold"
_FORMATS = ("fever", "feverous", "hover")


class Gold(Struct, frozen=True):
    """A version of a part's gold, in memory."""

    format: str
    claims: tuple[Claim, ...]
    slices: dict[str, dict[str, Mask]]
    """Which claims belong to which slice: {"label": {"REFUTED": …}}."""

    def blind(self) -> list[dict[str, object]]:
        """Return what is handed out: ids and claims, nothing else."""
        key = "uid" if self.format == "hover" else "id"
        return [{key: claim.id, "claim": claim.text} for claim in self.claims]


def read_gold(path: Path, name: str) -> tuple[Claim, ...]:
    """Read labelled claims; every claim needs an id of its own, and a label."""
    if name not in _FORMATS:
        raise InputError(f"unknown format {name!r}; known are {', '.join(_FORMATS)}")
    claims = tuple(read_claims(path, name))
    if not claims:
        raise InputError(f"{path}: there are no claims")
    seen: set[int | str] = set()
    for claim in claims:
        if claim.label is None:
            raise InputError(f"{path}: claim {claim.id!r} has no label; give the gold, not a blind")
        if claim.id in seen:
            raise InputError(f"{path}: the id {claim.id!r} stands twice")
        seen.add(claim.id)
    return claims


def write_gold(
    folder: Path, task: ArenaTask, part: str, version: int, claims: Iterable[Claim]
) -> GoldVersion:
    """Write a version's file, readable by its owner alone, and return its row."""
    place = folder / FOLDER
    place.mkdir(mode=0o700, exist_ok=True)
    place.chmod(0o700)
    rows = [msgspec.json.encode(row) for row in dump(claims, task.format)]
    data = b"\n".join(rows) + b"\n"
    digest = sha256(data).hexdigest()
    # Named by what it holds, so that no file is ever overwritten by another.
    path = place / f"{task.name}-{part}-v{version}-{digest[:16]}.jsonl"
    if not path.exists():
        fresh = path.with_suffix(".part")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        fresh.rename(path)
    return GoldVersion(
        task_id=task.id,
        part=part,
        version=version,
        digest=digest,
        file=path.name,
        claims=len(rows),
    )


def load_gold(folder: Path, task: ArenaTask, row: GoldVersion) -> Gold:
    """Return a version; it is read once."""
    return load_file(folder / FOLDER / row.file, row.digest, task.format)


@lru_cache(maxsize=8)
def load_file(path: Path, digest: str, format: str) -> Gold:  # noqa: A002
    """Read a gold file, which must be the one that its digest names."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"the gold cannot be read: {error.strerror}") from None
    if sha256(data).hexdigest() != digest:
        raise InputError(f"{path.name} is not the gold that the arena was made with")
    claims = tuple(read_claims(path, format))
    return Gold(format, claims, _slices(claims))


def _slices(claims: tuple[Claim, ...]) -> dict[str, dict[str, Mask]]:
    found: dict[str, dict[str, Mask]] = {}
    for name, key_of in SLICES.items():
        keys = [key_of(claim) for claim in claims]
        known = sorted({key for key in keys if key is not None})
        if known:
            found[name] = {key[1]: np.array([k == key for k in keys]) for key in known}
    return found


def gold_row(
    session: Session, task: ArenaTask, part: str, version: int | None = None, *, scored: bool = True
) -> GoldVersion:
    """Return a version of a part's gold; without a number the newest that is scored."""
    query = select(GoldVersion).where(GoldVersion.task_id == task.id, GoldVersion.part == part)
    if version is not None:
        query = query.where(GoldVersion.version == version)
    elif scored:
        query = query.where(GoldVersion.scored.is_not(None))
    found = session.scalar(query.order_by(GoldVersion.version.desc()).limit(1))
    if found is None:
        raise NotFound(f"{task.name} has no gold {part} v{version or 1}")
    return found


def gold_rows(session: Session, task: ArenaTask, part: str) -> list[GoldVersion]:
    """Return all versions of a part's gold, the oldest first."""
    query = select(GoldVersion).where(GoldVersion.task_id == task.id, GoldVersion.part == part)
    return list(session.scalars(query.order_by(GoldVersion.version)))
