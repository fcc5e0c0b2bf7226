"""The recipes of the docs, run with the real packages; skipped where these are not installed."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from feverfew.check import Checker
from feverfew.types import Verdict

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
# Others' packages warn about themselves.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def checker(sample_path: Path) -> Iterator[Checker]:
    with Checker.open(sample_path) as opened:
        yield opened


def recipe(name: str, needs: str) -> ModuleType:
    pytest.importorskip(needs, reason="needs the extra: feverfew[recipes]")
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_langchain(checker: Checker) -> None:
    made = recipe("langchain_recipe", "langchain_core")
    from langchain_core.language_models import FakeListChatModel

    found = made.FeverfewRetriever(corpus=checker.corpus, k=3).invoke("Who directed Metropolis?")
    assert len(found) == 3
    assert any("Metropolis" in one.metadata["title"] for one in found)
    model = FakeListChatModel(responses=["Fritz Lang was born in Vienna. He was born in 1975."])
    said = (model | made.check_answer(checker)).invoke("Tell me of Fritz Lang.")
    assert said["reports"][0].verdict is Verdict.SUPPORTED
    assert [report.claim for report in said["refuted"]] == ["Fritz Lang was born in 1975."]


def test_llama_index(checker: Checker) -> None:
    made = recipe("llama_index_recipe", "llama_index.core")
    from llama_index.core.llms import MockLLM
    from llama_index.core.query_engine import RetrieverQueryEngine
    from llama_index.core.response_synthesizers import get_response_synthesizer

    retriever = made.FeverfewRetriever(checker.corpus, k=3)
    engine = RetrieverQueryEngine(retriever, get_response_synthesizer(llm=MockLLM()))
    response = engine.query("Who directed Metropolis?")
    assert len(response.source_nodes) == 3
    (report,) = made.check_response(checker, "Fritz Lang was born in 1975.")
    assert report.verdict is Verdict.REFUTED


def test_the_magic_in_a_real_shell(sample_path: Path) -> None:
    pytest.importorskip("IPython", reason="needs the extra: feverfew[recipes]")
    from IPython.core.interactiveshell import InteractiveShell

    shell: Any = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "feverfew.integrations.notebook")
    line = f"--corpus {sample_path} Fritz Lang was born in 1975."
    report = shell.run_line_magic("feverfew", line)
    assert report.verdict is Verdict.REFUTED
    text = "Fritz Lang was born in Vienna. Was he famous?"
    checked = shell.run_cell_magic("feverfew", f"--corpus {sample_path}", text)
    assert repr(checked) == "1 claim: 1 supported"
    assert "Vienna" in shell.display_formatter.format(checked)[0]["text/html"]
    assert checked[1].passage.skipped == "a question"
    shell.run_line_magic("unload_ext", "feverfew.integrations.notebook")
    InteractiveShell.clear_instance()


def test_the_pre_commit_hook(sample_path: Path, tmp_path: Path) -> None:
    pytest.importorskip("pre_commit", reason="needs the extra: feverfew[recipes]")

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)

    hook = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    entry = next(line for line in hook.splitlines() if line.startswith("  entry: feverfew "))
    command = entry.removeprefix("  entry: feverfew ")
    main = "from feverfew.cli.main import main; main()"
    # As the hook, but with the feverfew that is tested instead of a fresh installation.
    (tmp_path / ".pre-commit-config.yaml").write_text(
        "repos: [{repo: local, hooks: [{id: feverfew, name: feverfew, language: system, "
        f"types_or: [markdown], require_serial: true, entry: \"{sys.executable} -c '{main}' "
        f'check --corpus {sample_path} {command.removeprefix("check ")}"}}]}}]\n'
    )
    (tmp_path / "right.md").write_text("Fritz Lang was born in Vienna.\n")
    (tmp_path / "wrong.md").write_text("Fritz Lang was born in 1975.\n")
    run("git", "init", "-q")
    run("git", "add", "-A")
    right = run(sys.executable, "-m", "pre_commit", "run", "--files", "right.md")
    assert right.returncode == 0, right.stdout + right.stderr
    both = run(sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert both.returncode == 1
    assert "REFUTED" in both.stdout
