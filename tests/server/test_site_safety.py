"""Whatever a corpus or a claim holds, a page never gives it to the browser as more than text."""

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import quote

import httpx
import pytest

from feverfew.render.chain_graph import graph_svg
from feverfew.render.check_html import odds
from feverfew.render.excerpts import excerpt_html
from feverfew.types import (
    Context,
    Evidence,
    Excerpt,
    Finding,
    Hop,
    Reasoning,
    Ref,
    Report,
    Shape,
    Verdict,
)
from hostile import BREAK, IMAGE, OTHER, SCRIPT, TITLE, hostile
from running import Running, running

HTML = {"Accept": "text/html"}
SCHEMES = ("/", "#", "http")


class Elements(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def harmless(page: str) -> None:
    assert "hurt" in page, "the test would show nothing"
    for tag, given in Elements(page).found:
        assert not [name for name in given if name.startswith("on")], (tag, given)
        if tag == "script":
            assert str(given["src"]).startswith("/static/")
        if tag in ("img", "link"):
            assert str(given.get("src") or given.get("href")).startswith("/static/")
        if "href" in given:
            assert str(given["href"]).startswith(SCHEMES), given
        assert "style" not in given
        assert tag not in ("iframe", "object", "embed", "base", "style")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(hostile(tmp_path_factory.mktemp("hostile")), "--timeout", "300") as found:
        yield found


@pytest.mark.parametrize(
    "address",
    [
        "/browse",
        f"/search?q=moon+{quote(SCRIPT)}",
        f"/pages/{quote(TITLE, safe='')}",
        f"/pages/{quote(OTHER, safe='')}",
        f"/pages/{quote(IMAGE, safe='')}",
        "/pages/javascript:window.hurt=1",
        f"/check?claim={quote(f'The moon {SCRIPT} is made of rock.')}",
        f"/check?claim={quote(f'The moon is of rock {BREAK}. Is it {IMAGE}? The sun is a star.')}",
        f"/check?claim={quote('Tycho is silver.')}",
        f"/login?next={quote(BREAK)}hurt",
    ],
)
def test_nothing_of_a_corpus_or_an_address_is_more_than_text(server: Running, address: str) -> None:
    answer = httpx.get(f"{server.url}{address}", headers=HTML, timeout=300)
    if answer.status_code == 303:
        assert answer.headers["location"] == "/"
    else:
        harmless(answer.text)


def test_an_audit_report_runs_nothing_either(server: Running) -> None:
    asked = {"claim": f"The moon {SCRIPT} is made of rock.", "form": "html"}
    answer = httpx.get(f"{server.url}/audit", params=asked, timeout=300)
    assert "attachment" in answer.headers["content-disposition"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    scripts = [given for tag, given in Elements(answer.text).found if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "feverfew-audit"}]


def test_drawings_hold_text_alone() -> None:
    piece = Evidence(ref=Ref.sentence(TITLE, 0), text=IMAGE, context=Context(TITLE), score=1.0)
    probabilities = {Verdict.SUPPORTED: 0.9}
    finding = Finding.of(piece, says=Verdict.SUPPORTED, probabilities=probabilities)
    report = Report(
        claim=BREAK,
        verdict=Verdict.SUPPORTED,
        probabilities=probabilities,
        evidence=(finding,),
        chain=(Hop(OTHER, Ref.sentence(TITLE, 0), BREAK),),
        reasoning=Reasoning(
            Shape.CHAIN, (TITLE, OTHER), (Hop(TITLE, Ref.sentence(OTHER, 0), IMAGE),)
        ),
        tables=(Excerpt(page=TITLE, index=0, caption=BREAK, header=(IMAGE,), rows=((SCRIPT,),)),),
    )
    harmless(graph_svg(report))
    harmless(excerpt_html(report.tables[0]))
    assert "style=" not in odds(report)
