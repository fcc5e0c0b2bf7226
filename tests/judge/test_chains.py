"""Sentences that are judged together: which are read, what is weighed, and what it rests on."""

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from feverfew.errors import FeverfewError
from feverfew.judge import Judge
from feverfew.judge.aggregate import Aggregator
from feverfew.judge.chain_features import FOUND, GIVEN, SETS, found_row, given_row, nested
from feverfew.judge.chains import (
    ChainJudge,
    LogisticWeights,
    LogisticWeightSets,
    read_parts,
    read_sets,
)
from feverfew.judge.features import FEATURES, RETRIEVED
from feverfew.judge.label_policy import LabelPolicy
from feverfew.judge.reading import Array, EncoderOutput, Piece, score_each
from feverfew.models.heads import WIDTH
from feverfew.text import words
from feverfew.types import Verdict
from tinymodel import ALIKE

CLAIM = "The writer of Alpha Song was born in Zug."
SONG = ("Alpha Song", "Alpha Song was made by the writer Berta Quill.")
BORN = ("Berta Quill", "She was born in Zug.")
ELSE = ("Oslo", "Oslo is the capital of Norway.")


class Words:
    """Stands in for the encoder: evidence supports a claim if it has all its longer words."""

    fingerprint = "words"

    def __init__(self) -> None:
        self.asked = 0

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        self.asked += len(pairs)
        said = []
        for claim, evidence in pairs:
            sought = {word for word in words(claim) if len(word) > 2 and word != "the"}
            share = len(sought & set(words(evidence))) / len(sought)
            said.append([8 * (share - 0.9), -4.0, 8 * (0.9 - share), 8 * (share - 0.2)])
        return np.array(said, np.float32).reshape(len(pairs), 4)[:, ALIKE]


def weighing(names: tuple[str, ...], **weights: float) -> LogisticWeights:
    zeros = [0.0] * len(names)
    given = [weights.get(name, 0.0) for name in names]
    return LogisticWeights(list(names), zeros, [1.0] * len(names), given, 0.0)


@pytest.fixture
def encoder() -> Words:
    return Words()


@pytest.fixture
def judge(encoder: Words) -> ChainJudge:
    plain = Judge(encoder, Aggregator.blank(FEATURES), Aggregator.blank(FEATURES + RETRIEVED))  # type: ignore[arg-type]
    found, given = weighing(FOUND, support_most=5.0), weighing(GIVEN, support=5.0)
    return ChainJudge(plain, LogisticWeightSets(found, given))


def reading(encoder: Words, *pieces: Piece) -> EncoderOutput:
    return score_each(encoder, [CLAIM], [list(pieces)])[0]  # type: ignore[arg-type]


def test_the_best_two_three_and_so_on_and_the_best_of_each_page() -> None:
    pieces = [(page, str(at)) for at, page in enumerate("AABACADAAA")]
    *first, pages = nested(pieces)
    assert [len(one) for one in first] == list(SETS)
    assert pages == [0, 2, 4, 6]
    assert nested(pieces[:1]) == [[0]] * (len(SETS) + 1)


def test_no_set_is_read_twice(encoder: Words) -> None:
    one = reading(encoder, SONG, BORN)
    encoder.asked = 0
    (joint,) = read_sets(encoder, [one])  # type: ignore[arg-type]
    assert encoder.asked == 1
    assert joint.shape == (len(SETS) + 1, WIDTH)
    assert (joint == joint[0]).all()


def test_rows_have_a_value_for_each_name(encoder: Words) -> None:
    one = reading(encoder, SONG, BORN, ELSE)
    (joint,) = read_sets(encoder, [one])  # type: ignore[arg-type]
    (parts,) = read_parts(encoder, [one])  # type: ignore[arg-type]
    row = dict(zip(FOUND, found_row(one, joint, parts, (0.2, 0.3, 0.5)), strict=True))
    assert row["support_2"] > 0 > row["alone_most"]
    assert row["words_5"] == row["names_5"] == 1.0
    assert (row["answer_s"], row["answer_r"]) == (0.2, 0.3)
    other = reading(encoder, ELSE)
    few = dict(zip(GIVEN, given_row(other, other.alone, (0.0, 0.0, 1.0)), strict=True))
    assert few["support"] < 0
    assert few["names"] == 0.0


