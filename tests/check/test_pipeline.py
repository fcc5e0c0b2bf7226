"""The way of a claim: stages that bring more evidence, and what must hold whatever it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from feverfew.check import Checker
from feverfew.check.pipeline import missing_part
from feverfew.check.verify import predict
from feverfew.corpus.build import build
from feverfew.judge.judge import SMALL
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from feverfew.types import Claim, Context, Evidence, Ref, Report, Verdict

CLAIMS = [claim for path in sample_claims() for claim in read_claims(path)]
DECIDED = (Verdict.SUPPORTED, Verdict.REFUTED)


@pytest.fixture(scope="module")
def checker() -> Iterator[Checker]:
    with Checker.open(model=SMALL, threads=1, min_confidence=0.0) as opened:
        yield opened


@pytest.fixture(scope="module")
def reports(checker: Checker) -> list[Report]:
    return checker.check([claim.text for claim in CLAIMS[::8]])


def test_a_claim_over_two_pages_needs_no_flag(checker: Checker) -> None:
    report = checker.check(["The director of Metropolis was born in Vienna."])[0]
    assert report.verdict is Verdict.SUPPORTED
    assert len({finding.ref.page for finding in report.evidence}) > 1
    said = " ".join(finding.text for finding in report.evidence)
    assert "Fritz Lang" in said
    assert "Metropolis" in said


def test_further_pages_and_tables_can_be_switched_off() -> None:
    with Checker.open(model=SMALL, threads=1, max_hops=1, max_tables=0) as bounded:
        one = bounded.run(["The director of Metropolis was born in Vienna."])[0]
    assert not one.hop_paths
    assert not one.tables


def test_a_decided_report_cites_evidence_that_says_so(reports: list[Report]) -> None:
    """SUPPORTED and REFUTED rest on a piece or a set, and nothing says the opposite more surely."""
    assert any(report.verdict in DECIDED for report in reports)
    for report in reports:
        if report.verdict not in DECIDED or report.parts:
            continue
        assert report.evidence, report.claim
        assert report.sets, report.claim
        opposite = DECIDED[1 - DECIDED.index(report.verdict)]
        alone = [f for f in report.evidence if f.says is report.verdict]
        if alone:
            best = max(f.probabilities[report.verdict] for f in alone)
            assert all(f.probabilities[opposite] <= best for f in report.against), report.claim
        else:
            assert max(map(len, report.sets)) > 1, report.claim


def test_claims_are_judged_alike_alone_in_a_batch_and_reordered(checker: Checker) -> None:
    claims = [claim.text for claim in CLAIMS[::40]]
    batch = checker.check(claims)
    backwards = checker.check(claims[::-1])[::-1]
    for claim, one, other in zip(claims, batch, backwards, strict=True):
        alone = checker.check([claim])[0]
        assert alone.probabilities == one.probabilities == other.probabilities, claim
        assert [f.ref for f in alone.evidence] == [f.ref for f in one.evidence]


def test_check_and_verify_give_the_same_answer(checker: Checker) -> None:
    claims = CLAIMS[::20]
    reports = checker.check([claim.text for claim in claims])
    for form in ("fever", "feverous"):
        said = predict(checker, [replace(claim, label=None) for claim in claims], form)
        for report, prediction in zip(reports, said, strict=True):
            assert prediction.label is report.verdict, report.claim
            assert prediction.probabilities == report.probabilities


def corpus_of(folder: Path, texts: dict[str, str]) -> Path:
    source = folder / "documents"
    source.mkdir(parents=True)
    for name, text in texts.items():
        (source / f"{name}.md").write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    build([source], folder / "corpus", workers=1)
    return folder / "corpus"


def check_in(folder: Path, texts: dict[str, str], claim: str) -> Report:
    with Checker.open(corpus_of(folder, texts), SMALL, 1, min_confidence=0.0) as opened:
        return opened.check([claim])[0]


TRAVEL = {
    "Travel": "Train tickets are reimbursed in second class. Taxis are reimbursed after 22:00.",
    "Meals": "Meals are reimbursed up to 40 euros a day. Alcohol is not reimbursed.",
}


def test_alcohol_is_not_reimbursed(tmp_path: Path) -> None:
    report = check_in(tmp_path, TRAVEL, "Alcohol is reimbursed.")
    assert report.verdict is not Verdict.SUPPORTED


def test_what_does_not_matter_changes_no_verdict(tmp_path: Path) -> None:
    claim = "Meals are reimbursed up to 40 euros a day."
    plain = check_in(tmp_path / "a", TRAVEL, claim)
    turned = check_in(tmp_path / "b", dict(reversed(TRAVEL.items())), claim)
    more = {"Garden": "The roses are watered on Mondays.", **TRAVEL, "Library": "It has 900 books."}
    crowded = check_in(tmp_path / "c", more, claim)
    assert plain.verdict is Verdict.SUPPORTED
    assert turned.verdict is plain.verdict
    assert crowded.verdict is plain.verdict


def test_without_what_it_rests_on_a_verdict_falls(tmp_path: Path) -> None:
    claim = "Meals are reimbursed up to 40 euros a day."
    assert check_in(tmp_path / "a", TRAVEL, claim).verdict is Verdict.SUPPORTED
    without = {**TRAVEL, "Meals": "Alcohol is not reimbursed."}
    assert check_in(tmp_path / "b", without, claim).verdict is not Verdict.SUPPORTED


def test_an_unsure_verdict_is_only_leaned_to(checker: Checker) -> None:
    claims = [claim.text for claim in CLAIMS[::12]]
    sure = {report.claim: report for report in checker.check(claims)}
    with Checker.open(model=SMALL, threads=1, min_confidence=0.75) as careful:
        for report in careful.check(claims):
            before = sure[report.claim]
            share = before.probabilities[before.verdict]
            if before.verdict in DECIDED and share < 0.75:
                assert report.verdict is Verdict.NOT_ENOUGH_INFO
                assert report.leaning is before.verdict
            else:
                assert report.verdict is before.verdict
                assert report.leaning is None


def piece(page: str, text: str) -> Evidence:
    return Evidence(ref=Ref.sentence(page, 0), text=text, context=Context(page), score=1.0)


def test_what_no_evidence_has_is_named() -> None:
    found = [piece("Metropolis (1927 film)", "Metropolis is a film that Fritz Lang directed.")]
    claim = "The director of Metropolis was married to Thea von Harbou."
    assert "Harbou" in missing_part(claim, found)
    assert missing_part("Fritz Lang directed Metropolis.", found) == ""


def test_predictions_name_as_much_evidence_as_the_score_counts(checker: Checker) -> None:
    claim = [Claim(id=1, text="The director of Metropolis was born in Vienna.")]
    assert len(predict(checker, claim, "fever")[0].evidence) <= 5
    hover = predict(checker, claim, "hover")[0]
    assert 5 < len(hover.evidence) <= 10
    assert hover.pages
