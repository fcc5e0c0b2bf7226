"""Make FEVEROUS's pages: `python -m feverfew.lab.papers.feverouspages --data DIR -o FILE`.

FEVEROUS's own pages are not at hand; what is known of them is put together: the sentences that
settle claims, at their true numbers, and the tables of FeTaQA, TabFact and WikiTables. What an
introduction at hand says beside them stands under numbers that no claim uses, so that choosing
a sentence is a choice. The file is in FEVEROUS's format; index it before `wiki/intros`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from feverfew.corpus.tables import TableEntry
from feverfew.errors import BadReference
from feverfew.lab.train.tableranker import read_tables
from feverfew.lab.train.tablesets import read_rows
from feverfew.text import detokenise, title_key, words
from feverfew.types import Kind, Ref

__all__ = ["BESIDE", "Places", "SentenceRow", "page_of", "sentence_rows", "table_places"]

BESIDE = 1000
"""The number of the first sentence that no claim speaks of."""
_ALIKE = 0.5
"""Sentences that share so many of their words say the same: one of them is enough."""
_LINK = re.compile(r"\[\[(?:[^]|]*\|)?([^]]*)]]")
Places = dict[str, tuple[str, int]]
"""Where each table stands: its page as it is spelled, and its number there."""


class SentenceRow(Struct, frozen=True):
    """One of FEVEROUS's claims that sentences settle, with those sentences at their numbers."""

    id: int
    claim: str
    supported: bool
    gold: tuple[tuple[Ref, str], ...]


def sentence_rows(data: Path) -> Iterator[SentenceRow]:
    """Read the claims; one whose sentences and numbers do not match in count is left out."""
    for row in read_rows(data / "feverous/sentence_claims.jsonl.gz"):
        lines = _LINK.sub(r"\1", row["evidence"]).splitlines()
        try:
            refs = [Ref.parse(name) for name in row["gold_ids_last_set"] or []]
        except BadReference:
            continue
        said = [tuple(line.split("\t", 1)) for line in lines]
        fits = len(refs) == len(said) and all(
            ref.kind is Kind.SENTENCE and own[0] == ref.page and len(own) == 2
            for ref, own in zip(refs, said, strict=True)
        )
        if refs and fits:
            gold = tuple((ref, own[1]) for ref, own in zip(refs, said, strict=True))
            yield SentenceRow(row["id"], row["claim"], row["label"].lower() == "supports", gold)


def table_places(data: Path) -> tuple[dict[str, list[TableEntry]], Places]:
    """Gather the tables of each page, and say where each of them stands."""
    pages: dict[str, list[TableEntry]] = {}
    spelled: dict[str, str] = {}
    places: Places = {}
    for row in sentence_rows(data):
        for ref, _ in row.gold:
            spelled.setdefault(title_key(ref.page), ref.page)
    for entry in read_tables(data):
        title = spelled.setdefault(title_key(entry.page) or entry.key, entry.page or entry.key)
        own = pages.setdefault(title, [])
        places[entry.key] = (title, len(own))
        own.append(entry)
    return pages, places


def page_of(
    title: str, gold: dict[int, str], beside: list[str], tables: list[TableEntry]
) -> dict[str, Any]:
    """Write a page as FEVEROUS does; what an introduction says comes before what claims need."""
    page: dict[str, Any] = {"title": title, "order": []}
    known = [frozenset(words(text)) for text in gold.values()]
    new = [text for text in beside if not any(_alike(text, other) for other in known)]
    numbered = {**gold, **{BESIDE + at: text for at, text in enumerate(new)}}
    for number in sorted(numbered, key=lambda n: (n != 0, n < BESIDE, n)):
        page[f"sentence_{number}"] = numbered[number]
        page["order"].append(f"sentence_{number}")
    for at, entry in enumerate(tables):
        lines = [(entry.header, True), *((row, False) for row in entry.rows)]
        cells = [
            [
                {"id": f"{'header_' * head}cell_{at}_{r}_{c}", "value": text, "is_header": head}
                for c, text in enumerate(line)
            ]
            for r, (line, head) in enumerate(lines)
        ]
        page[f"section_{at}"] = {"value": entry.section, "level": 2}
        page[f"table_{at}"] = {"type": "table", "table": cells}
        page["order"] += [f"section_{at}", f"table_{at}"]
    return page


def _alike(text: str, known: frozenset[str]) -> bool:
    own = frozenset(words(text))
    return len(own & known) >= _ALIKE * len(own | known)


def _pages(data: Path) -> Iterator[dict[str, Any]]:
    tables, _ = table_places(data)
    gold: dict[str, dict[int, str]] = {title: {} for title in tables}
    for row in sentence_rows(data):
        for ref, text in row.gold:
            gold.setdefault(ref.page, {})[ref.position[0]] = text
    wanted = {title_key(title): title for title in gold}
    beside: dict[str, list[str]] = {}
    for intro in read_rows(data / "wiki/intros.jsonl.xz"):
        title = wanted.get(title_key(intro["id"]))
        if title is not None:
            parts = (line.split("\t") for line in intro["lines"].split("\n"))
            beside[title] = [detokenise(p[1]) for p in parts if len(p) > 1 and p[1].strip()]
    for title, own in gold.items():
        yield page_of(title, own, beside.get(title, []), tables.get(title, []))


@click.command()
@click.option("--data", required=True, type=Path, help="A folder with feverous/, tables/, wiki/.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write JSON lines.")
def main(data: Path, output: Path) -> None:
    """Write the pages."""
    with output.open("wb") as out:
        for page in _pages(data):
            out.write(msgspec.json.encode(page) + b"\n")


if __name__ == "__main__":
    main()
