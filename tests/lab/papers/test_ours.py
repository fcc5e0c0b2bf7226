"""Our own parts for claims over several pages, next to HoVer's."""

from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.judge import Piece
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import SampleDataset
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.runner import Runner
from feverfew.types import Verdict


@pytest.fixture(scope="module")
def lab(sample: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    folder: Path = tmp_path_factory.mktemp("chaining")
    return Runner(SampleDataset(sample), Cache(folder, lambda what: None))


def test_the_parts_together_are_judged_as_the_judge_does(lab: Runner) -> None:
    claims = lab.dataset.claims("hover").claims[:3]
    system = System(retrieve="hops", pages=100, select="chains", sentences=10, judge="chains")
    for claim, said in zip(claims, lab.run(system, claims).predictions, strict=True):
        pieces = [Piece(ref.page, lab.dataset.corpus.element(ref)) for ref in said.evidence]
        (judged,) = lab.ours.judge.judge([claim.text], [pieces])
        supported = (said.probabilities or {})[Verdict.SUPPORTED]
        assert supported == pytest.approx(judged.probabilities[0], abs=1e-3)
        assert (said.label is Verdict.SUPPORTED) == (supported >= 0.5)
        assert 0 < len(said.evidence) <= 10


def test_relevance_keeps_the_order_and_scores_from_0_to_1(lab: Runner) -> None:
    claims = lab.dataset.claims("hover").claims[:2]
    every = System(retrieve="hops", pages=20, select="chains-relevant", sentences=6)
    few = System(retrieve="hops", pages=20, select="chains-relevant", sentences=6, above=0.3)
    plain = System(retrieve="hops", pages=20, select="chains", sentences=6)
    all_of_them, cut, ours = (
        [said.evidence for said in lab.run(one, claims).predictions] for one in (every, few, plain)
    )
    assert all_of_them == ours
    for own, left in zip(ours, cut, strict=True):
        assert [ref for ref in own if ref in left] == list(left)
    assert sum(map(len, cut)) < sum(map(len, ours))


def test_gold_evidence_is_read_as_given(lab: Runner) -> None:
    claims = lab.dataset.claims("hover").claims[:3]
    said = lab.run(System(evidence="gold", judge="chains"), claims).predictions
    assert [set(one.evidence) for one in said] == [set(c.evidence[0]) for c in claims]
