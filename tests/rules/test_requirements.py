"""Claim requirements: each rule finds what it is for, and leaves good claims alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.rules import KINDS, RULES, check_claim

GOOD = [
    "Fritz Lang directed Metropolis.",
    "The Danube flows through ten countries.",
    "Theresa May was the prime minister of the United Kingdom.",
    "The Man Who Fell to Earth stars David Bowie.",
    "JFK was the 35th president of the United States.",
]


@pytest.mark.parametrize("text", GOOD)
@pytest.mark.parametrize("kind", KINDS)
def test_good_claims_are_left_alone(text: str, kind: str) -> None:
    assert check_claim(text, kind) == []


@pytest.mark.parametrize(
    ("text", "kind", "rule", "at"),
    [
        ("It was filmed in Berlin.", "fever", "pronoun", "It"),
        ("Fritz Lang and his wife wrote a film.", "feverous", "pronoun", "his"),
        ("The country has a king.", "fever", "nominal", "The country"),
        ("Fritz Lang might be Austrian.", "fever", "cautious", "might"),
        ("Fritz Lang made many films.", "feverous", "vague", "many"),
        ("Metropolis is a beautiful film.", "fever", "opinion", "beautiful"),
        ("Fritz Lang directed Metropolis", "hover", "no-final-period", "s"),
        ("Did Fritz Lang direct Metropolis?", "hover", "question-mark", "?"),
        ("Fritz Lang was born in 1890. Lang died in 1976.", "fever", "several-sentences", None),
        ("Metropolis.", "fever", "no-sentence", "Metropolis."),
        ("metropolis was directed by Fritz Lang.", "fever", "small-initial", "m"),
    ],
)
def test_a_rule_says_where_it_is_broken(text: str, kind: str, rule: str, at: str | None) -> None:
    found = [hit for hit in check_claim(text, kind) if hit.rule == rule]
    assert found
    if at is not None:
        assert text[found[0].start : found[0].end] == at


def test_what_is_known_of_the_source_is_used() -> None:
    def rules(text: str, **known: object) -> set[str]:
        return {hit.rule for hit in check_claim(text, "fever", **known)}  # type: ignore[arg-type]

    assert rules("Vienna is a city.", entity="Fritz Lang") == {"entity-not-named"}
    assert rules("Lang lived in Vienna.", entity="Fritz Lang") == set()
    assert rules("The river Amazon is long.", entity="Amazon River") == set()
    assert rules("JFK was shot.", entity="John Fitzgerald Kennedy") == set()
    assert rules("Lang lived in vienna.", names=["Vienna"]) == {"small-initial"}
    assert rules("Lang lived in Vienna.", others=["Lang lived in Vienna"]) == {"duplicate"}
    assert rules("Lang lived in Vienna.", sources=["Lang lived in Vienna ."]) == {"copy"}


def test_feverous_refuses_sentences_strung_together() -> None:
    sources = ["Fritz Lang was born in Vienna.", "Fritz Lang directed Metropolis in 1927."]
    strung = "Fritz Lang was born in Vienna and Fritz Lang directed Metropolis in 1927."
    combined = "The director of Metropolis was born in Vienna."
    assert "concatenation" in {h.rule for h in check_claim(strung, "feverous", sources=sources)}
    assert check_claim(combined, "feverous", sources=sources) == []


@given(st.text(max_size=80), st.sampled_from(KINDS))
def test_any_text_gets_hits_within_it(text: str, kind: str) -> None:
    for hit in check_claim(text, kind, entity="Fritz Lang", sources=[text[:20]]):
        assert 0 <= hit.start <= hit.end <= len(text)
        assert hit.message


def test_every_rule_belongs_to_a_data_set() -> None:
    assert all(rule.kinds and set(rule.kinds) <= set(KINDS) for rule in RULES.values())
