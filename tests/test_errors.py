"""One tree of errors, drawn as it is, that survives the way home from a worker process."""

import inspect
import pickle
import re

import pytest

from feverfew import errors
from feverfew.errors import BadRecord, FeverfewError, MissingExtra, ScoreError


def drawn(parent: type, margin: str = "") -> list[str]:
    children = [c for c in vars(errors).values() if inspect.isclass(c) and c.__base__ is parent]
    lines: list[str] = []
    for child in children:
        last = child is children[-1]
        lines.append(margin + ("└── " if last else "├── ") + child.__name__)
        lines += drawn(child, margin + ("    " if last else "│   "))
    return lines


def test_the_docstring_draws_the_tree() -> None:
    doc = inspect.getdoc(errors) or ""
    names = [re.match(r"[│├└─ ]*\w+", line) for line in doc.splitlines()[2:]]
    assert [name and name[0] for name in names] == ["FeverfewError", *drawn(FeverfewError)]


def test_all_is_every_error() -> None:
    classes = {n for n, v in vars(errors).items() if inspect.isclass(v)}
    assert classes == set(errors.__all__)


@pytest.mark.parametrize(
    ("path", "line", "text"),
    [
        ("dev.jsonl", 417, "dev.jsonl:417: unknown label"),
        ("dev.jsonl", 0, "dev.jsonl: unknown label"),
        ("", 0, "unknown label"),
    ],
)
def test_a_bad_record_says_where(path: str, line: int, text: str) -> None:
    assert str(BadRecord("unknown label", path=path, line=line)) == text


@pytest.mark.parametrize(
    "error",
    [
        BadRecord("broken JSON", path="a.jsonl", line=7),
        MissingExtra("reading PDF", "documents"),
        *(getattr(errors, name)("why") for name in errors.__all__ if name not in ("MissingExtra",)),
    ],
)
def test_errors_come_home_from_a_worker(error: FeverfewError) -> None:
    home = pickle.loads(pickle.dumps(error))
    assert type(home) is type(error)
    assert str(home) == str(error)
    assert vars(home) == vars(error)


def test_a_missing_extra_says_what_to_install() -> None:
    assert "pip install 'feverfew[documents]'" in str(MissingExtra("reading PDF", "documents"))


def test_a_score_error_knows_whose_fault_it_is() -> None:
    error = ScoreError("no prediction", side="predictions", id=7)
    assert (str(error), error.side, error.id) == ("no prediction", "predictions", 7)
