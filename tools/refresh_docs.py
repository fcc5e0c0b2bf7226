"""Run every example in the docs, and renew the output that they show.

    python -m tools.refresh_docs              # renew README.md and all of docs/
    python -m tools.refresh_docs README.md    # one page
    python -m tools.refresh_docs --check      # change nothing; exit with 1 if a page is out of date

What is run, page by page, from top to bottom, in a folder of its own that begins as a copy of
docs/examples:

- `console` blocks: lines that begin with `$ ` are commands, the others are what they print. A
  command must succeed unless the next one is `echo $?`.
- `python` blocks: one program a page. A trailing comment says what `print(…)` prints, or what an
  expression is; longer output stands in lines that begin with `#> `.
- `<!-- run: COMMAND -->`: a command that readers do not see.

A block after `<!-- not run: REASON -->` is left alone. `tools/matching.py` says what is equal.
"""

import argparse
import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.matching import matches, renewed

__all__ = ["PAGES", "ROOT", "Block", "Example", "blocks", "examples", "main", "refresh"]

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
_APART = {"examples", "results"}
"""Folders of docs/ that hold no pages written by hand."""
PAGES = [
    ROOT / "README.md",
    *sorted(p for p in DOCS.rglob("*.md") if p.relative_to(DOCS).parts[0] not in _APART),
]
_FENCE = re.compile(r"^```(\w*)$")
_MARK = re.compile(r"^<!-- (run|not run): (.+?) -->$")
_WIDE = 100
_SCRIPT = "#!{python}\nfrom feverfew.cli.main import main\nmain()\n"
# Runs one page's Python: JSON in, a line for each block; JSON out, what each statement printed.
_DRIVER = """
import ast, contextlib, io, json, sys, traceback
names, protocol = {"__name__": "__main__"}, sys.stdout
for line in sys.stdin:
    printed, error = [], ""
    try:
        for node in ast.parse(json.loads(line)).body:
            with contextlib.redirect_stdout(io.StringIO()) as out:
                kind = "single" if isinstance(node, ast.Expr) else "exec"
                wrap = ast.Interactive if kind == "single" else lambda body: ast.Module(body, [])
                exec(compile(wrap([node]), "<docs>", kind), names)
            printed.append(out.getvalue())
    except BaseException:
        error = traceback.format_exc()
    print(json.dumps([printed, error]), file=protocol, flush=True)
"""


class Block(NamedTuple):
    """A fenced block, or a hidden command, of a page."""

    line: int
    """Where its content begins, from 0."""
    language: str
    content: tuple[str, ...]
    not_run: str
    """Why it is not run; empty if it is."""


class Example(NamedTuple):
    """One command or statement that was run."""

    start: int
    """The lines of the page, from 0, that show its output: start to end."""
    end: int
    source: str
    shown: str
    printed: str
    error: str = ""
    inline: bool = False
    """Whether the output is a comment on the last line of the source."""

    @property
    def current(self) -> bool:
        """Say whether the page shows what is printed."""
        return not self.error and matches(self.shown, self.printed)


def blocks(text: str) -> Iterator[Block]:
    """Find the blocks of a page, in order."""
    lines = text.splitlines()
    reason, number = "", 0
    while number < len(lines):
        mark, fence = _MARK.match(lines[number]), _FENCE.match(lines[number])
        number += 1
        if mark and mark[1] == "run":
            yield Block(number, "hidden", (mark[2],), "")
        elif mark:
            reason = mark[2]
        elif lines[number - 1].startswith("```"):
            end = lines.index("```", number)
            language = fence[1] if fence else lines[number - 1][3:]
            yield Block(number, language, tuple(lines[number:end]), reason)
            reason, number = "", end + 1
        elif lines[number - 1].strip():
            reason = ""


class Session:
    """Where one page's examples run: a folder, an environment, and one Python."""

    def __init__(self, home: Path, folder: Path) -> None:
        shutil.copytree(DOCS / "examples", folder, dirs_exist_ok=True)
        script = home / "bin" / "feverfew"
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(_SCRIPT.format(python=sys.executable), "utf-8")
        script.chmod(0o755)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "FEVERFEW_"))}
        self.home, self.folder, self.code = home, folder, 0
        self.environment = {
            **kept,
            "HOME": str(home),
            "PATH": f"{script.parent}:{Path(sys.executable).parent}:{kept.get('PATH', '')}",
            "COLUMNS": str(_WIDE),
            "NO_COLOR": "1",
            "PYTHONWARNINGS": "error",
        }
        self.python = subprocess.Popen(
            [sys.executable, "-c", _DRIVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=self.environment,
        )

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.python.communicate()

    def shell(self, command: str) -> str:
        """Run a command, and return what a terminal would show."""
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail\n(exit {self.code})\n{command}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            cwd=self.folder,
            env=self.environment,
        )
        self.code = done.returncode
        return self._clean(done.stdout)

    def statements(self, code: str) -> tuple[list[str], str]:
        """Run a block of Python: what each statement printed, and the traceback if one failed."""
        assert self.python.stdin is not None
        assert self.python.stdout is not None
        print(json.dumps(code), file=self.python.stdin, flush=True)
        printed, error = json.loads(self.python.stdout.readline())
        return [self._clean(text) for text in printed], error

    def _clean(self, text: str) -> str:
        text = text.replace(str(self.home), "~").replace(f"{self.folder}/", "")
        return "\n".join(line.rstrip() for line in text.rstrip().splitlines())


