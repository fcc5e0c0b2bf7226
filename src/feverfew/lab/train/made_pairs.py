"""Make training pairs for the encoder: bounds, distractors, HoVer's claims, tables.

Each maker takes claims whose evidence is known and shows them in a way that they must be learned
in. A pair is a dictionary as `pairs.read_pairs` reads it.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from feverfew.corpus import Corpus
from feverfew.factory.bounds import bounds
from feverfew.lab.train.datasets import (
    Statement,
    TabFact,
    hover_claims,
    infobox_view,
    is_test,
    read_rows,
    read_tabfact,
)
from feverfew.lab.train.mine import Found, Mined, text_key
from feverfew.models.inputs import plain
from feverfew.tables.evidence import TableReader
from feverfew.tables.view import TableView

Piece = tuple[str, str]
Record = dict[str, Any]

_LONGEST = 160
"""Letters of a sentence that is made a claim."""
_OPEN = 0.15
"""Share of the claims with a bound that are set beside a sentence without any number."""


def bounded_pairs(records: Iterable[Record], seed: int = 1) -> Iterator[Record]:
    """Make pairs about bounds from training pairs, in their order.

    A supported claim whose number its evidence has is said with a bound, rightly and wrongly; and
    so is a sentence itself, beside itself. Some are set beside another sentence of the page without
    any number, which leaves them open: a comparing word must not tell the label.
    """
    rng = random.Random(seed)
    silent: dict[str, str] = {}
    for record in records:
        pieces = [(title, text) for title, text in record["evidence"]]
        silent |= {title: text for title, text in pieces if title and not re.search(r"\d", text)}
        for claim in _true(record, pieces):
            for bound in bounds(claim, rng):
                if bound.number not in " ".join(text for _, text in pieces):
                    continue
                page = pieces[0][0]
                if page in silent and rng.random() < _OPEN:
                    yield _pair(bound.claim, [(page, silent[page])], "N")
                else:
                    yield _pair(bound.claim, pieces, "S" if bound.supported else "R")


def _true(record: Record, pieces: Sequence[Piece]) -> Iterator[str]:
    if record.get("label") == "S":
        yield record["claim"]
    elif "label" not in record and len(pieces) == 1 and len(pieces[0][1]) <= _LONGEST:
        yield plain(pieces[0][1])


def _pair(claim: str, evidence: Sequence[Piece] | str, label: str, **more: str) -> Record:
    return {"claim": claim, "evidence": evidence, "label": label, **more}


_SIZES = (3, 4, 5, 5, 5)
_ANYHOW = 0.5
"""The share of claims whose evidence stands in any order."""


def crowded(records: Iterable[Record], mined: Iterable[Mined], seed: int = 1) -> Iterator[Record]:
    """Yield each labelled claim once, its smallest gold set among what was found for it.

    Open claims get as many of those found: otherwise much evidence comes to mean that some of it
    settles the claim. Whatever the label, half of the claims have their evidence in the order of
    the search, and half in any: an order that only one label has is learned instead of the meaning.
    Claims whose gold was not found are left out: spelled as in another edition of its page, or
    without a title, it would stand out among the rest.
    """
    rng = random.Random(seed)
    found = {one.claim: one.found for one in mined}
    by_claim: dict[str, list[Record]] = {}
    for record in records:
        if "label" in record and record["claim"] in found:
            by_claim.setdefault(record["claim"], []).append(record)
    for claim, own in by_claim.items():
        label = own[0]["label"]
        sets = [] if label == "N" else [_keys(record) for record in own]
        near = {text_key(one.text) for one in found[claim]}
        gold = min((keys for keys in sets if keys <= near), key=len, default=set[str]())
        if gold or label == "N":
            never = set().union(*sets) - gold
            pieces = _among(gold, found[claim], never, rng.choice(_SIZES))
            if rng.random() < _ANYHOW:
                rng.shuffle(pieces)
            yield _pair(claim, pieces, label)


def _keys(record: Record) -> set[str]:
    return {text_key(text) for _, text in record["evidence"]}


def _among(gold: set[str], found: Sequence[Found], never: set[str], size: int) -> list[Piece]:
    """Choose the gold and the best of the others, all in the order of the search."""
    room = size - len(gold)
    chosen = []
    for one in found:
        key = text_key(one.text)
        if key in gold:
            chosen.append((one.title, one.text))
        elif room > 0 and key not in never:
            chosen.append((one.title, one.text))
            room -= 1
    return chosen


_BESIDE = 3


def gold_pieces(corpus: Corpus, facts: Sequence[tuple[str, int]]) -> list[Piece]:
    """Look gold sentences up, each a page and an index, as far as the corpus has them."""
    found = []
    for title, index in facts:
        if title in corpus:
            found += [(title, s.text) for s in corpus.page(title).sentences if s.index == index]
    return found


def hover_pairs(corpus: Corpus, claims: Path, seed: int = 1) -> Iterator[Record]:
    """Show HoVer's claims with their gold sentences, alone and among others of the same pages.

    HoVer does not tell refuted from open claims: both are "not supported" (X). A supported claim
    without the sentences of one of its pages is open. The test third is left out.
    """
    rng = random.Random(seed)
    for claim in hover_claims(claims):
        pieces = gold_pieces(corpus, claim.facts)
        if is_test(claim.question) or len(pieces) < len(claim.facts):
            continue
        label = "S" if claim.label == "SUPPORTED" else "X"
        yield _pair(claim.text, pieces, label, head="chain")
        beside = [
            (title, s.text)
            for title in claim.pages
            for s in corpus.page(title).sentences
            if (title, s.text) not in pieces
        ]
        if beside:
            among = [*pieces, *rng.sample(beside, min(len(beside), rng.randint(1, _BESIDE)))]
            rng.shuffle(among)
            yield _pair(claim.text, among, label, head="chain")
        if label == "S" and len(claim.pages) > 1:
            lost = rng.choice(claim.pages)
            left = [piece for piece in pieces if piece[0] != lost]
            yield _pair(claim.text, left, "N", head="chain")


LEARNED = 4000
"""Statements of TabFact that the encoder learns from."""
_INFOTABS = {"E": "S", "C": "R", "N": "N"}


def table_pairs(tables: Path, statements: int, seed: int = 1) -> dict[str, Iterator[Record]]:
    """Show claims with the cells that are chosen for them, as a judge of tables reads these.

    `infobox` holds InfoTabS' training pairs (entailed, contradicted, neither), `statement` so many
    of TabFact's (true, false), none of a table that is reported on.
    """
    return {"infobox": _infoboxes(tables), "statement": _statements(tables, statements, seed)}


def contrast_tables(groups: Iterable[dict[str, Any]], seed: int = 1) -> Iterator[Record]:
    """Show the claims of contrast groups with what their table says, and sentences beside it."""
    rng, reader = random.Random(seed), TableReader.open()
    for group in groups:
        file = f"{group['title'].lower().replace(' ', '-')}.csv"
        for title in (group["title"], rng.choice((group["title"], file))):
            caption = group["caption"] if rng.random() < 0.7 else ""
            view = TableView.of_rows(group["table"], caption, title)
            for claim in group["claims"]:
                needed = [group["text"][at] for at in claim.get("text", ())]
                beside = needed or rng.sample(group["text"], min(len(group["text"]), 1))
                pieces = [(group["title"], text) for text in beside]
                text = reader.text(claim["claim"], view)
                yield _pair(claim["claim"], [*pieces, ("", text)], claim["label"], head="cells")


def _infoboxes(tables: Path) -> Iterator[Record]:
    reader = TableReader.open()
    views = {
        row["id"]: infobox_view(row["table"])
        for row in read_rows(tables / "infotabs_tables.jsonl.gz")
    }
    for row in read_rows(tables / "infotabs_train.jsonl.gz"):
        text = reader.text(row["hypothesis"], views[row["table_id"]])
        yield _pair(row["hypothesis"], text, _INFOTABS[row["label"]], head="cells")


def _statements(tables: Path, count: int, seed: int) -> Iterator[Record]:
    reader, tabfact = TableReader.open(), read_tabfact(tables)
    chosen = drawn(tabfact, count, seed)
    views = tabfact.views(chosen)
    for one in chosen:
        text = reader.text(one.text, views[one.table])
        yield _pair(one.text, text, "S" if one.label else "R", head="cells")


def drawn(tabfact: TabFact, count: int = LEARNED, seed: int = 1) -> list[Statement]:
    """Draw the statements that the encoder learns from."""
    return random.Random(seed).sample(tabfact.training, min(count, len(tabfact.training)))
