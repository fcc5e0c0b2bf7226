"""Mutations: contracts, probabilities, and what a machine sees."""

import random
from collections import Counter

import pytest

from feverfew.errors import InputError
from feverfew.rules import MUTATIONS, changed_spans, check_mutation, draw_mutation
from feverfew.rules.mutations import is_trivial_negation

LANG = "Fritz Lang was born in Vienna."


def rules(kind: str, name: str, mutant: str, **more: object) -> list[str]:
    return [hit.rule for hit in check_mutation(kind, name, LANG, mutant, **more)]  # type: ignore[arg-type]


def test_fever_has_six_and_feverous_the_probabilities_of_the_paper() -> None:
    assert len(MUTATIONS["fever"]) == 6
    shares = {m.title: m.probability for m in MUTATIONS["feverous"]}
    assert shares == {
        "More Specific": 0.15,
        "Generalization": 0.15,
        "Negation": 0.30,
        "Paraphrasing": 0.10,
        "Entity Substitution": 0.30,
    }
    assert sum(share or 0 for share in shares.values()) == pytest.approx(1)


def test_draws_follow_the_probabilities() -> None:
    rng = random.Random(1)
    drawn = Counter(draw_mutation(rng) for _ in range(20_000))
    for one in MUTATIONS["feverous"]:
        assert drawn[one.name] / 20_000 == pytest.approx(one.probability, abs=0.015)


def test_contracts_that_are_broken() -> None:
    assert rules("fever", "rephrase", LANG) == ["unchanged"]
    assert rules("fever", "negate", "Fritz Lang was not born in Vienna.") == ["trivial-negation"]
    assert rules("fever", "negate", "Fritz Lang first saw Vienna as a man.") == []
    assert rules("fever", "general", "Fritz Lang was born in Vienna, Austria.") == ["less-general"]
    assert rules("fever", "specific", "Fritz Lang was born.") == ["less-specific"]
    added = "Fritz Lang was born in Vienna, Austria."
    assert rules("fever", "substitute-similar", added) == ["implies-original"]
    long = "Fritz Lang died and was buried near Graz."
    assert rules("hover", "word-substitution", long) == ["too-many-words"]


def test_protected_names_must_stay() -> None:
    mutant = "Fritz Lang was born in a city."
    assert rules("hover", "general", mutant, protected=["Vienna"]) == ["protected"]
    assert rules("hover", "general", mutant, protected=["Metropolis"]) == []


def test_unknown_mutations_list_those_that_exist() -> None:
    with pytest.raises(InputError, match="known are rephrase, negate"):
        check_mutation("fever", "shout", LANG, LANG)


def test_changed_words_are_found() -> None:
    new = "Fritz Lang was raised in Graz."
    assert [new[a:b] for a, b in changed_spans(LANG, new)] == ["raised", "Graz"]
    assert changed_spans(LANG, LANG) == []


@pytest.mark.parametrize("text", ["It is not so.", "He never came.", "It isn't.", "No dog barked."])
def test_trivial_negation(text: str) -> None:
    assert is_trivial_negation(text)
    assert not is_trivial_negation("Nothing like it was known in Notting Hill.")
