"""The names of a page: every way in which a text may spell it."""

import pytest

from feverfew.corpus.names import NameKind, NameLog, keys_of, lookup_key, names_line


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


def test_a_line_names_kind_and_key() -> None:
    assert names_line(keys_of("The_Shining_-LRB-film-RRB-")) == (
        "0the shining film\t2the shining\t3shining"
    )
    assert names_line({}) == ""


def test_the_log_gives_back_every_name_once() -> None:
    log = NameLog()
    log.add(1, [names_line({"æon 3": NameKind.FULL, "aeon": NameKind.ALIAS}), names_line({})])
    log.add(3, [names_line({"!!!": NameKind.FULL})])
    assert list(log.drain()) == [("æon 3", 0, 1), ("aeon", 1, 1), ("!!!", 0, 3)]
    assert list(log.drain()) == []
