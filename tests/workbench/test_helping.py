"""Helped by the checker after one's own verdict, by chance, and what that changes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from feverfew.cli.main import cli
from feverfew.store.campaigns import campaign_named, change_settings, settings_of
from feverfew.store.claims import add_claim
from feverfew.store.work_tables import Annotation, Asked, Evidence
from feverfew.workbench.bench import open_bench
from running import Running
from visiting import Visitor, invitation

CAMPAIGN = "fever-demo"
MISSED = "Metropolis (1927 film)_sentence_0"
WRONG = "Fritz Lang_sentence_0"


@pytest.fixture(scope="module")
def person(bench: tuple[Path, str], served: Running, organiser: Visitor) -> Iterator[Visitor]:
    """Let every second annotation be followed by the question."""
    with open_bench(bench[0]) as opened, opened.database.write() as session:
        campaign = campaign_named(session, CAMPAIGN)
        plain = {**campaign.settings, "help": {"share": 0.5}}
        plain["checks"] = {**campaign.settings["checks"], "tests": 0.0}
        settings = change_settings(session, campaign, plain, None)
        for _ in range(12):
            text = "Fritz Lang directed Metropolis."
            add_claim(session, campaign, settings, text=text, entity="Fritz Lang")
    visitor = Visitor(served.url).join(invitation(organiser, "annotator"), "Ann")
    yield visitor
    visitor.close()


def test_the_question_comes_after_the_verdict_and_by_chance(
    person: Visitor, bench: tuple[Path, str]
) -> None:
    asked = 0
    while person.next(CAMPAIGN, "label"):
        assert "miss" not in person.text
        person.press(f"take:{WRONG}")
        person.press("confirm", verdict="REFUTED")
        assert "miss" not in person.text
        person.press("submit")
        if not person.path.endswith("/missed"):
            assert "Submitted" in person.text
            continue
        assert MISSED.replace("_sentence_0", "") in person.text
        assert "Vienna" in person.text  # one's own evidence stands beside
        asked += 1
        if asked == 1:  # what cannot be a verdict is refused, and asked again
            here = person.path
            person.send({"verdict": "MAYBE"}, "main form")
            assert "Choose a verdict" in person.text
            person.open(here)
            person.send({"place-0": "new", "verdict": "SUPPORTED"}, "main form")
        else:
            person.send({}, "main form")
        assert "Submitted" in person.text
    assert 0 < asked < 12
    with open_bench(bench[0]) as opened, opened.database.read() as session:
        drawn = session.scalars(select(Asked)).all()
        assert [one.arm for one in drawn].count("asked") == asked
        assert len(drawn) == 12
        assert all(one.refs is None for one in drawn if one.arm == "control")
        first = next(one for one in drawn if one.arm == "asked")
        assert first.refs == first.taken == [MISSED]
        own = session.get_one(Annotation, first.annotation_id)
        versions = session.scalars(
            select(Annotation).where(Annotation.slot_id == own.slot_id).order_by(Annotation.version)
        ).all()
        assert [one.verdict for one in versions] == ["REFUTED", "SUPPORTED"]
        evidence = select(Evidence.ref, Evidence.number).where(
            Evidence.annotation_id == versions[1].id
        )
        assert set(map(tuple, session.execute(evidence))) == {(WRONG, 0), (MISSED, 1)}
        assert settings_of(campaign_named(session, CAMPAIGN)).help.share == 0.5


def test_an_answer_is_given_once(person: Visitor, bench: tuple[Path, str]) -> None:
    with open_bench(bench[0]) as opened, opened.database.read() as session:
        slot = session.scalar(
            select(Annotation.slot_id)
            .join(Asked, Asked.annotation_id == Annotation.id)
            .where(Asked.arm == "asked")
        )
    person.open(f"/work/{CAMPAIGN}/t/{slot}/missed")
    assert "Submitted" in person.text


def test_managers_see_the_effect_and_exports_the_arm(
    organiser: Visitor, person: Visitor, bench: tuple[Path, str]
) -> None:
    organiser.open(f"/manage/{CAMPAIGN}/quality")
    rows = {
        cells[0]: cells[1:]
        for row in organiser.tree.css("table tr")
        if (cells := [cell.text().strip() for cell in row.css("th, td")])
    }
    taken, control, difference, interval = rows["pieces of evidence"]
    assert control.startswith("1.000")
    assert float(taken.split()[0]) > 1
    assert float(difference) > 0
    assert " to " in interval
    exported = CliRunner().invoke(
        cli,
        ["workbench", "export", str(bench[0]), CAMPAIGN, "--form", "annotations"],
        catch_exceptions=False,
    )
    arms = [json.loads(line)["help"] for line in exported.stdout.splitlines()]
    assert set(arms) == {"asked", "control"}
