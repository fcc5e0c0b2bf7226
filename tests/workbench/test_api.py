"""The JSON interface: scoped keys, a task from taking to submitting, nothing that breaks it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from feverfew.store.campaigns import campaign_named, settings_of
from feverfew.store.claims import add_claim
from feverfew.workbench.bench import open_bench
from running import Running
from visiting import Visitor, invitation

CAMPAIGN = "fever-demo"
TASKS = f"/v1/campaigns/{CAMPAIGN}/tasks"
ROUTES = {
    ("/v1/campaigns", "get"),
    ("/v1/campaigns/{campaign}/tasks", "post"),
    ("/v1/campaigns/{campaign}/tasks/{number}", "get"),
    ("/v1/campaigns/{campaign}/tasks/{number}/draft", "put"),
    ("/v1/campaigns/{campaign}/tasks/{number}/submission", "post"),
    ("/v1/campaigns/{campaign}/tasks/{number}/search", "post"),
    ("/v1/campaigns/{campaign}/tasks/{number}/open", "post"),
    ("/v1/campaigns/{campaign}/progress", "get"),
    ("/v1/campaigns/{campaign}/export", "get"),
}
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]


def key_of(person: Visitor, *scopes: str, campaign: str = "") -> str:
    """Make a key on a person's page."""
    person.open("/me")
    fields = {"name": "a program", "scope": list(scopes), "campaign": campaign}
    person.send(fields, 'form[action="/me/keys"]')
    shown = person.tree.css_first("#key")
    assert shown is not None, person.text
    return shown.text()


class Program:
    """A program that carries a key."""

    def __init__(self, served: Running, key: str) -> None:
        self.key = key
        bearer = {"Authorization": f"Bearer {key}"}
        self.client = httpx.Client(base_url=served.url, headers=bearer, timeout=120)

    def ask(self, path: str, body: object = None, method: str = "", status: int = 200) -> Any:
        how = method or ("GET" if body is None else "POST")
        found = self.client.request(how, path, json=body)
        assert found.status_code == status, found.text
        return found.json()


@pytest.fixture(scope="module")
def program(bench: tuple[Path, str], served: Running, organiser: Visitor) -> Iterator[Program]:
    with open_bench(bench[0]) as opened, opened.database.write() as session:
        campaign = campaign_named(session, CAMPAIGN)
        for n in range(3):
            text = f"Fritz Lang made film number {n}."
            add_claim(session, campaign, settings_of(campaign), text=text, entity="Fritz Lang")
    person = Visitor(served.url).join(invitation(organiser, "annotator", "writer"), "Pat")
    made = Program(served, key_of(person, "work"))
    yield made
    made.client.close()
    person.close()


def test_a_task_from_taking_to_submitting(program: Program) -> None:
    assert CAMPAIGN in [one["name"] for one in program.ask("/v1/campaigns")["campaigns"]]
    task = program.ask(TASKS, {"workflow": "label"})["task"]
    at = f"{TASKS}/{task['task']}"
    assert program.ask(TASKS, {"workflow": "label"})["task"]["task"] == task["task"]
    found = program.ask(f"{at}/search", {"q": "Fritz Lang"})["results"]
    assert found[0]["title"] == "Fritz Lang"
    opened = program.ask(f"{at}/open", {"title": "Fritz Lang"})
    ref = next(one["id"] for one in opened["elements"] if "_sentence_" in one["id"])
    saved = program.ask(f"{at}/draft", {"sets": [[ref]]}, "PUT")
    assert saved["problems"] == ["Choose a verdict."]
    assert program.ask(at)["draft"]["sets"] == [[ref]]
    program.ask(f"{at}/draft", {"sets": [["Nobody_sentence_0"]]}, "PUT", 422)
    program.ask(f"{at}/submission", {}, status=422)
    program.ask(f"{at}/submission", {"verdict": "SUPPORTED", "active_ms": 5})
    refused = program.ask(f"{at}/draft", {"verdict": "REFUTED"}, "PUT", 403)
    assert "submitted already" in refused["error"]
    following = program.ask(TASKS, {"workflow": "label"})["task"]
    assert following["task"] != task["task"]
    program.ask(f"{TASKS}/{following['task']}/submission", {"skip": ["typo"]})


def test_writing_leads_on_to_mutations(program: Program) -> None:
    task = program.ask(TASKS, {"workflow": "write"})["task"]
    assert [field["name"] for field in task["fields"]] == ["claims"]
    done = program.ask(
        f"{TASKS}/{task['task']}/submission", {"fields": {"claims": "Vienna is a city."}}
    )
    mutate = program.ask(TASKS, {"workflow": "mutate"})["task"]
    assert done["following"].endswith(f"/t/{mutate['task']}")
    boxes = {field["name"].partition("-")[0]: field["name"] for field in mutate["fields"]}
    program.ask(
        f"{TASKS}/{mutate['task']}/submission", {"fields": {boxes["negate"]: "Vienna is a river."}}
    )


def test_scopes_roles_and_campaigns_hold(
    program: Program, served: Running, organiser: Visitor
) -> None:
    program.ask(f"/v1/campaigns/{CAMPAIGN}/progress", status=403)
    manager = Program(served, key_of(organiser, "manage", "export", campaign=CAMPAIGN))
    counts = manager.ask(f"/v1/campaigns/{CAMPAIGN}/progress")["slots"]
    assert {"done", "open"} <= {one["state"] for one in counts}
    assert manager.client.get(f"/v1/campaigns/{CAMPAIGN}/export").text.startswith("{")
    manager.ask(TASKS, {"workflow": "label"}, status=403)
    manager.ask("/v1/campaigns/hover-demo/progress", status=403)
    assert len(manager.ask("/v1/campaigns")["campaigns"]) == 1
    organiser.open("/me").send({}, 'form[action^="/me/keys/"]')
    manager.ask(f"/v1/campaigns/{CAMPAIGN}/progress", status=401)
    manager.client.headers.pop("authorization")
    assert "Bearer" in manager.ask("/v1/campaigns", status=401)["error"]
    manager.client.close()


@pytest.mark.parametrize(("path", "method"), sorted(ROUTES))
@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_nothing_made_up_breaks_it(
    program: Program, served: Running, path: str, method: str, mode: schemathesis.GenerationMode
) -> None:
    task = program.ask(TASKS, {"workflow": "write"})["task"]["task"]
    operation = schemathesis.openapi.from_url(f"{served.url}/openapi.json")[path][method]
    right = mode is schemathesis.GenerationMode.POSITIVE

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=6,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        if right:  # a task that there is, so that what is made up gets past the door
            named = {"campaign": CAMPAIGN, "number": task}
            case.path_parameters = {n: v for n, v in named.items() if f"{{{n}}}" in path}
        bearer = {"Authorization": f"Bearer {program.key}"}
        case.call_and_validate(checks=CHECKS, headers=bearer, timeout=300)

    try:
        ask()
    except Unsatisfiable:
        assert not right
        assert path == "/v1/campaigns"


def test_every_route_is_described(served: Running) -> None:
    found = httpx.get(f"{served.url}/openapi.json").json()
    assert {(path, method) for path, own in found["paths"].items() for method in own} == ROUTES
    for own in found["paths"].values():
        for operation in own.values():
            assert operation["summary"]
            assert operation["security"]
            assert {"401", "403", "429"} <= operation["responses"].keys()
