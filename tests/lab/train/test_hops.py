"""Training the hop scorer: who is asked, what is learned from, and what comes out."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.train import hops
from feverfew.lab.train.datasets import HoverClaim, half, hover_claims, is_held_out, is_test
from feverfew.lab.train.hops import TrainingSearch, more_claims, train_hops
from feverfew.retrieve import Ranked
from feverfew.retrieve.hops import MULTIHOP_FEATURES
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
    assert 1_850 < sum(map(half, rest)) < 2_150
    # The split never changes: what was trained on must stay apart from what is reported.
    assert [is_test(question) for question in questions[:9]] == SPLIT


SPLIT = [False, True, False, True, False, False, True, False, False]


def test_all_gold_pages_and_some_others_are_learned_from(tmp_path: Path) -> None:
    with Corpus.open(made(tmp_path, PAGES)) as corpus:
        search = TrainingSearch(corpus, Ranked.open(corpus), CLAIM)
        rows, gold = search.group(np.random.default_rng(1))
        assert rows.shape == (len(gold), len(MULTIHOP_FEATURES))
        assert gold.sum() == 2
        assert len(gold) <= 2 + 60 < len(search.search) + 60


def test_every_round_gets_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
    taught: list[int] = []
    fit = hops.__dict__["fit"]

    def counted(groups: Any, held: list[bool], *more: Any) -> Any:
        taught.append(len(held) - sum(held))
        return fit(groups, held, *more)

    monkeypatch.setattr(hops, "fit", counted)
    claims = write(tmp_path / "claims.jsonl.gz", [row(number) for number in range(60)])
    with Corpus.open(made(tmp_path, PAGES)) as corpus:
        networks = train_hops(corpus, [claims], (), seed=1, most=30)
    assert list(networks) == ["round 0", "round 1", "round 2", "round 3"]
    assert all(tuple(network.features) == MULTIHOP_FEATURES for network in networks.values())
    assert "all pages in the top 10" in capsys.readouterr().err
    # Each half is led on by what the other taught.
    whole, first, second = taught[:3]
    assert len(taught) == 3 * 4
    assert 0 < first < first + second == whole


def test_of_other_claims_those_of_several_pages_are_taken_and_half_as_many_more(
    tmp_path: Path,
) -> None:
    several = [{"claim": f"Claim {n}.", "pages": ["Alpha_Song", f"Other_{n}"]} for n in range(8)]
    one = [{"claim": f"One {n}.", "pages": [f"Other_{n}"]} for n in range(20)]
    left_out = [
        {"claim": "Too many.", "pages": [f"Other_{n}" for n in range(5)]},
        {"claim": "Not there.", "pages": ["Alpha_Song", "Atlantis"]},
    ]
    path = tmp_path / "more.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in several + one + left_out))
    with Corpus.open(made(tmp_path, PAGES)) as corpus:
        found = more_claims([path], corpus, np.random.default_rng(1))
    assert [claim.text for claim in found[:8]] == [row["claim"] for row in several]
    assert len(found) == 12
    assert all(claim.text.startswith("One") for claim in found[8:])
