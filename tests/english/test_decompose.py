"""Paragraphs into sentences, sentences into facts: each part can stand alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.english.decompose import facts_of, sentences_of, spans


def said(claim: str) -> list[str]:
    return [part.text for part in sentences_of(claim)]


def facts(sentence: str) -> list[str]:
    return [part.text for part in facts_of(sentence)]


@pytest.mark.parametrize(
    ("claim", "last"),
    [
        (
            "Fritz Lang directed Metropolis. He was born in Vienna.",
            "Fritz Lang was born in Vienna.",
        ),
        ("Fritz Lang directed Metropolis. It is silent.", "Metropolis is silent."),
        (
            "Metropolis is a film directed by Fritz Lang. He died in 1976.",
            "Fritz Lang died in 1976.",
        ),
        ("Metropolis is a film by Fritz Lang. It is silent.", "Metropolis is silent."),
        ("Metropolis is a film by Fritz Lang. The film is silent.", "Metropolis is silent."),
        ("Apple is a company. In 1984, it sold a computer.", "In 1984, Apple sold a computer."),
        ("Apple is a company. It's American.", "Apple is American."),
        ("The Beatles were a band. Their music is loved.", "The Beatles' music is loved."),
        ("Marie Curie won. Her husband was Pierre.", "Marie Curie's husband was Pierre."),
        ("Ann Lee sang. He wrote. She died.", "She died."),
        ("Berlin is a city. It is said that many live there.", "It is said that many live there."),
        ("It is a city.", "It is a city."),
    ],
)
def test_a_pronoun_becomes_the_last_suitable_name(claim: str, last: str) -> None:
    assert said(claim)[-1] == last


def test_pronouns_know_who_is_a_man_and_who_a_woman_once_it_was_said() -> None:
    claim = (
        "Marie Curie studied in Paris. She won two prizes. Pierre Curie was a physicist. "
        "He died in 1906. She died in 1934."
    )
    assert said(claim)[-2:] == ["Pierre Curie died in 1906.", "Marie Curie died in 1934."]


def test_sentences_say_where_they_stand() -> None:
    claim = "  Dr. Lang directed\n Metropolis.  It is a film.\n\nBerlin is a city "
    assert [claim[p.start : p.end] for p in sentences_of(claim)] == [
        "Dr. Lang directed\n Metropolis.",
        "It is a film.",
        "Berlin is a city",
    ]
    assert said(claim)[0] == "Dr. Lang directed Metropolis."


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "Fritz Lang was born in Vienna and directed Metropolis.",
            ["Fritz Lang was born in Vienna.", "Fritz Lang directed Metropolis."],
        ),
        (
            "Ann Lee was born in Leeds and raised in York.",
            ["Ann Lee was born in Leeds.", "Ann Lee was raised in York."],
        ),
        (
            "Ann Lee was nominated for a prize, but lost to Bob Ray.",
            ["Ann Lee was nominated for a prize.", "Ann Lee lost to Bob Ray."],
        ),
        (
            "Metropolis, a German film, was released in 1927.",
            ["Metropolis is a German film.", "Metropolis was released in 1927."],
        ),
        (
            "UFA, which was founded in 1917, is a company in Berlin.",
            ["UFA was founded in 1917.", "UFA is a company in Berlin."],
        ),
        (
            "Ann Lee, born on May 1, 1900 in Leeds, died in York.",
            ["Ann Lee was born on May 1, 1900 in Leeds.", "Ann Lee died in York."],
        ),
        (
            "Metropolis was directed by Fritz Lang, who was born in Vienna and died in Hollywood.",
            [
                "Metropolis was directed by Fritz Lang.",
                "Fritz Lang was born in Vienna.",
                "Fritz Lang died in Hollywood.",
            ],
        ),
        (
            "Sikkim is host to Kanchenjunga, the highest peak in India.",
            ["Sikkim is host to Kanchenjunga.", "Kanchenjunga is the highest peak in India."],
        ),
        (
            "Tim Roth starred in both Pulp Fiction and Reservoir Dogs.",
            ["Tim Roth starred in Pulp Fiction.", "Tim Roth starred in Reservoir Dogs."],
        ),
        (
            "Metropolis is a film; it was directed by Fritz Lang.",
            ["Metropolis is a film.", "Metropolis was directed by Fritz Lang."],
        ),
        (
            "Ann Lee, born in Leeds, was a singer; then, she became a doctor.",
            ["Ann Lee was born in Leeds.", "Ann Lee was a singer.", "Ann Lee became a doctor."],
        ),
        (
            "Fritz Lang was a director, and Thea von Harbou was a writer.",
            ["Fritz Lang was a director.", "Thea von Harbou was a writer."],
        ),
    ],
)
def test_facts_are_told_apart(sentence: str, parts: list[str]) -> None:
    assert facts(sentence) == parts


@pytest.mark.parametrize(
    "sentence",
    [
        "Fritz Lang directed Metropolis.",
        "Metropolis was written and directed by Fritz Lang.",
        "Fritz Lang directed Metropolis and M.",
        "Bea Arthur was a vegan, pacifist, and Mormon.",
        "Kenji Mizoguchi and David Wall are not from the same country.",
        "The man who released an album, and Chad Gray were both singers.",
        "Neither Ann Lee nor Bob Ray was born in Leeds and died in York.",
        "If Ann Lee was born in Leeds, she was English and died in York.",
        "Ann Lee said that Bob Ray was born in Leeds and died in York.",
        "The film directed by Fritz Lang was silent.",
        "Ann Lee did not direct M and act in it.",
        "Ann Lee studied singing, enrolled at Yale and became a doctor.",
        "Was Ann Lee born in Leeds and raised in York?",
        "Prescott, Arizona is a town.",
        "Lady and the Tramp is a film.",
        "",
    ],
)
def test_what_is_unsure_stays_whole(sentence: str) -> None:
    assert facts(sentence) == [sentence] * bool(sentence)


def test_facts_say_where_they_stand() -> None:
    sentence = " Lulu, a German opera, was written by Alban Berg, who was born in Vienna. "
    assert [sentence[p.start : p.end] for p in facts_of(sentence)] == [
        "a German opera",
        "was written by Alban Berg",
        "was born in Vienna",
    ]


def test_a_sentence_without_end_stays_whole() -> None:
    endless = "Ann Lee was born in Leeds and " + "was a singer and " * 3_000 + "died."
    assert facts(endless) == [endless]


_WORDS = st.sampled_from(
    ["Ann Lee", "Leeds", "was", "born in", "and", "but", "he", "She", "it", "who", ",", ";", "."]
)


@given(st.one_of(st.text(), st.lists(_WORDS).map(" ".join)))
def test_parts_stand_in_order_within_any_text(text: str) -> None:
    for parts in (sentences_of(text), facts_of(text)):
        at = 0
        for part in parts:
            assert at <= part.start < part.end <= len(text)
            assert part.text.strip()
            at = part.end
    covered = "".join(text[start:end] for start, end in spans(text))
    assert "".join(covered.split()) == "".join(text.split())
