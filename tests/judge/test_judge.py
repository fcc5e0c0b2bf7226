"""The judge: probabilities in order, sound for any input, unmoved by silent company."""

import math

import pytest

from feverfew.judge import Judge, Judgement
from feverfew.judge.aggregate import Aggregator
from feverfew.judge.features import FEATURES, RETRIEVED
from feverfew.types import Context, Evidence, Ref, Verdict

LANG = ("Fritz Lang", "Fritz Lang was an Austrian film director who was born in Vienna in 1890.")
SILENT = [
    ("Danube", "The Danube is the second-longest river in Europe, after the Volga."),
    ("Honey", "Honey is made by bees from the nectar of flowers."),
    ("Chess", "Chess is a board game for two players."),
    ("Oslo", "Oslo is the capital of Norway."),
]


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge.open(threads=2)


def found(page: str, text: str, score: float) -> Evidence:
    context = Context(title=page)
    return Evidence(ref=Ref.sentence(page, 0), text=text, context=context, score=score)


def judge_found(judge: Judge, claim: str, evidence: list[Evidence]) -> Judgement:
    return judge.judge_chosen(judge.choose([claim], [evidence]))[0]


def test_evidence_decides(judge: Judge) -> None:
    claims = ["Fritz Lang was born in Vienna.", "Fritz Lang was born in 1975.", "Bees make honey."]
    said = judge.judge(claims, [[LANG], [LANG], [SILENT[0]]])
    assert [one.verdict for one in said] == [
        Verdict.SUPPORTED,
        Verdict.REFUTED,
        Verdict.NOT_ENOUGH_INFO,
    ]


def test_without_evidence_a_claim_is_open(judge: Judge) -> None:
    (said,) = judge.judge(["Fritz Lang was born in Vienna."], [[]])
    assert said.verdict is Verdict.NOT_ENOUGH_INFO
    assert said.probabilities == (0, 0, 1)
    assert said.alone == ()


def test_silent_company_changes_little(judge: Judge) -> None:
    for claim in ("Fritz Lang was born in Vienna.", "Fritz Lang was born in 1975."):
        alone = judge_found(judge, claim, [found(*LANG, 4.0)])
        for count in range(1, len(SILENT) + 1):
            company = [found(*piece, -6.0 - i) for i, piece in enumerate(SILENT[:count])]
            among = judge_found(judge, claim, [found(*LANG, 4.0), *company])
            assert among.verdict is alone.verdict
            assert among.probabilities == pytest.approx(alone.probabilities, abs=0.2)


def test_a_batch_says_what_single_calls_say(judge: Judge) -> None:
    claims = ["Fritz Lang was born in Vienna.", "Oslo is in Norway.", "Chess needs a board."]
    pieces = [[LANG, SILENT[0]], [SILENT[3]], []]
    together = judge.judge(claims, pieces)
    for claim, own, said in zip(claims, pieces, together, strict=True):
        (single,) = judge.judge([claim], [own])
        assert single.probabilities == pytest.approx(said.probabilities, abs=0.05)


def test_leaving_out_the_only_telling_piece_changes_the_verdict(judge: Judge) -> None:
    evidence = [found(*LANG, 4.0), found(*SILENT[0], -6.0)]
    (chosen,) = judge.choose(["Fritz Lang was born in Vienna."], [evidence])
    (said,) = judge.judge_chosen([chosen])
    assert said.verdict is Verdict.SUPPORTED
    assert judge.without([(chosen, 0), (chosen, 1)]) == [
        Verdict.NOT_ENOUGH_INFO,
        Verdict.SUPPORTED,
    ]


def test_the_pieces_that_matter_are_chosen(judge: Judge) -> None:
    pieces = [*(found(*piece, 1.0) for piece in SILENT), found(*LANG, 1.0)]
    (chosen,) = judge.choose(["Fritz Lang was born in Vienna."], [pieces], k=2)
    assert len(chosen.evidence) == len(chosen.reading.pieces) == 2
    assert chosen.evidence[0].text == LANG[1]
    assert chosen.evidence[0].score > chosen.evidence[1].score


@pytest.mark.parametrize(
    "text",
    ["", " ", "\0\x07", "🦜" * 40, "word " * 10_000, "سلام دنیا", "x" * 5_000, "?!", "1234567890"],
)
def test_probabilities_are_probabilities_whatever_comes_in(judge: Judge, text: str) -> None:
    asked: list[tuple[str, list[str]]] = [
        (text, ["Oslo is the capital of Norway."]),
        ("Oslo is a city.", [text]),
        (text, [text, text]),
    ]
    for said in judge.judge_texts(asked):
        assert sum(said.probabilities) == pytest.approx(1, abs=1e-4)
        assert all(math.isfinite(p) and 0 <= p <= 1 for p in said.probabilities)


def test_of_a_long_text_the_telling_sentence_is_found(judge: Judge) -> None:
    padding = " ".join(text for _, text in SILENT) + " "
    text = padding * 6 + LANG[1] + " " + padding * 6
    said: Judgement = judge.judge_texts([("Fritz Lang was born in Vienna.", [text])])[0]
    assert said.verdict is Verdict.SUPPORTED


def test_the_fingerprint_names_what_weighs_the_answers_too(judge: Judge) -> None:
    assert judge.fingerprint == Judge.open(threads=1).fingerprint
    blank = [Aggregator.blank(names) for names in (FEATURES, FEATURES + RETRIEVED)]
    assert Judge(judge.encoder, *blank).fingerprint != judge.fingerprint
