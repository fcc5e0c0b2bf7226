"""`feverfew search --tables`: list the tables that matter to a claim."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.common import open_corpus, print_json, stdout

if TYPE_CHECKING:
    from feverfew.corpus import Corpus
    from feverfew.tables.search import TableHit
    from feverfew.types import Claim

__all__ = ["search_tables"]

_BATCH = 32


def search_tables(
    claims: "Iterable[Claim]", directory: Path | None, k: int, retriever: str, as_json: bool
) -> None:
    """Print the k best tables for each claim; several claims, a line each."""
    with open_corpus(directory) as corpus:
        rest = iter(claims)
        first = list(islice(rest, 2))
        if len(first) == 1 and not as_json:
            _print_one(next(_found(corpus, first, k, retriever))[1])
            return
        for claims_of in (first, rest):
            for claim, hits in _found(corpus, claims_of, k, retriever):
                if as_json:
                    print_json({"id": claim.id, "tables": [_table(hit) for hit in hits]})
                else:
                    click.echo(f"{claim.id}\t{' · '.join(_name(hit) for hit in hits)}")


def _found(
    corpus: "Corpus", claims: "Iterable[Claim]", k: int, retriever: str
) -> "Iterator[tuple[Claim, list[TableHit]]]":
    from feverfew.retrieve.named import open_retriever
    from feverfew.tables.search import PAGES, CorpusTables

    pages, tables = open_retriever(retriever, corpus), CorpusTables.open(corpus)
    rest = iter(claims)
    while group := list(islice(rest, _BATCH)):
        texts = [claim.text for claim in group]
        yield from zip(group, tables.find(texts, pages.retrieve(texts, PAGES), k), strict=True)


def _print_one(hits: "list[TableHit]") -> None:
    from rich.table import Table

    from feverfew.text import display_title

    if not hits:
        stdout().print("No table shares a word with it.")
        return
    table = Table(box=None, pad_edge=False, show_header=False, expand=True)
    table.add_column(justify="right", style="dim")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="ellipsis", no_wrap=True, ratio=1)
    for hit in hits:
        own = hit.table
        heads = [cell.text for row in own.rows for cell in row if cell.header]
        told = " · ".join(dict.fromkeys(filter(None, (*hit.section, own.caption, *heads))))
        kind = "infobox" if own.infobox else f"{_kind(hit)} {own.index}"
        table.add_row(f"{hit.score:.2f}", f"{display_title(hit.page.title)}, {kind}", told)
    stdout().print(table)


def _kind(hit: "TableHit") -> str:
    from feverfew.readers.tables import ListTable

    return "list" if isinstance(hit.table, ListTable) else "table"


def _name(hit: "TableHit") -> str:
    return f"{hit.page.title} {_kind(hit)}_{hit.table.index}"


def _table(hit: "TableHit") -> dict[str, object]:
    return {
        "page": hit.page.title,
        "table": hit.table.index,
        "listed": _kind(hit) == "list",
        "infobox": hit.table.infobox,
        "section": hit.section,
        "caption": hit.table.caption,
        "score": hit.score,
    }
