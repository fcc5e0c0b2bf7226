"""Reading, mixing and batching training pairs."""

from itertools import islice
from pathlib import Path

import pytest

from feverfew.errors import BadRecord, InputError
from feverfew.lab.train.pairs import UNKNOWN, Mixture, Pair, Source, read_pairs


def written(folder: Path, *lines: str) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("\n".join(lines) + "\n" * bool(lines), encoding="utf-8")
    return path


def test_pairs_are_read_with_what_each_teaches(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"claim": "Aruba is dry.", "evidence": [["Aruba", "It is dry ."]], "label": "S"}',
        '{"claim": "Aruba is wet.", "evidence": "It is n\'t wet.", "label": "R", "relevant": true}',
        '{"claim": "Aruba is far.", "evidence": "It is dry.", "relevant": false}',
        '{"claim": "Aruba is dry.", "evidence": "Is is dry.", "label": "S", "head": "cells"}',
    )
    assert read_pairs(path) == [
        Pair("Aruba is dry.", "Aruba: It is dry .", 0, UNKNOWN),
        Pair("Aruba is wet.", "It isn't wet.", 1, 1),
        Pair("Aruba is far.", "It is dry.", UNKNOWN, 0),
        Pair("Aruba is dry.", "Is is dry.", 0, UNKNOWN, 1),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"claim": "a", "evidence": "b", "label": "MAYBE"}', r"jsonl:2: unknown label 'MAYBE'"),
        ('{"claim": "a", "evidence": "b"}', r"jsonl:2: a pair needs a label"),
        ('{"claim": "a", "evidence": "b", "label": "S", "head": "c"}', "unknown head 'c'"),
        ('{"claim": "a", "label": "S"}', r"jsonl:2: .*evidence"),
        ('{"claim": ', r"jsonl:2: "),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, why: str) -> None:
    good = '{"claim": "a", "evidence": "b", "label": "S"}'
    with pytest.raises(BadRecord, match=why):
        read_pairs(written(tmp_path, good, line))


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no pairs"):
        read_pairs(written(tmp_path))


def source(name: str, count: int, weight: float) -> Source:
    pairs = [Pair(f"{name}{i}", "x" * (i % 7), 0, UNKNOWN) for i in range(count)]
    return Source(name, pairs, weight)


def names(batches: list[list[Pair]]) -> list[str]:
    return [pair.claim for batch in batches for pair in batch]


def test_the_seed_decides_the_order() -> None:
    sources = [source("a", 50, 1), source("b", 50, 1)]
    one, again, other = (
        names(list(islice(Mixture(sources, 4, seed).batches(), 40))) for seed in (1, 1, 2)
    )
    assert one == again
    assert one != other


def test_skipping_gives_the_batches_that_would_have_come() -> None:
    mixture = Mixture([source("a", 30, 1), source("b", 9, 2)], 4, 1)
    whole = list(islice(mixture.batches(), 80))
    assert list(islice(mixture.batches(skip=47), 33)) == whole[47:]


def test_each_pair_comes_once_before_any_comes_twice() -> None:
    drawn = names(list(islice(Mixture([source("a", 96, 1)], 8, 1).batches(), 32)))
    counts = [drawn.count(f"a{i}") for i in range(96)]
    assert max(counts) - min(counts) <= 1


def test_weights_decide_how_often_a_source_is_drawn() -> None:
    mixture = Mixture([source("a", 40, 3), source("b", 40, 1), source("c", 40, 0)], 8, 1)
    drawn = names(list(islice(mixture.batches(), 320)))
    assert sum(name.startswith("a") for name in drawn) / len(drawn) == pytest.approx(0.75, abs=0.03)
    assert not any(name.startswith("c") for name in drawn)


def test_a_batch_holds_pairs_of_near_length() -> None:
    pairs = [Pair("c", "x" * (i * 37 % 500), 0, UNKNOWN) for i in range(512)]
    for batch in islice(Mixture([Source("a", pairs, 1)], 16, 1).batches(), 32):
        lengths = [len(pair.evidence) for pair in batch]
        assert max(lengths) - min(lengths) < 60


def test_nothing_to_draw_from_is_an_error() -> None:
    with pytest.raises(InputError, match="no pairs to train on"):
        Mixture([source("a", 3, 0)], 8, 1)
