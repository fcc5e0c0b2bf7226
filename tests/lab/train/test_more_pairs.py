"""Pairs made from HoVer and from tables, and which pairs are worth learning from."""

import gzip
import json
from pathlib import Path

from click.testing import CliRunner
from feverfew.lab.train.chainrows import Story
from feverfew.lab.train.chains import taught_the_head

from feverfew.corpus import Corpus
from feverfew.lab.train import hard_examples as harder
from feverfew.lab.train import headpairs, hoverpairs, tablepairs
from feverfew.lab.train.hover import HEAD_HALF, half, is_test
from feverfew.lab.train.infobox_nei import silent_claims
from feverfew.lab.train.pairs import NOT_SUPPORTED, UNKNOWN, Pair
from feverfew.lab.train.tableclaims import infobox_claims
from making import made

PAGES = {
    "Alpha_Song": ["Alpha Song was written by Berta Quill .", "It is long ."],
    "Berta_Quill": ["She is a poet .", "She was born in Riga ."],
}


def gzipped(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return path


def hover_row(question: str, label: str, facts: list[tuple[str, int]]) -> dict[str, object]:
    return {
        "uid": question,
        "claim": "The writer of Alpha Song was born in Riga.",
        "supporting_facts": facts,
        "label": label,
        "num_hops": 2,
        "hpqa_id": question,
    }


def questions(*, test: bool) -> list[str]:
    return [name for name in map(str, range(50)) if is_test(name) == test]


def test_hover_claims_are_shown_whole_among_others_and_with_a_page_missing(
    tmp_path: Path,
) -> None:
    facts = [("Alpha Song", 0), ("Berta Quill", 1)]
    first, second, third = questions(test=False)[:3]
    claims = gzipped(
        tmp_path / "claims.jsonl.gz",
        [
            hover_row(first, "SUPPORTED", facts),
            hover_row(second, "NOT_SUPPORTED", facts),
            hover_row(third, "SUPPORTED", [*facts, ("Berta Quill", 7)]),
            hover_row(questions(test=True)[0], "SUPPORTED", facts),
        ],
    )
    with Corpus.open(made(tmp_path, PAGES)) as corpus:
        pairs = list(hoverpairs.hover_pairs(corpus, claims))
    # The third claim's last sentence is not in the corpus, and the fourth is only reported on.
    assert [pair["label"] for pair in pairs] == ["S", "S", "N", "X", "X"]
    whole, among, lacking = pairs[0]["evidence"], pairs[1]["evidence"], pairs[2]["evidence"]
    assert [title for title, _ in whole] == ["Alpha Song", "Berta Quill"]
    assert len(among) > len(whole)
    assert all(piece in among for piece in whole)
    assert len(lacking) == 1
    assert lacking[0] in whole


def test_heads_are_fitted_to_claims_that_nothing_is_weighed_by(tmp_path: Path) -> None:
    facts = [("Alpha Song", 0), ("Berta Quill", 1)]
    asked = questions(test=False)[:12]
    (tmp_path / "hover").mkdir()
    (tmp_path / "tables").mkdir()
    gzipped(
        tmp_path / "hover/claims.jsonl.gz", [hover_row(name, "SUPPORTED", facts) for name in asked]
    )
    box = {"title": ["Alpha"], "Released": ["1 May 1990"]}
    boxes = [{"id": f"T{n}", "table": {**box, "title": [f"Alpha {n}"]}} for n in range(9)]
    said = [
        {"table_id": f"T{n}", "hypothesis": f"Claim {n}.", "label": "ECN"[n % 3]} for n in range(9)
    ]
    gzipped(tmp_path / "tables/infotabs_tables.jsonl.gz", boxes)
    gzipped(tmp_path / "tables/infotabs_train.jsonl.gz", said)
    gzipped(tmp_path / "tables/infotabs_dev.jsonl.gz", [])
    nli = tmp_path / "nli/fever_train_nei_claims_only.jsonl.gz"
    nli.parent.mkdir()
    gzipped(nli, [{"claim": f"Alpha {n}'s label owns a parrot."} for n in range(9)])
    made_pairs = list(headpairs.cell_pairs(tmp_path, weighed=4))
    fitted = {pair["claim"] for pair in made_pairs}
    weighed = infobox_claims(tmp_path / "tables", "train", 4, seed=1)
    assert len(weighed) == 4
    assert len(fitted) == 5 + 5
    silent = silent_claims(tmp_path, weighed)
    assert len(silent) == 4
    assert {one.label for one in silent} == {2}
    assert all(one.view.title in one.claim for one in silent)
    assert not fitted & {one.claim for one in (*weighed, *silent)}
    assert {p["label"] for p in made_pairs if "parrot" in p["claim"]} == {"N"}
    corpus = made(tmp_path, PAGES)
    result = CliRunner().invoke(
        headpairs.main, ["--data", str(tmp_path), "--corpus", str(corpus), "-o", str(tmp_path)]
    )
    assert result.exit_code == 0, result.output
    lines = (tmp_path / "chain.jsonl").read_text().splitlines()
    assert len(lines) == 3 * sum(half(name) == HEAD_HALF for name in asked) > 0
    assert {json.loads(line)["head"] for line in lines} == {"chain"}
    stories = [Story("A claim.", True, name, hops) for name in asked for hops in (1, 2)]
    taught = {story.owner for story in stories if taught_the_head(story)}
    assert taught == {name for name in asked if half(name) == HEAD_HALF}
    assert not any(taught_the_head(story) for story in stories if story.hops == 1)


def test_infoboxes_and_statements_become_pairs(tmp_path: Path) -> None:
    box = {"title": ["Alpha"], "Released": ["1 May  1990"], "Genre": ["pop", "jazz"]}
    gzipped(tmp_path / "infotabs_tables.jsonl.gz", [{"id": "T1", "table": box}])
    said = {"table_id": "T1", "hypothesis": "Alpha was released in 1991.", "label": "C"}
    gzipped(tmp_path / "infotabs_train.jsonl.gz", [said])
    table = {"id": "t", "caption": "rivers", "rows": [["name", "km"], ["Oder", "840"]]}
    gzipped(tmp_path / "tabfact_tables.jsonl.gz", [table])
    true = {"table": "t", "statement": "the Oder is 840 km long", "label": 1}
    gzipped(tmp_path / "tabfact_train.jsonl.gz", [true])
    gzipped(tmp_path / "tabfact_val.jsonl.gz", [])
    result = CliRunner().invoke(
        tablepairs.main, ["--data", str(tmp_path), "-o", str(tmp_path / "out")]
    )
    assert result.exit_code == 0, result.output
    infobox, statement = (
        json.loads((tmp_path / f"out/{name}.jsonl").read_text())
        for name in ("infobox", "statement")
    )
    assert infobox["label"] == "R"
    assert infobox["evidence"] == "Alpha: Released is 1 May 1990, Genre is pop, jazz."
    assert statement["label"] == "S"
    assert statement["evidence"] == "rivers: name is Oder, km is 840."


def test_easy_and_doubtful_pairs_are_left_out() -> None:
    pairs = [Pair(str(i), "e", label, UNKNOWN) for i, label in enumerate((0, 0, 1, 2, UNKNOWN))]
    pairs.append(Pair("x", "e", NOT_SUPPORTED, UNKNOWN))
    shares = [
        (0.95, 0.03, 0.02),  # known
        (0.01, 0.5, 0.49),  # labelled wrongly, it seems
        (0.3, 0.5, 0.2),
        (0.5, 0.3, 0.2),
        (0.95, 0.03, 0.02),  # of no verdict
        (0.05, 0.5, 0.45),  # not supported, and known to be
    ]
    assert harder.harder(shares, pairs, stay=0.0, seed=1) == [2, 3, 4]
    assert harder.harder(shares, pairs, stay=1.0, seed=1) == [0, 2, 3, 4, 5]


def test_the_harder_pairs_of_a_file_are_written_as_they_stand(tmp_path: Path) -> None:
    lines = [
        json.dumps({"claim": f"Aruba is {word}.", "evidence": "It is dry.", "relevant": True})
        for word in ("dry", "wet", "far")
    ]
    source, target = tmp_path / "pairs.jsonl", tmp_path / "harder.jsonl"
    source.write_text("\n".join(lines) + "\n")
    result = CliRunner().invoke(harder.main, [str(source), "--draw", "2", "-o", str(target)])
    assert result.exit_code == 0, result.output
    kept = target.read_text().splitlines()
    assert len(kept) == 2
    assert set(kept) < set(lines)
