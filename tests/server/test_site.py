"""The page for people, as a browser without scripts gets it."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from feverfew.render.audit import read_audit
from running import Running

WRONG = "Fritz Lang was born in 1975."
TEXT = "Fritz Lang was born in Vienna. Was he famous? He owned a parrot."
LONG = "Fritz Lang was born in Vienna. " + "Is it so? " * 200


@pytest.fixture(scope="module")
def browser(server: Running) -> Iterator[httpx.Client]:
    accept = {"Accept": "text/html,application/xhtml+xml"}
    with httpx.Client(
        base_url=server.url, timeout=300, headers=accept, follow_redirects=True
    ) as made:
        yield made


def token(page: str) -> str:
    found = re.search(r'name="token" value="(\w+)"', page)
    assert found
    return found[1]


def test_home_asks_and_offers_examples(browser: httpx.Client) -> None:
    page = browser.get("/").text
    assert '<form class="ask" method="post" action="/check"' in page
    assert page.count('href="/check?claim=') == 6
    assert '<a class="skip" href="#main">' in page


def test_a_form_leads_to_a_permalink_that_says_everything(browser: httpx.Client) -> None:
    sent = {"claim": f"  {WRONG} ", "token": token(browser.get("/").text)}
    answer = browser.post("/check", data=sent)
    assert answer.status_code == 200
    assert str(answer.url).endswith("/check?claim=Fritz+Lang+was+born+in+1975.")
    page = answer.text
    assert "<strong>Refuted</strong>" in page
    assert "of 100 claims judged as firmly" in page
    assert "What would change it" in page
    assert 'href="/pages/Fritz%20Lang#sentence_0"' in page
    assert "<mark>Lang</mark>" in page
    assert '<span class="beside"> His father was an architect' in page  # its page's next sentence


def test_a_text_is_marked_sentence_by_sentence(browser: httpx.Client) -> None:
    page = browser.get("/check", params={"claim": TEXT}).text
    assert re.search(
        r'class="said supported" href="#c1".*?Fritz Lang was born in Vienna\.</a>', page
    )
    assert re.search(r'class="skipped" title="Skipped: a question">Was he famous\?<', page)
    assert "read as “Fritz Lang owned a parrot.”" in page
    assert 'id="c1"' in page
    whole = browser.get("/check", params={"claim": TEXT, "as": "claim"}).text
    assert 'class="said' not in whole


def test_a_long_text_goes_by_post(browser: httpx.Client, tmp_path: Path) -> None:
    sent = {"claim": LONG, "token": token(browser.get("/").text)}
    answer = done(browser, browser.post("/check", data=sent))
    assert (answer.status_code, "/drafts/" in str(answer.url)) == (200, True)
    assert "1 supported" in answer.text
    file = tmp_path / "audit.json"
    file.write_bytes(browser.get(f"{answer.url}/export?form=audit-json").content)
    assert [one.verdict for one in read_audit(file).audit.reports] == ["SUPPORTED"]
    rows = browser.get(f"{answer.url}/export?form=csv").content.decode("utf-8-sig").splitlines()
    assert rows[1].startswith("Fritz Lang was born in Vienna.,,SUPPORTED,0.")
    assert browser.get(f"{answer.url}/export?form=exe").status_code == 422
    with httpx.Client(base_url=browser.base_url, timeout=300) as other:
        forget = {"token": token(other.get("/", headers={"Accept": "text/html"}).text)}
        assert other.post(f"{answer.url}/forget", data=forget).status_code == 303
    assert browser.get(answer.url).status_code == 404


def done(browser: httpx.Client, answer: httpx.Response) -> httpx.Response:
    """Wait for a draft, as its page does."""
    for _ in range(600):
        if not browser.get(f"{answer.url}/status").json()["finished"]:
            time.sleep(0.2)
    return browser.get(answer.url)


@pytest.mark.parametrize("form", ["json", "html"])
def test_the_audit_report_is_a_file_that_can_be_replayed(
    browser: httpx.Client, tmp_path: Path, form: str
) -> None:
    answer = browser.get("/audit", params={"claim": WRONG, "form": form})
    said = answer.headers["content-disposition"]
    assert said == f'attachment; filename="feverfew-fritz-lang-was-born-in-1975.{form}"'
    file = tmp_path / f"audit.{form}"
    file.write_bytes(answer.content)
    audit = read_audit(file).audit
    assert audit.reports[0].verdict == "REFUTED"
    assert "Fritz Lang" in audit.pages
    assert Path(audit.settings.corpus).is_dir()  # on this machine, its path may be told


def test_a_table_is_drawn_with_the_cells_that_were_used(browser: httpx.Client) -> None:
    claim = "Three of the nine Olympic medals of Nadia Comăneci were silver."
    page = browser.get("/check", params={"claim": claim}).text
    assert page.count('<td class="used">Silver</td>') == 3
    assert "on its page</a>" in page


def test_pages_are_browsed_searched_and_read(browser: httpx.Client) -> None:
    assert 'href="/pages/Agn%C3%A8s%20Varda"' in browser.get("/browse").text
    assert "No more pages." in browser.get("/browse?start=99999").text
    found = browser.get("/search", params={"q": "director of Metropolis"}).text
    assert re.search(r'href="/pages/Metropolis%20%281927%20film%29#\w+"', found)
    assert "<mark>Metropolis</mark>" in found
    assert str(browser.get("/search?q=").url).endswith("/browse")
    page = browser.get("/pages/fritz_lang").text
    assert '<span id="sentence_0" class="element">' in page
    assert '<a href="/pages/Vienna">Vienna</a>' in page
    assert "Linked from" in page
    assert 'id="cell_1_4_1"' in page


def test_what_goes_wrong_is_a_page_too(browser: httpx.Client) -> None:
    missing = browser.get("/pages/Fritz Lange")
    assert missing.status_code == 404
    assert '<a href="/pages/Fritz%20Lang"' in missing.text
    assert browser.get("/nowhere").status_code == 404
    assert "<h1>" in browser.get("/nowhere").text
    long = browser.get("/check", params={"claim": "x" * 2_001})
    assert (long.status_code, "too long" in long.text) == (413, True)
    sent = {"claim": "y" * 1_000_001, "token": token(browser.get("/").text)}
    assert browser.post("/check", data=sent).status_code == 422
    many = "Fritz Lang was born in Vienna. " * 3_001
    answer = browser.post("/check", data={**sent, "claim": many})
    assert (answer.status_code, "3,001 sentences" in answer.text) == (422, True)
    assert many.strip() in answer.text
    assert browser.post("/check", data={**sent, "claim": "z" * 5_000_000}).status_code == 413
    assert browser.post("/check", json={}).status_code == 415
    assert browser.get("/static/../routes.py").status_code == 404


def test_programs_still_get_json(browser: httpx.Client) -> None:
    assert browser.get("/v1/pages/Nobody at all").json().keys() == {"error"}


def test_a_form_that_our_page_did_not_send_is_refused(server: Running) -> None:
    with httpx.Client(base_url=server.url, timeout=300) as stranger:
        first = stranger.get("/", headers={"Accept": "text/html"})
        for given in ({}, {"token": "0" * 64}, {"token": "é"}):
            for at in ("/check", "/remarks", "/library"):
                assert stranger.post(at, data={"claim": WRONG, **given}).status_code == 403
        stranger.cookies.clear()
        stale = {"claim": WRONG, "token": token(first.text)}
        assert stranger.post("/check", data=stale).status_code == 403


def test_pages_are_sent_with_strict_headers(browser: httpx.Client) -> None:
    answer = browser.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["x-frame-options"] == "DENY"
    assert "<style" not in answer.text
    assert "style=" not in answer.text
    cookies = httpx.get(str(browser.base_url), headers={"Accept": "text/html"}).headers[
        "set-cookie"
    ]
    assert "HttpOnly" in cookies
    assert "SameSite=lax" in cookies


def test_files_are_kept_for_ever_under_a_name_that_changes(browser: httpx.Client) -> None:
    page = browser.get("/").text
    for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', page):
        answer = browser.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert "?v=" in address
