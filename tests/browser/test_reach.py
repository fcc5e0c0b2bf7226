"""Everyone can read it: axe-core finds nothing serious, and no phone has to scroll sideways."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from browsing import DESK, PHONE, Browsing, findings
from feverfew.server.keys import KeyFile
from running import Running, running

TABLE = "Three of the nine Olympic medals of Nadia Comăneci were silver."
TEXT = "Fritz Lang was born in Vienna. Was he famous? He died in 1995."
PAGES = {
    "home": "/",
    "verdict": f"/check?claim={quote(TABLE)}",
    "text": f"/check?claim={quote(TEXT)}",
    "page": "/pages/Fritz%20Lang",
    "browse": "/browse",
    "search": "/search?q=longest+river",
    "help": "/help",
    "library": "/library",
    "missing": "/pages/Nobody%20at%20all",
}


def look_at(page: Any, browsing: Browsing) -> None:
    """Look at a page that a phone shows: there, on a desk, and in the dark."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    browsing.keep(page, "phone")
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    light = findings(page)
    browsing.keep(page, "light")
    page.emulate_media(color_scheme="dark")
    dark = findings(page)
    browsing.keep(page, "dark")
    assert light == []
    assert dark == []


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_and_nothing_scrolls_sideways(
    site: Running, browsing: Browsing, name: str
) -> None:
    look_at(browsing.open(site.url + PAGES[name], size=PHONE), browsing)


def test_nor_where_documents_are_dropped(site: Running, browsing: Browsing, tmp_path: Path) -> None:
    page = browsing.open(f"{site.url}/library", size=PHONE)
    page.get_by_label("Name of the corpus").fill("Policies of a company with a very long name")
    page.get_by_role("button", name="Make it").click()
    file = tmp_path / "travel.md"
    file.write_text("We pay for trains.")
    page.locator("[data-upload] input").set_input_files(file)
    page.get_by_role("link", name="Check against it").wait_for()
    look_at(page, browsing)
    page.get_by_role("link", name="Check against it").click()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    look_at(page, browsing)


def test_nor_where_a_key_is_asked_for(
    sample_path: Path, browsing: Browsing, tmp_path: Path
) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    keys.add("desk", ["check"], 600)
    with running(sample_path, "--keys", keys.path) as guarded:
        page = browsing.open(f"{guarded.url}/login", size=PHONE)
        page.get_by_label("Key").fill("ff_wrong")
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("alert").wait_for()
        look_at(page, browsing)
