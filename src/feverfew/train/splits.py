"""FEVER's development claims in two parts, by page: one to choose and tune by, one to report on."""

import hashlib
from collections.abc import Sequence

from feverfew.corpus import Corpus
from feverfew.model import Claim
from feverfew.retrieve import Ranked
from feverfew.text import title_key

__all__ = ["is_tuning", "parts"]

_SHARE = 96
"""Of 256 pages, so many are for tuning."""


def is_tuning(page: str) -> bool:
    """Say whether claims about a page are for tuning; it never changes."""
    digest = hashlib.blake2b(title_key(page).encode(), digest_size=1).digest()
    return digest[0] < _SHARE


def parts(claims: Sequence[Claim], corpus: Corpus) -> tuple[list[Claim], list[Claim]]:
    """Split claims for tuning and for the report.

    A claim belongs to the first of its gold pages by name; an open one, which has none, to the
    page that search ranks first.
    """
    tuning: list[Claim] = []
    report: list[Claim] = []
    still_open = [claim.text for claim in claims if not claim.evidence]
    found = Ranked.open(corpus).retrieve(still_open, 1)
    first = {text: own[0].title if own else "" for text, own in zip(still_open, found, strict=True)}
    for claim in claims:
        pages = {ref.page for refs in claim.evidence for ref in refs}
        anchor = min(map(title_key, pages)) if pages else first[claim.text]
        (tuning if is_tuning(anchor) else report).append(claim)
    return tuning, report
