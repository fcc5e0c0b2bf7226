"""Kill the server while people work; `make torture` kills it thirty times."""

from pathlib import Path

from tools.torture.annotators import run


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    result = run(2, 0, tmp_path)
    assert result.failures == ()
    assert result.tries == 2
    assert result.notes["acknowledged"]
