"""Our own way of claims over several pages, as parts: the same as `verify --hops` says."""

from pathlib import Path

import pytest

from feverfew.check import Checker
from feverfew.check.verify import predict
from feverfew.corpus import Corpus
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import SampleDataset
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.runner import Runner
from feverfew.types import Verdict


@pytest.fixture(scope="module")
def lab(sample: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    folder: Path = tmp_path_factory.mktemp("chaining")
    return Runner(SampleDataset(sample), Cache(folder, lambda what: None))


def test_the_parts_together_say_what_verify_says(lab: Runner, sample: Corpus) -> None:
    claims = lab.dataset.claims("hover").claims[:4]
    system = System(retrieve="hops", pages=100, select="chains", sentences=10, judge="chains")
    said = lab.run(system, claims).predictions
    told = predict(Checker(sample, lab.ours.judge, hops=True), claims, "hover")
    for one, other in zip(said, told, strict=True):
        assert one.evidence == other.evidence
        assert (one.label is Verdict.SUPPORTED) == (other.label is Verdict.SUPPORTED)


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
