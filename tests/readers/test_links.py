import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.readers.links import (
    document_target,
    link_target,
    read_links,
    read_links_across,
    wiki_target,
)
from feverfew.types import Link


@pytest.mark.parametrize(
    ("written", "plain", "links"),
    [
        ("No link.", "No link.", []),
        ("By [[Fritz_Lang|Lang]].", "By Lang.", [Link("Fritz Lang", "Lang")]),
        ("By [[Fritz Lang]].", "By Fritz Lang.", [Link("Fritz Lang", "Fritz Lang")]),
        ("[[A#B|a]] and [[C#D]]", "a and C#D", [Link("A", "a"), Link("C", "C#D")]),
        ("[[#History|here]]", "here", []),
        ("[[A|]]", "", []),
        ("[[A|te", "te", []),
        ("xt]] more", "xt more", []),
        ("[x] [[[A|b]]]", "[x] [b]", [Link("A", "b")]),
    ],
)
def test_links(written: str, plain: str, links: list[Link]) -> None:
    assert read_links(written) == (plain, tuple(links))


def test_a_link_cut_in_its_text_belongs_to_the_first_sentence() -> None:
    first, second = read_links_across(["See [[Dr._No|Dr.", "No]] and [[Bond]]."])
    assert first == ("See Dr.", (Link("Dr. No", "Dr. No"),))
    assert second == ("No and Bond.", (Link("Bond", "Bond"),))


def test_a_link_cut_in_its_target_belongs_to_the_second_sentence() -> None:
    first, second = read_links_across(["Born in [[St.", "_Louis|St. Louis]]."])
    assert first == ("Born in", ())
    assert second == ("St. Louis.", (Link("St. Louis", "St. Louis"),))


def test_a_link_without_text_cut_in_two() -> None:
    first, second = read_links_across(["Born in [[St.", "Louis]]."])
    assert first == ("Born in St.", (Link("St. Louis", "St. Louis"),))
    assert second == ("Louis.", ())


@given(st.lists(st.text("ab[]| \x1e", max_size=12), max_size=6))
def test_sentences_stay_apart_and_no_brackets_of_links_stay(texts: list[str]) -> None:
    read = read_links_across(texts)
    assert len(read) == len(texts)
    assert not any("[[" in plain and "]]" in plain for plain, _ in read if "[[[" not in plain)


def test_targets() -> None:
    assert link_target("Rock_%26_roll#Origins") == "Rock & roll"
    assert link_target("Savages_-LRB-band-RRB-") == "Savages (band)"
    assert link_target("https://example.org/") == ""


@pytest.mark.parametrize(
    ("href", "title"),
    [
        ("/wiki/Fritz_Lang", "Fritz Lang"),
        ("//en.wikipedia.org/wiki/AC/DC#History", "AC/DC"),
        ("https://en.m.wikipedia.org/wiki/Besan%C3%A7on", "Besançon"),
        ("./Star_Trek:_First_Contact", "Star Trek: First Contact"),
        ("../wiki/Who%3F", "Who?"),
        ("/w/index.php?title=No_Page&action=edit&redlink=1", "No Page"),
        ("/wiki/File:A.png", ""),
        ("/wiki/category:Films", ""),
        ("/wiki/User_talk:Ann", ""),
        ("https://example.org/page", ""),
        ("mailto:a@b.c", ""),
        ("#cite_note-1", ""),
        ("http://[broken", ""),
        ("", ""),
    ],
)
def test_wiki_targets(href: str, title: str) -> None:
    assert wiki_target(href) == title


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("b.md", "docs/b.md"),
        ("./b.md#part", "docs/b.md"),
        ("../c%20d.md?x=1", "c d.md"),
        ("/top.md", "top.md"),
        ("sub/", "docs/sub/index.html"),
        ("sub\\b.md", "docs/sub/b.md"),
        ("https://example.org/a?b#c", "https://example.org/a?b"),
        ("#here", ""),
        ("javascript:void(0)", ""),
        ("mailto:a@b.c", ""),
        ("//host/path", ""),
        ("http://[broken", ""),
        ("", ""),
    ],
)
def test_document_targets(href: str, target: str) -> None:
    assert document_target(href, "docs/a.md") == target
