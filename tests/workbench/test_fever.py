"""A small FEVER, from invitation to scored file, by people who know only forms."""

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

CAMPAIGN = "fever-demo"


@pytest.fixture(scope="module")
def people(served: Running, organiser: Visitor) -> Iterator[list[Visitor]]:
    made = []
    for name in ("Ann", "Bob"):
        path = invitation(organiser, "writer", "annotator")
        made.append(Visitor(served.url).join(path, name))
    yield made
    for one in made:
        one.close()


def export(bench: Path, name: str, *more: str) -> str:
    result = CliRunner().invoke(
        cli, ["workbench", "export", str(bench), name, *more], catch_exceptions=False
    )
    return result.stdout


def test_writing_and_mutating(people: list[Visitor]) -> None:
    for person in people:
        assert person.next(CAMPAIGN, "write")
        entity = re.search(r"Entity\s+(.+?)\s{2,}", person.text)
        name = "Fritz Lang" if entity is None else entity[1].strip()
        claim = f"{name} is a thing that people know."
        # A check shows what is wrong, and keeps what was typed.
        person.press("check", f_claims="It might be so")
        assert "cautious" in person.text
        assert "pronoun" in person.text
        person.press("check", f_claims=claim)
        assert claim in person.response.text
        person.open(person.path)
        assert claim in person.response.text
        person.press("submit")
        assert "Mutate claims" in person.text
        box = next(
            node.attributes["name"] or ""
            for node in person.tree.css("textarea")
            if (node.attributes["name"] or "").startswith("f-negate")
        )
        person.send({"do": "check", box: f"{name} is not a thing."})
        assert "trivial-negation" in person.text
        person.press("submit")
        assert "Submitted" in person.text


def test_labelling_others_claims_with_evidence(
    people: list[Visitor], bench: tuple[Path, str]
) -> None:
    for person in people:
        count = 0
        while person.next(CAMPAIGN, "label"):
            count += 1
            claim = person.tree.css_first(".claim")
            assert claim is not None
            person.press("confirm")
            assert "Choose a verdict" in person.text
            at = person.path
            for what in ("expand:Nobody_sentence_0", "take:Nobody_sentence_0", "row:x", "expand:x"):
                person.open(at).press(what)
                assert person.response.status_code in (200, 422)
            assert person.open(at).response.status_code == 200
            take = person.tree.css_first("article .take")
            if take is None:
                person.press("search", f_q="Fritz Lang")
                person.press("result:Fritz Lang")
                take = person.tree.css_first("article .take")
            assert take is not None
            ref = take.attributes["data-ref"]
            person.press(f"take:{ref}")
            assert person.tree.css_first(".element.taken") is not None
            person.press("undo")
            assert person.tree.css_first(".element.taken") is None
            person.press(f"take:{ref}")
            for _ in range(3):  # opened, closed and opened again is one sentence
                person.press(f"expand:{ref}")
            person.press("confirm", verdict="SUPPORTED")
            assert "Is this right?" in person.text
            person.press("submit")
            assert count < 20
        assert count
    lines = [json.loads(line) for line in export(bench[0], CAMPAIGN).splitlines()]
    assert lines
    assert {line["label"] for line in lines} == {"SUPPORTS"}
    assert all(line["verifiable"] == "VERIFIABLE" for line in lines)


def test_nobody_labelled_their_own(bench: tuple[Path, str]) -> None:
    claims = [
        json.loads(line) for line in export(bench[0], CAMPAIGN, "--form", "claims").splitlines()
    ]
    authors = {line["id"]: line["author"] for line in claims}
    assert {line["type"] for line in claims} == {"original", "negate"}
    said = [json.loads(r) for r in export(bench[0], CAMPAIGN, "--form", "annotations").splitlines()]
    assert said
    assert all(authors[one["id"]] != one["annotator"] for one in said)
    assert {one["answers"]["expanded"] for one in said} == {1}


def test_what_is_exported_can_be_read_and_scored(bench: tuple[Path, str], tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(export(bench[0], CAMPAIGN), encoding="utf-8")
    claims = list(read_claims(gold, "fever"))
    assert all(claim.label is Verdict.SUPPORTED and claim.evidence for claim in claims)
    predictions = tmp_path / "predictions.jsonl"
    rows = [
        {
            "id": claim.id,
            "predicted_label": "SUPPORTS",
            "predicted_evidence": [[ref.page, *ref.position] for ref in claim.evidence[0]],
        }
        for claim in claims
    ]
    predictions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    scored = CliRunner().invoke(
        cli, ["score", "fever", str(gold), str(predictions), "--json"], catch_exceptions=False
    )
    assert scored.exit_code == 0, scored.output
    assert "1.0" in scored.stdout


def test_managers_see_progress_and_quality(organiser: Visitor) -> None:
    for page in ("", "/quality", "/people", "/flags", "/adjudicate"):
        organiser.open(f"/manage/{CAMPAIGN}{page}")
        assert organiser.response.status_code == 200, organiser.text


def test_a_backup_restores_all_of_it(bench: tuple[Path, str], tmp_path: Path) -> None:
    run = CliRunner().invoke
    copy, file = tmp_path / "copy", tmp_path / "backup.jsonl"
    made = run(cli, ["workbench", "backup", str(bench[0])], catch_exceptions=False)
    file.write_bytes(made.stdout_bytes)
    run(cli, ["workbench", "init", str(copy)], catch_exceptions=False)
    run(cli, ["workbench", "restore", str(copy), str(file)], catch_exceptions=False)
    again = run(cli, ["workbench", "backup", str(copy)], catch_exceptions=False)
    assert again.stdout_bytes == made.stdout_bytes
    assert export(copy, CAMPAIGN) == export(bench[0], CAMPAIGN)


def test_a_verdict_can_be_corrected(people: list[Visitor], bench: tuple[Path, str]) -> None:
    person = people[0].open("/work/history")
    link = person.tree.css_first('td a[href*="/t/"]')
    assert link is not None
    person.open(link.attributes["href"] or "")
    assert "correcting" in person.text
    person.press("confirm", verdict="REFUTED")
    assert "Is this right?" in person.text
    person.press("submit")
    assert "Submitted" in person.text
    lines = [json.loads(line) for line in export(bench[0], CAMPAIGN).splitlines()]
    assert "REFUTES" in {line["label"] for line in lines}
    assert "(version 2)" in person.open("/work/history").text
