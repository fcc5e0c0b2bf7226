"""Training pairs made from a corpus alone."""

from pathlib import Path

from feverfew.lab.train.pairs import read_pairs
from making import feverfew, made

PAGES = {
    f"Ada_{last}": [
        f"Ada {last} (born {day} May 19{day}) is a Danish poet.",
        "Critics praised the quiet rhythm.",
        f"She won {day} medals in Rome.",
    ]
    for day, last in enumerate(("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir"), 12)
}


def test_pairs_are_written_as_training_reads_them(tmp_path: Path) -> None:
    corpus = made(tmp_path, PAGES)
    output = tmp_path / "synthetic.jsonl"
    ran = feverfew("train", "synthetic", "--corpus", corpus, "--count", "40", "-o", output)
    assert ran.returncode == 0, ran.stderr
    pairs = read_pairs(output)
    assert len(pairs) == 40
    assert {pair.verdict for pair in pairs} == {0, 1, 2}
    assert any("Critics" in pair.evidence for pair in pairs)
    # A claim and silent evidence is open, whatever its own sentence says of it.
    assert all(p.verdict == 2 for p in pairs if p.evidence == "Ada Elm: " + PAGES["Ada_Elm"][1])


def test_pages_of_claims_are_left_out(tmp_path: Path) -> None:
    corpus = made(tmp_path, PAGES)
    claims = tmp_path / "claims.jsonl"
    claims.write_text(
        '{"id": 1, "claim": "Ada Elm is a poet.", "label": "SUPPORTS", "verifiable": "VERIFIABLE",'
        ' "evidence": [[[1, 1, "Ada_Elm", 0]]]}\n',
        encoding="utf-8",
    )
    output = tmp_path / "synthetic.jsonl"
    ran = feverfew(
        "train", "synthetic", "--corpus", corpus, "--count", "500", "--apart-from", claims,
        "-o", output,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "no more than" in ran.stderr
    assert not any(pair.claim.startswith("Ada Elm") for pair in read_pairs(output))
