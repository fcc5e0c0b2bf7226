"""Out-of-domain sets: read as their packages hold them, without what was trained on."""

import gzip
import json
import sys
from pathlib import Path

from feverfew.lab.train.datasets import is_tuning

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from out_of_domain import Pair, read_summaries, read_vitaminc, unseen

sys.path.pop(0)

PAGES = [page for page in map("Ferry {}".format, range(40)) if not is_tuning(page)]


def example(page: str, claim: str, label: str) -> dict[str, object]:
    scores = {name: int(name == label) for name in ("True", "False", "Neither")}
    return {"input": f"{page}: It has 12 rooms .\nClaim: {claim}", "target_scores": scores}


def test_synthetic_revisions_and_pages_for_tuning_are_left_out(tmp_path: Path) -> None:
    tuning = next(page for page in map("Ferry {}".format, range(40)) if is_tuning(page))
    examples = [
        example(PAGES[0], "It has 12 rooms .", "True"),
        example(tuning, "It has 12 rooms .", "True"),
        example(PAGES[1], "It has red rooms .", "Neither"),
        example(PAGES[2], "It has 9 rooms .", "False"),  # after the last "Neither": synthetic
    ]
    (tmp_path / "task.json").write_text(json.dumps({"examples": examples}))
    first = Pair("It has 12 rooms.", f"{PAGES[0]}: It has 12 rooms.", "S", PAGES[0])
    second = Pair("It has red rooms.", f"{PAGES[1]}: It has 12 rooms.", "N", PAGES[1])
    assert read_vitaminc(tmp_path / "task.json") == [first, second]


def test_a_summary_that_is_right_and_wrong_is_left_out(tmp_path: Path) -> None:
    rows = [
        {"article_sent": "a b c.", "correct_sent": "a b.", "incorrect_sent": "a c."},
        {"article_sent": "a b c.", "correct_sent": "a c.", "incorrect_sent": "c a."},
    ]
    (tmp_path / "test.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert read_summaries(tmp_path / "test.jsonl") == [
        Pair("a b.", "a b c.", "S", "a b c."),
        Pair("c a.", "a b c.", "X", "a b c."),
    ]


def test_pairs_with_a_training_text_are_dropped(tmp_path: Path) -> None:
    (tmp_path / "nli").mkdir()
    row = {"claim": "It rains.", "ev_sents": ["It pours."], "label": "S"}
    with gzip.open(tmp_path / "nli" / "some.jsonl.gz", "wt") as out:
        out.write(json.dumps(row) + "\n")
    pairs = [
        Pair("It rains!", "The sun is out.", "R", "a"),
        Pair("The street is wet.", "it pours", "S", "b"),
        Pair("The sun shines.", "The sun is out.", "S", "c"),
    ]
    assert unseen(pairs, tmp_path) == pairs[2:]
