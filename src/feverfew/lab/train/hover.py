"""HoVer's claims in parts, by the question that they were made from: to train on, to report on."""

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.errors import InputError
from feverfew.readers.files import open_bytes


class HoverClaim(Struct, frozen=True):
    """A claim, its gold pages and sentences, and the question it was made from."""

    id: str
    text: str
    facts: tuple[tuple[str, int], ...]
    label: str
    hops: int
    question: str

    @property
    def pages(self) -> list[str]:
        """List the gold pages."""
        return list(dict.fromkeys(title for title, _ in self.facts))


class _Row(Struct):
    uid: str
    claim: str
    supporting_facts: list[tuple[str, int]]
    label: str
    num_hops: int
    hpqa_id: str
    text_complete: bool = True
    """Whether all gold pages are at hand."""


HEAD_HALF = 0
"""The half of the claims to train on that the encoder's head for chains is fitted to."""


def is_test(question: str) -> bool:
    """Say whether claims made from a question are only reported on: a third; it never changes."""
    return _bucket(question) % 3 == 0


def is_held_out(question: str) -> bool:
    """Say whether claims to train on decide when to stop instead: a tenth of them."""
    return _bucket(question) // 3 % 10 == 0


def half(question: str) -> int:
    """Say which half, 0 or 1, claims made from a question belong to."""
    return _bucket(question) // 30 % 2


def _bucket(question: str) -> int:
    return int.from_bytes(hashlib.blake2b(question.encode(), digest_size=4).digest(), "big")


def hover_claims(path: Path) -> list[HoverClaim]:
    """Read the claims whose gold pages are all at hand."""
    if not path.is_file():
        raise InputError(f"{path} is needed, and does not exist")
    with open_bytes(path) as lines:
        rows = [msgspec.json.decode(line, type=_Row) for line in lines]
    return [
        HoverClaim(r.uid, r.claim, tuple(r.supporting_facts), r.label, r.num_hops, r.hpqa_id)
        for r in rows
        if r.text_complete
    ]