def examples(page: Path, home: Path, folder: Path) -> list[Example]:
    """Run all examples of a page."""
    found: list[Example] = []
    with Session(home, folder) as session:
        for block in blocks(page.read_text("utf-8")):
            if block.not_run:
                continue
            if block.language == "hidden":
                output = session.shell(block.content[0])
                error = output if session.code else ""
                found.append(Example(0, 0, block.content[0], "", "", error))
            elif block.language == "console":
                found += _console(block, session)
            elif block.language == "python":
                found += _python(block, session)
    return found


def _console(block: Block, session: Session) -> Iterator[Example]:
    starts = [n for n, line in enumerate(block.content) if line.startswith("$ ")]
    steps = []
    for start, end in zip(starts, [*starts[1:], len(block.content)], strict=True):
        first = start + 1
        while first < end and block.content[first - 1].endswith("\\"):
            first += 1
        command = "\n".join(block.content[start:first])[2:]
        steps.append((command, block.line + first, block.line + end))
    for (command, first, end), following in zip(steps, [*steps[1:], ("", 0, 0)], strict=True):
        printed = session.shell(command)
        failed = session.code and following[0] != "echo $?"
        shown = "\n".join(block.content[first - block.line : end - block.line])
        error = f"exit code {session.code}: {printed}" if failed else ""
        yield Example(first, end, command, shown, printed, error)


def _python(block: Block, session: Session) -> Iterator[Example]:
    code = "\n".join(block.content)
    printed, error = session.statements(code)
    comments = {
        token.start[0]: token.string.removeprefix("#").strip()
        for token in tokenize.generate_tokens(io.StringIO(code + "\n").readline)
        if token.type == tokenize.COMMENT
    }
    for node, output in zip(ast.parse(code).body, [*printed, None], strict=False):
        source = ast.get_source_segment(code, node) or ""
        last = node.end_lineno or node.lineno
        below = last
        while below < len(block.content) and block.content[below].startswith("#>"):
            below += 1
        if output is None:
            yield Example(0, 0, source, "", "", error)
            return
        here = block.line + last
        if below > last:
            shown = "\n".join(line[2:].strip() for line in block.content[last:below])
            yield Example(here, here + below - last, source, shown, output)
        elif last in comments and output:
            yield Example(here - 1, here, source, comments[last], output, inline=True)
        elif output and (not isinstance(node, ast.Expr) or "print(" in source):
            yield Example(here, here, source, "", output)


def refresh(text: str, ran: list[Example]) -> str:
    """Return a page with the output that its examples really print."""
    lines = text.splitlines()
    for example in reversed(ran):
        if example.error or not (example.printed or example.shown):
            continue
        new = renewed(example.shown, example.printed).splitlines()
        if example.inline:
            code = lines[example.start].rpartition("# ")[0]
            lines[example.start] = f"{code}# {' '.join(new)}"
        else:
            python = not lines[example.start - 1].startswith("$ ") and _in_python(
                lines, example.start
            )
            lines[example.start : example.end] = [f"#> {line}" for line in new] if python else new
    return "\n".join(lines) + "\n"


def _in_python(lines: list[str], number: int) -> bool:
    fences = [line for line in lines[:number] if line.startswith("```")]
    return bool(fences) and fences[-1] == "```python"


def main() -> int:
    """Refresh the pages that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES)
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    stale = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, page in enumerate(options.pages):
            ran = examples(page, Path(folder) / "home", Path(folder) / str(number))
            for example in ran:
                if example.error:
                    failed += 1
                    print(f"{page}: {example.source}\n{example.error}", file=sys.stderr)
            text = page.read_text("utf-8")
            new = refresh(text, ran)
            if new != text:
                stale += 1
                print(f"{page}: {'out of date' if options.check else 'renewed'}")
                if not options.check:
                    page.write_text(new, "utf-8")
    return 1 if failed or (options.check and stale) else 0


if __name__ == "__main__":
    sys.exit(main())
