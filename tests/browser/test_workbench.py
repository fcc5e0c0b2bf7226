"""The workbench in Chromium: whole tasks by keyboard alone, and nothing that keeps people out."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from browsing import DESK, PHONE, Browsing, findings
from feverfew.cli.main import cli
from feverfew.store.campaigns import campaign_named, settings_of
from feverfew.store.claim_tables import Source
from feverfew.store.claims import add_claim, open_slots
from feverfew.workbench.bench import open_bench
from running import Running, running
from visiting import PASSWORD, Visitor, invitation

HOVER = "Fritz Lang, the director of Metropolis, was born in Vienna."
FACTS = ["Metropolis (1927 film)_sentence_0", "Fritz Lang_sentence_0"]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, sample_path: Path) -> Iterator[Running]:
    """Serve a workbench with the claims of one writer."""
    folder = tmp_path_factory.mktemp("bench") / "bench"
    made = CliRunner().invoke(
        cli, ["workbench", "init", str(folder), "--demo", "--json"], catch_exceptions=False
    )
    _add_hover_claim(folder)
    with running("serve", folder, command="workbench") as found:
        organiser = Visitor(found.url).join(json.loads(made.stdout)["invitation"], "Olga")
        writer = Visitor(found.url).join(invitation(organiser, "writer"), "Will")
        writer.next("fever-demo", "write")
        writer.press("submit", f_claims="Fritz Lang was born in Vienna.\nVienna is a city.")
        writer.press("submit")
        writer.next("feverous-demo", "highlight")
        fields = {f"f-challenge-{name}": "Other" for name in ("I", "II", "III")}
        fields |= {f"f-claim-{name}": f"Claim {name} is here." for name in ("I", "II", "III")}
        writer.send({**fields, "do": "submit"})
        link = invitation(organiser, "writer", "annotator", "validator")
        Visitor(found.url).join(link, "Ann").close()
        organiser.close()
        writer.close()
        yield found


def _add_hover_claim(folder: Path) -> None:
    """Add a claim of HoVer that waits to be extended and mutated."""
    with open_bench(folder) as opened, opened.database.write() as session:
        campaign = campaign_named(session, "hover-demo")
        settings = settings_of(campaign)
        source = session.scalars(select(Source).where(Source.campaign_id == campaign.id)).first()
        given: dict[str, Any] = {"source": source, "hops": 2, "data": {"facts": FACTS}}
        kept = add_claim(session, campaign, settings, text=HOVER, state="kept", **given)
        for workflow in ("extend", "mutate"):
            open_slots(session, kept, workflow, "regular", 1, 0.5)


def logged_in(bench: Running, browsing: Browsing, size: tuple[int, int] = DESK) -> Any:
    page = browsing.open(f"{bench.url}/login", size=size)
    page.keyboard.press("Tab")
    page.get_by_label("Name").focus()
    page.keyboard.type("Ann")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/work"))
    return page


def begin(page: Any, campaign: str, workflow: str) -> None:
    page.goto(re.sub(r"/work.*", "/work", page.url))
    button = page.locator(f'form[action="/work/{campaign}/next/{workflow}"] button').first
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))


def look(page: Any, browsing: Browsing, what: str) -> None:
    """Look at a screen with axe, on a phone, and at 200 %."""
    assert findings(page) == []
    browsing.keep(page, what)
    for width in (PHONE[0], DESK[0] // 2):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    browsing.keep(page, f"{what}-small")
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})


def test_a_claim_is_labelled_by_keyboard_alone(bench: Running, browsing: Browsing) -> None:
    page = logged_in(bench, browsing)
    begin(page, "fever-demo", "label")
    page.keyboard.press("/")
    page.keyboard.type("Fritz Lang")
    page.keyboard.press("Enter")
    page.locator(".results").wait_for()
    look(page, browsing, "search")
    page.locator(".results button").first.focus()
    page.keyboard.press("Enter")
    page.locator("article .element").first.wait_for()
    page.keyboard.press("Escape")
    page.locator("body").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press(" ")
    page.locator(".chosen .where").first.wait_for()
    assert page.locator("article .element.taken").count() == 1
    page.keyboard.press("u")
    page.locator(".chosen .where").first.wait_for(state="detached")
    page.keyboard.press(" ")
    page.locator(".chosen .where").first.wait_for()
    page.keyboard.press("s")
    assert page.get_by_label("Supported").is_checked()
    look(page, browsing, "judge")
    page.keyboard.press("Control+Enter")
    page.get_by_role("heading", name="Is this right?").wait_for()
    look(page, browsing, "confirm")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile(r"/work\?"))
    assert "Submitted" in page.locator(".says").inner_text()


def test_claims_are_written_by_keyboard_and_drafts_survive(
    bench: Running, browsing: Browsing
) -> None:
    page = logged_in(bench, browsing)
    begin(page, "fever-demo", "write")
    area = page.locator("textarea").first
    area.focus()
    page.keyboard.type("It might be so")
    page.locator(".hits li").first.wait_for()
    assert "cautious" in page.locator(".hits").first.inner_text()
    look(page, browsing, "write")
    saved = page.expect_response(lambda response: response.request.method == "POST")
    with saved:  # saved by itself
        page.wait_for_timeout(6000)
    page.goto(page.url)
    assert page.locator("textarea").first.input_value() == "It might be so"
    page.locator("textarea").first.fill("Fritz Lang was born in Vienna.")
    page.keyboard.press("Control+Enter")
    page.get_by_role("heading", name="Mutate claims").wait_for()
    negate = page.locator('textarea[data-rule="negate"]').first
    negate.focus()
    page.keyboard.type("Fritz Lang was not born in Vienna.")
    page.locator(".field.warned").wait_for()
    look(page, browsing, "mutate")
    page.locator("textarea").first.focus()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile(r"/work\?"))


def test_tables_are_evidence_too(bench: Running, browsing: Browsing) -> None:
    page = logged_in(bench, browsing)
    begin(page, "feverous-demo", "verify")
    page.keyboard.press("/")
    page.keyboard.type("Fritz Lang")
    page.keyboard.press("Enter")
    page.locator(".results button").first.focus()
    page.keyboard.press("Enter")
    cell = page.locator('[data-ref="Fritz Lang_cell_0_2_1"]')
    cell.focus()
    page.keyboard.press(" ")
    page.locator(".chosen .where").first.wait_for()
    page.keyboard.press("2")
    page.locator('button[value="set:1"][aria-pressed="true"]').wait_for()
    page.locator('[data-ref="Fritz Lang_sentence_0"]').focus()
    page.keyboard.press(" ")
    page.locator(".chosen .where").first.wait_for()
    page.keyboard.press("r")
    page.keyboard.press("Control+Enter")
    page.get_by_role("alert").wait_for()
    assert "Choose the main challenge." in page.get_by_role("alert").inner_text()
    page.get_by_label("Main challenge").focus()
    page.keyboard.type("Numerical")
    look(page, browsing, "verify")
    page.keyboard.press("Control+Enter")
    page.get_by_role("heading", name="Is this right?").wait_for()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile(r"/work\?"))


def choose(page: Any, field: str, value: str = "") -> None:
    """Choose an option by keyboard: the first, or one of a value."""
    wanted = f'[value="{value}"]' if value else ""
    page.locator(f'input[name="f-{field}"]{wanted}').first.focus()
    page.keyboard.press("Space")


def write(page: Any, field: str, text: str) -> None:
    page.locator(f'[name="f-{field}"]').focus()
    page.keyboard.type(text)


def submit(page: Any) -> None:
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile(r"/work\?"))
    assert "Submitted" in page.locator(".says").inner_text()


def highlight(page: Any) -> None:
    for name in ("I", "II", "III"):
        write(page, f"claim-{name}", f"Claim {name} says this.")
        choose(page, f"challenge-{name}")


def create(page: Any) -> None:
    choose(page, "clarity")
    write(page, "claim", HOVER)


def extend(page: Any) -> None:
    choose(page, "page")
    title = str(page.locator('input[name="f-page"]').first.input_value())
    entity = page.locator("mark").first.inner_text()
    write(page, "sentence", "1")
    write(page, "first", HOVER.replace(entity, "a person"))
    write(page, "second", f"It is told in {title.partition(' (')[0]}.")
    choose(page, "titled", "yes")


def mutate(page: Any) -> None:
    write(page, "mutant", "Nothing of it is so at all.")
    choose(page, "escape")


@pytest.mark.parametrize("fill", [highlight, create, extend, mutate])
def test_other_writing_tasks_are_done_by_keyboard(
    bench: Running, browsing: Browsing, fill: Callable[[Any], None]
) -> None:
    page = logged_in(bench, browsing)
    screen = fill.__name__
    begin(page, "feverous-demo" if screen == "highlight" else "hover-demo", screen)
    fill(page)
    look(page, browsing, screen)
    submit(page)
