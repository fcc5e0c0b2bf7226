"""Training the selector: gold sentences in three forms, both networks, words that keep company."""

import json
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.lab.train.network import held_out
from feverfew.lab.train.rankers import gold_sentences
from feverfew.lab.train.related import learn_related
from feverfew.types import Ref
from making import feverfew


def test_gold_in_three_forms(small_corpus: Corpus, tmp_path: Path) -> None:
    rows = [
        {"claim": "one", "page": "Tartu", "line": 1},
        {"claim": "two", "evidence": [[[1, 2, "Tartu", 0], [1, 2, "Ada_Quill", 1]]]},
        {"claim": "three", "pages": ["Tartu"], "evidence_text": ["It lies on the river Emajõgi ."]},
        {"claim": "four", "pages": ["Nowhere"], "evidence_text": ["It lies ."]},
        {"claim": "five", "evidence": [[[1, None, None, None]]]},
        {"claim": "one", "page": "Tartu", "line": 0},
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert gold_sentences(small_corpus, [path]) == {
        "one": {Ref.sentence("Tartu", 0), Ref.sentence("Tartu", 1)},
        "two": {Ref.sentence("Tartu", 0), Ref.sentence("Ada_Quill", 1)},
        "three": {Ref.sentence("Tartu", 1)},
    }


def test_the_command_writes_both_networks(small_corpus: Corpus, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
    gold = [
        ("Ada Quill was born in Tartu.", "Ada_Quill", 1),
        ("Tartu is a city.", "Tartu", 0),
        ("Harbour Lights stars Rosa Tamm.", "Harbour_Lights_-LRB-film-RRB-", 1),
        ("Peter Nolan is an actor.", "Peter_Nolan", 0),
        ("Actors mime in silent films.", "Silent_film", 1),
    ]
    assert held_out(frozenset({"Silent_film"}))
    rows = [{"claim": f"{c[:-1]} {i}.", "page": p, "line": n} for i in range(4) for c, p, n in gold]
    path, output = tmp_path / "gold.jsonl", tmp_path / "selector.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    given: list[str | Path] = ["--corpus", small_corpus.path, "--claims", path, "-o", output]
    done = feverfew("train", "ranker", "sentences", *given)
    assert done.returncode == 0, done.stderr
    assert set(json.loads(output.read_text())) == {"first", "second"}


def test_words_that_keep_company_are_related() -> None:
    people = [f"Person{chr(97 + i)}{chr(97 + j)}" for i in range(10) for j in range(10)]
    pairs = []
    for i, person in enumerate(people):
        if i % 2:
            pairs.append((f"{person} wrote much", f"In fact {person} is a novelist here {i}"))
        else:
            pairs.append((f"{person} sang much", f"In fact {person} is a vocalist here {i}"))
    table = learn_related(pairs * 2, common=0.6)
    assert max(table["wrote"], key=lambda word: table["wrote"][word]) == "novelist"
    assert max(table["sang"], key=lambda word: table["sang"][word]) == "vocalist"
    assert "vocalist" not in table["wrote"]


def test_a_ranker_says_what_it_needs(tmp_path: Path) -> None:
    done = feverfew("train", "ranker", "pages", "-o", tmp_path / "out.json")
    assert done.returncode == 2
    assert "to train pages, give --corpus and --claims" in done.stderr
