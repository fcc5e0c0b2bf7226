"""What only FEVEROUS's paper measures: F1 by class, macro-F1, passages, claims alone."""

import pytest

from feverfew.lab.papers.measure import FROM_CLAIMS, f1_of, guessed, passages
from feverfew.score.feverous import feverous_score
from feverfew.score.labels import label_scores
from feverfew.score.sheet import Sheet
from feverfew.types import Claim, Prediction, Ref, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO
GOLD = [S, S, S, R, R, N]
SAID = [S, S, R, R, S, S]


def sheet_of(gold: list[Verdict], said: list[Verdict], found: tuple[str, ...] = ()) -> Sheet:
    need = (tuple(map(Ref.parse, ("P_sentence_1", "P_cell_0_1_1", "P_cell_0_2_2"))),)
    claims = [Claim(id=i, text=f"c{i}", label=own, evidence=need) for i, own in enumerate(gold)]
    refs = tuple(map(Ref.parse, found))
    predictions = [Prediction(id=i, label=own, evidence=refs) for i, own in enumerate(said)]
    return feverous_score(claims, predictions)


def test_f1_is_that_of_the_confusion_matrix() -> None:
    sheet = sheet_of(GOLD, SAID)
    known = label_scores(sheet.pairs)
    for label in (S, R, N):
        found = f1_of(sheet, label)
        assert found.value == pytest.approx(100 * known.classes[label.value].f1, abs=0.01)
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.value <= found.high <= 100
    assert f1_of(sheet, None).value == pytest.approx(100 * known.macro_f1, abs=0.01)


def test_a_class_that_does_not_occur_is_left_out_of_the_mean() -> None:
    sheet = sheet_of([S, R], [S, R])
    assert f1_of(sheet, None).value == 100
    assert f1_of(sheet, N).value == 0


@pytest.mark.parametrize(
    ("found", "share"),
    [
        ((), 0),
        (("P_sentence_1",), 50),
        (("P_table_caption_0",), 50),
        (("P_cell_0_9_9", "P_sentence_1"), 100),
        ((*(f"P_sentence_{n}" for n in (2, 3, 4, 5, 6, 1)), "P_table_caption_0"), 50),
        ((*(f"P_table_caption_{n}" for n in (1, 2, 3, 0)), "P_sentence_1"), 50),
    ],
)
def test_passages_are_sentences_and_tables_as_many_as_count(
    found: tuple[str, ...], share: float
) -> None:
    assert passages(sheet_of([S, R], [S, R], found)).value == share


def test_claims_alone_are_guessed_from_their_words() -> None:
    refs = {True: (Ref.parse("P_sentence_1"),), False: (Ref.parse("P_cell_0_1_1"),)}
    claims = [
        Claim(
            id=i,
            text=f"it is {'never' if i % 3 else 'always'} so {i}",
            label=R if i % 3 else S,
            evidence=(refs[bool(i % 3)],),
        )
        for i in range(60)
    ]
    found = {metric: guessed(metric, claims).value for metric in FROM_CLAIMS}
    assert found["claim_only"] == found["evidence_type"] == 100
    assert found["claim_only_majority"] == pytest.approx(66.67)
    assert found["evidence_type_majority"] == pytest.approx(66.67)
