"""FEVEROUS's claims and pages, as far as they are available here.

Make the pages with `python -m feverfew.lab.papers.feverous_data --data DIR -o FILE`, and index that
file before `wiki/intros`. FEVEROUS's own pages are not available; they are put together from the
sentences that settle claims, at their true numbers, and the tables of FeTaQA, TabFact and
WikiTables. Other sentences of an introduction get numbers that no claim uses, so that choosing a
sentence is a choice.

The claims are split into parts with no page in common:

- Claims that sentences settle are FEVEROUS's own; a third by page is reported on.
- No claim comes with the text of its cells. FeTaQA's true sentences, whose cells are known, stand
  in; in half of them a cell's text is replaced by another of its column: these are refuted.
- Open claims are made as FEVEROUS makes its additional ones: a piece of evidence is removed.
"""

import random
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feverfew.corpus import Corpus
from feverfew.corpus.tables import TableEntry
from feverfew.errors import BadReference, InputError, NotFound
from feverfew.lab.train.datasets import (
    Answer,
    bucket,
    evidence_lines,
    is_feverous_test,
    is_tuning,
    read_fetaqa,
    read_rows,
)
from feverfew.lab.train.rankers import fetaqa_key, read_tables
from feverfew.readers.claims import read_claims
from feverfew.sample import sample_claims
from feverfew.text import detokenise, title_key, words
from feverfew.types import Claim, Kind, Ref, Verdict

EXTRA = 1000
"""The number of the first sentence that no claim refers to."""
_SAME = 0.5
"""Sentences that share at least this part of their words say the same: one is enough."""
Places = dict[str, tuple[str, int]]
"""Where each table is: the title of its page as spelled, and its number there."""


class SentenceRow(Struct, frozen=True):
    """One of FEVEROUS's claims that sentences settle, with those sentences at their numbers."""

    id: int
    claim: str
    supported: bool
    gold: tuple[tuple[Ref, str], ...]


def sentence_rows(data: Path) -> Iterator[SentenceRow]:
    """Read the claims; one whose sentences and numbers do not match in count is left out."""
    for row in read_rows(data / "feverous/sentence_claims.jsonl.gz"):
        try:
            refs = [Ref.parse(name) for name in row["gold_ids_last_set"] or []]
        except BadReference:
            continue
        said = evidence_lines(row)
        fits = len(refs) == len(said) and all(
            ref.kind is Kind.SENTENCE and own[0] == ref.page and len(own) == 2
            for ref, own in zip(refs, said, strict=True)
        )
        if refs and fits:
            gold = tuple((ref, own[1]) for ref, own in zip(refs, said, strict=True))
            yield SentenceRow(row["id"], row["claim"], row["label"].lower() == "supports", gold)


def table_places(data: Path) -> tuple[dict[str, list[TableEntry]], Places]:
    """Gather the tables of each page, and the place of each table."""
    pages: dict[str, list[TableEntry]] = {}
    spelled: dict[str, str] = {}
    places: Places = {}
    for row in sentence_rows(data):
        for ref, _ in row.gold:
            spelled.setdefault(title_key(ref.page), ref.page)
    for entry in read_tables(data):
        title = spelled.setdefault(title_key(entry.page) or entry.key, entry.page or entry.key)
        own = pages.setdefault(title, [])
        places[entry.key] = (title, len(own))
        own.append(entry)
    return pages, places


def page_of(
    title: str, gold: dict[int, str], others: list[str], tables: list[TableEntry]
) -> dict[str, Any]:
    """Write a page as FEVEROUS does; other sentences come before those that claims need."""
    page: dict[str, Any] = {"title": title, "order": []}
    known = [frozenset(words(text)) for text in gold.values()]
    new = [text for text in others if not any(_says_the_same(text, other) for other in known)]
    numbered = {**gold, **{EXTRA + at: text for at, text in enumerate(new)}}
    for number in sorted(numbered, key=lambda n: (n != 0, n < EXTRA, n)):
        page[f"sentence_{number}"] = numbered[number]
        page["order"].append(f"sentence_{number}")
    for at, entry in enumerate(tables):
        lines = [(entry.header, True), *((row, False) for row in entry.rows)]
        cells = [
            [
                {"id": f"{'header_' * head}cell_{at}_{r}_{c}", "value": text, "is_header": head}
                for c, text in enumerate(line)
            ]
            for r, (line, head) in enumerate(lines)
        ]
        page[f"section_{at}"] = {"value": entry.section, "level": 2}
        page[f"table_{at}"] = {"type": "table", "table": cells}
        page["order"] += [f"section_{at}", f"table_{at}"]
    return page


def _says_the_same(text: str, known: frozenset[str]) -> bool:
    own = frozenset(words(text))
    return len(own & known) >= _SAME * len(own | known)


