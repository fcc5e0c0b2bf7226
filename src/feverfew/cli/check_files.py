"""What `feverfew check` reads: claims, and the text of a document."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from feverfew.errors import BadRecord
from feverfew.types import Claim, ItemList, Page, Section, Sentence

__all__ = ["document_text", "given_claims"]


def given_claims(words: Sequence[str], file: Path | None) -> list[Claim]:
    """Collect the claims of the command line, of a file, or of the standard input."""
    from feverfew.readers import read_claims
    from feverfew.readers.files import STDIN

    if words:
        # An argument may hold bytes that are no UTF-8; Python hides them in lone surrogates.
        texts = [os.fsencode(word).decode(errors="replace") for word in words]
        return [Claim(id=number, text=text) for number, text in enumerate(texts, 1)]
    if file is None and sys.stdin.isatty():
        raise click.UsageError("give a CLAIM, --file FILE or --document FILE")
    claims = list(read_claims(STDIN if file is None else file))
    if not claims:
        raise click.UsageError(f"{file or 'the standard input'} holds no claim")
    return claims


def document_text(path: Path) -> str:
    """Return the text of a document: as it stands, or as a reader finds it in PDF, Word, HTML."""
    from feverfew.readers.base import Record, Source
    from feverfew.readers.files import LARGEST_FILE, STDIN, head, read_as_text, whole_file

    source = Source(path, str(path))
    if path == STDIN:
        return read_as_text(Record(sys.stdin.buffer.read(LARGEST_FILE), 1), source)
    if _is_laid_out(head(path), source.name):
        from feverfew.readers import read_pages

        pages = [page for page in read_pages(path) if isinstance(page, Page)]
        text = "\n\n".join(part for page in pages for part in _paragraphs(page))
        if not text.strip():
            raise BadRecord("the document holds no text", path=source.name)
        return text
    return read_as_text(next(whole_file(source)), source)


def _is_laid_out(start: bytes, name: str) -> bool:
    """Say whether a file's bytes are not the text that people see in it."""
    from feverfew.readers import FORMATS
    from feverfew.readers.base import Source

    return start.startswith((b"%PDF-", b"PK\x03\x04")) or FORMATS["html"].recognises(
        start, Source(Path(name), name)
    )


def _paragraphs(page: Page) -> Iterator[str]:
    """Yield running text, headings and list items; tables hold no sentences."""
    running: list[str] = []
    for block in page.blocks:
        if isinstance(block, Sentence):
            running.append(block.text)
            continue
        if running:
            yield " ".join(running)
            running = []
        if isinstance(block, Section):
            yield block.text
        elif isinstance(block, ItemList):
            yield from (item.text for item in block.items)
    if running:
        yield " ".join(running)
