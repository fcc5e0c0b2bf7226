from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Parsed, Record, Source
from feverfew.readers.html.page import Html
from feverfew.types import ItemList, Link, Page, Redirect, Section, Sentence, Table


def parsed(markup: str | bytes, name: str = "site/a.html") -> Parsed:
    data = markup.encode() if isinstance(markup, str) else markup
    return Html().parse(Record(data, 1), Source(Path(name), name))


def page(markup: str | bytes, name: str = "site/a.html") -> Page:
    found = parsed(markup, name)
    assert isinstance(found, Page)
    return found


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


def wiki(body: str, title: str = "Aruba") -> Page:
    return page(
        f"<!DOCTYPE html><html><head><title>{title} - Wikipedia</title></head><body>"
        f'<h1 id="firstHeading"><i>{title}</i></h1><div id="siteSub">From Wikipedia</div>'
        f'<div id="mw-content-text"><div class="mw-parser-output">{body}</div></div>'
        '<div id="catlinks">Categories</div><div id="footer">About</div></body></html>'
    )


ARUBA = """
<div class="hatnote">For other uses, see Aruba (disambiguation).</div>
<table class="infobox geography"><caption>Aruba</caption>
<tr><th colspan="2">Aruba</th></tr>
<tr><th scope="row">Capital</th><td><a href="/wiki/Oranjestad">Oranjestad</a><br>(largest)</td></tr>
</table>
<p>The <b>island</b> of Aruba<sup class="reference"><a href="#n">[1]</a></sup> is in the
<a href="/wiki/Lesser_Antilles#Leeward">Lesser&#160;Antilles</a>. It is dry, see
<a href="/wiki/File:A.png">a map</a>.<span style="display: none">secret</span></p>
<div id="toc" class="toc"><h2>Contents</h2><ul><li>1 History</li></ul></div>
<h2><span class="mw-headline">History</span><span class="mw-editsection">[edit]</span></h2>
<div class="thumb"><div class="thumbcaption">A photograph.</div></div>
<figure><figcaption>A figure.</figcaption></figure>
<div class="mw-heading mw-heading3"><h3 id="Early">Early</h3>
<span class="mw-editsection">[<a href="#">edit</a>]</span></div>
<ul><li>One <a href="/wiki/Two_(number)">two</a><ul><li>Nested</li></ul></li><li>Three</li></ul>
<table class="wikitable"><caption>Rulers</caption>
<tr><th>Name</th><th>From</th><th>To</th></tr>
<tr><td rowspan="2">Ann</td><td>1</td><td>2</td></tr>
<tr><td>3</td><td>4</td></tr>
</table>
<ol class="references"><li>^ A source.</li></ol>
<table class="navbox"><tr><td>Islands</td><td>v t e</td></tr></table>
<style>p {color: red}</style><script>alert(1)</script>
"""


def test_a_wikipedia_page_is_read_as_a_reader_sees_it() -> None:
    found = wiki(ARUBA)
    assert (found.title, found.source, found.disambiguation) == ("Aruba", "site/a.html", False)
    infobox, first, second, history, early, items, rulers = found.blocks
    assert isinstance(infobox, Table)
    assert infobox.infobox
    assert infobox.caption == "Aruba"
    assert infobox.rows[0][0].column_span == 2
    assert [(c.text, c.header) for c in infobox.rows[1]] == [
        ("Capital", True),
        ("Oranjestad (largest)", False),
    ]
    assert infobox.rows[1][1].links == (Link("Oranjestad", "Oranjestad"),)
    assert first == Sentence(
        0,
        "The island of Aruba is in the Lesser Antilles.",
        (Link("Lesser Antilles", "Lesser Antilles"),),
    )
    assert second == Sentence(1, "It is dry, see a map.")
    assert history == Section(0, "History", 1)
    assert early == Section(1, "Early", 2)
    assert isinstance(items, ItemList)
    assert [(i.text, i.level) for i in items.items] == [("One two", 0), ("Nested", 1), ("Three", 0)]
    assert items.items[0].links == (Link("Two (number)", "two"),)
    assert isinstance(rulers, Table)
    assert (rulers.infobox, rulers.caption) == (False, "Rulers")
    assert [[(c.row, c.column) for c in row] for row in rulers.rows] == [
        [(0, 0), (0, 1), (0, 2)],
        [(1, 0), (1, 1), (1, 2)],
        [(2, 1), (2, 2)],
    ]


