"""What every benchmark uses: result files, intervals, and the cost of a process.

Private memory is what would be free again if a process and its children ended: the `Private_*`
lines of `/proc/PID/smaps_rollup`, summed over the process tree. Unlike resident memory, it counts
no page twice. It includes mapped file pages that only these processes use, which the kernel could
drop at any time, so the anonymous part is given as well.
"""

import json
import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import fmean, median
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

__all__ = [
    "RESULTS",
    "SAMPLES",
    "Latency",
    "Run",
    "ece",
    "folder_bytes",
    "interval",
    "latency",
    "log",
    "one_core",
    "read_json",
    "run_job",
    "run_measured",
    "system_facts",
    "tree_memory",
    "write_json",
]

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
SAMPLES = 4_000
"""Bootstrap samples."""
_INTERVAL = 0.05
_SHARE = 0.05
"""Reading a large process's memory takes time: spend no more than this share of a core on it."""


def read_json(path: Path) -> dict[str, Any] | None:
    """Read a result file; None if there is none yet."""
    return msgspec.json.decode(path.read_bytes()) if path.exists() else None


def write_json(path: Path, results: dict[str, Any]) -> None:
    """Write a result file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")


def log(text: str) -> None:
    """Report progress."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def ece(sure: Sequence[float], right: Sequence[Any]) -> float:
    """Return the expected calibration error, in ten bins."""
    shares, hits = np.array(sure), np.array(right, float)
    bins = np.minimum((shares * 10).astype(int), 9)
    gaps = [
        abs(hits[bins == b].mean() - shares[bins == b].mean()) * (bins == b).mean()
        for b in np.unique(bins)
    ]
    return float(sum(gaps))


def interval(values: Sequence[float], groups: Sequence[str]) -> dict[str, float]:
    """Average values, with a 95 % bootstrap interval that redraws groups."""
    names, at = np.unique(groups, return_inverse=True)
    sums, counts = np.bincount(at, values, len(names)), np.bincount(at, None, len(names))
    each = np.full(len(names), 1 / len(names))
    draws = np.random.default_rng(0).multinomial(len(names), each, SAMPLES)
    low, high = np.quantile((draws @ sums) / (draws @ counts), [0.025, 0.975])
    return {"value": float(np.mean(values)), "low": float(low), "high": float(high)}


class Run(Struct, frozen=True):
    """What a command and its children cost."""

    wall: float
    cpu: float
    """Seconds of processor time, of the process and of the children it waited for."""
    peak_private: int
    peak_anonymous: int
    samples: int
    said: dict[str, Any]
    """The JSON object that it printed on its last line."""


class Latency(Struct, frozen=True):
    """How long single answers took, in milliseconds."""

    p50: float
    p95: float
    mean: float
    answers: int


def latency(seconds: Sequence[float]) -> Latency:
    """Summarise the times of single answers."""
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return Latency(1e3 * median(ordered), 1e3 * high, 1e3 * fmean(ordered), len(ordered))


def run_job(*arguments: object, script: str = "jobs.py") -> Run:
    """Run a job of jobs.py in its own process, and measure it."""
    return run_measured([sys.executable, str(HERE / script), *map(str, arguments)])


def run_measured(command: Sequence[str]) -> Run:
    """Run a command, watch its process tree, and return what it cost and printed."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    watcher = _Watcher(process.pid)
    watcher.start()
    if process.stdout is None:
        raise RuntimeError("the job has no standard output")
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    watcher.stop()
    if process.returncode:
        shown = " ".join(command)
        raise SystemExit(f"benchmark: this job failed (exit code {process.returncode}): {shown}")
    last = printed.decode().strip().rpartition("\n")[2]
    return Run(
        wall,
        usage.ru_utime + usage.ru_stime,
        watcher.private,
        watcher.anonymous,
        watcher.samples,
        json.loads(last) if last.startswith("{") else {},
    )


class _Watcher(threading.Thread):
    """Polls the memory of a process tree and keeps the maximum."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._ended = threading.Event()
        self.private = self.anonymous = self.samples = 0

    def run(self) -> None:
        pause = 0.0
        while not self._ended.wait(pause):
            start = time.thread_time()
            private, anonymous = tree_memory(self._root)
            self.private = max(self.private, private)
            self.anonymous = max(self.anonymous, anonymous)
            self.samples += 1
            pause = max(_INTERVAL, (time.thread_time() - start) / _SHARE)

    def stop(self) -> None:
        self._ended.set()
        self.join()


def tree_memory(root: int) -> tuple[int, int]:
    """Return the private bytes of a process and its descendants, and the anonymous ones."""
    private = anonymous = 0
    for pid in _tree(root):
        try:
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_bytes()
        except OSError:
            continue  # it has just ended
        for line in rollup.splitlines()[1:]:
            name, kilobytes = line.split()[:2]
            if name.startswith(b"Private_"):
                private += int(kilobytes) << 10
            elif name == b"Anonymous:":
                anonymous += int(kilobytes) << 10
    return private, anonymous


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_bytes()
            except OSError:
                continue
            # The name, in parentheses, may hold anything: read behind the last one.
            parent = int(stat[stat.rindex(b")") + 2 :].split()[1])
            children.setdefault(parent, []).append(int(entry))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and all its threads on a single core."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def folder_bytes(path: Path) -> int:
    """Add up the files below a folder, or the size of one file."""
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def system_facts() -> dict[str, Any]:
    """Describe the machine and the packages, without naming the machine."""
    model = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {
        "processor": model[0] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": platform.release().partition("-")[0],
        "python": platform.python_version(),
        "load_before": round(os.getloadavg()[0], 2),
        "packages": {
            name: found
            for name in ("feverfew", "tantivy", "bm25s", "numba", "numpy", "scipy", "PyStemmer")
            if (found := _version(name))
        },
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
