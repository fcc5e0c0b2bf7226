import pytest

from feverfew.errors import ScoreError
from feverfew.score.errors import GRAPH, Coding, Graph, Outcome, Question, errors_of, tally, walk
from feverfew.score.fever import fever_score
from feverfew.types import Claim, Prediction, Ref, Verdict


def paths(graph: Graph, name: str) -> list[list[str]]:
    """Follow every answer from a node to its outcomes; a cycle would never end."""
    if name in graph.outcomes:
        return [[name]]
    question = graph.questions[name]
    return [[name, *rest] for after in (question.yes, question.no) for rest in paths(graph, after)]


def test_every_path_ends_in_an_outcome_and_every_node_lies_on_one() -> None:
    walked = paths(GRAPH, GRAPH.start)
    assert {name for path in walked for name in path} == {*GRAPH.questions, *GRAPH.outcomes}
    assert max(map(len, walked)) <= 8


def test_every_node_is_under_its_own_name() -> None:
    assert all(name == q.name for name, q in GRAPH.questions.items())
    assert all(name == o.name for name, o in GRAPH.outcomes.items())
    assert not GRAPH.questions.keys() & GRAPH.outcomes.keys()


def test_a_person_gets_help_where_a_person_must_answer() -> None:
    for question in GRAPH.questions.values():
        assert bool(question.help) != bool(question.fact)
        assert question.text.endswith("?")


def test_new_evidence_comes_with_a_recommended_action() -> None:
    for name, outcome in GRAPH.outcomes.items():
        if "new-evidence" in name or "contradicts" in name:
            assert outcome.action


def test_facets_name_outcomes_that_exist() -> None:
    for facet in GRAPH.facets:
        assert set(facet.outcomes) <= GRAPH.outcomes.keys()


S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO
FACTS = {
    "label_right": False,
    "gold_has_evidence": True,
    "gold_complete": False,
    "gold_touched": False,
}
FINE = {"guidelines": True, "gold_label": True}


def end(answers: dict[str, bool], **facts: bool) -> str:
    reached = walk({**FACTS, **facts}, answers)
    assert isinstance(reached, Outcome), reached
    return reached.name


def test_each_path() -> None:
    old = {**FINE, "new_evidence": False}
    new = {**FINE, "new_evidence": True, "same_verdict": True}
    assert end({"guidelines": False, "without_evidence": True}) == "claim-needs-no-evidence"
    assert end({"guidelines": False, "without_evidence": False}) == "claim-against-guidelines"
    assert end({"guidelines": True, "gold_label": False}) == "annotator-error"
    assert end(FINE, gold_complete=True, gold_touched=True) == "verdict-wrong"
    assert end({**new, "same_verdict": False}) == "evidence-contradicts-gold"
    assert end(new, label_right=True) == "new-evidence-label-right"
    assert end(new) == "new-evidence-label-wrong"
    assert end(old, gold_has_evidence=False) == "verdict-without-evidence"
    assert end(old, gold_touched=True) == "evidence-incomplete"
    assert end(old) == "evidence-not-found"
    assert end(old, label_right=True) == "label-right-evidence-not-found"
    assert end(old, label_right=True, gold_touched=True) == "label-right-evidence-incomplete"


def test_only_a_person_is_asked() -> None:
    asked = []
    answers: dict[str, bool] = {}
    while isinstance(step := walk(FACTS, answers), Question):
        assert not step.fact
        asked.append(step.name)
        answers[step.name] = True
    assert asked == ["guidelines", "gold_label", "new_evidence", "same_verdict"]


def test_errors_and_their_facts() -> None:
    def claim(number: int, label: Verdict, *lines: int) -> Claim:
        evidence = (tuple(Ref.sentence("P", n) for n in lines),) if lines else ()
        return Claim(id=number, text="x", label=label, evidence=evidence)

    def said(number: int, label: Verdict, *lines: int) -> Prediction:
        return Prediction(
            id=number, label=label, evidence=tuple(Ref.sentence("P", n) for n in lines)
        )

    sheet = fever_score(
        [claim(1, S, 0), claim(2, S, 0, 1), claim(3, R, 0), claim(4, N), claim(5, N)],
        [said(1, S, 0), said(2, S, 0), said(3, S, 0), said(4, S, 7), said(5, N, 3)],
    )
    found = {e.pair.claim.id: e.facts for e in errors_of(sheet)}
    assert found == {
        2: {**FACTS, "label_right": True, "gold_touched": True},
        3: {**FACTS, "gold_complete": True, "gold_touched": True},
        4: {**FACTS, "gold_has_evidence": False},
    }


def test_tally() -> None:
    found = tally(
        [
            Coding(1, "evidence-not-found", {**FINE, "new_evidence": False}),
            Coding(2, "evidence-not-found", {**FINE, "new_evidence": False}),
            Coding(3, "annotator-error", {"guidelines": True, "gold_label": False}),
            Coding(4, "new-evidence-label-right", {**FINE, "new_evidence": True}),
        ]
    )
    assert found.coded == 4
    assert list(found.outcomes)[0] == "evidence-not-found"  # noqa: RUF015
    assert (
        found.outcomes["evidence-not-found"].count,
        found.outcomes["annotator-error"].share,
    ) == (
        2,
        0.25,
    )
    assert found.facets["no correct evidence was found"].share == 0.5
    assert found.facets["new evidence was found"].count == 1
    assert found.answers["gold_label"] == {"yes": 3, "no": 1}
    # Wilson's interval of 2 in 4, as the textbooks have it.
    half = found.outcomes["evidence-not-found"]
    assert (half.low, half.high) == pytest.approx((0.15, 0.85), abs=1e-4)


def test_nothing_and_nonsense_are_errors() -> None:
    with pytest.raises(ScoreError, match="nothing to tally"):
        tally([])
    with pytest.raises(ScoreError, match="unknown outcome 'x'; known are claim-needs"):
        tally([Coding(1, "x", {})])
