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
    damage = []
    for name, (size, digest) in parts.items():
        path = folder / name
        if not path.exists():
            damage.append(f"{name} is missing")
        elif path.stat().st_size != size:
            damage.append(f"{name} has {path.stat().st_size} bytes, not {size}")
        elif thorough and _digest(path) != digest:
            damage.append(f"{name} has changed")
    return damage


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
