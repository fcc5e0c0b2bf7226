"""Labelled claims beside tables: what the verdict on tables learns from.

InfoTabS' training claims are entailed, contradicted or neither. TabFact's are true or false, and
some are set beside a table that leaves them open (`silenced`). Tables whose statements the
encoder learned from are left out where enough others are there: what it knows by heart, it says
too surely.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from feverfew.factory.skills.tables import Grid
from feverfew.lab.train.datasets import Statement, TabFact, infobox_view, read_rows
from feverfew.lab.train.made_pairs import drawn
from feverfew.tables.execute import Runner
from feverfew.tables.linking import link
from feverfew.tables.view import TableView, rows_of

_LABELS = {"E": 0, "C": 1, "N": 2}
WEIGHED = 3000
"""Claims of InfoTabS that the verdict on tables is weighed by; the head for cells sees others."""
_SILENCED = 3
"""One in so many statements is silenced."""


class TableClaim(Struct, frozen=True):
    """A claim, what it is to be judged by, and which verdict is right: 0 S, 1 R, 2 N."""

    claim: str
    view: TableView
    label: int
    table: str
    """Claims of one table are right and wrong together."""


def infobox_claims(tables: Path, part: str, count: int | None, seed: int) -> list[TableClaim]:
    """Draw claims of InfoTabS' part `train` or `dev`, whole infoboxes at a time; None: all.

    Of what `dev` has an infobox, too, no claim of `train` is drawn.
    """
    rows = list(read_rows(tables / f"infotabs_{part}.jsonl.gz"))
    titles = _titles(tables, {row["table_id"] for row in rows})
    if part == "train":
        reported = infobox_titles(tables, "dev")
        rows = [row for row in rows if titles[row["table_id"]] not in reported]
    names = sorted({row["table_id"] for row in rows})
    random.Random(seed).shuffle(names)
    by_table: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
    for row in rows:
        by_table[row["table_id"]].append((row["hypothesis"], _LABELS[row["label"]]))
    views = {
        row["id"]: infobox_view(row["table"])
        for row in read_rows(tables / "infotabs_tables.jsonl.gz")
        if row["id"] in by_table
    }
    made = [
        TableClaim(claim, views[name], label, name)
        for name, own in by_table.items()
        for claim, label in own
    ]
    return made[:count]


def infobox_titles(tables: Path, part: str) -> set[str]:
    """Name what the infoboxes of a part are about."""
    names = {row["table_id"] for row in read_rows(tables / f"infotabs_{part}.jsonl.gz")}
    return set(_titles(tables, names).values())


def _titles(tables: Path, names: set[str]) -> dict[str, str]:
    return {
        row["id"]: " ".join(row["table"].get("title", []))
        for row in read_rows(tables / "infotabs_tables.jsonl.gz")
        if row["id"] in names
    }


def statement_claims(tabfact: TabFact, count: int, seed: int) -> Iterator[TableClaim]:
    """Draw statements of TabFact's training part; beside every third stands a silent table."""
    learned = {one.table for one in drawn(tabfact)}
    rng = random.Random(seed)
    free = [one for one in tabfact.training if one.table not in learned]
    pool = free or tabfact.training
    chosen = rng.sample(pool, min(count, len(pool)))
    views = tabfact.views(chosen)
    names = sorted(tabfact.tables)
    for at, one in enumerate(chosen):
        yield TableClaim(one.text, views[one.table], 0 if one.label else 1, one.table)
        if at % _SILENCED == 0:
            silent = silenced(one, tabfact.tables, names, rng)
            yield TableClaim(one.text, silent, 2, one.table)


def silenced(
    one: Statement, tables: dict[str, dict[str, Any]], names: Sequence[str], rng: random.Random
) -> TableView:
    """Make a table that does not settle a statement: another, or its own without what it names."""
    own = tables[one.table]
    way = rng.choice(("other", "column", "rows"))
    view = TableView.of_rows(own["rows"], own["caption"])
    links = link(one.text, view)
    if way == "other" or not links.cells:
        other = tables[rng.choice(names)]
        return TableView.of_rows(other["rows"], other["caption"])
    condition = links.cells[0].condition
    if way == "column":
        kept = [row[: condition.column] + row[condition.column + 1 :] for row in own["rows"]]
    else:
        gone = set(rows_of(Runner(view).rows(condition)))
        kept = [row for at, row in enumerate(own["rows"]) if at == 0 or at - 1 not in gone]
    return TableView.of_rows(kept, own["caption"])


def wiki_grids(path: Path) -> list[Grid]:
    """Read tables of Wikipedia whose rows all have as many cells as their header."""
    grids = []
    for row in read_rows(path):
        head, *body = ([cell[0] for cell in cells] for cells in (row["header"], *row["data"]))
        if len(head) > 1 and all(len(cells) == len(head) for cells in body):
            named = ", ".join(part for part in (row["title"], row.get("section_title")) if part)
            grids.append(Grid(named, [head, *body]))
    return grids
