"""Train the search for tables: `python -m feverfew.lab.train.tableranker --data DIR -o FILE`.

DIR holds `tables/` (TabFact, FeTaQA) and `wiki/tables.jsonl.gz`. All of their tables are
searched; it learns from statements and sentences whose tables and pages are not reported on.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click
import msgspec
import numpy as np

from feverfew.corpus.tables import TableEntry
from feverfew.lab.train.network import Group, fit
from feverfew.lab.train.tablesets import bucket, read_fetaqa, read_rows, read_tabfact
from feverfew.models.network import Network
from feverfew.tables.search import FEATURES, Tables

_HELD = 26


def fetaqa_key(page: str, section: str, rows: list[list[str]]) -> str:
    """Name a table of FeTaQA; sentences about one table share its name."""
    return f"fetaqa {page} {section} {len(rows)} {rows[-1][0]}"


def read_tables(data: Path) -> Iterator[TableEntry]:
    """Yield every table of the three sets."""
    for row in read_rows(data / "tables/tabfact_tables.jsonl.gz"):
        page = unquote((row["url"] or "").rpartition("/wiki/")[2]).replace("_", " ")
        yield _entry(row["id"], page or row["caption"], row["caption"], row["rows"])
    for row in read_rows(data / "wiki/tables.jsonl.gz"):
        rows = [[cell[0] for cell in row["header"]]]
        rows += [[cell[0] for cell in line] for line in row["data"]]
        yield _entry(row["uid"], row["title"], row["section_title"], rows)
    seen: set[str] = set()
    for row in read_rows(data / "tables/fetaqa.jsonl.gz"):
        page, section, rows = (
            row["table_page_title"],
            row["table_section_title"],
            row["table_array"],
        )
        key = fetaqa_key(page, section, rows)
        if key not in seen:
            seen.add(key)
            yield _entry(key, page, section, rows)


def _entry(key: str, page: str | None, section: str | None, rows: list[list[Any]]) -> TableEntry:
    texts = tuple(tuple(str(cell).strip() for cell in row) for row in rows)
    return TableEntry(key, page or "", section or "", texts[0] if texts else (), texts[1:])


def blank_ranker() -> Network:
    """Make an untrained ranker that only counts shared words."""
    size = len(FEATURES)
    hidden = [[1.0 if at == 0 else 0.0] for at in range(size)]
    return Network(list(FEATURES), [0.0] * size, [1.0] * size, hidden, [0.0], [1.0])


@click.command()
@click.option("--data", required=True, type=Path, help="A folder with the table sets.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write the network.")
@click.option("--count", default=1200, show_default=True, help="Claims to learn from.")
@click.option("--seed", default=1, show_default=True, help="Decides order and first weights.")
def main(data: Path, output: Path, count: int, seed: int) -> None:
    """Train the network that ranks tables."""
    tables = Tables(list(read_tables(data)), blank_ranker())
    asked = [
        (answer.text, fetaqa_key(answer.page, answer.section, answer.rows))
        for answer in read_fetaqa(data / "tables").training
    ]
    statements = [one for one in read_tabfact(data / "tables").training if one.label]
    drawn = random.Random(seed).sample(statements, min(count, len(statements)))
    asked = asked[: count // 2] + [(one.text, one.table) for one in drawn][: count - count // 2]
    groups: list[Group] = []
    held: list[bool] = []
    with click.progressbar(asked, file=sys.stderr) as bar:
        for text, key in bar:
            numbers, rows = tables.describe(text)
            gold = np.array([tables.entries[number].key == key for number in numbers], bool)
            if gold.any():
                groups.append((np.array(rows, np.float32), gold))
                held.append(bucket(f"held {key}") < _HELD)
    network = fit(groups, held, FEATURES, seed)
    output.write_bytes(msgspec.json.encode({"tables": network}) + b"\n")


if __name__ == "__main__":
    main()
