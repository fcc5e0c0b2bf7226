"""Titles, words and sentences."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.text import (
    detokenise,
    display_title,
    fever_title,
    fold,
    padded,
    sentences,
    spelled_words,
    title_key,
    without_parenthesis,
    words,
)


@pytest.mark.parametrize(
    ("fever", "shown"),
    [
        ("Savages_-LRB-2012_film-RRB-", "Savages (2012 film)"),
        ("Star_Trek-COLON-_Picard", "Star Trek: Picard"),
        ("-LSB-REC-RSB-", "[REC]"),
        ("AC/DC", "AC/DC"),
    ],
)
def test_fever_titles_are_shown_as_people_write_them(fever: str, shown: str) -> None:
    assert display_title(fever) == shown
    assert fever_title(shown) == fever


@given(st.text(st.characters(exclude_characters="_-", exclude_categories=["Cs"])))
def test_fever_spelling_round_trips(title: str) -> None:
    assert display_title(fever_title(title)) == unicodedata.normalize("NFC", title)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Besançon", unicodedata.normalize("NFD", "Besançon"), True),
        ("savages_-LRB-2012_film-RRB-", "Savages (2012  film)", True),
        ("Simon &amp; Garfunkel", "Simon_&_Garfunkel", True),
        ("iPod", "IPod", True),
        ("Besançon", "Besancon", False),
        ("US", "Us", False),
        ("Mercury (planet)", "Mercury", False),
    ],
)
def test_titles_are_the_same_when_only_their_spelling_differs(
    one: str, other: str, same: bool
) -> None:
    assert (title_key(one) == title_key(other)) is same


@given(st.text(st.characters(codec="latin-1", exclude_characters="&")))
def test_a_title_key_is_its_own_key(title: str) -> None:
    assert title_key(title_key(title)) == title_key(title)


@pytest.mark.parametrize(
    ("title", "base"),
    [("Savages (2012 film)", "Savages"), ("(film)", "(film)"), ("A (b) c", "A (b) c"), ("", "")],
)
def test_a_parenthesis_at_the_end_is_dropped(title: str, base: str) -> None:
    assert without_parenthesis(title) == base


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Besançon", "besancon"),
        ("Łódź", "lodz"),
        ("Þór", "thor"),
        ("STRASSE Straße", "strasse strasse"),
        ("Ørsted", "orsted"),
        ("plain", "plain"),
    ],
)
def test_folding_drops_case_and_accents(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_words_are_folded_runs_of_letters_and_digits(text: str) -> None:
    for word in words(text):
        assert word
        assert word.isalnum()
        assert fold(word) == word


def test_words_and_spelled_words_part_alike() -> None:
    text = "O'Neill’s café in Łódź—2nd_floor"
    assert words(text) == ["o", "neill", "s", "cafe", "in", "lodz", "2nd", "floor"]
    assert spelled_words(text) == ["O", "Neill", "s", "café", "in", "Łódź", "2nd", "floor"]


def test_spelled_words_hold_together_in_any_composition() -> None:
    assert spelled_words(unicodedata.normalize("NFD", "Besançon")) == ["Besançon"]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_padded_text_holds_every_word(text: str) -> None:
    shown = padded(text)
    for word in words(text):
        assert b" %s " % word.encode() in shown


def test_padded_text_keeps_lines_and_words_apart() -> None:
    assert b" danube " in padded("the Danube’s end")
    assert b" dan " not in padded("the Danube’s end")
    assert b" one two " not in padded("one\ntwo")


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("He did n't -LRB- really -RRB- .", "He didn't (really)."),
        ("`` Yes , '' she said ; ` no '", "“Yes,” she said; ‘no'"),
        ("$ 5 , or 10 % ?", "$5, or 10%?"),
        ("the dog 's -LSB- sic -RSB-", "the dog's [sic]"),
        ("a -COLON- b", "a: b"),
        ("nothing to do", "nothing to do"),
    ],
)
def test_tokens_become_text(tokens: str, text: str) -> None:
    assert detokenise(tokens) == text


def test_sentences_are_split() -> None:
    text = "Dr. Lang was born in Vienna. He moved to Berlin.\nThere he made films."
    assert sentences(text) == [
        "Dr. Lang was born in Vienna.",
        "He moved to Berlin.",
        "There he made films.",
    ]


def test_a_blank_line_ends_a_sentence() -> None:
    assert sentences("A title\n\n  And its text") == ["A title", "And its text"]
    assert sentences(" \n\n ") == []


@pytest.mark.parametrize("text", ["!?" * 20_000, "a" * 200_000, "a." * 50_000, "a! " * 3_000])
def test_a_strange_text_costs_no_more_than_its_length(text: str) -> None:
    started = time.monotonic()
    found = sentences(text)
    assert time.monotonic() - started < 10
    assert "".join(found).replace(" ", "") == "".join(text.split())


@given(st.text(max_size=200))
def test_splitting_loses_nothing_but_blanks(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
