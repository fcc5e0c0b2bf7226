import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.mediawiki.wikitext import read_wikitext
from feverfew.types import Block, ItemList, Link, Page, Section, Sentence


def blocks(text: str) -> tuple[Block, ...]:
    return read_wikitext(text).blocks


def prose(text: str) -> str:
    """Return all sentences, joined."""
    return " ".join(b.text for b in blocks(text) if isinstance(b, Sentence))


def links(text: str) -> list[tuple[str, str]]:
    page = Page("P", blocks(text))
    return [(link.target, link.text) for _, link in page.links()]


def items(text: str) -> list[tuple[int, str]]:
    return [(i.level, i.text) for b in blocks(text) if isinstance(b, ItemList) for i in b.items]


def test_sections_and_sentences() -> None:
    text = "One. Two\nin two lines.\n\nThree.\n== First ==\nFour.\n=== ''Inner'' ===\n==Second==\n"
    assert blocks(text) == (
        Sentence(0, "One."),
        Sentence(1, "Two in two lines."),
        Sentence(2, "Three."),
        Section(0, "First", 1),
        Sentence(3, "Four."),
        Section(1, "Inner", 2),
        Section(2, "Second", 1),
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[Berlin]]", [("Berlin", "Berlin")]),
        ("[[bus]]es run", [("Bus", "buses")]),
        ("the [[Dutch_Republic|Dutch]]", [("Dutch Republic", "Dutch")]),
        ("[[Berlin#History|its past]]", [("Berlin", "its past")]),
        ("[[#History|its past]]", []),
        ("[[Metropolis (film)|]]", [("Metropolis (film)", "Metropolis")]),
        ("[[AT&amp;T|the firm]]", [("AT&T", "the firm")]),
        ("[[Star Trek: Picard]]", [("Star Trek: Picard", "Star Trek: Picard")]),
        ("[[Berlin|'''B'''''erlin'']]", [("Berlin", "Berlin")]),
        ("[[A|one [[B|two]] three]]", [("A", "one two three")]),
        ("[[:Category:Films|films]] [[wikt:film|film]] [[:de:Film|Film]]", []),
    ],
)
def test_links(text: str, found: list[tuple[str, str]]) -> None:
    assert links(text) == found


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("One[[File:x.jpg|thumb|A [[cat]] and {{lang|de|Hund}}]] two.", "One two."),
        ("One.\n[[Category:Cats]]\n[[de:Eins]]\n[[Image:x.png]]", "One."),
        ("See [http://x.org/a?b=c the ''site''] or [https://x.org].", "See the site or."),
        ("A<ref name=a>{{cite|x}} [[b]]</ref>, b<ref name='a' />. C.<!-- no -->", "A, b. C."),
        ("A<REF>x</Ref> b.", "A b."),
        ("It is <math>\\frac{1}{2}</math> or <math>x+1</math>.", "It is or x+1."),
        ("One.\n<gallery>\nFile:a.jpg|A\n</gallery>\nTwo.", "One. Two."),
        ("'''Bold''', ''italic'', '''''both''''', L''''A'''.", "Bold, italic, both, L'A."),
        ("<small>a</small> H<sub>2</sub>O, 10<sup>6</sup> km<sup>2</sup>", "a H2O, 10⁶ km²"),
        ("A&nbsp;b &amp; c &ndash; d", "A b & c – d"),
        ("<nowiki>[[no]] ''link''</nowiki> {{mystery|x}}here", "[[no]] ''link'' here"),
        ("__NOTOC__One.", "One."),
        ("One <!-- a\n\nb -->two.", "One two."),
        ("One\n<!-- a -->\ntwo.", "One two."),
        ("He ({{IPA|x|lang=de}}; b) ({{mystery}}) called main().", "He (x; b) called main()."),
        ("He ({{mystery}}; born 1890) was.", "He (born 1890) was."),
        ("He (born 1890, {{mystery}}) was {{mystery}}, too.", "He (born 1890) was, too."),
        (": Indented {{Citation needed|date=May 2012}}words.", "Indented words."),
    ],
)  # fmt: skip
def test_what_is_no_prose_goes_cleanly(text: str, left: str) -> None:
    assert prose(text) == left


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("{{convert|10|km}}", "10 km"),
        ("{{convert|1300|mi|km|abbr=on}}", "1,300 mi"),
        ("{{convert|5|ft|11|in}}", "5 ft 11 in"),
        ("{{cvt|10|to|20|km2|sqmi}}", "10 to 20 km²"),
        ("{{lang|de|Haus}}", "Haus"),
        ("{{lang-de|Haus}}", "Haus"),
        ("{{nowrap|a {{nowrap|b}}}}", "a b"),
        ("{{birth date|1890|12|5|df=y}}", "5 December 1890"),
        ("{{Birth_date and age|1890|12|05}}", "5 December 1890"),
        ("{{death date and age|1976|8|2|1890|12|5}}", "2 August 1976 (aged 85)"),
        ("{{start date|1927|1}}", "January 1927"),
        ("{{film date|1927|1|10|Berlin|1927|3|6}}", "10 January 1927 (Berlin), 6 March 1927"),
        ("{{circa|1890}}", "c. 1890"),
        ("{{ubl|a|[[b]]|c}}", "a, b, c"),
        ("{{plainlist|\n* a\n* b\n}}", "a, b"),
        ("{{flag|France}}", "France"),
        ("{{sfn|Smith|1990|p=3}}", ""),
        ("{{mystery|{{nowrap|x}}|y=z}}", ""),
        ("{{abbr|1=UN|2=United Nations}}", "UN"),
        ("{{sortname|Fritz|Lang}}", "Fritz Lang"),
        ("{{frac|1|2}}", "1/2"),
        ("{{yes}}{{!}}{{n/a}}", "Yes|N/A"),
        ("{{birth date|1890|0125|5}}", "5 0125 1890"),
    ],
)
def test_common_templates_show_their_words(template: str, shown: str) -> None:
    assert prose(f"x {template} y") == " ".join(f"x {shown} y".split())


