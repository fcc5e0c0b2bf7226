"""Kill writers at moments chosen by chance: the corpus opens, and nothing acknowledged is lost."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

from tools.torture import Result, Tally
from tools.torture.power import WRITER, examine, source_file, states_after


def run(tries: int, seed: int, folder: Path) -> Result:
    """Start a writer that builds and updates a corpus, and kill it, `tries` times."""
    tally = Tally("kills", seed)
    folder.mkdir(parents=True, exist_ok=True)
    source, directory, states = source_file(folder), folder / "c", states_after()
    command = [sys.executable, "-c", WRITER, str(directory), str(source)]
    started = time.monotonic()
    whole = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds = time.monotonic() - started
    if len(whole.stdout.split("\n")) != len(states):
        tally.fail("the writer did not finish")
    for _ in range(tries):
        shutil.rmtree(directory, ignore_errors=True)
        done = _killed_after(command, seconds * tally.random.random())
        with tally.one_try():
            examine(tally, f"after step {done}", directory, states, done, source)
    shutil.rmtree(directory, ignore_errors=True)
    return tally.result()


def _killed_after(command: list[str], seconds: float) -> int:
    """Run a writer for a while, kill it, and return the last step that it acknowledged."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            said, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
    return len(said.split(b"\n")) - 1