def test_each_sentence_of_a_claim_is_read_beside_all_pieces(encoder: Words) -> None:
    claim = "Berta Quill made the Alpha Song. She was born in Oslo."
    one = replace(reading(encoder, SONG, BORN), claim=claim)
    encoder.asked = 0
    parts, whole = read_parts(encoder, [one, reading(encoder, ELSE)])  # type: ignore[arg-type]
    assert encoder.asked == 2 + 1  # one of them for what is read alone
    assert parts.shape == (2, WIDTH)
    assert parts[0, 0] > 0 > parts[1, 0]
    assert whole.shape == (1, WIDTH)


def test_what_no_piece_says_alone_they_say_together(encoder: Words, judge: ChainJudge) -> None:
    both, song, nothing = judge.judge_found(
        [reading(encoder, SONG, BORN, ELSE), reading(encoder, SONG, ELSE), reading(encoder)]
    )
    assert both.judgement.verdict is Verdict.SUPPORTED
    assert both.settles == (0, 1)
    assert len(both.judgement.alone) == len(both.judgement.relevance) == 3
    assert song.judgement.probabilities[0] < 0.5
    assert nothing.judgement.verdict is Verdict.NOT_ENOUGH_INFO
    assert nothing.settles == ()
    for said in (both, song, nothing):
        assert sum(said.judgement.probabilities) == pytest.approx(1)


def test_a_piece_that_says_it_alone_is_enough(encoder: Words, judge: ChainJudge) -> None:
    every = ("Zug", "Berta Quill, writer of the Alpha Song, was born in Zug.")
    (said,) = judge.judge_found([reading(encoder, ELSE, every)])
    assert said.settles == (1,)


def test_the_rule_of_the_judge_reads_the_probabilities(encoder: Words, judge: ChainJudge) -> None:
    blank = Aggregator.blank(FEATURES), Aggregator.blank(FEATURES + RETRIEVED)
    misled = Judge(encoder, *blank, LabelPolicy("misled", (0.0, 1.0, 0.0)))  # type: ignore[arg-type]
    asked = [reading(encoder, SONG, BORN)]
    (plain,) = judge.judge_found(asked)
    (said,) = ChainJudge(misled, judge._weighings).judge_found(asked)
    assert said.judgement.probabilities == plain.judgement.probabilities
    assert plain.judgement.verdict is Verdict.SUPPORTED
    assert said.judgement.verdict is Verdict.REFUTED


def test_without_a_piece_of_the_set(encoder: Words, judge: ChainJudge) -> None:
    one = reading(encoder, SONG, BORN, ELSE)
    asked = [(one, (0, 1, 2), 1), (one, (0, 1, 2), 2)]
    assert judge.without(asked) == [Verdict.NOT_ENOUGH_INFO, Verdict.SUPPORTED]


def test_evidence_that_people_bring(judge: ChainJudge) -> None:
    both, one, none = judge.judge_given([CLAIM] * 3, [[SONG, BORN], [BORN], []])
    assert both.verdict is Verdict.SUPPORTED
    assert one.probabilities[0] < 0.5
    assert none.verdict is Verdict.NOT_ENOUGH_INFO
    texts = [text for _, text in (SONG, BORN)]
    assert judge.judge_texts([(CLAIM, texts)])[0].verdict is Verdict.SUPPORTED


def test_weights_of_another_version_are_refused(judge: ChainJudge) -> None:
    fine = weighing(FOUND)
    with pytest.raises(FeverfewError, match="another version"):
        LogisticWeightSets(replace(fine, features=["a"]), weighing(GIVEN)).checked()
    other = LogisticWeightSets(weighing(FOUND, support_2=1.0), weighing(GIVEN))
    assert ChainJudge(judge._judge, other).fingerprint != judge.fingerprint
