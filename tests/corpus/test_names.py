"""The names of a page: every way in which a text may spell it."""

import pytest

from feverfew.corpus.names import NameKind, keys_of, lookup_key


@pytest.mark.parametrize(
    ("title", "key", "kind"),
    [
        ("Fritz_Lang", "fritz lang", NameKind.FULL),
        ("Besançon", "besancon", NameKind.FULL),
        ("Savages_-LRB-2012_film-RRB-", "savages", NameKind.WITHOUT_PARENTHESIS),
        ("Savages_-LRB-2012_film-RRB-", "savages 2012 film", NameKind.FULL),
        ("The_Shining_-LRB-film-RRB-", "shining", NameKind.WITHOUT_ARTICLE),
        ("A Day at the Races", "day at the races", NameKind.WITHOUT_ARTICLE),
        ("George W. Bush", "george bush", NameKind.WITHOUT_INITIALS),
        ("J. K. Rowling", "jk rowling", NameKind.JOINED_INITIALS),
        ("Paris, Texas", "paris", NameKind.BEFORE_COMMA),
        ("!!!", "!!!", NameKind.FULL),
        ("★ (album)", "album", NameKind.FULL),
        ("AT&amp;T", "at t", NameKind.FULL),
        ("Catch-22", "catch 22", NameKind.FULL),
    ],
)
def test_a_title_can_be_mentioned_as(title: str, key: str, kind: NameKind) -> None:
    assert keys_of(title)[key] == kind


def test_aliases_are_names_but_the_title_comes_first() -> None:
    keys = keys_of("Vienna", ("Wien", "vienna", "!"))
    assert keys == {"vienna": NameKind.FULL, "wien": NameKind.ALIAS, "!": NameKind.ALIAS}


@pytest.mark.parametrize("title", ["The", "A", "J.", "J. K.", "The (band)", ",", "()", "(film)"])
def test_no_title_is_left_without_a_name(title: str) -> None:
    keys = keys_of(title)
    assert "" not in keys
    assert keys[lookup_key(title)] == NameKind.FULL
