"""When tables are heard: the rule that gets most right is chosen, and read from its file."""

from pathlib import Path

import pytest

from feverfew.check.table_gate import FILE, TableGate, Threshold
from feverfew.check.tables import TableResult
from feverfew.errors import InputError
from feverfew.judge import Probabilities
from feverfew.lab.train.table_gate import Seen, chosen, right
from feverfew.tables import TableVerdict, TableView
from feverfew.types import Cell, Claim, Table, Verdict

OPEN: Probabilities = (0.1, 0.1, 0.8)


def seen(
    label: Verdict,
    shares: Probabilities,
    *,
    infobox: bool = False,
    as_one: Probabilities | None = None,
) -> Seen:
    table = Table(0, ((Cell(0, 0, "a", True),), (Cell(1, 0, "b"),)), infobox=infobox)
    looked = TableResult(
        "Page", "", table, TableView.of(table), TableVerdict(shares), (), with_texts=as_one
    )
    return Seen(Claim(id=1, text="A.", label=label), OPEN, looked)


def test_infoboxes_are_heard_where_that_is_right() -> None:
    good = [seen(Verdict.SUPPORTED, (0.85, 0.05, 0.1), infobox=True)] * 3
    bad = [seen(Verdict.NOT_ENOUGH_INFO, (0.45, 0.2, 0.35), infobox=True)] * 2
    best = chosen([*good, *bad])
    assert best.infobox is not None
    assert right([*good, *bad], best) == 5
    assert right([*good, *bad], TableGate()) == 2
    guessed = [seen(Verdict.NOT_ENOUGH_INFO, (0.85, 0.05, 0.1), infobox=True)] * 3
    assert chosen(guessed).infobox is None
    quiet = [seen(Verdict.SUPPORTED, (0.65, 0.05, 0.3), infobox=True)] * 3
    assert chosen(quiet).infobox is None


def test_both_are_read_as_one_where_that_is_right() -> None:
    """Neither the texts nor this table say enough alone."""
    quiet = (0.2, 0.15, 0.65)
    both = [seen(Verdict.REFUTED, quiet, as_one=(0.02, 0.96, 0.02))] * 2
    best = chosen(both)
    assert best.as_one
    assert right(both, best) == 2
    worse = [seen(Verdict.NOT_ENOUGH_INFO, quiet, as_one=(0.02, 0.96, 0.02))] * 2
    assert not chosen(worse).as_one
    # A table that is heard alone needs no text.
    loud = [seen(Verdict.SUPPORTED, (0.9, 0.05, 0.05), as_one=(0.02, 0.96, 0.02))] * 2
    assert right(loud, TableGate(as_one=True)) == 2


def test_the_rule_lies_beside_the_model(tmp_path: Path) -> None:
    assert TableGate.open(tmp_path) == TableGate()
    (tmp_path / FILE).write_text('{"table": {"speaks": 0.7}, "infobox": {"sure": 0.8}}')
    assert TableGate.open(tmp_path) == TableGate(Threshold(0.7, 0.6), Threshold(0.6, 0.8))
    (tmp_path / FILE).write_text('{"table": 3}')
    with pytest.raises(InputError, match=r"hearing\.json.*write it again"):
        TableGate.open(tmp_path)
