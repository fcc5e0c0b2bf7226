"""What the README and the guides show runs, and prints what they say."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
MAIN = "from feverfew.cli.main import main; main()"
# The ranker may be trained anew: the order of the pages is what a reader should rely on.
CHANGING = re.compile(r"-?\d+(?:[.,]\d+)?")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder and one cache for all: the sample is built once."""
    return tmp_path_factory.mktemp("home")


def fenced(page: Path, language: str) -> list[str]:
    found = [code for kind, code in FENCE.findall(page.read_text("utf-8")) if kind == language]
    assert found, f"{page.name} has no {language} block"
    return found


def run(command: list[str], home: Path) -> str:
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(home / "cache"),
        "COLUMNS": "100",
        "PYTHONWARNINGS": "error",
    }
    environment.pop("FEVERFEW_CORPUS", None)
    done = subprocess.run(command, capture_output=True, text=True, cwd=home, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def feverfew(words: str, home: Path) -> str:
    program, *rest = shlex.split(words)
    assert program == "feverfew"
    return run([sys.executable, "-c", MAIN, *rest], home)


def test_the_python_prints_what_its_comments_say(home: Path) -> None:
    code = "\n".join(fenced(README, "python"))
    printed = run([sys.executable, "-c", code], home)
    said = re.findall(r"^print\(.*\)\s+# (.*)$", code, re.M)
    assert said
    assert printed.splitlines()[: len(said)] == said


def test_the_python_is_ten_lines_or_so() -> None:
    code = "\n".join(fenced(README, "python"))
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


def test_the_results_are_real(home: Path) -> None:
    for session in fenced(README, "console"):
        for step in re.split(r"^\$ ", session, flags=re.M)[1:]:
            words, _, shown = step.partition("\n")
            printed = feverfew(words, home)
            assert _lines(printed) == _lines(shown), f"the README shows another result of {words}"


def test_the_python_guide_runs_from_top_to_bottom(home: Path) -> None:
    blocks = fenced(ROOT / "docs" / "api.md", "python")
    code = "\n".join(block for block in blocks if "predictions.jsonl" not in block)
    printed = run([sys.executable, "-c", code], home)
    assert "Fritz Lang" in printed


def _lines(text: str) -> list[str]:
    """Keep of each line what does not depend on the ranker's numbers or a window's width."""
    kept = (CHANGING.sub("", line).strip() for line in text.strip().splitlines())
    return [re.split(r"\s{2,}", line)[0] for line in kept]


@pytest.mark.parametrize("page", ["getting-started.md", "retrieval.md", "corpus.md"])
def test_the_guides_run(page: str, home: Path) -> None:
    ran = 0
    for kind, code in FENCE.findall((ROOT / "docs" / page).read_text("utf-8")):
        if kind == "python" and "my.corpus" not in code:
            run([sys.executable, "-W", "error", "-c", code], home)
            ran += 1
        elif kind == "sh" and "my.corpus" not in code:
            script = 'feverfew() { "$PYTHON" -c "$MAIN" "$@"; }; set -e\n' + code
            run(["env", f"PYTHON={sys.executable}", f"MAIN={MAIN}", "bash", "-c", script], home)
            ran += 1
    assert ran
