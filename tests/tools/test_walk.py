"""The map of the code."""

from pathlib import Path

import pytest

from tools.walk import SOURCE, WALKS, walked


@pytest.mark.parametrize("what", ["page", "prediction"])
def test_a_walk_names_the_files_passed(what: str) -> None:
    for _, run in WALKS[what]():
        steps = walked(run)
        assert all((SOURCE / step.path).exists() for step in steps)
        assert len({step.path for step in steps}) == len(steps)
        assert {Path(step.path).parts[0] for step in steps} >= {"readers"}


def test_calls_are_counted_and_imports_are_not() -> None:
    from feverfew.text import display_title

    (step,) = [s for s in walked(lambda: display_title("A_b")) if s.path == "text.py"]
    assert step.first == "display_title"
    assert step.calls >= 1
