"""PDF files: the text of each page; every block knows the page that it stands on."""

import io
import logging
import re
import struct
import zlib
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from feverfew.errors import BadRecord, MissingExtra
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Content
from feverfew.readers.documents.text import read_paragraphs
from feverfew.types import Block

if TYPE_CHECKING:
    from pypdf import PdfReader

__all__ = ["read_pdf"]

# What pypdf raises, beside its own errors, from within a damaged file.
_FAULTS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    NotImplementedError,
    RecursionError,
    OSError,
    EOFError,
    zlib.error,
    struct.error,
)
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n(?=[a-zß-ÿ])")
_DIGITS = re.compile(r"\d+")
_EDGE = 2
"""How many lines at a page's top and bottom may be running heads and page numbers."""


def read_pdf(record: Record, source: Source) -> Content:
    """Read a PDF's pages; say so where it is encrypted, damaged or made of images."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, PyPdfError
    except ImportError:
        raise MissingExtra("reading PDF", "documents") from None
    _quiet()
    try:
        reader = PdfReader(io.BytesIO(record.data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadRecord("the PDF is encrypted; save it without its password", path=source.name)
        title = _title(reader)
        pages = [page.extract_text() for page in reader.pages]
    except DependencyError:
        raise BadRecord(
            "the PDF is encrypted; save it without encryption", path=source.name
        ) from None
    except (PyPdfError, *_FAULTS) as error:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        raise BadRecord(f"the PDF is damaged ({why})", path=source.name) from None
    if not any(text.strip() for text in pages):
        raise BadRecord(
            "the PDF holds no text: its pages are images, recognise their text (OCR) first",
            path=source.name,
        )
    blocks, breaks = _blocks(pages)
    return Content(blocks, (title,), breaks)


@cache
def _quiet() -> None:
    """Let pypdf's remarks go to whoever listens, but not to stderr."""
    logging.getLogger("pypdf").addHandler(logging.NullHandler())


def _title(reader: "PdfReader") -> str:
    title = reader.metadata.title if reader.metadata else None
    return title if isinstance(title, str) else ""


def _blocks(pages: list[str]) -> tuple[tuple[Block, ...], tuple[int, ...]]:
    lines = [[line.rstrip() for line in text.split("\n") if line.strip()] for text in pages]
    heads = _running_heads(lines)
    blocks = Blocks()
    breaks: list[int] = []
    for page in lines:
        breaks.append(len(blocks))
        kept = [
            line
            for at, line in enumerate(page)
            if not (_at_edge(at, page) and _DIGITS.sub("#", line.strip()) in heads)
        ]
        if kept:
            read_paragraphs(_HYPHENATED.sub("", "\n".join(kept)), blocks)
    return blocks.done(), tuple(breaks)


def _at_edge(at: int, page: list[str]) -> bool:
    return at < _EDGE or at >= len(page) - _EDGE


def _running_heads(pages: list[list[str]]) -> frozenset[str]:
    """Return the lines that stand at the edge of most pages, their numbers as `#`."""
    if len(pages) < 3:
        return frozenset()
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update(
            {_DIGITS.sub("#", line.strip()) for at, line in enumerate(page) if _at_edge(at, page)}
        )
    return frozenset(line for line, times in seen.items() if times > len(pages) / 2)
