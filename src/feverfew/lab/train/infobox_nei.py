"""Open claims beside infoboxes that do not tell of them: FEVER's, about what InfoTabS has a box of.

InfoTabS' own open claims are about what its boxes list, or nearly. "Bruce Springsteen has three
coats" is about something that no box lists, and must be left open as well.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from feverfew.lab.train.tableclaims import TableClaim
from feverfew.lab.train.tablesets import read_rows

__all__ = ["silent_claims"]

_OPEN = 2
_EACH = 12
"""Claims beside one infobox, at most."""


def silent_claims(data: Path, boxes: Sequence[TableClaim], seed: int = 1) -> list[TableClaim]:
    """Set FEVER's open claims beside the infobox, of all that `boxes` are about, which they name.

    A name of one word is passed over: many claims begin with it that are about something else.
    """
    by_name = {box.view.title: box for box in boxes if " " in box.view.title}
    found: dict[str, list[TableClaim]] = {}
    for claim in _open_claims(data, seed):
        box = next((by_name[name] for name in _beginnings(claim) if name in by_name), None)
        if box is not None and len(own := found.setdefault(box.table, [])) < _EACH:
            own.append(TableClaim(claim, box.view, _OPEN, box.table))
    return [one for own in found.values() for one in own]


def _open_claims(data: Path, seed: int) -> list[str]:
    rows = read_rows(data / "nli" / "fever_train_nei_claims_only.jsonl.gz")
    claims = list(dict.fromkeys(row["claim"] for row in rows))
    random.Random(seed).shuffle(claims)
    return claims


def _beginnings(claim: str) -> Iterator[str]:
    """Yield what a claim begins with, the longest first, whether or not an apostrophe follows."""
    words = claim.split()
    for size in range(min(6, len(words)), 1, -1):
        yield " ".join(words[:size]).removesuffix("'s").rstrip(",.'")
