"""The checker on the sample: verdicts with evidence, parts, and reasons for what stays open."""

import math
from collections.abc import Iterator

import pytest

from feverfew.check import Checker
from feverfew.types import OpenReason, Report, Verdict


@pytest.fixture(scope="module")
def checker() -> Iterator[Checker]:
    with Checker.open() as opened:
        yield opened


def check(checker: Checker, claim: str) -> Report:
    return checker.check([claim])[0]


def test_a_true_claim_is_supported_by_what_it_cites(checker: Checker) -> None:
    report = check(checker, "Fritz Lang directed Metropolis.")
    assert report.verdict is Verdict.SUPPORTED
    assert report.evidence
    assert {finding.says for finding in report.evidence} == {Verdict.SUPPORTED}
    cited = {finding.ref for finding in report.evidence}
    assert {ref for refs in report.sets for ref in refs} == cited
    for finding in report.evidence:
        page = checker.corpus.page(finding.ref.page)
        assert finding.text in list(page.texts())


def test_a_false_claim_is_refuted(checker: Checker) -> None:
    report = check(checker, "Fritz Lang was born in 1975.")
    assert report.verdict is Verdict.REFUTED
    assert any("1975" in reason for reason in report.reasons)


def test_an_open_claim_says_why(checker: Checker) -> None:
    report = check(checker, "Fritz Lang owned a parrot named Otto.")
    assert report.verdict is Verdict.NOT_ENOUGH_INFO
    assert report.open_reason is OpenReason.SILENT
    assert report.evidence == ()
    assert report.considered


def test_nothing_found_is_said(checker: Checker) -> None:
    report = check(checker, "Zzyzx qwrtpl vbnmk.")
    assert report.verdict is Verdict.NOT_ENOUGH_INFO
    assert report.open_reason in (OpenReason.NO_PAGE, OpenReason.SILENT)


def test_one_wrong_sentence_refutes_a_paragraph(checker: Checker) -> None:
    report = check(checker, "Fritz Lang directed Metropolis. He was born in 1975.")
    assert report.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "claim",
    [
        "",
        "   ",
        "word " * 10_000,
        "Фриц Ланг снял «Метрополис».",
        "フリッツ・ラング",
        "🎬🎥🍿",
        "\x00\x01\x02",
        "Who directed Metropolis?",
        "I think Metropolis is the best film ever.",
        "Metropolis",
        "!!!",
        "a" * 5_000,
    ],
)
def test_odd_input_gets_a_sensible_answer(checker: Checker, claim: str) -> None:
    report = check(checker, claim)
    assert report.verdict in set(Verdict)
    assert sum(report.probabilities.values()) == pytest.approx(1, abs=1e-4)
    assert all(math.isfinite(p) for p in report.probabilities.values())


@pytest.mark.parametrize("claim", ["Who directed Metropolis?", "", "🎬🎥🍿"])
def test_what_is_no_statement_is_not_checked(checker: Checker, claim: str) -> None:
    report = check(checker, claim)
    assert report.open_reason is OpenReason.NOT_A_CLAIM
    assert report.reasons


def test_a_report_can_be_found_again(checker: Checker) -> None:
    report = check(checker, "Fritz Lang directed Metropolis.")
    assert report.corpus == checker.corpus.fingerprint
    assert report.model == checker.fingerprint != checker.judge.fingerprint
    assert report.seconds.keys() == {"find", "judge"}


def test_a_batch_keeps_its_order(checker: Checker) -> None:
    claims = ["Fritz Lang directed Metropolis.", "", "Fritz Lang was born in 1975."]
    assert [report.claim for report in checker.check(claims)] == claims
    assert checker.check([]) == []


def test_facts_of_one_sentence_are_looked_up_one_by_one(checker: Checker) -> None:
    report = check(checker, "Metropolis was directed by Fritz Lang, who was born in Vienna.")
    assert report.verdict is Verdict.SUPPORTED
    said = " ".join(finding.text for finding in report.evidence)
    assert "Metropolis" in said or "Vienna" in said


def test_a_missing_part_is_named(checker: Checker) -> None:
    report = check(checker, "Fritz Lang directed Metropolis and owned a parrot.")
    assert report.verdict is Verdict.NOT_ENOUGH_INFO
    assert report.open_reason is OpenReason.PARTLY
    assert report.missing == "Fritz Lang owned a parrot."
