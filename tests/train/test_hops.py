"""Training the hop scorer: who is asked, what is learned from, and what comes out."""

import gzip
import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.retrieve import Ranked
from feverfew.retrieve.ranker import Network
from feverfew.retrieve.trail_features import TRAIL_FEATURES
from feverfew.train.hops import Journey, main
from feverfew.train.hover import HoverClaim, hover_claims, is_held_out, is_test
from making import made

CLAIM = HoverClaim(
    "1",
    "The writer of Alpha Song was born in a town.",
    (("Alpha Song", 0), ("Berta Quill", 0), ("Berta Quill", 1)),
    "SUPPORTED",
    2,
    "q",
)
PAGES = {
    "Alpha_Song": ["Alpha Song was written by Berta Quill ."],
    "Berta_Quill": ["She is a poet .", "She was born in a town ."],
    **{f"Other_{n}": [f"A song of a town , number {n} ."] for n in range(200)},
}


def row(number: int, **more: object) -> dict[str, object]:
    return {
        "uid": str(number),
        "claim": CLAIM.text,
        "supporting_facts": CLAIM.facts,
        "label": "SUPPORTED",
        "num_hops": 2,
        "hpqa_id": f"question {number}",
        **more,
    }


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    with gzip.open(path, "wt") as out:
        out.writelines(json.dumps(one) + "\n" for one in rows)
    return path


def test_claims_without_all_their_pages_are_left_out(tmp_path: Path) -> None:
    rows = [row(1), row(2, text_complete=False), row(3, text_complete=True)]
    found = hover_claims(write(tmp_path / "claims.jsonl.gz", rows))
    assert [claim.id for claim in found] == ["1", "3"]
    assert found[0].pages == ["Alpha Song", "Berta Quill"]
    with pytest.raises(InputError, match="does not exist"):
        hover_claims(tmp_path / "none.jsonl")


def test_a_third_is_kept_aside_and_a_tenth_of_the_rest_held_out() -> None:
    questions = [f"question {number}" for number in range(6_000)]
    rest = [question for question in questions if not is_test(question)]
    assert 3_850 < len(rest) < 4_150
    assert 330 < sum(map(is_held_out, rest)) < 470
    # The split never changes: what was trained on must stay apart from what is reported.
    assert [is_test(question) for question in questions[:9]] == SPLIT


SPLIT = [False, True, False, True, False, False, True, False, False]


def test_all_gold_pages_and_some_others_are_learned_from(tmp_path: Path) -> None:
    with Corpus.open(made(tmp_path, PAGES)) as corpus:
        journey = Journey(corpus, Ranked.open(corpus), CLAIM)
        rows, gold = journey.group(np.random.default_rng(1))
        assert rows.shape == (len(gold), len(TRAIL_FEATURES))
        assert gold.sum() == 2
        assert len(gold) <= 2 + 60 < len(journey.trail) + 60


def test_networks_of_every_round_are_written(tmp_path: Path) -> None:
    made(tmp_path, PAGES)
    rows = [row(number) for number in range(60)]
    claims, output = write(tmp_path / "claims.jsonl.gz", rows), tmp_path / "hops.json"
    asked = ["--corpus", tmp_path / "made.corpus", "--claims", claims, "-o", output, "--most", 30]
    done = CliRunner().invoke(main, list(map(str, asked)))
    assert done.exit_code == 0, done.output
    networks = msgspec.json.decode(output.read_bytes(), type=dict[str, Network])
    assert list(networks) == ["round 0", "round 1", "round 2", "round 3"]
    assert all(tuple(network.features) == TRAIL_FEATURES for network in networks.values())
    assert "all pages in the top 10" in done.stderr
