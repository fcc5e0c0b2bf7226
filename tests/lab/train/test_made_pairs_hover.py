"""Pairs made from HoVer's claims."""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from feverfew.corpus import Corpus
from feverfew.lab.train.datasets import is_test
from feverfew.lab.train.made_pairs import hover_pairs
from making import made

PAGES = {
    "Alpha_Song": ["Alpha Song was written by Berta Quill .", "It is long ."],
    "Berta_Quill": ["She is a poet .", "She was born in Riga ."],
}


def gzipped(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return path


def hover_row(question: str, label: str, facts: list[tuple[str, int]]) -> dict[str, object]:
    return {
        "uid": question,
        "claim": "The writer of Alpha Song was born in Riga.",
        "supporting_facts": facts,
        "label": label,
        "num_hops": 2,
        "hpqa_id": question,
    }


def questions(*, test: bool) -> list[str]:
    return [name for name in map(str, range(50)) if is_test(name) == test]


def test_hover_claims_are_shown_whole_among_others_and_with_a_page_missing(
    tmp_path: Path,
) -> None:
    facts = [("Alpha Song", 0), ("Berta Quill", 1)]
    first, second, third = questions(test=False)[:3]
    claims = gzipped(
        tmp_path / "claims.jsonl.gz",
        [
            hover_row(first, "SUPPORTED", facts),
            hover_row(second, "NOT_SUPPORTED", facts),
            hover_row(third, "SUPPORTED", [*facts, ("Berta Quill", 7)]),
            hover_row(questions(test=True)[0], "SUPPORTED", facts),
        ],
    )
    with Corpus.open(made(tmp_path, PAGES)) as corpus:
        pairs = list(hover_pairs(corpus, claims))
    # The third claim's last sentence is not in the corpus, and the fourth is only reported on.
    assert [pair["label"] for pair in pairs] == ["S", "S", "N", "X", "X"]
    whole, among, lacking = pairs[0]["evidence"], pairs[1]["evidence"], pairs[2]["evidence"]
    assert [title for title, _ in whole] == ["Alpha Song", "Berta Quill"]
    assert len(among) > len(whole)
    assert all(piece in among for piece in whole)
    assert len(lacking) == 1
    assert lacking[0] in whole
