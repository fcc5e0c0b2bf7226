"""Claims over several pages, on the sample: one way of its own, and none for all others."""

from collections.abc import Iterator

import pytest

from feverfew.check import Checker
from feverfew.check.chained import CHAIN_PIECES, ChainWeights
from feverfew.check.verify import predict
from feverfew.types import Claim, Verdict

CLAIM = "The director of Metropolis was born in the capital of Austria."


@pytest.fixture(scope="module")
def checker() -> Iterator[Checker]:
    with Checker.open(hops=True) as opened:
        yield opened


def test_the_report_has_the_graph_of_what_it_rests_on(checker: Checker) -> None:
    (report,) = checker.check([CLAIM])
    assert len(report.considered) == CHAIN_PIECES
    assert report.reasoning is not None
    rests_on = {finding.ref.page for finding in report.evidence}
    assert rests_on <= set(report.reasoning.pages)
    assert {hop.page for hop in report.chain} <= set(report.reasoning.pages)
    assert sum(report.probabilities.values()) == pytest.approx(1)
    if report.verdict is not Verdict.NOT_ENOUGH_INFO:
        # They are read together, so that they are one set.
        (together,) = report.sets
        assert set(together) == {finding.ref for finding in report.evidence}
    assert report.model == checker.fingerprint != checker.judge.fingerprint


def test_nothing_to_read_is_no_error(checker: Checker) -> None:
    reports = checker.check(["Zzyzx qwrtpl vbnmk.", "Is it?", ""])
    assert {report.verdict for report in reports} == {Verdict.NOT_ENOUGH_INFO}
    assert checker.look([]) == []


@pytest.mark.parametrize(("format", "most"), [("fever", 5), ("hover", 10), ("feverous", 5)])
def test_as_much_is_cited_as_a_score_counts(checker: Checker, format: str, most: int) -> None:  # noqa: A002
    (said,) = predict(checker, [Claim(id=1, text=CLAIM)], format)
    sentences = [ref for ref in said.evidence if ref.kind in ("sentence", "item")]
    assert len(sentences) == most
    if format == "hover":
        supported = (said.probabilities or {})[Verdict.SUPPORTED] >= 0.5
        assert (said.label is Verdict.SUPPORTED) is supported
        # So that `score` can tell how far down the gold pages stand.
        assert len(set(said.pages)) == len(said.pages) > most
    else:
        assert said.pages == ()


def test_other_claims_know_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(model: object = None) -> ChainWeights:
        raise AssertionError

    monkeypatch.setattr(ChainWeights, "open", refuse)
    with Checker.open() as plain:
        (report,) = plain.check([CLAIM])
        assert report.reasoning is None
        assert report.chain == ()
        assert report.model == plain.tables.fingerprint
