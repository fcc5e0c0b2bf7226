"""A report draws itself in a notebook, though the nouns do not know how."""

from feverfew.render.check_html import report_html
from feverfew.types import Report, Verdict


def test_a_report_is_drawn_as_the_html_report_is() -> None:
    report = Report(claim="<b>x</b>", verdict=Verdict.SUPPORTED, probabilities={})
    drawn = report._repr_html_()
    assert drawn == report_html(report)
    assert "&lt;b&gt;x" in drawn
