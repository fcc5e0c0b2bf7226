"""Claims that need a table and a sentence of another page, made from HybridQA's questions.

"What is the X ?" with its answer becomes "The X is ANSWER.": supported with the table and the
sentence that holds the answer; refuted with the answer of another such question in its place;
open without the sentence, or without the table.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from feverfew.corpus import Corpus
from feverfew.errors import NotFound
from feverfew.judge.reading import Piece
from feverfew.lab.train.tableclaims import TableClaim
from feverfew.lab.train.tablesets import REPORTED, bucket, read_rows
from feverfew.tables.view import TableView
from feverfew.text import display_title
from feverfew.types import Kind

__all__ = ["hybrid_claims", "stated"]

_QUESTION = re.compile(r"(?:What|Who|Which) (is|was|are|were) (the .+?) ?\?")


def stated(question: str, answer: str) -> str | None:
    """Turn a question and an answer into a statement; None where it is asked in another way.

    >>> stated("What is the middle name of the second player ?", "Jerry")
    'The middle name of the second player is Jerry.'
    """
    found = _QUESTION.fullmatch(question.strip())
    return f"T{found[2][1:]} {found[1]} {answer}." if found else None


def hybrid_claims(
    data: Path, corpus: Corpus, seed: int, *, reported: bool = False
) -> Iterator[TableClaim]:
    """Yield each usable question's claim in one of four ways, drawn at random.

    Two fifths of the tables are only reported on.
    """
    rng = random.Random(seed)
    asked = [
        (row, piece)
        for row in read_rows(data / "tables/hybridqa_dev.jsonl.gz")
        if (bucket(row["table_id"]) < REPORTED) is reported
        and stated(row["question"], "")
        and (piece := _sentence(corpus, row))
    ]
    views = _views(data, {row["table_id"] for row, _ in asked})
    others = [(view, piece) for (row, piece) in asked if (view := views.get(row["table_id"]))]
    kinds: dict[str, list[str]] = {}
    for row, _ in asked:
        kinds.setdefault(_kind(row["answer-text"]), []).append(row["answer-text"])
    for row, piece in asked:
        view = views.get(row["table_id"])
        if view is None:
            continue
        answer = row["answer-text"]
        way = rng.choice(("whole", "whole", "false", "false", "no sentence", "no table"))
        said = answer
        if way == "false":
            said = rng.choice(kinds[_kind(answer)])
            if said.lower() in piece[1].lower():
                continue
        elsewhere = rng.choice(others)
        yield TableClaim(
            stated(row["question"], said) or "",
            elsewhere[0] if way == "no table" else view,
            {"whole": 0, "false": 1}.get(way, 2),
            row["table_id"],
            (elsewhere[1] if way == "no sentence" else piece,),
        )


def _kind(answer: str) -> str:
    """Sort answers roughly, so that a false one looks like the true one."""
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z][a-z]*", "A", re.sub(r"[\d,.]+", "0", answer)))


def _sentence(corpus: Corpus, row: dict[str, Any]) -> Piece | None:
    """Find the sentence of a linked page that holds the answer."""
    for _, _, link, kind in row["answer-node"]:
        if kind != "passage" or not link:
            continue
        try:
            page = corpus.page(link.removeprefix("/wiki/"))
        except NotFound:
            continue
        for ref, text in page.elements():
            if ref.kind is Kind.SENTENCE and row["answer-text"].lower() in text.lower():
                return display_title(page.title), text
    return None


def _views(data: Path, wanted: set[str]) -> dict[str, TableView]:
    found = {}
    for row in read_rows(data / "wiki/tables.jsonl.gz"):
        if row["uid"] in wanted:
            rows = [[cell[0] for cell in row["header"]]]
            rows += [[cell[0] for cell in line] for line in row["data"]]
            found[row["uid"]] = TableView.of_rows(rows, row["section_title"], row["title"])
    return found
