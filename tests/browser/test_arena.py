"""The arena in Chromium: a countdown, a file by a form, and nothing that keeps people out."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import PHONE, Browsing, findings
from hosting import RIGHT, make_task
from running import running
from visiting import PASSWORD

PAGES = ("", "/board", "/submit", "/submissions", "/description", "/team", "/pool", "/systems/1")


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Return a server's address, and a team's invitation."""
    arena = make_task(
        tmp_path_factory.mktemp("hosted") / "arena", "--end", "2999-01-01T00:00-07:00"
    )
    _, link = arena.team_and_link("Athene")
    with running("serve", arena.folder, command="arena") as found:
        yield found.url, link


def joined(browsing: Browsing, url: str, link: str) -> Any:
    page = browsing.open(f"{url}{link}", size=PHONE)
    page.get_by_label("Name").fill("Ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/work"))
    return page


def test_a_team_submits_and_every_page_is_open_to_all(
    browsing: Browsing, task: tuple[str, str], tmp_path: Path
) -> None:
    url, link = task
    (tmp_path / "said.jsonl").write_bytes(RIGHT)
    page = joined(browsing, url, link)
    page.goto(f"{url}/arena/demo")
    ends = page.locator("time[data-counts]")
    assert "(your time)" in ends.inner_text()
    assert re.search(r"in \d+ d \d+ h", ends.locator("xpath=following-sibling::span").inner_text())
    page.goto(f"{url}/arena/demo/submit")
    page.get_by_label("Predictions").set_input_files(tmp_path / "said.jsonl")
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url(re.compile("/submissions"))
    assert "Submission 1 is kept." in page.locator(".says").inner_text()
    for one in PAGES:
        page.goto(f"{url}/arena/demo{one}")
        assert findings(page) == [], one
