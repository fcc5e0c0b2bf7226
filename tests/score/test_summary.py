"""A summary says the same as its parts, and a comparison finds where two systems differ."""

import msgspec
import pytest

from feverfew.errors import NotFound
from feverfew.score import TASKS, Metric, compare_systems, fever_score, summarise, task_named
from feverfew.types import Claim, Prediction, Ref, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO
YES, NO = Verdict.SUPPORTED, Verdict.NOT_SUPPORTED
A0 = (Ref.sentence("A", 0),)
CLAIMS = [
    Claim(id=1, text="one", label=S, evidence=(A0,)),
    Claim(id=2, text="two", label=R, evidence=(A0,)),
    Claim(id=3, text="three", label=N),
]
SAID = [
    Prediction(id=1, label=S, evidence=A0),
    Prediction(id=2, label=S, evidence=A0),
    Prediction(id=3, label=N),
]


def test_a_summary_says_what_the_score_says() -> None:
    summary, sheet = summarise(TASKS["fever"], CLAIMS, SAID)
    assert {n: e.value for n, e in summary.scores.items()} == sheet.means()
    assert sheet.means() == fever_score(CLAIMS, SAID).means()
    assert (summary.no_score_ev, summary.score_ev) == (2 / 3, 2 / 3)
    assert summary.labels.confusion == ((1, 0, 0), (1, 0, 0), (0, 0, 1))


def test_a_summary_becomes_json() -> None:
    summary, _ = summarise(TASKS["fever"], CLAIMS, SAID)
    assert b"NaN" not in msgspec.json.encode(summary)


def test_without_samples_there_are_no_intervals() -> None:
    summary, _ = summarise(TASKS["fever"], CLAIMS, SAID, samples=0)
    assert summary.scores["fever_score"].low is None
    assert all(e.low is None for s in summary.slices["label"] for e in s.scores.values())


def test_a_slice_of_open_claims_has_no_precision() -> None:
    summary, _ = summarise(TASKS["fever"], CLAIMS, SAID)
    (opened,) = (s for s in summary.slices["label"] if s.name == "NOT ENOUGH INFO")
    assert set(opened.scores) == {"fever_score", "label_accuracy"}
    assert opened.claims == 1


def test_ranks_stop_where_the_predictions_do() -> None:
    summary, _ = summarise(TASKS["fever"], CLAIMS, SAID)
    names = [row.metric for row in summary.retrieval]
    assert "DocumentSupport@1" in names
    assert "DocumentSupport@5" not in names
    long = [Prediction(id=c.id, label=S, pages=tuple("ABCDEFG")) for c in CLAIMS]
    summary, _ = summarise(TASKS["fever"], CLAIMS, long)
    names = [row.metric for row in summary.retrieval]
    assert "DocumentSupport@10" in names
    assert "DocumentSupport@25" not in names


def test_further_measures_may_be_asked_for() -> None:
    wanted = [Metric.parse("Hit@3")]
    summary, _ = summarise(TASKS["fever"], CLAIMS, SAID, metrics=wanted)
    (row,) = (r for r in summary.retrieval if r.metric == "Hit@3" and r.of == "all claims")
    assert row.value == 1


def test_hover_hits_per_hop_and_for_supported_claims() -> None:
    claims = [
        Claim(id="a", text="x", label=YES, evidence=(A0,), hops=2),
        Claim(id="b", text="x", label=NO, evidence=(A0,), hops=2),
        Claim(id="c", text="x", label=YES, evidence=(A0,), hops=3),
    ]
    said = [Prediction(id="a", label=YES, evidence=A0)]
    summary, _ = summarise(TASKS["hover"], claims, said)
    rows = {(r.metric, r.of): r for r in summary.retrieval}
    assert summary.missing == 2
    assert rows["Hit@5", "all claims"].value == 1 / 3
    assert rows["Hit@5", "all claims"].by_hops == {"2 hops": 1 / 2, "3 hops": 0}
    assert rows["Hit@5", "supported claims"].by_hops == {"2 hops": 1, "3 hops": 0}
    assert rows["Hit@5", "supported claims"].claims == 2


def test_groups_are_what_is_drawn() -> None:
    claims = [Claim(id=i, text="x", label=N, group=f"g{i % 2}") for i in range(6)]
    said = [Prediction(id=i, label=N) for i in range(6)]
    assert summarise(TASKS["fever"], claims, said)[0].drawn == "2 groups of claims"
    assert summarise(TASKS["fever"], CLAIMS, SAID)[0].drawn == "3 claims"


def test_probabilities_bring_the_confidence() -> None:
    sure = {S: 0.9, R: 0.05, N: 0.05}
    said = [Prediction(id=c.id, label=S, probabilities=sure) for c in CLAIMS]
    confidence = summarise(TASKS["fever"], CLAIMS, said, bins=5, coverage=0.5)[0].confidence
    assert confidence is not None
    assert len(confidence.measures.bins) == 5
    assert confidence.measures.ece == pytest.approx(0.9 - 1 / 3)
    assert confidence.coverage == 0.5
    assert summarise(TASKS["fever"], CLAIMS, SAID)[0].confidence is None


def test_the_curve_is_thinned_but_ends_at_full_coverage() -> None:
    claims = [Claim(id=i, text="x", label=N) for i in range(1_001)]
    said = [
        Prediction(id=i, label=N, probabilities={N: 0.5 + i / 4_000, S: 0.5 - i / 4_000})
        for i in range(1_001)
    ]
    confidence = summarise(TASKS["fever"], claims, said, samples=0)[0].confidence
    assert confidence is not None
    assert len(confidence.measures.curve) <= 202
    assert confidence.measures.curve[-1][0] == 1


def test_an_unknown_task_lists_those_that_exist() -> None:
    with pytest.raises(NotFound, match="there are fever, feverous, hover"):
        task_named("squad")


def test_a_comparison_lists_the_claims_that_differ() -> None:
    other = [
        Prediction(id=1, label=S),  # the same label, but no evidence: no point
        Prediction(id=2, label=R, evidence=A0),
        Prediction(id=3, label=N, evidence=A0),  # other evidence, which does not matter here
    ]
    task = TASKS["fever"]
    comparison = compare_systems(task, fever_score(CLAIMS, SAID), fever_score(CLAIMS, other))
    assert [(d.id, d.a, d.b, d.a_right, d.b_right) for d in comparison.differing] == [
        (1, S, S, True, False),
        (2, S, R, False, True),
    ]
    assert comparison.mcnemar["fever_score"].only_a == 1
    assert comparison.mcnemar["label_accuracy"].only_b == 1
    assert comparison.scores["label_accuracy"].difference == pytest.approx(-1 / 3)
