"""`feverfew show`: print a page, or one element of it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.common import corpus_option, json_option, open_corpus, print_json, stdout

if TYPE_CHECKING:
    from feverfew.corpus import Corpus

__all__ = ["command"]


@click.command("show")
@click.argument("name")
@corpus_option
@json_option
def command(name: str, directory: Path | None, as_json: bool) -> None:
    """Print a page by its title or an alias, or one element by its id.

    \b
    feverfew show "Fritz Lang"
    feverfew show "Fritz Lang_sentence_0"
    feverfew show "Vienna_cell_0_1_1" --json
    """
    from feverfew.render.page_json import page_json
    from feverfew.render.terminal import print_page

    with open_corpus(directory) as corpus:
        if name not in corpus and (element := _element(corpus, name)):
            ref, text = element
            print_json({"id": ref, "text": text}) if as_json else click.echo(text)
            return
        page = corpus.page(name)
        if as_json:
            print_json(page_json(page))
        else:
            print_page(page, stdout())


def _element(corpus: "Corpus", name: str) -> tuple[str, str] | None:
    from feverfew.errors import BadReference
    from feverfew.types import Ref

    try:
        ref = Ref.parse(name)
    except BadReference:
        return None
    return (str(ref), corpus.element(ref)) if ref.page in corpus else None
