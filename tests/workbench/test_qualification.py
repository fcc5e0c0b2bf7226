"""Quiz, calibration with feedback, approval, adjudication and reports, over HTTP."""

import json
from pathlib import Path

from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.store.campaigns import campaign_named, settings_of
from feverfew.store.claims import add_claim
from feverfew.workbench.bench import open_bench
from running import running
from visiting import Visitor, invitation

CAMPAIGN = "gated"
SETTINGS = """
kind = "fever"
sources = 2
[checks]
qualification = true
five_way = 1.0
super_annotated = 0.0
tests = 0.0
calibration = [1, 1]
"""


def gold(path: Path, text: str) -> Path:
    evidence = [[[None, None, "Fritz Lang", 0]]]
    line = {"id": 1, "claim": text, "label": "SUPPORTS", "evidence": evidence}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return path


def answer(person: Visitor, verdict: str) -> None:
    person.press("search", f_q="Fritz Lang")
    person.press("result:Fritz Lang")
    person.press("take:Fritz Lang_sentence_0")
    person.press("confirm", verdict=verdict)
    person.press("submit")
    assert "Submitted" in person.text


def test_from_the_quiz_to_adjudication(tmp_path: Path, sample_path: Path) -> None:
    run, folder = CliRunner().invoke, tmp_path / "bench"
    made = run(cli, ["workbench", "init", str(folder), "--json"], catch_exceptions=False)
    settings = tmp_path / "gated.toml"
    settings.write_text(SETTINGS, encoding="utf-8")
    files = []
    for n, use in enumerate(("quiz", "calibration", "calibration2")):
        path = gold(tmp_path / f"{use}.jsonl", f"Fritz Lang was born in Vienna, part {n}.")
        files += ["--gold", f"{use}={path}"]
    done = run(
        cli,
        ["workbench", "campaign", str(folder), CAMPAIGN, str(settings), *files],
        catch_exceptions=False,
    )
    assert "quiz: 1 claim" in done.stdout
    printed = run(cli, ["workbench", "settings", str(folder), CAMPAIGN], catch_exceptions=False)
    assert "five_way = 1.0" in printed.stdout
    with open_bench(folder) as bench, bench.database.write() as session:
        campaign = campaign_named(session, CAMPAIGN)
        for text in ("Fritz Lang was born in Graz.", "Fritz Lang was born in Vienna."):
            add_claim(session, campaign, settings_of(campaign), text=text, entity="Fritz Lang")
    with running("serve", folder, command="workbench") as server:
        organiser = Visitor(server.url).join(json.loads(made.stdout)["invitation"], "Olga")
        people = [
            Visitor(server.url).join(invitation(organiser, "annotator"), name)
            for name in ("Petra", "Quentin")
        ]
        for person in people:
            assert "Quiz" in person.open("/work").text
            assert person.next(CAMPAIGN, "label")
            assert "your answer is graded" in person.text
            assert "Skip or report" not in person.text
            answer(person, "SUPPORTED")
            assert person.next(CAMPAIGN, "label")
            answer(person, "SUPPORTED")
            # The second phase waits until the feedback was read.
            assert "Read the feedback" in person.open("/work").text
            person.open(f"/work/{CAMPAIGN}/learn/label")
            assert "✓ right" in person.text
            person.send({}, "main form")
            assert person.next(CAMPAIGN, "label")
            answer(person, "SUPPORTED")
            assert "a manager has to approve" in person.open("/work").text
        for _ in people:
            organiser.open(f"/manage/{CAMPAIGN}/people")
            waiting = [
                row for row in organiser.tree.css("tbody tr") if "qualified" not in row.text()
            ]
            form = waiting[0].css_first("form")
            assert form is not None
            action = form.attributes["action"]
            organiser.send({"state": "qualified"}, f'form[action="{action}"]')
        for person, verdict in zip(people, ("SUPPORTED", "REFUTED"), strict=True):
            assert person.next(CAMPAIGN, "label")
            answer(person, verdict)
        organiser.open(f"/manage/{CAMPAIGN}/quality")
        assert "Fleiss κ" in organiser.text
        organiser.open(f"/manage/{CAMPAIGN}/adjudicate")
        assert "1 open, 0 decided" in organiser.text
        assert "Petra" not in organiser.text
        right = organiser.tree.css_first("input[name=right]")
        assert right is not None
        organiser.send(
            {"right": right.attributes["value"], "code": "accident"}, "form[action*=adjudicate]"
        )
        assert "0 open, 1 decided" in organiser.text
        # What is reported leaves the pool, is corrected, and is served again.
        reporter = people[0]
        assert reporter.next(CAMPAIGN, "label")
        reporter.press("skip")
        assert reporter.response.status_code == 422
        reporter.open(reporter.path).press("skip", reason="typo", f_note="a slip")
        organiser.open(f"/manage/{CAMPAIGN}/flags")
        assert "a slip" in organiser.text
        action = "form[action*='/claims/']"
        organiser.send({"do": "correct", "text": "Fritz Lang was born in Linz."}, action)
        assert people[1].next(CAMPAIGN, "label")
        assert "Linz" in people[1].text
        for one in (organiser, *people):
            one.close()
