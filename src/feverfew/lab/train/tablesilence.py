"""Teach the scorer when a table does not speak of a claim.

TabFact's statements are all true or false of their table. So each is set beside another table,
or beside its own without the column or the rows that it names first: the way in which FEVEROUS
makes claims that cannot be settled.
"""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feverfew.lab.train.tablesets import Statement
from feverfew.tables.execute import Runner
from feverfew.tables.linking import link
from feverfew.tables.programs import try_programs
from feverfew.tables.view import TableView, rows_of

Array = NDArray[np.float32]
_STEPS, _RIDGE = 12, 3.0


def silenced(
    one: Statement, tables: dict[str, dict[str, Any]], names: Sequence[str], rng: random.Random
) -> TableView:
    """Make a table that does not settle a statement."""
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


def fit_speaks(
    statements: Sequence[Statement],
    tables: dict[str, dict[str, Any]],
    scale: tuple[Array, Array],
    *,
    count: int,
    seed: int,
) -> tuple[list[float], float]:
    """Fit a logistic regression over the statement's features; return its weights and bias."""
    rng = random.Random(seed)
    chosen = rng.sample(list(statements), min(count, len(statements)))
    names = sorted(tables)
    rows: list[Array] = []
    for one in chosen:
        own = tables[one.table]
        view = TableView.of_rows(own["rows"], own["caption"])
        rows.append(try_programs(one.text, view).statement)
        rows.append(try_programs(one.text, silenced(one, tables, names, rng)).statement)
    inputs = np.hstack([(np.array(rows) - scale[0]) / scale[1], np.ones((len(rows), 1))])
    labels = np.tile([1.0, 0.0], len(chosen))
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):  # Newton's method, with a little ridge
        shares = 1 / (1 + np.exp(-inputs @ weights))
        curve = (inputs * (shares * (1 - shares))[:, None]).T @ inputs
        slope = inputs.T @ (labels - shares) - _RIDGE * weights
        weights += np.linalg.solve(curve + _RIDGE * np.eye(len(weights)), slope)
    found: list[float] = np.round(weights, 4).tolist()
    return found[:-1], found[-1]
