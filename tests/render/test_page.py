from html.parser import HTMLParser

from feverfew.render.page import DataTable, Figure, Section, Words, html_page
from feverfew.render.plots import Bar, bars


class Reader(HTMLParser):
    """Collects tags and checks that each is closed in turn."""

    VOID = frozenset({"meta", "br", "link"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
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


def page() -> str:
    return html_page(
        "Scores & more",
        [
            Section("One <b>", (Words("a <script>alert(1)</script> b"),)),
            Section("Two", (Figure(bars("t", [Bar("x", 0.5)]), "a 'caption'"),)),
            Section(
                "Three",
                (DataTable(("name", "n", "p"), (("<i>", 12345, 0.25), ("y", 2, None))),),
            ),
        ],
        subtitle="dev.jsonl",
    )


def test_is_well_formed_and_has_all_it_needs() -> None:
    tags = Reader(page()).seen
    names = [name for name, _ in tags]
    assert names.count("section") == names.count("h2") == 3
    assert "script" not in names
    assert "i" not in names
    assert not [a for _, attrs in tags for a in ("src", "srcset", "data") if a in attrs]
    links = [attrs["href"] for name, attrs in tags if name == "a"]
    assert links == ["#s0", "#s1", "#s2"]


def test_escapes_everything_but_pictures() -> None:
    text = page()
    assert "a &lt;script&gt;alert(1)&lt;/script&gt; b" in text
    assert "<title>Scores &amp; more</title>" in text
    assert "<td>&lt;i&gt;</td>" in text
    assert "<svg" in text


def test_numbers_are_set_to_the_right_under_their_heading() -> None:
    text = page()
    assert '<td class="n">12,345</td><td class="n">0.250</td>' in text
    assert '<td class="n">–</td>' in text
    assert '<th scope="col">name</th><th scope="col" class="n">n</th>' in text


def test_knows_dark_screens_and_paper() -> None:
    assert "prefers-color-scheme:dark" in page()
    assert "@media print" in page()


def test_two_sections_need_no_contents() -> None:
    assert "<nav" not in html_page("t", [Section("a", ()), Section("b", ())])
