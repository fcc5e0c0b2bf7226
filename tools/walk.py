"""Print which source files a claim, a page or a prediction passes through, in order.

    python tools/walk.py claim          # a supported claim, and one without enough info
    python tools/walk.py page           # a page that is indexed
    python tools/walk.py prediction     # a prediction that is scored

It is a map for newcomers: read the files from top to bottom. Each line has the file, how many of
its functions were called and how often, and the first one. What runs when modules are
imported, or when the corpus and the model are opened, is not counted.
"""

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import feverfew

ROOT = Path(__file__).resolve().parents[1]
SOURCE = Path(feverfew.__file__).parent

__all__ = ["Step", "main", "walked"]


class Step(NamedTuple):
    """A file on the way."""

    path: str
    first: str
    """The function that was called first."""
    functions: int
    calls: int


class Walk:
    """Counts the calls into Feverfew's own files, in the order in which they first happen."""

    def __init__(self) -> None:
        self._calls: dict[str, dict[CodeType, int]] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Note a call; this is what `sys.setprofile` takes."""
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and str(SOURCE) in code.co_filename:
            path = str(Path(code.co_filename).relative_to(SOURCE))
            calls = self._calls.setdefault(path, {})
            calls[code] = calls.get(code, 0) + 1

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count what is called in this block, in other threads too."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def steps(self) -> list[Step]:
        """Return the files that were passed, in order."""
        return [
            Step(path, next(iter(calls)).co_qualname, len(calls), sum(calls.values()))
            for path, calls in self._calls.items()
        ]


def walked(run: Callable[[], object]) -> list[Step]:
    """Run something twice, so that nothing is loaded the second time, and watch that."""
    run()
    walk = Walk()
    with walk.watching():
        run()
    return walk.steps()


def _claims() -> Iterator[tuple[str, Callable[[], object]]]:
    from feverfew.check import Checker

    checker = Checker.open()
    for claim in ("Fritz Lang was born in Vienna.", "Fritz Lang owned a parrot."):
        verdict = checker.check([claim])[0].verdict
        yield f"{claim} {verdict}", partial(checker.check, [claim])


def _pages() -> Iterator[tuple[str, Callable[[], object]]]:
    from feverfew.corpus.build import build

    folder = Path(tempfile.mkdtemp())
    page = folder / "page.md"
    page.write_text("# Rivers\n\nThe Alva is a river.\n\n- one\n- two\n", "utf-8")
    yield "page.md is indexed", lambda: build([page], folder / "page.corpus", workers=0)


def _predictions() -> Iterator[tuple[str, Callable[[], object]]]:
    from feverfew import bootstrap, fever_score, read_claims, read_predictions

    folder = ROOT / "docs" / "examples"

    def run() -> object:
        claims = read_claims(folder / "dev.jsonl")
        return bootstrap(
            fever_score(claims, read_predictions(folder / "predictions.jsonl", "fever"))
        )

    yield "predictions.jsonl is scored", run


WALKS = {"claim": _claims, "page": _pages, "prediction": _predictions}


def main() -> None:
    """Print the walk of what is named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=WALKS)
    for number, (title, run) in enumerate(WALKS[parser.parse_args().what]()):
        steps = walked(run)
        print(f"{chr(10) if number else ''}{title}: {len(steps)} files")
        for step in steps:
            print(f"{step.calls:7} calls of {step.functions:3}  {step.path:34} {step.first}")


if __name__ == "__main__":
    main()
