"""A small HoVer: from a question to a claim, validated, extended, mutated and labelled by five."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.readers.claims import read_claims
from feverfew.types import Verdict
from running import Running
from visiting import Visitor, invitation

CAMPAIGN = "hover-demo"


@pytest.fixture(scope="module")
def people(served: Running, organiser: Visitor) -> Iterator[list[Visitor]]:
    made = []
    for n in range(6):
        roles = ("writer",) if n == 0 else ("writer", "validator", "annotator")
        path = invitation(organiser, *roles, campaign=CAMPAIGN)
        made.append(Visitor(served.url).join(path, f"Hanna {n}"))
    yield made
    for one in made:
        one.close()


def test_creating_and_validating(people: list[Visitor]) -> None:
    writer, *others = people
    assert writer.next(CAMPAIGN, "create")
    writer.press("check", f_claim="Fritz Lang was born?")
    assert "question-mark" in writer.text
    assert "content-missing" in writer.text
    claim = "The director of Metropolis, Fritz Lang, was born in the city of Vienna."
    if "screenplay" in writer.text:
        claim = "Thea von Harbou wrote the screenplay of the silent film Metropolis by Fritz Lang."
    writer.press("submit", f_claim=claim, f_clarity="3")
    assert "Submitted" in writer.text
    for validator in others[:3]:
        assert validator.next(CAMPAIGN, "validate")
        validator.press("submit", f_meets="yes", f_clarity="5")
    assert not others[3].next(CAMPAIGN, "validate")


def test_extending(people: list[Visitor]) -> None:
    person = people[1]
    assert person.next(CAMPAIGN, "extend")
    entity = re.search(r"Entity to replace\s+(\S.*?)\s{2,}", person.text)
    options = person.tree.css('input[name="f-page"]')
    if not options:
        person.press("skip-source")
        return
    assert entity is not None
    title = options[0].attributes["value"] or ""
    claim = next(n.text() for n in person.tree.css(".note p") if "was" in n.text() or n.text())
    first = claim.strip().replace(entity[1], "someone")
    named = title.partition(" (")[0]
    fields = {
        "f-page": title,
        "f-sentence": "1",
        "f-first": f"{entity[1]} stays here.",
        "f-second": f"It is told in {named}.",
        "f-titled": "yes",
        "do": "submit",
    }
    person.send(fields)
    assert "Replace" in person.text
    person.send({**fields, "f-first": first})
    assert "Submitted" in person.text


def test_mutating_and_labelling_by_five(people: list[Visitor]) -> None:
    others = people[1:]
    mutated = 0
    for person in others:
        while person.next(CAMPAIGN, "mutate"):
            person.press("submit", f_mutant="Nothing of it.")
            assert "Keep" in person.text
            person.press("submit", f_mutant="Nothing of it is so at all.", f_escape="yes")
            assert "Submitted" in person.text
            mutated += 1
            assert mutated < 10
    assert mutated
    done = 0
    for person in others:
        while person.next(CAMPAIGN, "label"):
            assert "Search the corpus" not in person.text
            person.press("confirm", verdict="REFUTED")
            person.press("submit")
            done += 1
            assert done < 60
    assert done


def test_the_official_file(bench: tuple[Path, str], tmp_path: Path) -> None:
    result = CliRunner().invoke(
        cli, ["workbench", "export", str(bench[0]), CAMPAIGN], catch_exceptions=False
    )
    path = tmp_path / "hover.json"
    path.write_text(result.stdout, encoding="utf-8")
    rows = json.loads(result.stdout)
    assert rows[0]["label"] == "SUPPORTED"
    assert rows[0]["num_hops"] == 2
    assert rows[0]["hpqa_id"].startswith("demo-")
    claims = list(read_claims(path, "hover"))
    assert claims[0].label is Verdict.SUPPORTED
    assert len(claims[0].evidence[0]) == 2
