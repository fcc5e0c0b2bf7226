"""FEVEROUS's claims that sentences alone settle, with those sentences; a third is only reported."""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from feverfew.lab.train.splits import is_feverous_test
from feverfew.lab.train.tablesets import read_rows

_LINK = re.compile(r"\[\[(?:[^]|]*\|)?([^]]*)]]")
_LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")


class SentenceClaim(Struct, frozen=True):
    """A claim with all the sentences that settle it; 0 supported, 1 refuted."""

    claim: str
    pieces: tuple[tuple[str, str], ...]
    label: int
    page: str
    """The first of its pages, to which it belongs."""

    @property
    def reported(self) -> bool:
        """Say whether it is only reported on."""
        return is_feverous_test(self.page)

    @property
    def learned(self) -> bool:
        """Say whether it may be learned from: none of its pages is reported on."""
        return not any(is_feverous_test(page) for page, _ in self.pieces)


def read_sentence_claims(data: Path) -> Iterator[SentenceClaim]:
    """Read `feverous/sentence_claims.jsonl.gz`."""
    for row in read_rows(data / "feverous/sentence_claims.jsonl.gz"):
        lines = _LINK.sub(r"\1", row["evidence"]).splitlines()
        pieces = tuple((page, text) for page, _, text in (ln.partition("\t") for ln in lines))
        if pieces:
            label = 0 if row["label"].lower() == "supports" else 1
            yield SentenceClaim(row["claim"], pieces, label, pieces[0][0])


def label_shares(data: Path) -> tuple[float, float, float]:
    """Return how often FEVEROUS's claims are supported, refuted and open."""
    labels = [row["label"] for row in read_rows(data / "feverous/claim_ids.jsonl.gz")]
    supported, refuted, still_open = (labels.count(label) / len(labels) for label in _LABELS)
    return supported, refuted, still_open
