"""The simulation of `benchmarks/workbench.py`, in short: nothing doubled, starved or one's own."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "workbench.py"
SMALL = ("--people", "9", "--claims", "100", "--processes", "2")


def test_many_people_in_several_processes(url: str) -> None:
    words = [sys.executable, str(SCRIPT), "--database", url, *SMALL]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tasks in" in done.stdout
    assert "PROBLEM" not in done.stdout
