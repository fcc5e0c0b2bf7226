"""Kill the server while teams submit; `make torture` kills it fifty times."""

from pathlib import Path

from tools.torture.submissions import run


def test_each_submission_is_refused_or_whole(tmp_path: Path) -> None:
    result = run(1, 0, tmp_path)
    assert result.failures == ()
    assert result.tries == 1