def test_a_saved_page_and_a_parsoid_page_link_to_the_same_titles() -> None:
    saved = wiki('<p><a href="https://en.wikipedia.org/wiki/Caf%C3%A9_au_lait">Milk</a></p>')
    parsoid = page(
        '<html prefix="mw: http://mediawiki.org/rdf/"><head><title>Aruba</title>'
        '<meta property="mw:pageId" content="1"/></head>'
        '<body><section><p><a rel="mw:WikiLink" href="./Café_au_lait">Milk</a></p></section></body>'
    )
    assert parsoid.title == saved.title == "Aruba"
    assert parsoid.blocks == saved.blocks
    assert parsoid.sentences[0].links == (Link("Café au lait", "Milk"),)


def test_a_title_without_a_heading_loses_the_sites_name() -> None:
    found = page(
        "<html><head><title>Mary - Queen – Wikipedia, the free encyclopedia</title></head>"
        '<div class="mw-parser-output"><p>She reigned.</p></div>'
    )
    assert found.title == "Mary - Queen"


def test_a_rendered_body_without_a_title_is_named_by_its_file_and_its_bold_words() -> None:
    body = "<!-- http%3A//en.wikipedia.org/wiki%3Faction%3Drender -->\n<p>{}</p><p><b>Not</b></p>"
    assert page(body.format("The <b>Dutch Cape</b> is far.")).aliases == ("Dutch Cape",)
    assert page(body.format("The cape is far.")).aliases == ()
    assert page(body.format("The cape is far.")).title == "site/a.html"


@pytest.mark.parametrize(
    "mark",
    [
        '<div id="disambigbox">This page lists.</div>',
        '<meta property="mw:PageProp/disambiguation"/>',
        '<table class="dmbox dmbox-disambig"><tr><td>x</td></tr></table>',
    ],
)
def test_disambiguation_is_flagged(mark: str) -> None:
    found = wiki(f"<p>Mercury may refer to:</p>{mark}")
    assert found.disambiguation
    assert texts(found) == ["Mercury may refer to:"]


def test_redirects_and_where_a_reader_came_from() -> None:
    redirect = parsed(
        "<html><head><title>UK</title>"
        '<meta property="mw:pageId" content="1"/></head>'
        '<body><link rel="mw:PageProp/redirect" href="./United_Kingdom"/></body>'
    )
    assert redirect == Redirect("UK", "United Kingdom")
    came = wiki('<p>Text.</p><span class="mw-redirectedfrom">(from <a href="/w">UK</a>)</span>')
    assert came.aliases == ("UK",)
    assert texts(came) == ["Text."]


OTHER = """<html><head><title>Travel | Company</title></head><body>
<header>Logo</header><nav><ul><li>Home</li></ul></nav>
<main><header><h1>Travel policy</h1></header>
<p>We pay for <a href="trains.html#second">trains</a>, <a href="../b/c%20d.html">more</a>,
<a href="https://example.org/x#y">the web</a>, <a href="mailto:a@b.c">Ann</a>
and <a href="#top">top</a>.</p>
<aside>Related</aside><form><p>Subscribe</p></form>
<pre>port = 80
host = a</pre><div>Loose text<br><br>and more</div></main><footer>Imprint</footer></body></html>"""


def test_another_sites_page_is_named_by_its_file() -> None:
    found = page(OTHER)
    assert found.title == found.source == "site/a.html"
    assert found.aliases == ("Travel | Company", "Travel policy")
    assert texts(found) == [
        "Travel policy",
        "We pay for trains, more, the web, Ann and top.",
        "port = 80",
        "host = a",
        "Loose text",
        "and more",
    ]
    assert [link.target for _, link in found.links()] == [
        "site/trains.html",
        "b/c d.html",
        "https://example.org/x",
    ]


def test_a_page_inside_a_form_is_not_lost() -> None:
    assert texts(page("<body><form><p>All is here.</p></form>")) == ["All is here."]


