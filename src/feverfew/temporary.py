"""Temporary folders that do not outlive their process for long, however it ends.

A process that is killed cannot remove what it has made. So each folder holds a lock, which goes
with the process, and whoever makes the next one removes those whose lock is free.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["temporary_folder"]

_PREFIX = "feverfew-tmp-"
_LOCK = "lock"
_FRESH = 60.0
"""Seconds in which a folder may still be without its lock."""


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make an empty folder, and remove it at the end; if we are killed, others will."""
    _sweep(Path(tempfile.gettempdir()))
    made = Path(tempfile.mkdtemp(prefix=_PREFIX))
    try:
        with FileLock(made / _LOCK):
            (made / "in").mkdir()
            yield made / "in"
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _sweep(parent: Path) -> None:
    """Remove the folders of processes that are gone."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another user's, or another process was faster
            if not (folder / _LOCK).exists() and time.time() - folder.stat().st_mtime < _FRESH:
                continue
            with suppress(Timeout), FileLock(folder / _LOCK, timeout=0):
                shutil.rmtree(folder, ignore_errors=True)
