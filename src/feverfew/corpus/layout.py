"""The corpus directory: generations, one of which the manifest names.

    my.corpus/
      manifest.json      names the generation in use; replaced atomically
      lock               held by the one writer
      g-1f3a…/           pages.sqlite, titles-1.*, links-1.*, text/, tables/

A build makes a new generation beside the old one and then replaces the manifest, so that at
every moment the directory holds the old corpus, the new one, or none: never half of one.
"""

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout
from msgspec import Struct

from feverfew.errors import CorpusBusy, CorpusDamaged, CorpusError, NotACorpus

__all__ = [
    "FORMAT",
    "Manifest",
    "Summary",
    "being_written",
    "digest_bytes",
    "format_of",
    "generation_path",
    "manifest_bytes",
    "manifest_digest",
    "new_generation",
    "publish",
    "read_manifest",
    "refuse_foreign",
    "sync_file",
    "unfinished_generations",
    "write_lock",
]

FORMAT, _SHARDED_FORMAT = 2, 3
"""The version of everything on disk, without shards and with them; a corpus of another version must
be built again."""

_MANIFEST = "manifest.json"
_UNFINISHED = "unfinished"
_GENERATION = re.compile(r"g-[0-9a-f]{8}")
_OURS = re.compile(rf"manifest\.json(\.new)?|lock|{_GENERATION.pattern}")
_PATIENCE = 0.3
"""Seconds a writer waits for the lock: a reader may hold it for an instant."""


class Summary(Struct, frozen=True, kw_only=True):
    """What a build did, for people and for the manifest."""

    pages: int = 0
    redirects: int = 0
    dangling_redirects: int = 0
    """Redirects to pages that the sources do not hold."""
    duplicates: int = 0
    """Pages whose title an earlier page already had; the first won."""
    bad: int = 0
    """Records that could not be read."""
    seconds: float = 0.0


class Manifest(Struct, frozen=True, kw_only=True):
    """What `manifest.json` holds."""

    format: int
    generation: str
    feverfew: str
    created: str
    sources: list[str]
    built: Summary
    shards: int = 1


def format_of(shards: int) -> int:
    """Return the version of a corpus of so many shards: who does not know them must not open it."""
    return FORMAT if shards == 1 else _SHARDED_FORMAT


def read_manifest(directory: Path) -> Manifest:
    """Read the manifest, or say what is wrong with the directory and what to do."""
    try:
        data = (directory / _MANIFEST).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise NotACorpus(_why_no_manifest(directory)) from None
    except OSError as error:
        raise CorpusError(f"cannot read {directory}: {error.strerror}") from None
    try:
        version = msgspec.json.decode(data, type=dict[str, object]).get("format")
        if version in (FORMAT, _SHARDED_FORMAT):
            manifest = msgspec.json.decode(data, type=Manifest)
            # The name comes from a file that anyone may have written: it must not lead elsewhere.
            if _GENERATION.fullmatch(manifest.generation):
                return manifest
            version = None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        version = None
    if isinstance(version, int):
        raise NotACorpus(
            f"{directory} is a corpus of format {version}; this feverfew reads format {FORMAT}: "
            "build it again with 'feverfew index'"
        )
    raise NotACorpus(f"{directory}/{_MANIFEST} is damaged; build it again with 'feverfew index'")


def _why_no_manifest(directory: Path) -> str:
    if not directory.exists():
        return f"{directory} does not exist; make a corpus with 'feverfew index SOURCE -o DIR'"
    if not directory.is_dir():
        return f"{directory} is a file, not a corpus; make one with 'feverfew index'"
    if unfinished_generations(directory):
        return f"{directory} holds an unfinished build; go on with 'feverfew index --resume'"
    return f"{directory} is not a corpus (it has no {_MANIFEST})"


def generation_path(directory: Path, manifest: Manifest) -> Path:
    """Return where the generation in use lies."""
    path = directory / manifest.generation
    if not path.is_dir():
        raise CorpusDamaged(f"{path} is missing; build the corpus again with 'feverfew index'")
    return path


def refuse_foreign(directory: Path) -> None:
    """Keep a build out of a directory that holds anything else: it clears away what is old."""
    if not directory.is_dir():
        return
    strange = next((p.name for p in directory.iterdir() if not _OURS.fullmatch(p.name)), None)
    if strange is not None:
        raise NotACorpus(
            f"{directory} holds {strange!r}, so it is no corpus; choose a new or empty directory"
        )


def new_generation(directory: Path) -> Path:
    """Make an empty generation, marked as unfinished; those that no one will finish go."""
    for left in unfinished_generations(directory):
        shutil.rmtree(left, ignore_errors=True)
    path = directory / f"g-{secrets.token_hex(4)}"
    path.mkdir()
    (path / _UNFINISHED).touch()
    return path


def unfinished_generations(directory: Path) -> list[Path]:
    """List the generations that interrupted builds left."""
    try:
        used = read_manifest(directory).generation if (directory / _MANIFEST).exists() else None
    except NotACorpus:
        used = None
    marked = (mark.parent for mark in directory.glob(f"g-*/{_UNFINISHED}"))
    # The one in use may still bear the mark, if its build was killed at the very end.
    return [path for path in marked if path.name != used and _OURS.fullmatch(path.name)]


def publish(directory: Path, manifest: bytes, generation: Path) -> None:
    """Put a finished generation into use, and clear away all others."""
    fresh = directory / f"{_MANIFEST}.new"
    fresh.write_bytes(manifest)
    sync_file(fresh)
    fresh.replace(directory / _MANIFEST)
    sync_file(directory)
    (generation / _UNFINISHED).unlink(missing_ok=True)
    for other in directory.glob("g-*"):
        if other != generation and _OURS.fullmatch(other.name):
            shutil.rmtree(other, ignore_errors=True)


def manifest_bytes(manifest: Manifest) -> bytes:
    """Write a manifest for people to read."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2)


def manifest_digest(directory: Path) -> str:
    """Name the manifest's content, for the books that the generation itself keeps."""
    return digest_bytes((directory / _MANIFEST).read_bytes())


def digest_bytes(data: bytes) -> str:
    """Name some bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def sync_file(path: Path) -> None:
    """Make a file or directory durable."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:  # some systems do not open directories
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def being_written(directory: Path) -> bool:
    """Say whether a writer holds the lock just now."""
    try:
        with write_lock(directory, patience=0):
            return False
    except CorpusBusy:
        return True
    except CorpusError:
        return False  # nothing can be written here at all


@contextmanager
def write_lock(directory: Path, *, patience: float = _PATIENCE) -> Iterator[None]:
    """Be the only writer; the lock goes with the process, even a killed one."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock = FileLock(directory / "lock")
        lock.acquire(timeout=patience, poll_interval=0.02)
    except Timeout:
        raise CorpusBusy(f"another process is writing to {directory}; try again later") from None
    except OSError as error:
        raise CorpusError(f"cannot write to {directory}: {error.strerror}") from None
    try:
        yield
    finally:
        lock.release()
