"""Servers that are started to be killed."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

_MAIN = "from feverfew.cli.main import main; main()"


@contextmanager
def serving(*words: str) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """Start a server on a free port; yield it and its address, and kill it at the end."""
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, "-c", _MAIN, *words, "--port", "0"]
        with subprocess.Popen(command, stderr=log) as process:
            try:
                yield process, _listening(process, log.fileno())
            finally:
                process.kill()


def _listening(process: "subprocess.Popen[bytes]", log: int) -> str:
    while process.poll() is None:
        said = os.pread(log, 1 << 16, 0).decode(errors="replace")
        if found := re.search(r"listening on (\S+)", said):
            return found[1]
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {os.pread(log, 1 << 12, 0)!r}")
