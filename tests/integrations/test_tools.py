"""Tools for agents: the schemas say what the calls take."""

import json
from pathlib import Path

import pytest

from feverfew.check import Checker
from feverfew.integrations.tools import run, schemas


def test_schemas_are_what_a_chat_completion_takes() -> None:
    made = {one["function"]["name"]: one["function"] for one in schemas()}
    assert list(made) == ["check_claim", "find_evidence", "read_page"]
    find = made["find_evidence"]["parameters"]
    assert find["type"] == "object"
    assert find["required"] == ["claim"]
    assert find["properties"]["k"]["maximum"] == 50
    assert find["additionalProperties"] is False
    assert "$ref" not in json.dumps(made)
    assert made["check_claim"]["description"].startswith("Check a claim against the corpus")


def test_calls_are_answered_and_mistakes_told(sample_path: Path) -> None:
    with Checker.open(sample_path) as checker:
        said = json.loads(run(checker, "check_claim", '{"claim": "Fritz Lang was born in 1975."}'))
        assert said["verdict"] == "REFUTED"
        assert "considered" not in said
        found = json.loads(
            run(checker, "find_evidence", '{"claim": "Who made Metropolis", "k": 2}')
        )
        assert len(found["evidence"]) == 2
        page = json.loads(run(checker, "read_page", '{"title": "fritz lang"}'))
        assert page["title"] == "Fritz Lang"
        for name, arguments in (
            ("check_claim", '{"claim": ""}'),
            ("check_claim", "{"),
            ("find_evidence", '{"claim": "x", "k": 99}'),
            ("read_page", '{"title": "Nobody at all"}'),
            ("fly", "{}"),
        ):
            assert json.loads(run(checker, name, arguments)).keys() == {"error"}


@pytest.mark.parametrize("name", ["check_claim", "find_evidence", "read_page"])
def test_the_tools_are_those_of_mcp(name: str) -> None:
    agents = Path(__file__).parents[2] / "src" / "feverfew" / "server" / "agents.py"
    assert f"async def {name}(" in agents.read_text("utf-8")
