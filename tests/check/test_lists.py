"""Lists as tables: counted like rows, cited as items."""

from collections.abc import Iterator
from io import StringIO

import pytest
from rich.console import Console

from feverfew.check import Checker
from feverfew.check.verify import predict
from feverfew.render.check_html import report_html
from feverfew.render.terminal import print_report
from feverfew.types import Claim, Kind, Report, Verdict
from making import feverous_corpus

PAGE = """{"title": "Bases of Tarnite", "order": ["sentence_0", "section_0", "list_0"],
"sentence_0": "Tarnite is a substance that was made up.",
"section_0": {"value": "Bases", "level": 2},
"list_0": {"type": "unordered_list", "list": [
{"id": "item_0_0", "value": "Alvines", "level": 0},
{"id": "item_0_1", "value": "Morin", "level": 1},
{"id": "item_0_2", "value": "Selin", "level": 1},
{"id": "item_0_3", "value": "Borines", "level": 0},
{"id": "item_0_4", "value": "Tavin", "level": 1},
{"id": "item_0_5", "value": "Corin", "level": 1},
{"id": "item_0_6", "value": "Ludin", "level": 1}]}}"""
TRUE = "Tarnite has three Borines."


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checker]:
    """Open a corpus without a single table."""
    corpus = feverous_corpus(tmp_path_factory.mktemp("lists"), PAGE)
    with Checker.open(corpus, threads=1) as opened:
        yield opened


@pytest.fixture(scope="module")
def report(checker: Checker) -> Report:
    return checker.check([TRUE])[0]


def test_items_are_counted(report: Report) -> None:
    assert report.verdict is Verdict.SUPPORTED
    said = "The list has 3 rows with Bases Borines; the claim says three."
    assert said in report.reasons


def test_what_an_item_stands_below_counts(checker: Checker) -> None:
    false = checker.check(["Ludin is one of the Alvines of Tarnite."])[0]
    assert false.verdict is Verdict.REFUTED


def test_the_evidence_is_the_item_with_all_below_it(report: Report) -> None:
    assert [str(ref) for ref in report.sets[0]] == [
        f"Bases of Tarnite_item_0_{n}" for n in range(3, 7)
    ]


def test_the_list_is_drawn_once(report: Report) -> None:
    assert report.tables[0].listed
    text = StringIO()
    print_report(report, Console(file=text, width=100))
    assert "[Tavin]" in text.getvalue()
    assert text.getvalue().count("Bases of Tarnite_item_0_4") == 1
    assert '<td class="used">Tavin</td>' in report_html(report)


def test_predictions_cite_items(checker: Checker) -> None:
    made = predict(checker, [Claim(id=1, text=TRUE)], "feverous")[0]
    items = [ref.position for ref in made.evidence if ref.kind is Kind.ITEM]
    assert {(0, n) for n in range(3, 7)} <= set(items)
    assert len(items) == len(set(items))
