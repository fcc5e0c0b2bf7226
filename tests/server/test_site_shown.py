"""Every kind of report on the page, and every trouble, with a service that says what it is told."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

import reported
from feverfew.corpus import Corpus
from feverfew.errors import CorpusDamaged, TooBusy
from feverfew.render.audit import Settings
from feverfew.server.app import make_app
from feverfew.server.auth import Authenticator
from feverfew.server.metrics import Metrics
from feverfew.types import Hop, Reasoning, Ref, Report, Shape
from making import made

HTML = {"Accept": "text/html"}


class TableAnswer:
    """A service that gives one report, or raises one error."""

    waiting = 0
    settings = Settings()
    snapshot = SimpleNamespace(pages=3, fingerprint="c0ffee", model="decade", generation="g-1.0")

    @contextmanager
    def pin(self) -> Iterator[SimpleNamespace]:
        yield self.snapshot

    def __init__(self, told: Report | Exception, corpus: Corpus) -> None:
        self._told = told
        self._corpus = corpus

    async def check(self, claims: Sequence[str]) -> list[Report]:
        if isinstance(self._told, Exception):
            raise self._told
        return [self._told for _ in claims]

    async def read(self, job: Callable[[Corpus], Any]) -> Any:
        return job(self._corpus)


def page_of(told: Report | Exception, corpus: Corpus, address: str = "/check?claim=x") -> Any:
    app = make_app(TableAnswer(told, corpus), Metrics(), Authenticator(None))  # type: ignore[arg-type]
    return TestClient(app, raise_server_exceptions=False).get(address, headers=HTML)


@pytest.mark.parametrize(
    "report", reported.ALL, ids=lambda one: str(one.open_reason or one.verdict)
)
def test_every_kind_of_report_has_its_page(report: Report, sample: Corpus) -> None:
    answer = page_of(report, sample)
    assert answer.status_code == 200
    assert report.verdict.lower().capitalize() in answer.text


def test_both_sides_are_shown_where_sources_conflict(sample: Corpus) -> None:
    page = page_of(reported.CONFLICT, sample).text
    assert page.index("Supporting evidence") < page.index("Quill</mark> was <mark>born")
    assert page.index("Refuting evidence") < page.index("a city of Estonia")
    assert "Decide whom to trust: “Ada Quill › Life”, or “Tartu”." in page


def test_parts_have_verdicts_of_their_own(sample: Corpus) -> None:
    page = page_of(reported.PARTLY, sample).text
    assert page.count('class="seal') == 3
    assert "Missing: Ada Quill kept bees." in page


def test_a_chain_is_drawn_and_told(sample: Corpus) -> None:
    hop = Hop("Ada_Quill", reported.FILM.ref, "link")
    pages = ("Harbour_Lights_-LRB-film-RRB-", "Ada_Quill")
    report = replace(
        reported.SUPPORTED, chain=(hop,), reasoning=Reasoning(Shape.CHAIN, pages, (hop,))
    )
    page = page_of(report, sample).text
    assert "How the pages were found: a chain of 2 pages" in page
    assert '<svg xmlns="http://www.w3.org/2000/svg" role="img"' in page
    assert '<li dir="auto">Ada Quill: linked from Harbour_Lights' in page
    assert "style=" not in page


def test_a_hostile_report_is_harmless(sample: Corpus) -> None:
    page = page_of(reported.HOSTILE, sample).text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "<i onclick" not in page


def test_evidence_stands_between_its_neighbours(sample: Corpus) -> None:
    ref = Ref.sentence("Fritz Lang", 1)
    found = reported.piece("Fritz Lang", 1, sample.element(ref))
    report = replace(reported.SUPPORTED, evidence=(reported.finding(found, reported.YES),))
    page = page_of(report, sample).text
    before, after = (sample.element(Ref.sentence("Fritz Lang", n)) for n in (0, 2))
    assert f'<span class="beside">{before} </span>' in page
    assert f'<span class="beside"> {after}</span>' in page


@pytest.mark.parametrize(
    ("error", "status", "word", "after"),
    [
        (TooBusy("9 claims are waiting", 7), 429, "The server is busy", "7"),
        (TimeoutError(), 503, "The request timed out", "5"),
        (CorpusDamaged("/secret/path is damaged"), 503, "see its log", "60"),
        (RuntimeError("secret"), 500, "Something went wrong", None),
    ],
)
def test_trouble_is_told_kindly(
    sample: Corpus, error: Exception, status: int, word: str, after: str | None
) -> None:
    answer = page_of(error, sample)
    assert answer.status_code == status
    assert word in answer.text
    assert answer.headers.get("retry-after") == after
    assert "secret" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_corpus_without_links_says_how_to_get_them(tmp_path: Path) -> None:
    with Corpus.open(made(tmp_path, {"Ada_Quill": ["Quill was born in Tartu."]})) as corpus:
        page = page_of(reported.SILENT, corpus, "/pages/ada quill").text
    assert '<span id="sentence_0" class="element">Quill was born in Tartu.</span>' in page
    assert "feverfew index --link-mentions" in page
    assert "Linked from" not in page


def test_elsewhere_the_path_of_a_corpus_is_not_told(sample: Corpus) -> None:
    app = make_app(_served(sample), Metrics(), Authenticator(None))  # type: ignore[arg-type]
    answer = TestClient(app).get("/audit?claim=x")
    assert answer.json()["audit"]["settings"]["corpus"] == sample.path.name


def _served(corpus: Corpus) -> TableAnswer:
    told = TableAnswer(replace(reported.SILENT, corpus=corpus.fingerprint), corpus)
    told.settings = Settings(str(corpus.path))
    return told
