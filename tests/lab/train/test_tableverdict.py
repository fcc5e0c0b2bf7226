"""What weighs encoder and programs: what it learns from, that it learns, what is read once."""

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from feverfew.judge import Judge
from feverfew.judge.aggregate import Aggregator
from feverfew.judge.features import FEATURES, RETRIEVED
from feverfew.lab.train.aggregator import fit
from feverfew.lab.train.bothsets import beside_tables, divided
from feverfew.lab.train.feverousclaims import SentenceClaim, label_shares, read_sentence_claims
from feverfew.lab.train.hybridclaims import stated
from feverfew.lab.train.remember import Remembering
from feverfew.lab.train.splits import is_feverous_test
from feverfew.lab.train.tableclaims import TableClaim, infobox_claims, statement_claims
from feverfew.lab.train.tablepairs import drawn
from feverfew.lab.train.tablesets import Statement, TabFact, infobox_view
from feverfew.lab.train.tableverdict import both_rows, table_rows
from feverfew.tables import TableJudge, TableView
from feverfew.tables.cells import Cells
from feverfew.tables.table_features import BOTH, TABLE
from tinymodel import ALIKE

BOX = infobox_view({"title": ["Ada"], "Born": ["1900"], "Died": ["1980"], "Known for": ["Poems"]})
ROWS = [["Team", "City"], ["Ravens", "Oslo"], ["Larks", "Bergen"], ["Owls", "Voss"]]
TEAMS = TableView.of_rows(ROWS, "Teams")


class Stub:
    """Stands for the encoder: supports what names Oslo, and counts what it reads."""

    def __init__(self, fingerprint: str = "stub") -> None:
        self.fingerprint = fingerprint
        self.read = 0

    def logits(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        self.read += len(pairs)
        rows = [[2, 0, 0, 1] if "Oslo" in claim else [0, 2, 0, 1] for claim, _ in pairs]
        return np.array(rows, np.float32).reshape(len(pairs), 4)[:, ALIKE]


def table_judge(encoder: Stub | Remembering) -> TableJudge:
    judge = Judge(encoder, Aggregator.blank(FEATURES), Aggregator.blank(FEATURES + RETRIEVED))
    return TableJudge.untrained(judge, Cells.open())


def gzipped(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))


def test_rows_are_described_and_learned() -> None:
    claims = [
        TableClaim(f"The {team} are from {city}.", TEAMS, label, f"t{at}")
        for at in range(4)
        for team, city, label in (("Ravens", "Oslo", 0), ("Larks", "Voss", 1))
    ]
    judge = table_judge(Stub())
    rows = table_rows(judge, claims)
    assert rows.labels == [0, 1] * 4
    assert rows.claims == [0, 0, 1, 1, 2, 2, 3, 3]
    weights, right, _ = fit(rows, TABLE, decay=0.01)
    assert right == 1.0
    said = Aggregator(weights, TABLE).probabilities(rows.features)
    assert said.argmax(1).tolist() == rows.labels
    beside = [TableClaim(c.claim, c.view, c.label, c.table, (("", "x"),)) for c in claims]
    assert {len(row) for row in both_rows(judge, beside).features} == {len(BOTH)}


def test_more_decay_makes_weights_smaller() -> None:
    claims = [
        TableClaim(f"The {t} are from {c}.", TEAMS, y, t)
        for t, c, y in (("Ravens", "Oslo", 0), ("Larks", "Voss", 1), ("Owls", "Oslo", 0))
    ]
    rows = table_rows(table_judge(Stub()), claims * 3)
    light, heavy = (np.abs(fit(rows, TABLE, decay=decay)[0].hidden).sum() for decay in (0.001, 1.0))
    assert heavy < 0.5 * light


def test_what_was_read_is_kept_and_another_model_reads_again(tmp_path: Path) -> None:
    pairs = [("Oslo", "a"), ("Bergen", "b"), ("Oslo", "a")]
    first = Stub()
    kept = Remembering(first, tmp_path / "cache")
    found = kept.logits(pairs)
    assert first.read == 2
    kept.keep()
    second = Stub()
    again = Remembering(second, tmp_path / "cache").logits(pairs)
    assert second.read == 0
    assert (again == found).all()
    other = Stub("other")
    Remembering(other, tmp_path / "cache").logits(pairs)
    assert other.read == 2


