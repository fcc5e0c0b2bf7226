"""`feverfew search` and `evidence`: find pages, tables and sentences."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.options import corpus_option, json_option, open_corpus
from feverfew.cli.output import plain, print_json, stdout

if TYPE_CHECKING:
    from feverfew.corpus import Corpus
    from feverfew.retrieve import Candidate, Retriever
    from feverfew.tables.search import TableHit
    from feverfew.types import Claim, Evidence

_BATCH = 2_000


@click.command("search")
@click.argument("query", required=False)
@corpus_option
@click.option(
    "--claims",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A file of claims; - for stdin.",
)
@click.option(
    "-k", default=10, show_default=True, type=click.IntRange(1), help="Pages, or tables, per claim."
)
@click.option(
    "--retriever",
    default="ranked",
    show_default=True,
    type=click.Choice(["ranked", "lexical", "titles"]),
    help="How to search.",
)
@click.option(
    "--max-hops",
    default=1,
    show_default=True,
    type=click.IntRange(1, 4),
    metavar="N",
    help="The longest chain of pages; above 1, also searches pages that found pages lead to.",
)
@click.option("--list-tables", is_flag=True, help="List tables instead of pages.")
@click.option(
    "--workers", type=click.IntRange(1), help="Processes for --claims; one per core by default."
)
@json_option
def search(
    query: str | None,
    directory: Path | None,
    claims: Path | None,
    k: int,
    retriever: str,
    max_hops: int,
    list_tables: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Find the pages that matter to a claim, or to each claim of a file.

    Claims may be in the format of FEVER, FEVEROUS or HoVer, or plain text, one per line. With
    --json, prints one line for each claim: {"id": …, "pages": [{"title": …, "score": …}, …]}. With
    --list-tables, finds tables, by their content and on the pages found.

    \b
    feverfew search "The director of Metropolis was born in Vienna."
    feverfew search --corpus my.corpus --claims dev.jsonl -k 10 --json > pages.jsonl
    """
    if (query is None) == (claims is None):
        raise click.UsageError("give a QUERY, or --claims FILE")
    if max_hops > 1 and retriever != "ranked":
        raise click.UsageError("--max-hops needs --retriever ranked")
    if list_tables:
        from feverfew.readers import read_claims
        from feverfew.readers.bounded import bounded
        from feverfew.types import Claim

        asked = (
            [Claim(id=1, text=query)] if query is not None else bounded(read_claims, str(claims))
        )
        _search_tables(asked, directory, k, retriever, max_hops, as_json)
    elif query is not None:
        _search_one(query, directory, k, retriever, max_hops, as_json)
    elif claims is not None:
        _search_file(claims, directory, k, retriever, max_hops, workers, as_json)


def _open(corpus: "Corpus", retriever: str, max_hops: int) -> "Retriever":
    from feverfew.retrieve import Hops
    from feverfew.retrieve.batch import open_retriever

    if max_hops > 1:
        return Hops.open(corpus, rounds=max_hops - 1)
    return open_retriever(retriever, corpus)


def _search_one(
    query: str, directory: Path | None, k: int, retriever: str, max_hops: int, as_json: bool
) -> None:
    from rich.table import Table

    from feverfew.text import display_title

    with open_corpus(directory) as corpus:
        found = _open(corpus, retriever, max_hops).retrieve([query], k)[0]
        if as_json:
            print_json({"id": 1, "pages": [_page(c) for c in found]})
            return
        if not found:
            stdout().print("No page shares a name or a word with it.")
            return
        # The sentence alone gives way where the window is narrow.
        table = Table(box=None, pad_edge=False, show_header=False, expand=True)
        table.add_column(justify="right", style="dim")
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="ellipsis", no_wrap=True, ratio=1)
        heads = corpus.store.heads(c.number for c in found)
        for candidate in found:
            sentences = heads[candidate.number].sentences
            first = sentences[0].text if sentences else ""
            shown = display_title(candidate.title)
            if candidate.via is not None:
                shown += f" ← {display_title(candidate.via.by.page)}"
            table.add_row(f"{candidate.score:.2f}", shown, first)
        stdout().print(table)