def test_a_page_of_several_articles_is_read_whole() -> None:
    assert texts(page("<article>One.</article><article>Two.</article>")) == ["One.", "Two."]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("<p>Besançon</p>".encode(), "Besançon"),
        ("<p>Besançon</p>".encode("utf-16"), "Besançon"),
        ("<p>Besançon “q”</p>".encode("cp1252"), "Besançon “q”"),
        ('<meta charset="iso-8859-2"><p>Łódź</p>'.encode("iso-8859-2"), "Łódź"),
        ('<meta charset="no-such"><p>Łódź</p>'.encode(), "Łódź"),
        (("<p>" + "ü" * 70).encode() + b"\xff", "ü" * 70 + "\ufffd"),
    ],
)
def test_the_charset_is_found(data: bytes, expected: str) -> None:
    assert texts(page(data)) == [expected]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the file is empty"),
        (b" \n\0", "the file is empty"),
        (b"<html><script>x</script></html>", "the page holds no text"),
        (b"<frameset><frame src=x></frameset>", "the page holds no text"),
        (bytes(range(256)) * 20, "the file is not text"),
        (b"<div>" * 100_000, "the elements are nested 100000 deep"),
        (b"<p><b id=1>" * 4000, "4000 formatting tags are left open"),
        (b"<p " + b"a " * 20_000, "a tag has thousands of attributes"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, why: str) -> None:
    with pytest.raises(BadRecord) as caught:
        parsed(data)
    assert str(caught.value) == f"site/a.html: {why}"


@pytest.mark.parametrize("tag", ["div", "ul", "span", "blockquote", "table", "h2", "pre", "dl"])
def test_deep_nesting_is_no_trouble(tag: str) -> None:
    assert texts(page(f"<{tag}>" * 5000 + "deep")) == ["deep"]


def test_a_problem_found_while_splitting_is_passed_on() -> None:
    with pytest.raises(BadRecord, match="too large"):
        Html().parse(Record(b"", 1, "too large"), Source(Path("a.html"), "a.html"))


def test_records_are_one_bounded_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b"<p>x")
    source = Source(file, "a.html")
    assert list(Html().records(source)) == [Record(b"<p>x", 1)]
    monkeypatch.setattr("feverfew.readers.files.LARGEST_FILE", 3)
    (record,) = Html().records(source)
    assert record.data == b""
    assert "larger than" in record.problem


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"<!DOCTYPE html>", "a", True),
        (b"\xef\xbb\xbf<!-- x --> <!-- y -->\n<HTML lang=en>", "a.dat", True),
        (b"<?xml version='1.0'?><html>", "a.xml", True),
        ("<html><p>x".encode("utf-16"), "a", True),
        (b"<p>Hello", "a.html", True),
        (b"<p>Hello", "a.htm.gz", True),
        (b"<p>Hello", "a.md", False),
        (b"<mediawiki>", "a.xml", False),
        (b"plain words", "a.html", False),
        (b"<!-- -->" * 8000, "a", False),
    ],
)
def test_recognises(head: bytes, name: str, expected: bool) -> None:
    assert Html().recognises(head, Source(Path(name), name)) is expected


TOKENS = (
    "<p> </p> <div> </div> <ul> <li> </li> </ul> <ol> <dl> <dd> <table> <tr> <td> <th_rowspan=2>"
    " <caption> </table> <a_href='b.html'> <a_href='//x/wiki/T'> </a> <b> </b> <br> <h2> </h2>"
    " <main> <article> <pre> <form> <infobox <!-- --> <script> </script> &amp; &#0; <svg> <math>"
    " <template> <select> <body> </html> <h1_id=firstHeading> A._B. words ]]>"
    " <table_class=infobox> é <img_class=mwe-math_alt=x> <div_class=mw-parser-output> \x0b \u200b"
)
MARKUP = st.lists(
    st.sampled_from(TOKENS.split(" ")).map(lambda token: token.replace("_", " "))
    | st.text(max_size=5),
    max_size=40,
).map("".join)


@given(MARKUP)
def test_anything_like_html_gives_a_page_or_a_reason(markup: str) -> None:
    try:
        first = parsed(markup)
    except BadRecord:
        return
    assert first == parsed(markup)
    if isinstance(first, Page):
        assert first.blocks
        addresses = [str(ref) for ref, _ in first.elements()]
        assert len(addresses) == len(set(addresses))
        carriers = {str(ref): text for ref, text in first.elements()}
        for ref, link in first.links():
            assert link.target
            # A link may run on into the next sentence, but it begins in its own.
            assert link.text.split()[0][:1] in carriers[str(ref)]


def test_what_describes_a_term_stands_below_it() -> None:
    found = page("<p>Words:</p><dl><dt>Deferment</dt><dd>A delay.</dd><dt>Default</dt></dl>")
    (terms,) = [block for block in found.blocks if isinstance(block, ItemList)]
    assert [(item.text, item.level) for item in terms.items] == [
        ("Deferment", 0),
        ("A delay.", 1),
        ("Default", 0),
    ]
