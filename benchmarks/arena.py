"""Measure the arena: one submission, a hundred at once, drawing the pool, and rescoring.

    python benchmarks/arena.py
    python benchmarks/arena.py --database postgresql://postgres@127.0.0.1:5432/arena

The task is simulated: 20,000 claims, the 23 teams of 2018, 86 submissions. Submissions go over HTTP
to a server in a process of its own.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import select

from measure import HERE, _tree, _Watcher, latency, log, system_facts, write_json

sys.path.insert(0, str(HERE.parent))

from feverfew.arena.golds import gold_rows, load_gold, write_gold
from feverfew.arena.phases import PhaseSettings, put_phase
from feverfew.arena.pool import draw
from feverfew.arena.scoring import Scorer
from feverfew.arena.tasks import create_task, task_by_name
from feverfew.arena.versions import rescore
from feverfew.arena_client import submit_file
from feverfew.store.arena_tables import Submission
from feverfew.store.database import now
from feverfew.store.teams import make_key, make_team
from feverfew.workbench.bench import init_bench, open_bench
from feverfew.workers import cores
from tools.shared_task import SUBMISSIONS, TEAMS, gold_lines, predictions, simulate_claims

_FILES, _DRAWS = 6, 1_000
_MAIN = "from feverfew.cli.main import main; main()"


def main() -> None:
    """Run everything, print it, and keep it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--at-once", type=int, default=100)
    parser.add_argument("--database", help="PostgreSQL's URL; else SQLite")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        results = measure(Path(folder), given.claims, given.at_once, given.database)
    for name, value in results.items():
        print(f"{name}: {value}")
    write_json(HERE / "results" / "arena.json", {"system": system_facts(), **results})


def measure(folder: Path, count: int, at_once: int, database: str | None) -> dict[str, object]:
    """Simulate a task, and time its parts."""
    arena, gold = folder / "arena", folder / "gold.jsonl"
    claims = simulate_claims(count)
    gold.write_text(gold_lines(claims), "utf-8")
    files = []
    for number, (accuracy, score) in enumerate(list(TEAMS.values())[:_FILES]):
        path = folder / f"{number}.jsonl"
        path.write_bytes(predictions(claims, accuracy, score, number))
        files.append(path)
    init_bench(arena, None, database)
    with open_bench(arena) as bench, bench.database.write() as session:
        task = create_task(
            session,
            arena,
            "none",
            name="t",
            format="fever",
            gold=gold,
            settings=PhaseSettings(quota=100),
        )
        keys = [make_key(session, make_team(session, name)) for name in TEAMS]
    found: dict[str, object] = {"claims": count, "bytes": files[0].stat().st_size}
    found |= _over_http(arena, keys, files, at_once)
    found |= _afterwards(arena, task.name)
    return found


def _over_http(arena: Path, keys: list[str], files: list[Path], many: int) -> dict[str, object]:
    words = [sys.executable, "-c", _MAIN, "arena", "serve", str(arena), "--port", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        said = ""
        while not (match := re.search(r"listening on (\S+)", said)):
            said = process.stderr.readline().decode()
        url = f"{match[1]}/arena/t"
        drain = ThreadPoolExecutor(1).submit(process.stderr.read)
        watcher = _Watcher(process.pid)
        watcher.start()
        log("one submission")
        single = [_timed(files[0], url, keys[0], n) for n in range(3)]
        log(f"{many} at once")
        start, used = time.perf_counter(), _cpu(process.pid)
        with ThreadPoolExecutor(many) as pool:
            jobs = [
                pool.submit(_timed, files[n % _FILES], url, keys[n % len(keys)], 100 + n)
                for n in range(many)
            ]
            times = [job.result() for job in jobs]
        wall, used = time.perf_counter() - start, _cpu(process.pid) - used
        watcher.stop()
        process.terminate()
        drain.result()
    with open_bench(arena) as bench, bench.database.read() as session:
        kept = session.execute(select(Submission.team_id, Submission.number)).all()
    doubled = [key for key, times_ in Counter(map(tuple, kept)).items() if times_ > 1]
    at_once = latency(times)
    return {
        "single_seconds": [round(one, 2) for one in single],
        "at_once": many,
        "at_once_wall": round(wall, 1),
        "at_once_cpu": round(used, 1),
        "at_once_p50": round(at_once.p50 / 1e3, 1),
        "at_once_p95": round(at_once.p95 / 1e3, 1),
        "at_once_lost": many + 3 - len(kept),
        "at_once_doubled": len(doubled),
        "server_peak_mb": watcher.private >> 20,
    }


def _cpu(root: int) -> float:
    """Return the processor time of a process tree: what a quiet machine's clock would say."""
    ticks = 0
    for pid in _tree(root):
        stat = Path(f"/proc/{pid}/stat").read_bytes()
        ticks += sum(map(int, stat[stat.rindex(b")") + 2 :].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _timed(file: Path, url: str, key: str, number: int) -> float:
    """Submit a file that differs from all others by a blank line's length."""
    with tempfile.NamedTemporaryFile() as own:
        own.write(file.read_bytes() + b" " * number + b"\n")
        own.flush()
        start = time.perf_counter()
        receipt = submit_file(own.name, url, key)
        assert receipt.means
        return time.perf_counter() - start


def _afterwards(arena: Path, name: str) -> dict[str, object]:
    """Draw a pool, and rescore as many submissions as there were in 2018."""
    with open_bench(arena) as bench:
        with bench.database.write() as session:
            task = task_by_name(session, name)
            phase = put_phase(session, task, "test", "test", None, now(), PhaseSettings())
        log("drawing")
        start = time.perf_counter()
        drawn = draw(bench.database, arena, task, phase, _DRAWS, 0)
        drawing = time.perf_counter() - start
        with bench.database.write() as session:
            (row,) = gold_rows(session, task, "test")
            made = write_gold(arena, task, "test", 2, load_gold(arena, task, row).claims)
            session.add(made)
        log("rescoring")
        start = time.perf_counter()
        with Scorer(cores()) as scorer:
            used = _cpu(os.getpid())
            done = rescore(bench.database, arena, task, "test", scorer)
            used = _cpu(os.getpid()) - used
        seconds = time.perf_counter() - start
    return {
        "drawn": drawn,
        "draw_seconds": round(drawing, 1),
        "rescored": done,
        "rescore_seconds": round(seconds, 1),
        "rescore_seconds_86": round(seconds * SUBMISSIONS / done, 1),
        "rescore_cpu_86": round(used * SUBMISSIONS / done, 1),
        "load": os.getloadavg()[1],
    }


if __name__ == "__main__":
    main()