SETS = (
    "feverous",
    "feverous-verdicts",
    "feverous-labels",
    "feverous-tuning",
    "feverous-training",
)
"""Reported on; the same with open ones made; all labels with ids alone; for tuning; to learn."""
_HELD = 26
"""Of 256 pages for training, this many are used for tuning."""
_CELLS = 25
"""Cells that FEVEROUS's score counts: no claim needs more."""
_SHARE = 32 / 43
"""Claims that cells settle to those that sentences settle, as in the paper's development set."""
_LOOKED_AT = 50
"""Claims that tell whether a corpus has FEVEROUS's pages."""
_OPEN = 16
"""One supported claim in this many becomes open: 6 % of the paper's development set are."""
_LABELS = {
    "SUPPORTS": Verdict.SUPPORTED,
    "REFUTES": Verdict.REFUTED,
    "NOT ENOUGH INFO": Verdict.NOT_ENOUGH_INFO,
}


def real_claims(name: str, data: Path, corpus: Corpus) -> list[Claim]:
    """Read a set by its name; claims whose evidence the corpus lacks are left out."""
    if name == "feverous-labels":
        return _labels(data)
    if why := lacking(name, data, corpus):
        raise InputError(why)
    part = {"feverous-tuning": "tuning", "feverous-training": "training"}.get(name, "report")
    said, shown = _by_sentences(data, part, corpus), _by_cells(data, part, corpus)
    if part == "report":
        shown = random.Random(0).sample(shown, min(len(shown), round(_SHARE * len(said))))
    found = [*said, *shown]
    return made_open(found) if name == "feverous-verdicts" else found


def lacking(name: str, data: Path, corpus: Corpus) -> str:
    """Say why a set cannot be measured on a corpus, or nothing."""
    first = islice(sentence_rows(data), _LOOKED_AT) if name in SETS[:2] else ()
    there = [_says(corpus, ref, text) for row in first for ref, text in row.gold]
    # Some sentences may stand in an introduction at the same place by chance.
    if 2 * sum(there) >= len(there):
        return ""
    return (
        f"{corpus.path} does not have FEVEROUS's pages: make them with 'python -m "
        "feverfew.lab.papers.feverous_data', and index them before wiki/intros"
    )


def sample_set(name: str) -> list[Claim]:
    """Take the sample's claims, which have cells and sentences; those to tune by are learned."""
    found = []
    for path in sample_claims():
        for claim in read_claims(path, "feverous"):
            if claim.evidence:
                anchor = min(title_key(ref.page) for refs in claim.evidence for ref in refs)
                found.append(replace(claim, group=anchor))
    if name == "feverous-labels":
        return found
    learned = name in ("feverous-tuning", "feverous-training")
    return [claim for claim in found if is_tuning(claim.group) == learned]


def _by_sentences(data: Path, part: str, corpus: Corpus) -> list[Claim]:
    found = []
    for row in sentence_rows(data):
        pages = [ref.page for ref, _ in row.gold]
        own = "report" if is_feverous_test(pages[0]) else _learned(pages[0])
        # None of the pages that are reported on may be learned from.
        if own != part or (own != "report" and any(map(is_feverous_test, pages))):
            continue
        if all(_says(corpus, ref, text) for ref, text in row.gold):
            label = Verdict.SUPPORTED if row.supported else Verdict.REFUTED
            refs = tuple(ref for ref, _ in row.gold)
            found.append(
                Claim(id=row.id, text=row.claim, label=label, evidence=(refs,), group=pages[0])
            )
    return found


def _by_cells(data: Path, part: str, corpus: Corpus) -> list[Claim]:
    _, places = table_places(data)
    sets = read_fetaqa(data / "tables")
    found = []
    for at, answer in enumerate(sets.reported if part == "report" else sets.training):
        if (part != "report" and _learned(answer.page) != part) or len(answer.gold) > _CELLS:
            continue
        page, number = places[fetaqa_key(answer.page, answer.section, answer.rows)]
        refs = tuple(Ref(page, Kind.CELL, (number, r + 1, c)) for r, c in sorted(answer.gold))
        texts = (_text(answer, r, c) for r, c in sorted(answer.gold))
        if not all(_says(corpus, ref, text) for ref, text in zip(refs, texts, strict=True)):
            continue
        changed = refuted(answer) if _half(answer.text) else None
        label = Verdict.REFUTED if changed else Verdict.SUPPORTED
        text = changed or answer.text
        name = f"fetaqa-{part}-{at}"
        found.append(Claim(id=name, text=text, label=label, evidence=(refs,), group=page))
    return found


