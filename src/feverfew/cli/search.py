"""`feverfew search`: find the pages that matter to a claim."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.common import corpus_option, json_option, open_corpus, print_json, stdout

if TYPE_CHECKING:
    from feverfew.retrieve import Candidate

__all__ = ["command"]

_BATCH = 2_000


@click.command("search")
@click.argument("query", required=False)
@corpus_option
@click.option("--claims", type=click.Path(path_type=Path), help="A file of claims; - for stdin.")
@click.option(
    "-k", default=10, show_default=True, type=click.IntRange(1), help="Pages, or tables, a claim."
)
@click.option(
    "--retriever",
    default="ranked",
    show_default=True,
    type=click.Choice(["ranked", "hops", "lexical", "titles"]),
    help="How to search; hops follows, in rounds, where pages lead.",
)
@click.option("--tables", is_flag=True, help="List tables instead of pages.")
@click.option("--workers", type=click.IntRange(1), help="Processes for --claims; one per core.")
@json_option
def command(
    query: str | None,
    directory: Path | None,
    claims: Path | None,
    k: int,
    retriever: str,
    tables: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Find the pages that matter to a claim, or to each claim of a file.

    Claims may be in the form of FEVER, FEVEROUS or HoVer, or plain text, one a line. With
    --json, a line a claim: {"id": …, "pages": [{"title": …, "score": …}, …]}. With --tables, the
    tables that matter, found by their own words and on the pages found.

    \b
    feverfew search "The director of Metropolis was born in Vienna."
    feverfew search --corpus my.corpus --claims dev.jsonl -k 10 --json > pages.jsonl
    """
    if (query is None) == (claims is None):
        raise click.UsageError("give a QUERY, or --claims FILE")
    if tables:
        from feverfew.cli.search_tables import search_tables
        from feverfew.readers import read_claims
        from feverfew.types import Claim

        asked = [Claim(id=1, text=query)] if query is not None else read_claims(str(claims))
        search_tables(asked, directory, k, retriever, as_json)
    elif query is not None:
        _search_one(query, directory, k, retriever, as_json)
    elif claims is not None:
        _search_file(claims, directory, k, retriever, workers, as_json)


def _search_one(query: str, directory: Path | None, k: int, retriever: str, as_json: bool) -> None:
    from rich.table import Table

    from feverfew.retrieve.named import open_retriever
    from feverfew.text import display_title

    with open_corpus(directory) as corpus:
        found = open_retriever(retriever, corpus).retrieve([query], k)[0]
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
    workers: int | None,
    as_json: bool,
) -> None:
    from itertools import islice

    from feverfew.readers import read_claims
    from feverfew.retrieve import Batch

    with (
        open_corpus(directory) as corpus,
        Batch(corpus.path, workers, retriever=retriever) as batch,
    ):
        reader = read_claims(claims)
        while group := list(islice(reader, _BATCH)):
            found = batch.retrieve([claim.text for claim in group], k)
            for claim, candidates in zip(group, found, strict=True):
                if as_json:
                    print_json({"id": claim.id, "pages": [_page(c) for c in candidates]})
                else:
                    titles = " · ".join(c.title for c in candidates)
                    click.echo(f"{claim.id}\t{titles}")


def _page(found: "Candidate") -> dict[str, object]:
    """Write a page for JSON, with the sentence that led to it where there is one."""
    page: dict[str, object] = {"title": found.title, "score": found.score}
    if found.via is not None:
        page["via"] = {"by": str(found.via.by), "how": found.via.how}
    return page
