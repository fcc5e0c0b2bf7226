"""The judge: evidence in, verdicts out, each resting on evidence that says so."""

import pytest

from feverfew.judge import Judge, Piece
from feverfew.judge.judge import PIECES, SMALL
from feverfew.tables import TableReader, TableView
from feverfew.types import Table, Verdict

LANG = Piece("Fritz Lang", "Fritz Lang was born in Vienna on 5 December 1890.")
RIVER = Piece("Danube", "The Danube flows through ten countries.")


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge.open(SMALL, threads=1)


def test_evidence_supports_and_refutes(judge: Judge) -> None:
    claims = ["Fritz Lang was born in Vienna.", "Fritz Lang was born in 1975."]
    supported, refuted = judge.judge(claims, [[LANG], [LANG]])
    assert supported.verdict is Verdict.SUPPORTED
    assert refuted.verdict is Verdict.REFUTED
    assert supported.cited == ((0,),)
    assert refuted.decisive == {0}


def test_nothing_is_decided_without_evidence(judge: Judge) -> None:
    nothing = judge.judge(["Fritz Lang was born in Vienna."], [[]])[0]
    assert nothing.verdict is Verdict.NOT_ENOUGH_INFO
    assert nothing.probabilities == (0.0, 0.0, 1.0)
    assert nothing.cited == ()


def test_a_claim_is_judged_alike_alone_and_in_any_batch(judge: Judge) -> None:
    claims = ["Fritz Lang was born in Vienna.", "The Danube flows through two countries.", "Aruba."]
    pieces = [[LANG, RIVER], [RIVER], [RIVER, LANG]]
    together = judge.judge(claims, pieces)
    backwards = judge.judge(claims[::-1], pieces[::-1])[::-1]
    for claim, own, one, other in zip(claims, pieces, together, backwards, strict=True):
        alone = judge.judge([claim], [own])[0]
        assert alone.probabilities == one.probabilities == other.probabilities
        assert alone.cited == one.cited == other.cited


def test_a_decided_claim_cites_evidence_that_says_so(judge: Judge) -> None:
    for claim in ("Fritz Lang was born in Vienna.", "Fritz Lang was born in Berlin in 1975."):
        one = judge.judge([claim], [[LANG, RIVER]])[0]
        if one.verdict is Verdict.NOT_ENOUGH_INFO:
            continue
        side = 0 if one.verdict is Verdict.SUPPORTED else 1
        best = max(one.alone[at][side] for cited in one.cited for at in cited)
        assert all(one.alone[at][1 - side] <= best for at in one.against)


def test_sources_in_conflict_leave_a_claim_undecided(judge: Judge) -> None:
    pieces = [
        Piece("", "Alcohol is not reimbursed."),
        Piece("", "Alcohol is reimbursed."),
    ]
    one = judge.judge(["Alcohol is reimbursed."], [pieces])[0]
    says = [max(range(3), key=own.__getitem__) for own in one.alone]
    if {0, 1} <= set(says) and one.alone[0][1] > one.alone[1][0]:
        assert one.verdict is not Verdict.SUPPORTED


def test_long_texts_are_shortened_to_what_matters(judge: Judge) -> None:
    filler = "The office opens at nine and closes at five on most days of the week. " * 40
    pieces = judge.shorten("Fritz Lang was born in Vienna.", [filler + LANG.text])
    assert len(pieces) <= PIECES
    assert any("Vienna" in piece.text for piece in pieces)


def test_cells_of_a_table_are_evidence_like_sentences(judge: Judge) -> None:
    rows = [["Year", "Film"], ["1927", "Metropolis"], ["1931", "M"]]
    view = TableView.of_rows(rows, "Films", "Fritz Lang")
    claim = "Fritz Lang's Metropolis was released in 1927."
    table = TableReader.open().read(claim, Table(0, ()), view)
    one = judge.judge([claim], [[Piece("", table.text, table.votes)]])[0]
    assert one.probabilities[0] > one.probabilities[1]


def test_the_fingerprint_names_the_weights() -> None:
    assert Judge.open(SMALL, threads=1).fingerprint == Judge.open(SMALL, threads=1).fingerprint
