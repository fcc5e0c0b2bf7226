"""A corpus full of scripts runs none of them, in a browser that would."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from browsing import Browsing
from hostile import BREAK, IMAGE, OTHER, SCRIPT, TITLE, hostile
from running import Running, running


@pytest.fixture(scope="module")
def den(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(hostile(tmp_path_factory.mktemp("hostile")), "--timeout", "300") as found:
        yield found


def test_no_text_is_ever_run(den: Running, browsing: Browsing) -> None:
    addresses = (
        "/browse",
        f"/search?q={quote(f'moon {SCRIPT}')}",
        f"/pages/{quote(TITLE, safe='')}",
        f"/pages/{quote(OTHER, safe='')}",
        f"/pages/{quote(IMAGE, safe='')}",
        f"/check?claim={quote(f'The moon {SCRIPT} is of rock {BREAK}. Is it {IMAGE}?')}",
    )
    page = browsing.open(den.url)
    for address in addresses:
        page.goto(den.url + address)
        assert page.evaluate("window.hurt") is None
        assert page.locator("main [onerror], main [onload], main script, main img").count() == 0
    page.goto(f"{den.url}/pages/{quote(TITLE, safe='')}")
    browsing.keep(page)
    page.get_by_role("link", name="Ada Quill").click()
    assert page.url.startswith(den.url)
    assert page.evaluate("window.hurt") is None


def test_the_policy_stops_what_would_slip_through(den: Running, browsing: Browsing) -> None:
    page = browsing.open(f"{den.url}/help")
    page.evaluate(
        """() => {
            const made = document.createElement("script");
            made.textContent = "window.hurt = 1";
            document.body.append(made);
            document.body.setAttribute("onclick", "window.hurt = 1");
            document.body.click();
        }"""
    )
    assert page.evaluate("window.hurt") is None
    assert len(browsing.complaints) == 2
    assert all("Content Security Policy" in said for said in browsing.complaints)
    browsing.complaints.clear()
