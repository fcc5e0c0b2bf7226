"""Reports in a browser: well formed, whole, and safe from what they quote."""

import re
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from feverfew.render.check_html import (
    STYLE,
    CheckedPassage,
    document_page,
    report_html,
    reports_page,
)
from feverfew.types import Report
from reported import ALL, HOSTILE, PARTLY, QUESTION, REFUTED, SILENT, SUPPORTED


class Reader(HTMLParser):
    """Collects tags and text, and checks that each tag is closed in turn."""

    VOID = frozenset({"meta", "br", "link"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.seen if name == tag]


def passage(text: str, start: int, end: int, passed: str = "", claim: str = "") -> SimpleNamespace:
    return SimpleNamespace(
        text=text[start:end], start=start, end=end, skipped=passed, claim=claim or text[start:end]
    )


def document() -> tuple[str, list[CheckedPassage]]:
    text = "# Ada\n\nAda Quill kept bees. Who directed it? It is a film of 1932."
    found = [
        (passage(text, 7, 27), SILENT),
        (passage(text, 28, 44, "a question"), None),
        (passage(text, 45, len(text), claim=REFUTED.claim), REFUTED),
    ]
    return text, [CheckedPassage(p, r) for p, r in found]  # type: ignore[arg-type]


@pytest.mark.parametrize("report", [*ALL, HOSTILE], ids=lambda r: r.claim[:12])
def test_a_fragment_is_well_formed_and_brings_its_style(report: Report) -> None:
    reader = Reader(report_html(report))
    assert len(reader.all("style")) == 1
    assert not reader.all("html")
    assert report.verdict in reader.text


def test_a_page_needs_nothing_else() -> None:
    reader = Reader(reports_page("Checked claims", ALL))
    assert not [a for _, attrs in reader.seen for a in ("src", "srcset", "style src") if a in attrs]
    assert not reader.all("script")
    assert not re.search(r"url\(|@import|https?:", STYLE)
    targets = [a["href"] for a in reader.all("a")]
    assert targets == [f"#c{n}" for n in range(1, 7)]
    ids = [a["id"] for a in reader.all("article") if "id" in a]
    assert [f"#{name}" for name in ids] == targets


def test_one_claim_needs_no_contents() -> None:
    assert "<nav" not in reports_page("Checked claims", [SUPPORTED])


def test_whatever_is_quoted_is_escaped() -> None:
    harm = CheckedPassage(passage("<script>x</script>", 0, 18, "<b>"), None)  # type: ignore[arg-type]
    hurt = CheckedPassage(passage("<script>x</script>", 0, 18), HOSTILE)  # type: ignore[arg-type]
    for page in (
        report_html(HOSTILE),
        reports_page("<script>", [HOSTILE, HOSTILE]),
        document_page("<script>", "<script>x</script>", [harm]),
        document_page("<script>", "<script>x</script>", [hurt]),
    ):
        reader = Reader(page)
        for tag in ("script", "img", "i"):
            assert not reader.all(tag)
        assert not [name for _, attrs in reader.seen for name in attrs if name.startswith("on")]
        assert "\x1b" not in page
        assert "nan" not in page
    assert "&lt;script&gt;alert(4)&lt;/script&gt;" in report_html(HOSTILE)


def test_the_claims_words_are_marked() -> None:
    assert "in <mark>Tartu</mark>." in report_html(SUPPORTED)


def test_probabilities_are_drawn_and_said() -> None:
    page = report_html(SUPPORTED)
    assert "<desc>supported 87 %, refuted 3 %, not enough info 10 %</desc>" in page
    assert 'role="img"' in page
    assert "<svg" not in report_html(QUESTION)


def test_verdicts_are_told_without_colour() -> None:
    for report, symbol, word in ((SUPPORTED, "✓", "supported"), (REFUTED, "✗", "refuted")):
        page = report_html(report)
        assert f'aria-label="{word}">{symbol}</span>' in page
    assert '<span class="note">refutes</span>' in report_html(REFUTED)


def test_parts_are_nested_one_heading_lower() -> None:
    reader = Reader(report_html(PARTLY))
    assert len(reader.all("article")) == 3
    assert len(reader.all("h2")) == 1
    assert len(reader.all("h3")) == 2


def test_what_else_was_read_can_be_unfolded() -> None:
    assert "<summary>Also read (1)</summary>" in report_html(SUPPORTED)
    assert "<details>" not in report_html(SILENT)


def test_a_fragment_says_what_it_was_made_with() -> None:
    assert "corpus c0ffee · model decade · 0.75 s" in report_html(SUPPORTED)


def test_a_document_is_kept_and_each_sentence_leads_to_its_findings() -> None:
    text, checked = document()
    page = document_page("draft.md", text, checked)
    reader = Reader(page)
    said = [a for a in reader.all("a") if "said" in str(a.get("class"))]
    assert [(a["class"], a["href"]) for a in said] == [
        ("said nei", "#c0"),
        ("said refuted", "#c2"),
    ]
    ids = {a["id"] for _, a in reader.seen if "id" in a}
    assert {str(a["href"]).removeprefix("#") for a in reader.all("a")} <= ids
    assert '<span class="skipped" title="a question">Who directed it?</span>' in page
    assert '<span class="note">a question</span>' in page
    assert f"read as “{REFUTED.claim}”" in page
    assert "2 claims: 1 refuted, 1 not enough info · 1 skipped" in reader.text
    inside = page[page.index('class="document"') :]
    bare = re.sub(r"<span class=\"badge\".*?</span>|<[^>]+>", "", inside[: inside.index("</div>")])
    assert bare.partition(">")[2] == text


def luminance(colour: str) -> float:
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (s / 12.92 if s <= 0.03928 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    darker, lighter = sorted((luminance(a), luminance(b)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_text_can_be_read_on_its_ground(theme: int) -> None:
    blocks = re.findall(r"\.checked\{(--paper.*?)\}", STYLE, re.S)
    colours = dict(re.findall(r"--([\w-]+):(#[0-9a-f]+)", blocks[theme]))
    full = {
        n: c if len(c) == 7 else "#" + "".join(x * 2 for x in c[1:]) for n, c in colours.items()
    }
    for ground in ("paper", "band"):
        for ink in ("ink", "muted", "supported", "refuted", "nei"):
            assert contrast(full[ink], full[ground]) >= 4.5, (ink, ground)
    for word in ("supported", "refuted", "nei"):
        assert contrast(full[word], full[f"{word}-soft"]) >= 4.5, word
        assert contrast(full["ink"], full[f"{word}-soft"]) >= 4.5, word
    assert contrast(full["ink"], full["mark"]) >= 4.5
