"""A short form of each way of breaking things; `make torture` runs the long one."""

from pathlib import Path

import pytest

from tools.torture import bombs, inputs


@pytest.mark.parametrize("name", ["escaped_quotes.jsonl", "endless_search.db", "wide_table.csv"])
def test_bombs_are_skipped_and_the_rest_is_kept(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bombs, "BOMBS", {name: bombs.BOMBS[name]})
    monkeypatch.setattr(bombs, "MOST_SECONDS", 120.0)  # a busy machine is not what is tried here
    assert bombs.run(1, 0, tmp_path).failures == ()


def test_bad_inputs_are_read_or_refused(tmp_path: Path) -> None:
    result = inputs.run(120, 7, tmp_path)
    assert (result.tries, result.failures) == (120, ())
    assert result.notes["refused"] > 20
