"""Sizes and digests of the files beside the store, so that damage is seen."""

import hashlib
from pathlib import Path

__all__ = ["digest_parts", "find_damage"]

_OWN = {"pages.sqlite", "pages.sqlite-journal", "unfinished", "started"}
_TRANSIENT = (".lock", ".managed.json")
Parts = dict[str, tuple[int, str]]


def digest_parts(folder: Path, known: Parts) -> Parts:
    """Return size and digest of every file; one already known, of the same size, is trusted.

    All but tantivy's small list of segments are written once and never changed.
    """
    found: Parts = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() or name in _OWN or path.name.endswith(_TRANSIENT):
            continue
        size = path.stat().st_size
        if name in known and known[name][0] == size and path.name != "meta.json":
            found[name] = known[name]
        else:
            found[name] = (size, _digest(path))
    return found


def find_damage(folder: Path, parts: Parts, *, thorough: bool) -> list[str]:
    """List the parts that are missing or changed; by size alone unless thorough."""
    looked = ((name, _fault(folder / name, *part, thorough)) for name, part in parts.items())
    return [f"{name} {fault}" for name, fault in looked if fault]


def _fault(path: Path, size: int, digest: str, thorough: bool) -> str:
    """Say what is wrong with a file, which a writer may take away while it is looked at."""
    try:
        now = path.stat().st_size
        if now != size:
            return f"has {now} bytes, not {size}"
        return "has changed" if thorough and _digest(path) != digest else ""
    except FileNotFoundError:
        return "is missing"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
