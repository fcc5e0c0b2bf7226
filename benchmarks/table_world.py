"""Join WikiTables-WithLinks with introductions into pages with text, tables and links.

    python -m benchmarks.table_world wiki/tables.jsonl.gz wiki.corpus -o pages.jsonl
    feverfew index pages.jsonl -o tables.corpus

The lines are in FEVEROUS's format of pages: those that have tables, and those that cells link to.
"""

import argparse
import gzip
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from feverfew.corpus import Corpus
from feverfew.text import detokenise, display_title, sentences


def _cell(cell: tuple[str, list[str]], place: str, header: bool) -> dict[str, Any]:
    text = re.sub(r"\s*[\[\]|]\s*", " ", detokenise(cell[0])).strip()
    # Of several links one cannot tell which words carry which.
    if len(cell[1]) == 1 and text:
        text = f"[[{unquote(cell[1][0].removeprefix('/wiki/'))}|{text}]]"
    return {
        "id": place, "value": text, "is_header": header, "row_span": "1", "column_span": "1"
    }  # fmt: skip


def _page(title: str, tables: list[dict[str, Any]], lines: list[tuple[int, str]]) -> dict[str, Any]:
    page: dict[str, Any] = {"title": title, "order": []}
    for index, text in lines:
        page["order"].append(f"sentence_{index}")
        page[f"sentence_{index}"] = text
    for number, table in enumerate(tables):
        heading = detokenise(table["section_title"].split(" -- ")[-1])
        if heading:
            page["order"].append(f"section_{number}")
            page[f"section_{number}"] = {"value": heading, "level": 1}
        rows = [
            [
                _cell(c, f"header_cell_{number}_0_{at}", True)
                for at, c in enumerate(table["header"])
            ],
            *(
                [_cell(c, f"cell_{number}_{row}_{at}", False) for at, c in enumerate(cells)]
                for row, cells in enumerate(table["data"], 1)
            ),
        ]
        page["order"].append(f"table_{number}")
        page[f"table_{number}"] = {"type": "table", "table": rows}
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=10**9, help="Pages with tables, at most.")
    settings = parser.parse_args()
    by_title: dict[str, list[dict[str, Any]]] = defaultdict(list)
    linked: set[str] = set()
    with gzip.open(settings.tables, "rt", encoding="utf-8") as file:
        for line in file:
            table = json.loads(line)
            if table["title"] not in by_title and len(by_title) >= settings.pages:
                continue
            by_title[table["title"]].append(table)
            linked |= {
                display_title(unquote(link.removeprefix("/wiki/")))
                for row in table["data"] for cell in row if len(cell[1]) == 1 for link in cell[1]
            }  # fmt: skip
    with Corpus.open(settings.corpus) as corpus, settings.output.open("w", encoding="utf-8") as out:
        for title in sorted({*by_title, *linked}):
            tables = by_title.get(title, [])
            number = corpus.number(title)
            known = corpus.store.page(number) if number is not None else None
            if known is not None and known.sentences:
                lines = [(s.index, s.text) for s in known.sentences]
            elif tables:
                lines = list(enumerate(sentences(tables[0]["intro"])))
            else:
                continue
            out.write(json.dumps(_page(title, tables, lines), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