def test_infoboxes_of_what_is_reported_are_not_learned_from(tmp_path: Path) -> None:
    tables = [{"id": f"T{n}", "table": {"title": [t], "Born": ["1"]}} for n, t in enumerate("aba")]
    gzipped(tmp_path / "infotabs_tables.jsonl.gz", list(tables))
    for part, names in (("train", ("T0", "T1")), ("dev", ("T2",))):
        rows = [
            {"table_id": name, "hypothesis": f"{name} {label}", "label": label}
            for name in names
            for label in "ECN"
        ]
        gzipped(tmp_path / f"infotabs_{part}.jsonl.gz", list(rows))
    learned = infobox_claims(tmp_path, "train", None, 1)
    assert {one.table for one in learned} == {"T1"}
    assert [one.label for one in learned] == [0, 1, 2]
    assert {one.table for one in infobox_claims(tmp_path, "dev", 2, 1)} == {"T2"}


def test_statements_the_encoder_knows_are_left_out_and_some_are_silenced() -> None:
    tables = {f"t{n}": {"rows": ROWS, "caption": "Teams"} for n in range(4200)}
    training = [Statement(f"t{n}", "the ravens are from oslo", n % 2) for n in range(4200)]
    tabfact = TabFact(tables, training, [])
    known = {one.table for one in drawn(tabfact)}
    made = list(statement_claims(tabfact, 30, 1))
    assert known.isdisjoint(one.table for one in made)
    assert [one.label for one in made].count(2) == 10


def test_a_claim_is_divided_between_a_table_and_a_text() -> None:
    claim = TableClaim("The Ravens are from Oslo.", TEAMS, 0, "t")
    made = [divided(claim, [("x", "Silent.")], random.Random(seed)) for seed in range(30)]
    beside = [m for m in made if m.view is TEAMS]
    moved = [m for m in made if m.view is not TEAMS and m.label == 0]
    dropped = [m for m in made if m.view is not TEAMS and m.label == 2]
    assert beside
    assert moved
    assert dropped
    assert all(m.texts == (("x", "Silent."),) for m in beside + dropped)
    assert moved[0].texts == (("Teams", "For Team Ravens, the City is Oslo."),)
    assert moved[0].view.columns[0].texts == ("Larks", "Owls")


def test_of_an_infobox_a_key_is_moved() -> None:
    claim = TableClaim("Ada was born in 1900.", BOX, 1, "t")
    made = [divided(claim, [("x", "Silent.")], random.Random(seed)) for seed in range(30)]
    moved = next(m for m in made if m.label == 1 and m.view is not BOX)
    assert moved.texts == (("Ada", "The born of Ada is 1900."),)
    assert [column.header for column in moved.view.columns] == ["name", "Died", "Known for"]


def test_sentence_claims_beside_tables_may_lack_a_sentence() -> None:
    one = SentenceClaim("A.", (("p", "x"), ("p", "y")), 0, "p")
    made = list(beside_tables([one] * 40, [TableClaim("", TEAMS, 0, "t")], random.Random(1)))
    assert {(m.label, len(m.texts)) for m in made} == {(0, 2), (2, 1)}


def test_questions_become_statements() -> None:
    assert stated("Who was the coach of the team ?", "Ada") == "The coach of the team was Ada."
    assert stated("How many are there ?", "3") is None


def test_sentence_claims_are_read_and_split_by_page(tmp_path: Path) -> None:
    pages = [f"Page {n}" for n in range(40)]
    rows = [
        {
            "claim": page,
            "label": "supports",
            "evidence": f"{page}\tIt is [[A_b|big]].\n{page}\tOld.",
        }
        for page in pages
    ]
    gzipped(tmp_path / "feverous/sentence_claims.jsonl.gz", list(rows))
    labels = ["SUPPORTS", "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"]
    gzipped(tmp_path / "feverous/claim_ids.jsonl.gz", [{"label": label} for label in labels])
    claims = list(read_sentence_claims(tmp_path))
    assert claims[0].pieces == (("Page 0", "It is big."), ("Page 0", "Old."))
    assert {one.page for one in claims if one.reported} == {p for p in pages if is_feverous_test(p)}
    assert all(one.learned != one.reported for one in claims)
    assert label_shares(tmp_path) == pytest.approx((0.5, 0.25, 0.25))
