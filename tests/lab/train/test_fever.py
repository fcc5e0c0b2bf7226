"""Making training pairs: from a small corpus and a few claims, every kind in its file."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.train.fever import claims_to_mine, write_pairs
from feverfew.lab.train.mine import Found, Mined, mine

PAGES = {
    "Aruba": ["Aruba is an island in the Caribbean Sea .", "It is dry ."],
    "Vienna": ["Vienna is the capital of Austria .", "It lies on the Danube ."],
    "Danube": ["The Danube is a river .", "It flows through Vienna ."],
}
FAIR, SIEGE = "Vienna held a fair in 1873.", "It was besieged in 1683."
ROWS: dict[str, list[dict[str, Any]]] = {
    "fever/dev": [
        {
            "id": 1,
            "label": "SUPPORTS",
            "claim": "The Danube flows.",
            "evidence": [[[1, 1, "Danube", 1]]],
            "exact": True,
        },
        {
            "id": 2,
            "label": "REFUTES",
            "claim": "Aruba is wet.",
            "evidence": [[[1, 1, "Aruba", 1]]],
            "exact": True,
        },
    ],
    "fever/train_claims": [
        {
            "claim": "Aruba is dry.",
            "label": "SUPPORTS",
            "pages": ["Aruba"],
            "evidence_text": ["It is dry ."],
        },
        {"claim": "Aruba is old.", "label": "NOT ENOUGH INFO", "pages": [], "evidence_text": []},
    ],
    "fever/train_pairs": [
        {
            "claim": "Vienna is in Peru.",
            "label": "REFUTES",
            "page": "Vienna",
            "line": 0,
            "text": PAGES["Vienna"][0],
        },
        {
            "claim": "the danube FLOWS",
            "label": "SUPPORTS",
            "page": "Danube",
            "line": 1,
            "text": PAGES["Danube"][1],
        },
    ],
    "nli/fever_train": [
        {"claim": "Vienna lies there.", "label": "S", "ev_sents": ["It lies on the Danube."]},
        {"claim": "Rome burns.", "label": "R", "ev_sents": ["It does not burn."]},
        {"claim": FAIR, "label": "S", "ev_sents": ["It lies on the Danube."]},
    ],
    "nli/fever_train_nei_claims_only": [{"claim": "Vienna sings."}],
    **{
        f"nli/{name}": [{"claim": "a", "evidence": "b", "label": "S"}]
        for name in (
            *("lingnli", "mnli_llmsknow", "taxinli", "snli_cad", "mpe", "rel_wikiqa"),
            *("rel_selqa_devtest", "rel_trecqa", "healthver_train", "covidfact"),
            *("citation_integrity", "mnli_dev", "snli_devtest", "control"),
            *("help_andor", "monli", "commitmentbank", "folio"),
        )
    },
    "nli/glue_rte": [
        {"claim": "a", "evidence": "b", "label": "S"},
        {"claim": "a", "evidence": "c", "label": "N"},
    ],
    "feverous/sentence_claims": [
        {
            "claim": "Vienna, on the Danube, is large.",
            "label": "supports",
            "evidence": "Vienna\tIt lies on the [[Danube]].\nVienna\tIt is [[Size|large]].",
        },
        {"claim": "Aruba is wet.", "label": "refutes", "evidence": "Aruba\tIt is dry."},
        {
            "claim": "Lang lived in Vienna.",
            "label": "supports",
            "evidence": "Vienna\tLang lived here.\nFritz Lang\tHe was a director.",
        },
    ],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name, rows in ROWS.items():
        path = folder / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return folder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    source = folder / "wiki-001.jsonl"
    with source.open("w", encoding="utf-8") as out:
        for title, lines in PAGES.items():
            numbered = "\n".join(f"{i}\t{line}" for i, line in enumerate(lines))
            row = {"id": title, "text": " ".join(lines), "lines": numbered}
            out.write(json.dumps(row) + "\n")
    return Corpus.build([source], folder / "made.corpus")


def found(title: str, line: int) -> Found:
    return Found(title, line, PAGES[title][line], 1.0)


MINED = [
    Mined("Aruba is dry.", [found("Aruba", 1), found("Aruba", 0), found("Vienna", 0)]),
    Mined("Vienna is in Peru.", [found("Vienna", 0), found("Danube", 1)]),
    Mined("Vienna sings.", [found("Vienna", 0), found("Vienna", 1)]),
    Mined("The Danube flows.", [found("Danube", 1), found("Danube", 0)]),
    Mined(FAIR, [Found("Vienna", 2, SIEGE, 1.0)]),
]


@pytest.fixture(scope="module")
def made(
    data: Path, corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("pairs")
    counts = write_pairs(data, corpus, MINED, folder)
    kinds = {
        path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in folder.iterdir()
    }
    assert {name: len(rows) for name, rows in kinds.items()} == counts
    return kinds


def claims(rows: list[dict[str, Any]]) -> set[str]:
    return {row["claim"] for row in rows}


def test_longer_claims_come_whole_and_with_a_sentence_missing(
    made: dict[str, list[dict[str, Any]]],
) -> None:
    lies, large = ["Vienna", "It lies on the Danube."], ["Vienna", "It is large."]
    first, cut, refuted = made["feverous"]  # the third is on a page that is reported on
    assert (first["label"], first["evidence"]) == ("S", [lies, large])
    assert cut["label"] == "N"
    assert cut["evidence"] in ([lies], [large])
    assert (refuted["claim"], refuted["label"]) == ("Aruba is wet.", "R")


def test_gold_sentences_get_their_pages_where_these_are_sure(
    made: dict[str, list[dict[str, Any]]],
) -> None:
    evidence = {row["claim"]: row["evidence"] for row in made["supported"] + made["refuted"]}
    assert evidence == {
        "Aruba is dry.": [["Aruba", "It is dry ."]],
        "Vienna is in Peru.": [["Vienna", PAGES["Vienna"][0]]],
        "Vienna lies there.": [["Vienna", "It lies on the Danube."]],
        "Rome burns.": [["", "It does not burn."]],
        FAIR: [["Vienna", "It lies on the Danube."]],
    }


def test_no_claim_of_the_development_set_is_learned(
    made: dict[str, list[dict[str, Any]]],
) -> None:
    """Not even in another spelling."""
    learned = {name for name in made if name not in {"held_out", "test"}}
    assert not any("flows" in claim.lower() for name in learned for claim in claims(made[name]))


def test_only_claims_on_unused_pages_are_held_out(made: dict[str, list[dict[str, Any]]]) -> None:
    assert claims(made["held_out"] + made["test"]) == {"The Danube flows."}


def test_other_pages_leave_a_claim_open(made: dict[str, list[dict[str, Any]]]) -> None:
    assert claims(made["other"]) == {"Aruba is dry.", "Vienna is in Peru."}
    for row in made["other"]:
        assert row["label"] == "N"
        assert {title for title, _ in row["evidence"]} <= {"Vienna", "Danube"} - {
            row["claim"].split()[0]
        }


def test_sentences_beside_the_gold_are_irrelevant(made: dict[str, list[dict[str, Any]]]) -> None:
    beside = {row["claim"]: row["evidence"] for row in made["irrelevant"]}
    assert beside == {
        "Aruba is dry.": [["Aruba", PAGES["Aruba"][0]]],
        FAIR: [["Vienna", SIEGE]],
    }
    assert not any(row["relevant"] for row in made["irrelevant"])
    assert all(row["relevant"] for row in made["relevant"])


def test_what_was_in_another_year_is_silent(made: dict[str, list[dict[str, Any]]]) -> None:
    (row,) = made["dated"]
    assert row == {
        "claim": FAIR,
        "evidence": [["Vienna", SIEGE]],
        "relevant": False,
        "label": "N",
    }


def test_gold_stays_among_what_is_added(made: dict[str, list[dict[str, Any]]]) -> None:
    first, second = made["supported_among"]
    assert ["Aruba", "It is dry ."] in first["evidence"]
    assert sorted(second["evidence"]) == [["Vienna", "It lies on the Danube."], ["Vienna", SIEGE]]
    assert len(first["evidence"]) == 3
    assert {first["label"], second["label"]} == {"S"}


def test_open_claims_come_with_what_was_found(made: dict[str, list[dict[str, Any]]]) -> None:
    assert claims(made["open"]) == {"Vienna sings."}
    assert {row["label"] for row in made["open"]} == {"N"}


def test_a_set_of_two_labels_does_not_tell_refuted_from_open(
    made: dict[str, list[dict[str, Any]]],
) -> None:
    assert [row["label"] for row in made["reasoning"]] == ["S", "X", "S", "S"]


def test_every_claim_is_mined_once(data: Path) -> None:
    listed = claims_to_mine(data)
    assert len(listed) == len(set(listed))
    assert {"Vienna sings.", "Rome burns.", "Aruba is dry.", "Aruba is wet."} <= set(listed)


def test_missing_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"fever_train\.jsonl\.gz is needed, and does not exist"):
        claims_to_mine(tmp_path)


def test_mining_finds_the_sentence_first(corpus: Corpus) -> None:
    asked = ["The Danube flows through Vienna.", "Aruba is dry."]
    mined = list(mine(asked, corpus.path, workers=1))
    assert [m.claim for m in mined] == asked
    assert (mined[0].found[0].title, mined[0].found[0].line) == ("Danube", 1)
    assert {f.title for f in mined[1].found[:2]} == {"Aruba"}
