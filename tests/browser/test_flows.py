"""What people do on the page, from the first key to the file they keep."""

import json
import re
from pathlib import Path

import pytest

from browsing import PHONE, Browsing
from feverfew.server.keys import KeyFile
from running import Running, running

WRONG = "Fritz Lang was born in 1975."
TEXT = "Fritz Lang was born in Vienna. Was he famous? He owned a parrot."


@pytest.mark.parametrize(("scripts", "phone"), [(True, False), (False, True)])
def test_from_a_claim_to_the_sentence_that_settles_it(
    site: Running, browsing: Browsing, scripts: bool, phone: bool
) -> None:
    size = PHONE if phone else (1200, 850)
    page = browsing.open(site.url, scripts=scripts, size=size)
    browsing.keep(page, "home")
    page.get_by_label("A claim, or a text").fill(WRONG)
    page.get_by_role("button", name="Check").click()
    page.wait_for_url(re.compile(r"/check\?claim=Fritz"))
    assert page.get_by_role("heading", level=1).inner_text() == WRONG
    assert "Refuted" in page.locator(".seal").first.inner_text()
    assert page.locator(".card mark").first.is_visible()
    browsing.keep(page, "verdict")
    page.locator(".card cite").first.click()
    page.wait_for_url(re.compile(r"/pages/Fritz%20Lang#sentence_\d+"))
    cited = page.locator(":target")
    assert cited.is_visible()
    assert cited.evaluate("one => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"
    browsing.keep(page, "page")
    page.get_by_role("link", name="Vienna").first.click()
    assert page.get_by_role("heading", level=1).inner_text() == "Vienna"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_paragraph_is_marked_and_each_mark_leads_on(
    site: Running, browsing: Browsing, scripts: bool
) -> None:
    page = browsing.open(site.url, scripts=scripts)
    page.get_by_label("A claim, or a text").fill(TEXT)
    page.get_by_role("button", name="Check").click()
    page.locator("a.said").first.wait_for()
    assert page.locator("a.said").count() == 2
    assert page.locator("a.said.supported").inner_text().endswith("Vienna.")
    assert page.locator("span.skipped", has_text="Was he famous?").count() == 1
    page.locator("a.said.nei").click()
    page.wait_for_url(re.compile(r"#c3$"))
    assert "read as “Fritz Lang owned a parrot.”" in page.locator("#c3").inner_text()
    browsing.keep(page)


def test_everything_by_the_keyboard(site: Running, browsing: Browsing) -> None:
    page = browsing.open(site.url)
    press = page.keyboard.press
    assert page.locator(":focus").get_attribute("id") == "claim"
    page.goto(f"{site.url}/help")
    press("Tab")
    skip = page.locator(":focus")
    assert skip.inner_text() == "Skip to the content"
    assert (skip.bounding_box() or {"x": -1})["x"] >= 0
    press("Enter")
    page.goto(f"{site.url}/check?claim=Fritz Lang directed Metropolis.")
    press("/")
    assert page.locator(":focus").get_attribute("id") == "claim"
    page.keyboard.type(WRONG)
    press("Enter")
    page.wait_for_url(re.compile(r"1975"))
    page.locator(".seal").first.wait_for()
    press("j")
    assert "card" in (page.locator(":focus").get_attribute("class") or "")
    browsing.keep(page, "focus")
    press("j")
    press("k")
    assert page.locator(".card:focus").count() == 1
    press("t")
    assert page.locator("html").get_attribute("data-theme") == "light"
    press("?")
    page.wait_for_url(re.compile(r"/help#keyboard"))
    page.get_by_label("Single keys do this").uncheck()
    page.get_by_role("heading", level=1).click()
    press("t")
    assert page.locator("html").get_attribute("data-theme") == "light"


def test_themes_follow_the_system_until_one_is_chosen(site: Running, browsing: Browsing) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = browsing.open(f"{site.url}/help", dark=True)
    light = browsing.open(f"{site.url}/help")
    assert dark.evaluate(paper) != light.evaluate(paper)
    switch = light.get_by_role("button", name="Theme")
    switch.click()
    switch.click()
    assert light.evaluate(paper) == dark.evaluate(paper)
    light.reload()
    assert light.evaluate(paper) == dark.evaluate(paper)
    browsing.keep(light, "dark")
    plain = browsing.open(f"{site.url}/help", dark=True, scripts=False)
    assert not plain.get_by_role("button", name="Theme").is_visible()


def test_an_answer_can_be_kept(site: Running, browsing: Browsing, tmp_path: Path) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    page = browsing.open(f"{site.url}/check?claim={WRONG}", permissions=allowed)
    page.get_by_role("button", name="Copy the address").click()
    page.locator(".copy", has_text="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{site.url}/check?claim=Fritz+Lang+was+born+in+1975."
    with page.expect_download() as waiting:
        page.get_by_role("link", name="to replay").click()
    file = tmp_path / "audit.json"
    waiting.value.save_as(file)
    assert json.loads(file.read_bytes())["audit"]["reports"][0]["verdict"] == "REFUTED"


def test_pages_are_found_and_followed(site: Running, browsing: Browsing) -> None:
    page = browsing.open(f"{site.url}/browse")
    page.get_by_label("Search the pages").fill("who directed Metropolis")
    page.get_by_role("button", name="Search").click()
    page.locator(".results").wait_for()
    browsing.keep(page, "search")
    page.get_by_role("link", name="Metropolis (1927 film)").click()
    page.get_by_role("heading", name="Linked from").wait_for()
    page.goto(f"{site.url}/pages/Fritz Lange")
    browsing.keep(page, "missing")
    page.get_by_role("link", name="Fritz Lang", exact=True).click()
    assert page.get_by_role("heading", level=1).inner_text() == "Fritz Lang"


def test_a_key_is_asked_for_and_remembered(
    sample_path: Path, browsing: Browsing, tmp_path: Path
) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    key = keys.add("desk", ["check", "read"], 600)
    with running(sample_path, "--keys", keys.path) as guarded:
        page = browsing.open(f"{guarded.url}/browse", scripts=False)
        page.get_by_label("Key").fill("ff_wrong")
        page.get_by_role("button", name="Log in").click()
        assert page.get_by_role("alert").is_visible()
        page.get_by_label("Key").fill(key)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url(re.compile(r"/browse$"))
        page.get_by_role("button", name="Log out").click()
        page.wait_for_url(re.compile(r"/login$"))
