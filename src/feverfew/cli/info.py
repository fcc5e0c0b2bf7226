"""`feverfew info`: say what a corpus holds."""

from pathlib import Path

import click

from feverfew.cli.common import corpus_option, json_option, open_corpus, print_json, stdout

__all__ = ["command"]


@click.command("info")
@corpus_option
@json_option
def command(directory: Path | None, as_json: bool) -> None:
    """Say what a corpus holds, and where it came from.

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
        else "not linked yet: that is done when links are first needed",
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
