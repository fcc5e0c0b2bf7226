"""Run a piece of work on a Ray cluster of two nodes, and kill one in the midst of it.

A process of its own, because Ray takes over the one that it is in: the work and where to leave the
results are arguments, and what was seen is printed as JSON.
"""

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(tempfile.mkdtemp(prefix="ff-"))
(FOLDER / "token").write_text(secrets.token_hex(32))
os.environ.update(
    RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",
    RAY_AUTH_MODE="token",
    RAY_AUTH_TOKEN_PATH=str(FOLDER / "token"),
    RAY_TMPDIR=str(FOLDER),
    RAY_USAGE_STATS_ENABLED="0",
    RAY_worker_niceness="0",
)
NODE: dict[str, Any] = {
    "num_cpus": 1,
    "node_ip_address": "127.0.0.1",
    "include_dashboard": False,
    "object_store_memory": 80 << 20,
}


def listening() -> list[str]:
    """List the addresses on which this process and its children listen, over TCP."""
    lines = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True).stdout
    parents = {int(a): int(b) for a, b in (line.split() for line in lines.splitlines())}
    inodes = {
        os.readlink(link)[8:-1]
        for pid in parents
        if os.getpid() in ancestors(pid, parents)
        for link in Path(f"/proc/{pid}/fd").glob("*")
        if os.path.lexists(link) and os.readlink(link).startswith("socket:[")
    }
    found = set()
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            local, _, state, *_, inode = row.split()[1:10]
            if state == "0A" and inode in inodes:
                found.add(local.partition(":")[0])
    return sorted(found)


def ancestors(pid: int, parents: dict[int, int]) -> Iterator[int]:
    while pid in parents:
        yield pid
        pid = parents[pid]


def index(where: str, folder: Path, kill: Callable[[], None]) -> object:
    from feverfew.corpus.build import Progress, build

    def on_progress(progress: Progress) -> None:
        if progress.pages > 600:
            kill()

    built = build([folder / "pages.jsonl"], folder / "ray.corpus", shards=2, workers=where,
                  on_progress=on_progress)  # fmt: skip
    return {"pages": built.pages, "bad": built.bad}


def echo(where: str, folder: Path, kill: Callable[[], None]) -> object:
    from cluster.shouting import shouter
    from feverfew.pools import open_pool

    with open_pool(shouter, "!", where) as pool:
        answers = []
        for answer in pool.map(str(n).encode() for n in range(40)):
            answers.append(answer.decode())
            if len(answers) == 10:
                kill()
    return answers


def verify(where: str, folder: Path, kill: Callable[[], None]) -> object:
    from feverfew.check.verify import verify
    from feverfew.readers import dump_prediction, read_claims

    found = []
    for prediction in verify(
        read_claims(folder / "claims.txt"), folder / "ray.corpus", "fever", "small", where
    ):
        found.append(dump_prediction(prediction, "fever"))
        if len(found) == 33:
            kill()
    return found


def main() -> None:
    from ray.cluster_utils import Cluster

    work, folder = sys.argv[1:]
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    second = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    seen: dict[str, object] = {"listening": listening(), "killed": 0.0}

    def kill() -> None:
        if not seen["killed"]:
            seen["killed"] = time.time()
            cluster.remove_node(second, allow_graceful=False)

    made = {"index": index, "echo": echo, "verify": verify}[work]
    seen["made"] = made(f"ray://{cluster.address}", Path(folder), kill)
    cluster.shutdown()
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    try:
        main()
    finally:
        __import__("shutil").rmtree(FOLDER, ignore_errors=True)
