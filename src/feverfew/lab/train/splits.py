"""FEVER's development claims in two parts, by page: one to choose and tune by, one to report on."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.readers.claims import read_claims
from feverfew.readers.files import open_bytes
from feverfew.retrieve import Ranked
from feverfew.text import title_key
from feverfew.types import Claim

_SHARE = 96
"""Of 256 pages, so many are for tuning."""


def is_tuning(page: str) -> bool:
    """Say whether claims about a page are for tuning; it never changes."""
    return _bucket(page) < _SHARE


def is_feverous_test(page: str) -> bool:
    """Say whether FEVEROUS's claims about a page are only reported on: a third of them."""
    return _bucket(page) % 3 == 0


def _bucket(page: str) -> int:
    return hashlib.blake2b(title_key(page).encode(), digest_size=1).digest()[0]


class Development(Struct, frozen=True):
    """FEVER's development claims, those for tuning and those to report on."""

    tuning: list[Claim]
    report: list[Claim]
    full_pages: frozenset[int | str]
    """The claims of both whose pages are whole; open ones, which have no page, count too."""


def development(data: Path, corpus: Corpus) -> Development:
    """Read the claims whose gold sentences are certain, on no page that training claims use.

    A claim belongs to the first of its gold pages by name; an open one, which has none, to the
    page that search ranks first.
    """
    used = {title_key(row["page"]) for row in _rows(data / "fever/train_pairs.jsonl.gz")}
    for row in _rows(data / "fever/train_claims.jsonl.gz"):
        used.update(map(title_key, row["pages"]))
    path = data / "fever/dev.jsonl.gz"
    marks = {row["id"]: row for row in _rows(path)}
    claims = [claim for claim in read_claims(path, "fever") if marks[claim.id].get("exact", True)]
    still_open = [claim.text for claim in claims if not claim.evidence]
    found = Ranked.open(corpus).retrieve(still_open, 1)
    first = {text: own[0].title for text, own in zip(still_open, found, strict=True) if own}
    tuning: list[Claim] = []
    report: list[Claim] = []
    for claim in claims:
        pages = {title_key(ref.page) for refs in claim.evidence for ref in refs}
        if used.isdisjoint(pages):
            anchor = min(pages) if pages else first.get(claim.text, "")
            # Claims about one page are right and wrong together: intervals redraw them together.
            own = replace(claim, group=anchor)
            (tuning if is_tuning(anchor) else report).append(own)
    whole = (c.id for c in claims if not c.evidence or marks[c.id].get("full_pages"))
    return Development(tuning, report, frozenset(whole))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        raise InputError(f"{path} is needed, and does not exist")
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)
