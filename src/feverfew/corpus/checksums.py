"""Sizes and checksums of a corpus's files, so that damage is seen.

Pages carry a checksum of their own, which every read of a page compares. All other files, and the
store as a whole, are compared when a corpus is opened, by a CRC that takes 0.2 s for a gigabyte;
`fsck` compares a long digest as well. What is larger than that together, fsck alone compares.

The store changes in place, so its checksum lies beside it, in `pages.sum`. A writer breaks this
seal before it begins and makes a new one when it is done; where it was cut off, there is none. The
seal names the transaction that SQLite counted last: it is void after a writer who knows no seals.
"""

import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.corpus.layout import sync_file

STORE, SEAL = "pages.sqlite", "pages.sum"
_OWN = {STORE, f"{STORE}-journal", SEAL, "unfinished", "started"}
_TRANSIENT = (".lock", ".managed.json")
Parts = dict[str, tuple[int, str]]
"""Size and checksums of each file, by name: a digest and, but for older corpora, "-" and a CRC."""
_AT_OPENING = 1 << 30
"""Bytes that are compared when a corpus is opened."""
_BLOCK = 1 << 20


def digest_parts(folder: Path, known: Parts) -> Parts:
    """Return size and checksums of every file; one already known, of the same size, is trusted.

    All but tantivy's small list of segments are written once and never changed. The files, and
    their names, are on disk when this returns: the store may then rely on them.
    """
    found: Parts = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir():
            sync_file(path)
            continue
        if name in _OWN or path.name.endswith(_TRANSIENT):
            continue
        size = path.stat().st_size
        if name in known and known[name][0] == size and path.name != "meta.json":
            found[name] = known[name]
        else:
            sync_file(path)
            found[name] = (size, f"{_digest(path)}-{_crc(path):08x}")
    sync_file(folder)
    return found


def find_damage(folder: Path, parts: Parts, *, thorough: bool) -> list[str]:
    """List the parts that are missing or changed; by their CRC unless thorough."""
    spent = 0
    found: list[str] = []
    for name, (size, sums) in sorted(parts.items(), key=lambda part: part[1][0]):
        spent += size
        if fault := _fault(folder / name, size, sums, thorough, spent <= _AT_OPENING):
            found.append(f"{name} {fault}")
    return found


def _fault(path: Path, size: int, sums: str, thorough: bool, quick: bool) -> str:
    """Say what is wrong with a file, which a writer may take away while it is looked at."""
    digest, _, crc = sums.partition("-")
    try:
        now = path.stat().st_size
        if now != size:
            return f"has {now} bytes, not {size}"
        if thorough:
            return "has changed" if _digest(path) != digest else ""
        return "has changed" if quick and crc and f"{_crc(path):08x}" != crc else ""
    except FileNotFoundError:
        return "is missing"


class _Seal(Struct, frozen=True):
    """The checksum of the store after one transaction."""

    transaction: int
    size: int
    crc: int


def break_seal(folder: Path) -> None:
    """Remove the checksum of a store that is about to change, durably."""
    # A rollback does not restore pages that were unused: after it, the old checksum may not fit.
    (folder / SEAL).unlink(missing_ok=True)
    sync_file(folder)


def seal_store(folder: Path) -> None:
    """Note the checksum of the store as it is; only a writer may, after its last commit."""
    path = folder / STORE
    size = path.stat().st_size
    if size > _AT_OPENING:
        (folder / SEAL).unlink(missing_ok=True)
        return
    seal = _Seal(_transaction(path), size, _crc(path))
    fresh = folder / f"{SEAL}.new"
    fresh.write_bytes(msgspec.json.encode(seal))
    fresh.replace(folder / SEAL)


def store_damaged(folder: Path) -> bool:
    """Say whether the store is not what its seal says; without a seal of this state, it is not."""
    path = folder / STORE
    try:
        seal = msgspec.json.decode((folder / SEAL).read_bytes(), type=_Seal)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False
    try:
        if (_transaction(path), path.stat().st_size) != (seal.transaction, seal.size):
            return False
        return _crc(path) != seal.crc and _transaction(path) == seal.transaction
    except OSError:
        return False


def _transaction(path: Path) -> int:
    """Read the number that SQLite counts up with every transaction, from its file's header."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(28)[24:], "big")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _crc(path: Path) -> int:
    crc = 0
    for block in _blocks(path):
        crc = zlib.crc32(block, crc)
    return crc


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            yield block