def test_templates_make_links() -> None:
    assert links("{{flag|France}} {{sortname|Fritz|Lang}} {{ill|Ufa|de|UFA}}") == [
        ("France", "France"),
        ("Fritz Lang", "Fritz Lang"),
        ("Ufa", "Ufa"),
    ]


def test_nested_lists() -> None:
    text = "* a\n** b [[c]]\n*# d\n* e\n\n# f\n## g\n"
    first, second = (block for block in blocks(text) if isinstance(block, ItemList))
    assert [(i.index, i.level, i.text) for i in first.items] == [
        (0, 0, "a"),
        (1, 1, "b c"),
        (2, 1, "d"),
        (3, 0, "e"),
    ]
    assert first.items[1].links == (Link("C", "c"),)
    assert (first.ordered, second.ordered) == (False, True)
    assert items("# f\n## g") == [(0, "f"), (1, "g")]


def test_definition_lists() -> None:
    assert items("; term : meaning\n; other\n: its meaning\n:: more") == [
        (0, "term"),
        (1, "meaning"),
        (0, "other"),
        (1, "its meaning"),
        (1, "more"),
    ]


def test_an_indented_list_begins_at_level_zero() -> None:
    assert items(":* a\n:** b\n:* c") == [(0, "a"), (1, "b"), (0, "c")]


def test_html_lists() -> None:
    assert items("<ul><li>a</li><li>b</li></ul>") == [(0, "a"), (0, "b")]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("One.\n\n{{unclosed|a=b\n|c\n\nTwo.", "One. Two."),
        ("One [[unclosed two.", "One unclosed two."),
        ("One ]] }} two.", "One two."),
        ("{{a|[[b}} One.", "One."),
        ("[[a|{{b]] One.\n\nTwo.", "Two."),
        ("One <ref>two. Three.", "One two. Three."),
        ("One <!-- two.", "One two."),
        ("''One '''two'' three.", "One two three."),
        ("One.\n| stray || row\n|}\nTwo.", "One. Two."),
        ("= =\n==\n=\n=====", ""),
        ("", ""),
    ],
)
def test_broken_markup_keeps_the_words(text: str, left: str) -> None:
    assert prose(text) == left


def test_marks_of_our_own_are_no_markup() -> None:
    assert prose("One \x015\x02two\x03 \x040\x05\x06three.") == "One 5two 0three."


@pytest.mark.parametrize("unit", ["{{a|", "[[a|", "{{a|[[b|"])
def test_absurd_nesting_is_refused(unit: str) -> None:
    with pytest.raises(BadRecord, match="nested deeper than 80 levels"):
        read_wikitext(unit * 10_000)


@pytest.mark.parametrize(
    "unit",
    [
        "<ref>", "<!--", "<nowiki>", " ", "\n", "(", "[http:a ", "<br> ", ", ;", "{|\n", "* a\n",
        "''", "=", "| a || b\n", "[[a|b]]", "{{a|b}}", "{{infobox|a=b}}", "&amp;", "İ", "?!",
        ":", "<td>", "(; ",
    ],
)  # fmt: skip
def test_repeated_markup_takes_no_longer_than_its_length(unit: str) -> None:
    text = "x " + unit * (60_000 // len(unit))
    start = time.process_time()
    read_wikitext(text)
    # A quadratic pattern takes minutes here.
    assert time.process_time() - start < 3


PIECES = st.sampled_from(
    [
        "{{", "}}", "[[", "]]", "|", "||", "!!", "\n", "\n\n", "{|", "|}", "\n{|\n", "\n|}\n", "|-",
        "|+", "\n|-\n", "\n| ", "\n! ", "* ", "\n* ", "\n# ", "\n; ", ": ", "==", "\n== ", "''",
        "'''", "<ref>", "</ref>", "<ref name=a/>", "<!--", "-->", "<nowiki>", "</nowiki>", "<br>",
        "<b>", "[http://x.y ", "]", "File:", "Category:", "de:", "infobox ", "{{Infobox x\n|name=",
        "\n|a=", "convert|", "birth date|", "1890|", "12|", "ubl|", "flag|", "death date and age|",
        "rowspan=2|", "colspan=\"9\" ", "&nbsp;", "&#91;", "(", ")", ",", ". ", "A", "word ", "é",
        "\x01", "\x020\x03", "\x040\x05", "<table>", "<td>", "<li>", "=", "film date|", "frac|",
        "{{!}}", "sortname|",
    ]
)  # fmt: skip


@settings(max_examples=400, deadline=2000, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join))
def test_nothing_but_a_bad_record_comes_of_any_text(text: str) -> None:
    try:
        found = read_wikitext(text)
    except BadRecord:
        return
    assert read_wikitext(text) == found
    page = Page("P", found.blocks)
    refs = [ref for ref, _ in page.elements()]
    assert len(refs) == len(set(refs))
    for _, shown in page.elements():
        assert not set(shown) & set("\x01\x02\x03\x04\x05\x06")
        assert shown == " ".join(shown.split())
