"""Readers: a file becomes pages, a claim file becomes claims.

>>> for page in read_pages("wiki-001.jsonl.gz"):  # doctest: +SKIP
...     print(page.title, len(page.sentences))
"""

from feverfew.readers.base import PageReader, Parsed, Record, Source
from feverfew.readers.claims import CLAIM_FORMATS, read_claims
from feverfew.readers.claims import dump as dump_claims
from feverfew.readers.formats import FORMATS, read_pages, read_source, reader_for, sources
from feverfew.readers.predictions import dump_prediction, read_predictions

__all__ = [
    "CLAIM_FORMATS",
    "FORMATS",
    "PageReader",
    "Parsed",
    "Record",
    "Source",
    "dump_claims",
    "dump_prediction",
    "read_claims",
    "read_pages",
    "read_predictions",
    "read_source",
    "reader_for",
    "sources",
]
