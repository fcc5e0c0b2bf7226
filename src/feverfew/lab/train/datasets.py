"""The data sets, read and split: what is trained on, what is tuned by, what is only reported on.

Every split goes by page, table or question in code, so that it never changes and no part shares a
page with another: FEVER's development claims, HoVer's, FEVEROUS's sentence claims, TabFact, FeTaQA.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.readers.claims import read_claims
from feverfew.readers.files import open_bytes
from feverfew.readers.tables import infobox_of_keys
from feverfew.retrieve import Ranked
from feverfew.tables.view import TableView
from feverfew.text import title_key
from feverfew.types import Claim

_TUNING = 96
"""Of 256 pages, so many are for tuning."""
_REPORTED = 102
"""Of 256 tables, so many are only reported on: of TabFact, those of its validation part."""
_LINK = re.compile(r"\[\[(?:[^]|]*\|)?([^]]*)]]")


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON lines of a file, compressed or not."""
    if not path.is_file():
        raise InputError(f"{path} is needed, and does not exist")
    with open_bytes(path) as lines:
        yield from map(msgspec.json.decode, lines)


def bucket(name: str, size: int = 1) -> int:
    """Put a name into one of 256 buckets, or more; it never changes."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=size).digest(), "big")


def is_tuning(page: str) -> bool:
    """Say whether FEVER's claims about a page are for tuning."""
    return bucket(title_key(page)) < _TUNING


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
    used = {title_key(row["page"]) for row in read_rows(data / "fever/train_pairs.jsonl.gz")}
    for row in read_rows(data / "fever/train_claims.jsonl.gz"):
        used.update(map(title_key, row["pages"]))
    path = data / "fever/dev.jsonl.gz"
    marks = {row["id"]: row for row in read_rows(path)}
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


class HoverClaim(Struct, frozen=True):
    """A claim of HoVer, its gold pages and sentences, and the question it was made from."""

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


def hover_claims(path: Path) -> list[HoverClaim]:
    """Read the claims whose gold pages are all in the data."""
    return [
        HoverClaim(
            row["uid"],
            row["claim"],
            tuple((title, line) for title, line in row["supporting_facts"]),
            row["label"],
            row["num_hops"],
            row["hpqa_id"],
        )
        for row in read_rows(path)
        if row.get("text_complete", True)
    ]


HEAD_HALF = 0
"""The half of the claims to train on that the encoder's head for chains is fitted to."""


def is_test(question: str) -> bool:
    """Say whether HoVer's claims made from a question are only reported on: a third."""
    return bucket(question, 4) % 3 == 0


def is_held_out(question: str) -> bool:
    """Say whether claims to train on decide when to stop instead: a tenth of them."""
    return bucket(question, 4) // 3 % 10 == 0


def half(question: str) -> int:
    """Say which half, 0 or 1, claims made from a question belong to."""
    return bucket(question, 4) // 30 % 2


def is_feverous_test(page: str) -> bool:
    """Say whether FEVEROUS's claims about a page are only reported on: a third of them."""
    return bucket(title_key(page)) % 3 == 0


class SentenceClaim(Struct, frozen=True):
    """A claim of FEVEROUS with all the sentences that settle it; 0 supported, 1 refuted."""

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


def evidence_lines(row: dict[str, Any]) -> list[list[str]]:
    """Split the evidence of one of FEVEROUS's rows into [page, sentence], without markup."""
    return [line.split("\t", 1) for line in _LINK.sub(r"\1", row["evidence"]).splitlines()]


def read_sentence_claims(data: Path) -> Iterator[SentenceClaim]:
    """Read `feverous/sentence_claims.jsonl.gz`."""
    for row in read_rows(data / "feverous/sentence_claims.jsonl.gz"):
        pieces = tuple((line[0], line[1] if line[1:] else "") for line in evidence_lines(row))
        if pieces:
            label = 0 if row["label"].lower() == "supports" else 1
            yield SentenceClaim(row["claim"], pieces, label, pieces[0][0])


class Statement(Struct, frozen=True):
    """A statement of TabFact that is true (1) or false (0) of a table."""

    table: str
    text: str
    label: int


class TabFact(Struct, frozen=True):
    """TabFact's tables, and its statements in two parts with no table in common."""

    tables: dict[str, dict[str, Any]]
    training: list[Statement]
    reported: list[Statement]

    def views(self, statements: Iterable[Statement]) -> dict[str, TableView]:
        """Make a view of each table that statements speak of."""
        wanted = {one.table for one in statements}
        return {
            name: TableView.of_rows(self.tables[name]["rows"], self.tables[name]["caption"])
            for name in wanted
        }


def read_tabfact(data: Path) -> TabFact:
    """Read the statements: the training part and three fifths of the tables of the other."""
    tables = {row["id"]: row for row in read_rows(data / "tabfact_tables.jsonl.gz")}
    training, validation = (
        [
            Statement(row["table"], row["statement"], int(row["label"]))
            for row in read_rows(data / f"tabfact_{part}.jsonl.gz")
        ]
        for part in ("train", "val")
    )
    reported = [one for one in validation if bucket(one.table) < _REPORTED]
    training += [one for one in validation if bucket(one.table) >= _REPORTED]
    return TabFact(tables, training, reported)


def infobox_view(infobox: dict[str, list[str]]) -> TableView:
    """See one of InfoTabS' infoboxes, keys with their values, as a page's."""
    table, title = infobox_of_keys(infobox)
    return TableView.of(table, title)


class Answer(Struct, frozen=True):
    """A true sentence of FeTaQA, its table, and the cells of its body that prove it."""

    text: str
    page: str
    section: str
    rows: list[list[str]]
    gold: frozenset[tuple[int, int]]

    def view(self) -> TableView:
        """Make a view of its table."""
        return TableView.of_rows(self.rows, self.section, self.page)


class FeTaQA(Struct, frozen=True):
    """FeTaQA's sentences in two parts with no page in common."""

    training: list[Answer]
    reported: list[Answer]


def read_fetaqa(data: Path) -> FeTaQA:
    """Read the sentences: three fifths of the pages to train on, two to report."""
    found = FeTaQA([], [])
    for row in read_rows(data / "fetaqa.jsonl.gz"):
        # The first row is the header, and is not part of the body.
        gold = frozenset((r - 1, c) for r, c in row["highlighted_cell_ids"] if r)
        if gold:
            page = row["table_page_title"]
            one = Answer(row["answer"], page, row["table_section_title"], row["table_array"], gold)
            (found.reported if bucket(page) < _REPORTED else found.training).append(one)
    return found
