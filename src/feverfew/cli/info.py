"""`feverfew info`, `show` and `fsck`: inspect a corpus."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.options import corpus_option, json_option, open_corpus
from feverfew.cli.output import plain, plural, print_json, stderr_console, stdout

if TYPE_CHECKING:
    from feverfew.corpus import Corpus


@click.command("info")
@corpus_option
@json_option
def info(directory: Path | None, as_json: bool) -> None:
    """Print the size of a corpus, its sources and its fingerprint.

    \b
    feverfew info
    feverfew info --corpus my.corpus --json
    """
    with open_corpus(directory) as corpus:
        manifest = corpus.manifest
        linked = corpus.linked
        links, missing = corpus.links.counts() if linked else (None, None)
        size = sum(f.stat().st_size for f in corpus.path.rglob("*") if f.is_file())
        facts = {
            "path": str(corpus.path),
            "pages": len(corpus),
            "names": len(corpus.titles),
            "links": links,
            "missing_links": missing,
            "bytes": size,
            "fingerprint": corpus.fingerprint,
            "created": manifest.created,
            "feverfew": manifest.feverfew,
            "format": manifest.format,
            "shards": manifest.shards,
            "sources": manifest.sources,
            "built": manifest.built,
        }
    if as_json:
        print_json(facts)
        return
    built = manifest.built
    shown = ", ".join(manifest.sources[:5]) + (" …" if len(manifest.sources) > 5 else "")
    rows = {
        "corpus": facts["path"],
        "pages": f"{facts['pages']:,}",
        "names": f"{facts['names']:,} (titles, aliases and their short forms)",
        "links": f"{links:,}, and {missing:,} to what is no page"
        if linked
        else "not linked yet; done when links are first needed",
        "size": f"{size / 1e6:,.1f} MB",
        "fingerprint": facts["fingerprint"],
        "built": f"{manifest.created} in {built.seconds:.1f} s by feverfew {manifest.feverfew}",
        "left out": f"{built.duplicates:,} duplicates, {built.bad:,} unreadable records, "
        f"{built.dangling_redirects:,} redirects to no page",
        "sources": shown,
    }
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    for name, value in rows.items():
        table.add_row(f"[dim]{name}[/dim]", str(value))
    stdout().print(table)


@click.command("show")
@click.argument("name")
@corpus_option
@json_option
def show(name: str, directory: Path | None, as_json: bool) -> None:
    """Print a page by its title or an alias, or one element by its id.

    \b
    feverfew show "Fritz Lang"
    feverfew show "Fritz Lang_sentence_0"
    feverfew show "Vienna_cell_0_1_1" --json
    """
    from feverfew.render.as_json import page_json
    from feverfew.render.terminal import print_page

    with open_corpus(directory) as corpus:
        if name not in corpus and (element := _element(corpus, name)):
            ref, text = element
            print_json({"id": ref, "text": text}) if as_json else click.echo(plain(text))
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


@click.command("fsck")
@click.argument("directory", type=click.Path(path_type=Path))
@json_option
def fsck(directory: Path, as_json: bool) -> None:
    """Check every part of a corpus: files, pages, titles, text and counts.

    Exits with 0 if the corpus is sound, and with 1 if not.

    \b
    feverfew fsck my.corpus
    """
    from feverfew.corpus.fsck import fsck

    notes: list[str] = []
    with stderr_console().status("checking") as status:
        problems = fsck(
            directory, lambda count: status.update(f"checking: {count:,} pages"), notes.append
        )
    if as_json:
        print_json({"sound": not problems, "problems": problems, "notes": notes})
    else:
        for problem in problems:
            click.echo(plain(problem))
        for note in notes:
            stderr_console().print(note, markup=False, soft_wrap=True)
        stderr_console().print(
            f"{directory}: {plural(len(problems), 'problem')}"
            if problems
            else f"{directory}: sound"
        )
    sys.exit(1 if problems else 0)
