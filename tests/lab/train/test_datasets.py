"""The split of the development claims: by page, for ever the same."""

import gzip
import json
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.errors import InputError
from feverfew.lab.train.datasets import development, is_tuning

PAGES = {f"Page_{n}": [f"Page {n} is a page about thing {n}."] for n in range(40)}


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def claim(number: int, page: str | None, **marks: object) -> dict[str, object]:
    label = "SUPPORTS" if page else "NOT ENOUGH INFO"
    evidence = [[[1, 1 if page else None, page, 0 if page else None]]]
    return {
        "id": number,
        "label": label,
        "claim": f"Claim {number} is about thing {number % 40}.",
        "evidence": evidence,
        **marks,
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    dev = [claim(n, f"Page_{n % 40}", exact=True, full_pages=n % 2 == 0) for n in range(80)]
    dev += [claim(n, None) for n in range(80, 100)]
    dev.append(claim(100, "Page_3", exact=False))
    write(folder / "fever/dev.jsonl.gz", dev)
    write(folder / "fever/train_claims.jsonl.gz", [{"pages": ["Page_1"]}])
    write(folder / "fever/train_pairs.jsonl.gz", [{"page": "Page_2"}])
    return folder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("splits")
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as out:
        for title, said in PAGES.items():
            lines = "\n".join(f"{i}\t{text}" for i, text in enumerate(said))
            out.write(json.dumps({"id": title, "text": "", "lines": lines}) + "\n")
    build([folder / "pages.jsonl"], folder / "made.corpus", workers=0)
    return Corpus.open(folder / "made.corpus")


def test_no_page_is_on_both_sides(data: Path, corpus: Corpus) -> None:
    found = development(data, corpus)
    tuned = {ref.page for c in found.tuning for refs in c.evidence for ref in refs}
    reported = {ref.page for c in found.report for refs in c.evidence for ref in refs}
    assert tuned
    assert reported
    assert tuned.isdisjoint(reported)
    assert all(map(is_tuning, tuned))


def test_pages_of_training_and_uncertain_claims_are_left_out(data: Path, corpus: Corpus) -> None:
    found = development(data, corpus)
    asked = {c.id for c in [*found.tuning, *found.report]}
    assert asked.isdisjoint({1, 41, 2, 42, 100})
    assert asked >= {80, 99}
    assert {80, 99} <= found.full_pages


def test_it_says_what_it_needs(tmp_path: Path, corpus: Corpus) -> None:
    with pytest.raises(InputError, match="train_pairs"):
        development(tmp_path, corpus)
