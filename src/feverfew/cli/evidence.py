"""`feverfew evidence`: find the sentences most likely to settle a claim."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.common import corpus_option, json_option, open_corpus, print_json, stdout

if TYPE_CHECKING:
    from feverfew.types import Evidence

__all__ = ["command"]


@click.command("evidence")
@click.argument("claim")
@corpus_option
@click.option("-k", default=5, show_default=True, type=click.IntRange(1), help="Sentences.")
@json_option
def command(claim: str, directory: Path | None, k: int, as_json: bool) -> None:
    """Find the sentences most likely to settle a claim.

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
        _print(found)
    else:
        stdout().print("No page shares a name or a word with it.")


def _plain(piece: "Evidence") -> dict[str, object]:
    return {
        "id": str(piece.ref),
        "text": piece.text,
        "title": piece.context.title,
        "section": piece.context.section,
        "name": piece.context.name,
        "score": piece.score,
        "hop": piece.hop,
    }


def _print(found: list["Evidence"]) -> None:
    from rich.text import Text

    from feverfew.render.wording import reading, where

    for piece in found:
        line = Text.assemble((where(piece), "bold"), "  ", (str(piece.ref), "dim"))
        line.append(f"\n  {reading(piece)}")
        stdout().print(line, soft_wrap=True)
