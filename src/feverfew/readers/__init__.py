"""Readers: a file becomes pages, a claim file becomes claims.

>>> for page in read_pages("wiki-001.jsonl.gz"):  # doctest: +SKIP
...     print(page.title, len(page.sentences))
"""

from feverfew.readers.base import PageReader, Parsed, Record, Source
from feverfew.readers.recognise import FORMATS, read_pages, reader_for, sources

__all__ = [
    "FORMATS",
    "PageReader",
    "Parsed",
    "Record",
    "Source",
    "read_pages",
    "reader_for",
    "sources",
]
