from feverfew.score.errors import GRAPH, Graph


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
