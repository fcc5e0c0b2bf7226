"""Training what claims over several pages need: what counts, what is left out, what comes out."""

import gzip
import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from feverfew.check.chained import ChainWeights
from feverfew.corpus import Corpus
from feverfew.judge.chain_features import FOUND, GIVEN
from feverfew.lab.train.chainrows import Story, choices, rank
from feverfew.lab.train.chains import balance, main, stories_of
from feverfew.lab.train.hover import is_test
from feverfew.retrieve import Candidate
from feverfew.select.multihop_features import CHAIN_FEATURES
from feverfew.types import Hop, Ref
from making import made

COUNT = 40
PAGES = {
    **{f"Song_{n}": [f"Song {n} is loud .", f"Song {n} is by Poet {n} ."] for n in range(COUNT)},
    **{f"Poet_{n}": [f"Poet {n} is old .", "He lives in Zug ."] for n in range(COUNT)},
    **{f"Other_{n}": [f"A song of a poet in Zug , number {n} ."] for n in range(20)},
}


def row(number: int) -> dict[str, object]:
    return {
        "uid": str(number),
        "claim": f"The poet of Song {number} lives in {'Zug' if number % 2 else 'Rome'}.",
        "supporting_facts": [[f"Song {number}", 1], [f"Poet {number}", 1]],
        "label": "SUPPORTED" if number % 2 else "NOT_SUPPORTED",
        "num_hops": 2,
        "hpqa_id": f"question {number}",
    }


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    path = tmp_path / "claims.jsonl.gz"
    with gzip.open(path, "wt") as out:
        out.writelines(json.dumps(row(number)) + "\n" for number in range(COUNT))
    return path


def test_what_is_reported_on_is_not_learned_from(claims: Path) -> None:
    stories = stories_of(claims, 1_000, seed=1)
    assert 0 < len(stories) < COUNT
    assert not any(is_test(story.owner) for story in stories)
    assert stories_of(claims, 5, seed=1) == stories[:5]
    assert stories_of(claims, 5, seed=2) != stories[:5]


def test_labels_count_the_same_at_each_length() -> None:
    stories = [
        *(Story(str(n), n < 9, "q", 2) for n in range(12)),
        *(Story(str(n), n < 2, "q", 4) for n in range(4)),
        *(Story(str(n), n < 1, "q", 1) for n in range(40)),
    ]
    counts = np.array(balance(stories))
    for hops, total in ((2, 12), (4, 4), (1, 4)):
        own = [
            counts[[s.hops == hops and s.supported is label for s in stories]].sum()
            for label in (True, False)
        ]
        assert own == pytest.approx([total / 2] * 2)


def stories_with_pages(corpus: Corpus, claims: Path) -> tuple[list[Story], list[list[Candidate]]]:
    stories = stories_of(claims, 1_000, seed=1)
    pages = []
    for story in stories:
        song, poet = (title.replace(" ", "_") for title, _ in story.facts)
        way = Hop(poet, Ref.sentence(song, 1), "name")
        found = [(song, None), (poet, way), ("Other_3", None)]
        pages.append(
            [Candidate(corpus.number(t) or 0, t, 3.0 - at, v) for at, (t, v) in enumerate(found)]
        )
    return stories, pages


def test_gold_sentences_are_marked_and_learned(tmp_path: Path, claims: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
    with Corpus.open(made(tmp_path, PAGES)) as corpus:
        read = choices(corpus, *stories_with_pages(corpus, claims))
        assert [one.gold.tolist() for one in read[:1]] == [[False, True, False, True, False]]
        assert {one.gold_pages for one in read} == {2}
        _, ranked = rank(read)
        assert all(one.complete(own[:2]) for one, own in zip(read, ranked, strict=True))
        assert not any(one.complete(own[:1]) for one, own in zip(read, ranked, strict=True))


def test_the_command_writes_weights_that_are_loaded(tmp_path: Path, claims: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra: feverfew[train]")
    made(tmp_path, PAGES)
    output = tmp_path / "chains.json"
    given = ["--corpus", tmp_path / "made.corpus", "--claims", claims, "-o", output, "--judged", 12]
    done = CliRunner().invoke(main, list(map(str, given)))
    assert done.exit_code == 0, done.output
    weights = msgspec.json.decode(output.read_bytes(), type=ChainWeights)
    assert tuple(weights.sentences.features) == CHAIN_FEATURES
    assert tuple(weights.found.features) == FOUND
    assert tuple(weights.given.features) == GIVEN
    assert any(weights.found.weights)
    assert "a gold sentence of every gold page among 10" in done.stderr
    assert "labels balanced" in done.stderr
