import pytest

from feverfew.readers.links import document_target, wiki_target


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
