"""The one way from evidence to the encoder's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.models.inputs import linearise, plain


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([], ""),
        ([("", "")], ""),
        ([("Aruba", "")], ""),
        ([("", "It is dry.")], "It is dry."),
        ([("Aruba", "It is dry.")], "Aruba: It is dry."),
        ([("Aruba", "Aruba is an island.")], "Aruba is an island."),
        ([("aruba", "ARUBA is an island.")], "ARUBA is an island."),
        (
            [("Savages_-LRB-2012_film-RRB-", "Savages is a film .")],
            "Savages (2012 film): Savages is a film .",
        ),
        ([("A", "x."), ("B", "y."), ("A", "z.")], "A: x. z. | B: y."),
        ([("", "x."), ("", "y.")], "x. y."),
        (
            [("Fritz_Lang", "He was born."), ("Fritz Lang", "He died.")],
            "Fritz Lang: He was born. He died.",
        ),
        ([("A", "  a\n tab\tbed   line ")], "a tab bed line"),
    ],
)
def test_evidence_becomes_one_text(pieces: list[tuple[str, str]], text: str) -> None:
    assert linearise(pieces) == text


@pytest.mark.parametrize(
    ("tokenised", "written"),
    [
        ("It is n't large .", "It isn't large."),
        ("`` Metropolis '' -LRB- 1927 -RRB-", '"Metropolis" (1927)'),
        ("“Metropolis” isn’t short", '"Metropolis" isn\'t short'),
        ("a\u00a0b", "a b"),
        ("", ""),
    ],
)
def test_however_it_was_tokenised_text_reads_the_same(tokenised: str, written: str) -> None:
    assert plain(tokenised) == written


@given(st.text())
def test_plain_text_stays_plain(text: str) -> None:
    once = plain(text)
    assert "\n" not in once
    assert once == once.strip()


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=20)), max_size=5))
def test_every_sentence_is_in_the_text(pieces: list[tuple[str, str]]) -> None:
    text = linearise(pieces)
    assert all(plain(sentence) in text for _, sentence in pieces)
