"""A small FEVEROUS: three claims for a highlight, evidence from text and tables, official files."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.readers.claims import read_claims
from feverfew.types import Kind
from running import Running
from visiting import Visitor, invitation

CAMPAIGN = "feverous-demo"
CHALLENGE = "Numerical Reasoning"


@pytest.fixture(scope="module")
def people(served: Running, organiser: Visitor) -> Iterator[list[Visitor]]:
    made = []
    for name in ("Cid", "Dora"):
        path = invitation(organiser, "writer", "annotator", campaign=CAMPAIGN)
        made.append(Visitor(served.url).join(path, name))
    yield made
    for one in made:
        one.close()


def test_roles_hold_in_their_campaign_only(people: list[Visitor]) -> None:
    person = people[0].open("/work")
    assert CAMPAIGN in person.response.text
    assert "fever-demo/next" not in person.response.text
    field = person.tree.css_first("input[name=token]")
    assert field is not None
    token = field.attributes["value"]
    there = "/work/fever-demo/next/write"
    refused = person.client.post(there, data={"token": token})
    assert refused.status_code == 403
    assert "role of writer" in refused.text
    forged = person.client.post(there, data={"token": "guessed"})
    assert "no longer valid" in forged.text


def test_three_claims_for_a_highlight(people: list[Visitor]) -> None:
    writer = people[0]
    assert writer.next(CAMPAIGN, "highlight")
    writer.press("submit")
    assert "Claim I is missing." in writer.text
    # Searching keeps what was typed.
    first = "Fritz Lang made more films than Metropolis in 1927."
    writer.send({"f-claim-I": first, "f-q": "Fritz Lang", "do": "search"})
    writer.press("result:Fritz Lang")
    assert first in writer.response.text
    writer.press("jump")
    fields = {f"f-challenge-{name}": CHALLENGE for name in ("I", "II", "III")}
    fields |= {
        "f-claim-II": "Fritz Lang was older than the film Metropolis in 1927.",
        "f-claim-III": "Fritz Lang made fewer films than Metropolis in 1927.",
        "do": "submit",
    }
    writer.send(fields)
    assert "Submitted" in writer.text


def test_verifying_with_cells_and_sentences(people: list[Visitor]) -> None:
    author, person = people
    assert not author.next(CAMPAIGN, "verify")
    count = 0
    while person.next(CAMPAIGN, "verify"):
        count += 1
        person.press("search", f_q="title:lang fritz")
        person.press("result:Fritz Lang")
        person.press("find", f_find="Vienna")
        assert person.tree.css_first(".element.found") is not None
        person.press("take:Fritz Lang_sentence_0")
        person.press("take:Fritz Lang_cell_0_2_1")
        person.press("set:1")
        person.press("take:Fritz Lang_sentence_0")
        person.press("take:Nobody_sentence_0")
        person.press("confirm", verdict="NOT ENOUGH INFO")
        assert "Choose the main challenge." in person.text
        person.press("confirm", challenge=CHALLENGE)
        assert "context" in person.text
        assert "In more than one set: Fritz Lang sentence 0" in person.text
        person.press("submit")
        assert count < 10
    assert count == 3


def test_the_official_file(bench: tuple[Path, str], tmp_path: Path) -> None:
    result = CliRunner().invoke(
        cli, ["workbench", "export", str(bench[0]), CAMPAIGN], catch_exceptions=False
    )
    header, *lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert header["claim"] == ""
    assert len(lines) == 3
    one = lines[0]
    assert one["label"] == "NOT ENOUGH INFO"
    assert [len(own["content"]) for own in one["evidence"]] == [2, 1]
    cell = one["evidence"][0]["context"]["Fritz Lang_cell_0_2_1"]
    assert cell[0] == "Fritz Lang_title"
    assert any("header_cell" in name for name in cell)
    operations = [step["operation"] for step in one["annotator_operations"]]
    assert operations[0] == "start"
    assert one["annotator_operations"][0] == {"operation": "start", "value": "start", "time": "0"}
    assert {"search", "Now on", "Page search", "Highlighting", "finish"} <= set(operations)
    assert "mutation" not in result.stdout
    assert one["expected_challenge"] == one["challenge"] == CHALLENGE
    path = tmp_path / "feverous.jsonl"
    path.write_text(result.stdout, encoding="utf-8")
    claims = list(read_claims(path, "feverous"))
    assert len(claims) == 3
    assert {ref.kind for ref in claims[0].evidence[0]} == {Kind.SENTENCE, Kind.CELL}
