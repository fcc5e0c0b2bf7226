"""Run a real server for tests: a process of its own, on a free port of this machine."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from making import MAIN

_PATIENCE = 180.0


class Running(Struct):
    """A server at work."""

    url: str
    process: "subprocess.Popen[bytes]"
    log: Path
    cpu: float
    """Seconds of processor time until it listened: what a quiet machine's clock would say."""

    def stop(self) -> int:
        """Ask it to stop, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(_PATIENCE)

    def said(self) -> str:
        return self.log.read_text("utf-8")


@contextmanager
def running(*arguments: str | Path, command: str = "serve", port: int = 0) -> Iterator[Running]:
    """Start `feverfew serve`, wait until it listens, and end it at the end."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        words = [sys.executable, "-c", MAIN, command, *map(str, arguments), "--port", str(port)]
        environment = {**os.environ, "COLUMNS": "200"}
        with log.open("wb") as out, subprocess.Popen(words, stderr=out, env=environment) as process:
            try:
                url = _url(process, log)
                yield Running(url, process, log, _cpu(process.pid))
            finally:
                if process.poll() is None:
                    process.kill()


def _url(process: "subprocess.Popen[bytes]", log: Path) -> str:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if found := re.search(r"listening on (\S+)", log.read_text("utf-8")):
            return found[1]
        if process.poll() is not None:
            break
        time.sleep(0.02)
    raise AssertionError(f"the server did not start: {log.read_text('utf-8')}")


def _cpu(pid: int) -> float:
    """Read a process's time from /proc; 0 where there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return 0.0
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