def _search_file(
    claims: Path,
    directory: Path | None,
    k: int,
    retriever: str,
    max_hops: int,
    workers: int | None,
    as_json: bool,
) -> None:
    from itertools import islice

    from feverfew.readers import read_claims
    from feverfew.readers.bounded import bounded
    from feverfew.retrieve import Batch

    with (
        open_corpus(directory) as corpus,
        Batch(corpus.path, workers, retriever=retriever) as batch,
    ):
        reader = bounded(read_claims, claims)
        searcher = batch if max_hops == 1 else _open(corpus, retriever, max_hops)
        while group := list(islice(reader, _BATCH)):
            found = searcher.retrieve([claim.text for claim in group], k)
            for claim, candidates in zip(group, found, strict=True):
                if as_json:
                    print_json({"id": claim.id, "pages": [_page(c) for c in candidates]})
                else:
                    titles = " · ".join(c.title for c in candidates)
                    click.echo(plain(f"{claim.id}\t{titles}"))


def _page(found: "Candidate") -> dict[str, object]:
    """Return a page for JSON, with the sentence that led to it, if any."""
    page: dict[str, object] = {"title": found.title, "score": found.score}
    if found.via is not None:
        page["via"] = {"by": str(found.via.by), "how": found.via.how}
    return page


_TABLE_BATCH = 32


def _search_tables(
    claims: "Iterable[Claim]",
    directory: Path | None,
    k: int,
    retriever: str,
    max_hops: int,
    as_json: bool,
) -> None:
    """Print the k best tables for each claim; for several claims, one line each."""
    with open_corpus(directory) as corpus:
        pages = _open(corpus, retriever, max_hops)
        rest = iter(claims)
        first = list(islice(rest, 2))
        if len(first) == 1 and not as_json:
            _print_tables(next(_tables_found(corpus, first, k, pages))[1])
            return
        for claims_of in (first, rest):
            for claim, hits in _tables_found(corpus, claims_of, k, pages):
                if as_json:
                    print_json({"id": claim.id, "tables": [_table(hit) for hit in hits]})
                else:
                    click.echo(plain(f"{claim.id}\t{' · '.join(_name(hit) for hit in hits)}"))


def _tables_found(
    corpus: "Corpus", claims: "Iterable[Claim]", k: int, pages: "Retriever"
) -> "Iterator[tuple[Claim, list[TableHit]]]":
    from feverfew.tables.search import PAGES, CorpusTables

    tables = CorpusTables.open(corpus)
    rest = iter(claims)
    while group := list(islice(rest, _TABLE_BATCH)):
        texts = [claim.text for claim in group]
        near = [[page.number for page in own] for own in pages.retrieve(texts, PAGES)]
        yield from zip(group, tables.find(texts, near, k), strict=True)


def _print_tables(hits: "list[TableHit]") -> None:
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
        described = " · ".join(dict.fromkeys(filter(None, (*hit.section, own.caption, *heads))))
        kind = "infobox" if own.infobox else f"{_kind(hit)} {own.index}"
        table.add_row(f"{hit.score:.2f}", f"{display_title(hit.page.title)}, {kind}", described)
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


@click.command("evidence")
@click.argument("claim")
@corpus_option
@click.option("-k", default=5, show_default=True, type=click.IntRange(1), help="Sentences.")
@json_option
def evidence(claim: str, directory: Path | None, k: int, as_json: bool) -> None:
    """Find the sentences most likely to decide a claim.

    With --json: {"claim": …, "evidence": [{"id": …, "text": …, "title": …, "section": …,
    "name": …, "score": …, "hop": …}, …]}.

    \b
    feverfew evidence "The director of Metropolis was born in Vienna."
    feverfew evidence --corpus my.corpus -k 3 "We reimburse train tickets."
    """
    from feverfew.retrieve import Ranked
    from feverfew.select import PAGES, Sentences

    with open_corpus(directory) as corpus:
        pages = Ranked.open(corpus).retrieve([claim], PAGES)
        found = Sentences.open(corpus).select([claim], pages, k)[0]
    if as_json:
        print_json({"claim": claim, "evidence": [_plain(piece) for piece in found]})
    elif found:
        _print_evidence(found)
    else:
        stdout().print("No page shares a name or a word with it.")


def _plain(piece: "Evidence") -> dict[str, object]:
    from feverfew.render.as_json import source_json

    return {
        "id": str(piece.ref),
        "text": piece.text,
        "title": piece.context.title,
        "section": piece.context.section,
        "name": piece.context.name,
        "score": piece.score,
        "hop": piece.hop,
        "source": source_json(piece.source),
    }


def _print_evidence(found: list["Evidence"]) -> None:
    from rich.text import Text

    from feverfew.render.wording import reading, where

    for piece in found:
        line = Text.assemble((where(piece), "bold"), "  ", (str(piece.ref), "dim"))
        line.append(f"\n  {reading(piece)}")
        stdout().print(line, soft_wrap=True)