def refuted(answer: Answer) -> str | None:
    """Put another text of its column in place of a cell that the sentence names, if it does."""
    for row, column in sorted(answer.gold):
        text = _text(answer, row, column)
        if len(text) < 3 or answer.text.count(text) != 1:
            continue
        others = [line[column].strip() for line in answer.rows[1:] if column < len(line)]
        new = [other for other in others if other not in answer.text and _alike(text, other)]
        if new:
            return answer.text.replace(text, new[_number(answer.text) % len(new)])
    return None


def _text(answer: Answer, row: int, column: int) -> str:
    """Return what a cell of the body says; nothing where the row is shorter."""
    line = answer.rows[row + 1] if row + 1 < len(answer.rows) else []
    return line[column].strip() if column < len(line) else ""


def _alike(text: str, other: str) -> bool:
    """Say whether a text could stand in another's place: as long, both with digits or without."""
    digits = {any(letter.isdecimal() for letter in own) for own in (text, other)}
    apart = abs(len(text.split()) - len(other.split()))
    return len(other) > 2 and len(digits) == 1 and apart <= 1 and text not in other


def made_open(claims: Sequence[Claim]) -> list[Claim]:
    """Make some supported claims open by removing a piece of their evidence."""
    rng = random.Random(0)
    found = []
    for claim in claims:
        lacking = None
        if claim.label is Verdict.SUPPORTED and rng.random() < 2 / _OPEN:
            lacking = without_a_piece(claim, rng)
        # Another name: answers are remembered by it, and its evidence is another.
        found.append(replace(lacking, id=f"{claim.id}-open") if lacking else claim)
    return found


def without_a_piece(claim: Claim, rng: random.Random) -> Claim | None:
    """Remove a sentence or a table, where something is left; else a row; None where nothing is."""
    refs = claim.evidence[0]
    parts = {_piece(ref) for ref in refs}
    if len(parts) == 1:
        parts = {_line(ref) for ref in refs}
    if len(parts) < 2:
        return None
    gone = rng.choice(sorted(parts))
    left = tuple(ref for ref in refs if gone not in (_piece(ref), _line(ref)))
    return replace(claim, label=Verdict.NOT_ENOUGH_INFO, evidence=(left,))


def _piece(ref: Ref) -> tuple[str, str, int]:
    """Name a sentence, or the table of a cell."""
    kind = "sentence" if ref.kind is Kind.SENTENCE else "table"
    return ref.page, kind, ref.position[0] if ref.position else 0


def _line(ref: Ref) -> tuple[str, str, int]:
    """Name a sentence, or the row of a cell."""
    return ref.page, str(ref.kind), ref.position[1] if len(ref.position) > 1 else _piece(ref)[2]


def _labels(data: Path) -> list[Claim]:
    """Read every available label, with the ids of evidence whose text is not available."""
    found = []
    for at, row in enumerate(read_rows(data / "feverous/claim_ids.jsonl.gz")):
        try:
            refs = tuple(Ref.parse(name) for name in row["gold_content_last_set"])
        except BadReference:
            continue
        if refs and row["label"] in _LABELS:
            group = title_key(refs[0].page)
            label = _LABELS[row["label"]]
            found.append(
                Claim(id=at, text=row["claim"], label=label, evidence=(refs,), group=group)
            )
    return found


def _says(corpus: Corpus, ref: Ref, text: str) -> bool:
    """Say whether an element is there, and says what is expected."""
    try:
        return words(corpus.element(ref)) == words(text)
    except NotFound:
        return False


def _learned(page: str) -> str:
    return "tuning" if bucket(f"held {page}") < _HELD else "training"


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest())


def _half(text: str) -> bool:
    return _number(text) % 2 == 0


def _pages(data: Path) -> Iterator[dict[str, Any]]:
    tables, _ = table_places(data)
    gold: dict[str, dict[int, str]] = {title: {} for title in tables}
    for row in sentence_rows(data):
        for ref, text in row.gold:
            gold.setdefault(ref.page, {})[ref.position[0]] = text
    wanted = {title_key(title): title for title in gold}
    intros: dict[str, list[str]] = {}
    for intro in read_rows(data / "wiki/intros.jsonl.xz"):
        title = wanted.get(title_key(intro["id"]))
        if title is not None:
            parts = (line.split("\t") for line in intro["lines"].split("\n"))
            intros[title] = [detokenise(p[1]) for p in parts if len(p) > 1 and p[1].strip()]
    for title, own in gold.items():
        yield page_of(title, own, intros.get(title, []), tables.get(title, []))


@click.command()
@click.option("--data", required=True, type=Path, help="A folder with feverous/, tables/, wiki/.")
@click.option("-o", "--output", required=True, type=Path, help="Where to write JSON lines.")
def main(data: Path, output: Path) -> None:
    """Write the pages."""
    with output.open("wb") as out:
        for page in _pages(data):
            out.write(msgspec.json.encode(page) + b"\n")


if __name__ == "__main__":
    main()
