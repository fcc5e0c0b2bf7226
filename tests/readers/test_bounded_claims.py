"""Claims, predictions, evidence and audits are read in a process that can be ended."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.errors import BadRecord, InputError
from feverfew.readers import read_claims, read_predictions
from feverfew.readers.bounded import bounded, bounded_value
from feverfew.readers.claims import format_of
from feverfew.readers.user_evidence import read_user_evidence
from feverfew.workers import Budget


def test_what_is_read_is_what_the_plain_reader_reads(tmp_path: Path) -> None:
    claims, said = tmp_path / "claims.csv", tmp_path / "said.jsonl"
    claims.write_text("id,claim,owner\n7,Linz is a city.,Ann\n8,Graz is a river.,Bob\n")
    said.write_text(
        '{"predicted_label": "SUPPORTS", "predicted_evidence": [["Linz", 0]], '
        '"probabilities": {"S": 0.9, "R": 0.05, "N": 0.05}}\n' * 300
    )
    ids = list(range(300))
    assert list(bounded(read_claims, claims)) == list(read_claims(claims))
    found = list(bounded(read_predictions, said, "fever", ids))
    assert found == list(read_predictions(said, "fever", ids))
    assert bounded_value(format_of, claims) == "fever"
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"claim": "It is.", "table": [["a", "b"], ["1", null]]}\n')
    assert list(bounded(read_user_evidence, pairs)) == list(read_user_evidence(pairs))


def test_an_error_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"id": 1, "claim": "A."}\n{"id": 2, "claim": ""}\n')
    with pytest.raises(BadRecord, match=r"bad\.jsonl:2: the claim is empty"):
        list(bounded(read_claims, tmp_path / "bad.jsonl"))
    with pytest.raises(InputError, match=r"none\.txt: No such file"):
        list(bounded(read_claims, tmp_path / "none.txt"))


def test_a_file_that_gives_far_more_than_it_stores_is_refused(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.jsonl.gz", "wb") as out:
        out.write(b'{"id": 1, "claim": "%s"}\n' % (b"a" * 1_000) * 40_000)
    with pytest.raises(BadRecord, match="far more than it stores"):
        list(bounded(read_claims, tmp_path / "bomb.jsonl.gz"))
    wide = ",".join(["claim", *(f"column number {n}" for n in range(20_000))])
    (tmp_path / "wide.csv").write_text(wide + "\n" + "A.\n" * 20_000)
    with pytest.raises(BadRecord, match=r"wide\.csv: it (holds far more|needs more than)"):
        list(bounded(read_claims, tmp_path / "wide.csv"))


def never(path: Path) -> Iterator[str]:
    """Read for ever."""
    while path:
        pass
    yield ""


def too_much(path: Path) -> Iterator[str]:
    """Take all memory."""
    yield str(path) * (1 << 28)


def test_time_and_memory_are_bounded(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"it takes longer than 0\.5 s"):
        list(bounded(never, tmp_path, budget=Budget(seconds=0.5)))
    with pytest.raises(BadRecord, match="it needs more than 256 MB"):
        list(bounded(too_much, tmp_path, budget=Budget(memory=256 << 20)))


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--claims", "FILE"),
        ("verify", "FILE", "-o", "out.jsonl"),
        ("search", "--claims", "FILE"),
        ("rules", "check", "FILE"),
        ("judge", "FILE"),
        ("bias", "FILE"),
        ("score", "fever", "FILE", "FILE"),
    ],
)
def test_commands_refuse_a_bomb_in_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.jsonl.gz"
    line = b'{"id": 1, "claim": "%s", "evidence": []}\n' % (b"a" * 1_000)
    with gzip.open(bomb, "wb", 1) as out:
        out.write(line * 20_000)
    given = [str(bomb) if word == "FILE" else word for word in words]
    done = CliRunner().invoke(cli, given)
    assert isinstance(done.exception, BadRecord)
    assert str(done.exception).endswith("holds far more than it stores, which real text does not")
