"""A checked document as a page: the text itself, every sentence marked, findings below it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from feverfew.render.check_html import STYLE, article, badge, subtitle
from feverfew.render.page import html_frame
from feverfew.render.svg import escape
from feverfew.render.wording import FACES, clean, read_as
from feverfew.types import Report

if TYPE_CHECKING:
    from feverfew.check.documents import Passage

__all__ = ["CheckedPassage", "document_page"]


class CheckedPassage(Struct, frozen=True):
    """A passage of a document, and what was found; no report where it was passed over."""

    passage: "Passage"
    report: Report | None


def document_page(title: str, text: str, checked: Sequence[CheckedPassage]) -> str:
    """Write a document with each checked sentence leading to its findings."""
    reports = [one.report for one in checked if one.report is not None]
    findings = "\n".join(_findings(place, one) for place, one in enumerate(checked))
    passed = "".join(
        f'<li dir="auto">{escape(clean(one.passage.text))} '
        f'<span class="note">{escape(one.passage.passed)}</span></li>'
        for one in checked
        if one.report is None
    )
    below = f'<h2>Passed over</h2><ul class="passed">{passed}</ul>' if passed else ""
    body = (
        f'<div class="checked"><main><div class="document" dir="auto">'
        f"{''.join(_text(text, checked))}</div>\n"
        f"{f'<h2>Findings</h2>{findings}' if reports else ''}\n{below}</main></div>"
    )
    over = len(checked) - len(reports)
    said = f"{subtitle(reports)} · {over:,} passed over" if over else subtitle(reports)
    return html_frame(title, body, subtitle=said, style=STYLE + _STYLE)


def _text(text: str, checked: Sequence[CheckedPassage]) -> Iterator[str]:
    at = 0
    for place, one in enumerate(checked):
        start, end = max(one.passage.start, at), max(one.passage.end, at)
        yield escape(text[at:start])
        said = escape(text[start:end])
        if one.report is None:
            yield f'<span class="passed" title="{escape(one.passage.passed)}">{said}</span>'
        else:
            word = FACES[one.report.verdict].word
            yield (
                f'<a id="t{place}" class="said {word}" href="#c{place}">'
                f"{badge(one.report)}{said}</a>"
            )
        at = end
    yield escape(text[at:])


def _findings(place: int, one: CheckedPassage) -> str:
    if one.report is None:
        return ""
    back = f'<a href="#t{place}">in the text</a>'
    read = escape(read_as(one.report, one.passage.text))
    note = f'<p class="fine" dir="auto">{" · ".join(filter(None, (read, back)))}</p>'
    return article(one.report, anchor=f"c{place}", heading=one.passage.text, note=note)


_STYLE = """
.checked .document{white-space:pre-wrap;margin:1.5rem 0;padding:1rem 1.2rem;max-width:none;
border:1px solid var(--grid);border-radius:.4rem;line-height:1.75}
.checked .said{color:inherit;background:var(--soft);text-decoration:underline var(--own) .12em;
text-underline-offset:.25em;border-radius:.2em;scroll-margin-top:2rem}
.checked .said .badge{background:none;width:1.2em;height:auto;border-radius:0;
text-decoration:none}
.checked .said:target{outline:2px solid var(--own)}
.checked .passed{color:var(--muted)}
"""
