"""How a search in rounds came to its pages, as text, JSON and HTML show it."""

import io
from xml.etree import ElementTree

from msgspec.structs import replace
from rich.console import Console

from feverfew.render.as_json import report_json
from feverfew.render.chain_graph import graph_svg, heading, tree_lines
from feverfew.render.check_html import report_html
from feverfew.render.terminal import print_report
from feverfew.render.wording import chain
from feverfew.types import Hop, OpenReason, Reasoning, Ref, Shape, Verdict
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
    assert "  └─ Estonia: found with the words of Tartu_sentence_2" in shown
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


FOUR = replace(
    SUPPORTED,
    chain=(
        Hop("B", Ref.sentence("A", 0), "name"),
        Hop("C", Ref.sentence("B", 1), "link"),
        Hop("D", Ref.sentence("A", 3), "text"),
    ),
    reasoning=Reasoning(
        Shape.COMPARISON,
        ("A", "E", "B", "C", "D"),
        (Hop("E", Ref.sentence("C", 2), "name"),),
    ),
)


def test_a_tree_branches_and_says_what_joins_it() -> None:
    assert list(tree_lines(FOUR)) == [
        "A: from the claim itself",
        "├─ B: named in A_sentence_0",
        "│  └─ C: linked from B_sentence_1",
        "└─ D: found with the words of A_sentence_3",
        "E: from the claim itself",
        "↔ E: also named in C_sentence_2",
    ]
    assert "".join(tree_lines(FOUR, ascii_only=True)).isascii()
    assert heading(FOUR) == "How the pages were found: a comparison of 5 pages"


def test_what_no_page_was_found_for_stands_in_the_tree() -> None:
    broken = replace(
        FOUR,
        verdict=Verdict.NOT_ENOUGH_INFO,
        open_reason=OpenReason.SILENT,
        missing="Otto Blom <in> Zug",
    )
    assert list(tree_lines(broken))[-2] == "?: nothing found: Otto Blom <in> Zug"
    picture = graph_svg(broken)
    assert 'stroke-dasharray="5 4"' in picture
    assert "Otto Blom &lt;in&gt; Zug" in picture


def test_a_loop_is_drawn_once() -> None:
    looped = replace(
        SUPPORTED,
        chain=(
            Hop("B", Ref.sentence("A", 0), "name"),
            Hop("C", Ref.sentence("B", 0), "name"),
            Hop("B", Ref.sentence("C", 0), "name"),
        ),
    )
    assert len(list(tree_lines(looped))) == 3


def test_the_picture_stands_alone_and_is_told_to_those_who_cannot_see_it() -> None:
    picture = graph_svg(FOUR)
    drawn = ElementTree.fromstring(picture)
    inside = "{http://www.w3.org/2000/svg}"
    assert drawn.get("role") == "img"
    assert drawn.findtext(f"{inside}title") == heading(FOUR)
    told = drawn.findtext(f"{inside}desc") or ""
    assert "; C: linked from B_sentence_1; " in told
    assert told.endswith("E: also named in C_sentence_2")
    assert "│" not in told
    boxes = drawn.findall(f"{inside}rect")
    assert len(boxes) == 5
    _, _, wide, high = map(float, (drawn.get("viewBox") or "").split())
    for box in boxes:
        assert float(box.get("x") or 0) + float(box.get("width") or 0) <= wide
        assert float(box.get("y") or 0) + float(box.get("height") or 0) <= high
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
    assert graph_svg(SUPPORTED) == ""


def test_the_graph_is_in_json_and_html() -> None:
    assert report_json(FOUR)["reasoning"] == {
        "shape": "comparison",
        "pages": ("A", "E", "B", "C", "D"),
        "joins": [{"page": "E", "by": "C_sentence_2", "how": "name"}],
    }
    assert report_json(SUPPORTED)["reasoning"] is None
    page = report_html(FOUR)
    assert "a comparison of 5 pages" in page
    assert graph_svg(FOUR) in page
