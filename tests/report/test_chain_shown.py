"""How a search in rounds came to its pages, as text, JSON and HTML show it."""

import io

from msgspec.structs import replace
from rich.console import Console

from feverfew.model import Hop, Ref
from feverfew.report.check_html import report_html
from feverfew.report.check_json import report_json
from feverfew.report.check_text import print_report
from feverfew.report.wording import chain
from reported import SUPPORTED

LED = replace(
    SUPPORTED,
    chain=(
        Hop("Ada_Quill", Ref.sentence("Harbour_Lights_-LRB-film-RRB-", 0), "name"),
        Hop("Tartu <b>", Ref.sentence("Ada_Quill", 1), "link"),
        Hop("Estonia", Ref.sentence("Tartu", 2), "text"),
    ),
)


def test_each_step_is_a_line() -> None:
    assert chain(LED) == [
        "Ada Quill: named in Harbour_Lights_-LRB-film-RRB-_sentence_0",
        "Tartu <b>: linked from Ada_Quill_sentence_1",
        "Estonia: found with the words of Tartu_sentence_2",
    ]
    assert chain(SUPPORTED) == []


def test_on_a_terminal() -> None:
    out = io.StringIO()
    print_report(LED, Console(file=out, width=200))
    shown = out.getvalue()
    assert "How the pages were found:" in shown
    assert "→ Estonia: found with the words of Tartu_sentence_2" in shown
    plain = io.StringIO()
    print_report(SUPPORTED, Console(file=plain, width=200))
    assert "How the pages were found" not in plain.getvalue()


def test_in_json() -> None:
    written = report_json(LED)["chain"]
    assert isinstance(written, list)
    assert written[1] == {"page": "Tartu <b>", "by": "Ada_Quill_sentence_1", "how": "link"}


def test_in_html_with_signs_escaped() -> None:
    page = report_html(LED)
    assert "How the pages were found" in page
    assert "Tartu &lt;b&gt;: linked from" in page
    assert "Tartu <b>" not in page
    assert "How the pages were found" not in report_html(SUPPORTED)
