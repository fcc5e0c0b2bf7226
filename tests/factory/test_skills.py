"""Each skill makes the contrasts it promises; the words of a claim alone do not give its label."""

import random

import pytest

from feverfew.corpus import Corpus
from feverfew.factory.skills import SKILLS, examples, page_texts
from feverfew.factory.skills.base import PageText, claimable
from feverfew.text import title_key

OTHER = PageText("Carl_Stone", ["Carl Stone (3 May 1901 - 9 June 1975) was a Danish poet."])


def made(name: str, *sentences: str, title: str = "Ada_Brook") -> dict[str, set[str]]:
    """Collect what a skill claims over many draws, by label."""
    found: dict[str, set[str]] = {"S": set(), "R": set(), "N": set()}
    for seed in range(60):
        page = PageText(title, sentences)
        for example in SKILLS[name](page, OTHER, random.Random(seed)):
            found[example.label].add(example.claim)
    return found


def test_a_quantity_is_said_in_another_unit() -> None:
    found = made("units", "The Ada Brook is 20 km long and shallow.")
    assert "The Ada Brook is 20,000 metres long and shallow." in found["S"]
    assert any("12 miles" in claim for claim in found["S"])
    assert any("20 miles" in claim for claim in found["R"])
    assert not found["S"] & found["R"]


def test_ages_follow_from_dates() -> None:
    found = made("lifespan", "Ada Brook (2 May 1890 - 1 May 1950) was a British poet.")
    assert "Ada Brook died at the age of 59." in found["S"]
    assert "Ada Brook was born in the 1890s." in found["S"]
    assert not any("age of 59" in claim for claim in found["R"])
    assert found["N"]


def test_a_period_has_a_length_and_an_end() -> None:
    found = made("periods", "She led the school from 1931 to 1937.")
    assert "Ada Brook led the school until 1937." in found["S"]
    assert "Ada Brook led the school in the 1930s." in found["S"]
    assert not any(claim.endswith("until 1937.") for claim in found["R"])


def test_a_rise_is_no_fall() -> None:
    found = made("change", "The population rose by 12% in a year.", "The village is old and small.")
    assert "The population increased by 12% in a year." in found["S"]
    assert "The population fell by 12% in a year." in found["R"]


def test_negation_turns_the_label() -> None:
    found = made("negation", "She was not a member of the club.")
    assert "Ada Brook was not a member of the club." in found["S"]
    assert "Ada Brook was a member of the club." in found["R"]
    assert "It is false that Ada Brook was a member of the club." in found["S"]


def test_a_detail_less_is_supported_and_a_detail_more_is_open() -> None:
    found = made("detail", "She sang the leading part in the opera in 1931.")
    assert found["S"] == {"Ada Brook sang the leading part in the opera."}
    assert found["N"] == {"Ada Brook sang the leading part in the opera in 1931."}
    assert found["R"]
    assert not found["R"] & found["N"]


def test_ranks_become_comparisons() -> None:
    found = made("superlatives", "It is the second-largest lake in Denmark.", title="Brook_Lake")
    assert "One lake in Denmark is larger than Brook Lake." in found["S"]
    assert "Brook Lake is the largest lake in Denmark." in found["R"]
    among = made("superlatives", "It is one of the largest lakes in Denmark.", title="Brook_Lake")
    assert "Brook Lake is the largest lake in Denmark." in among["N"]


def test_roles_are_turned_round() -> None:
    found = made("roles", "Ada Brook was succeeded by Carl Stone in 1931.")
    assert "Carl Stone succeeded Ada Brook." in found["S"]
    assert "Ada Brook succeeded Carl Stone." in found["R"]


def test_what_is_said_of_another_is_silent() -> None:
    found = made("other_entity", "Ada Brook (2 May 1890 - 1 May 1950) was a British poet.")
    assert {label for label, claims in found.items() if claims} == {"S", "R", "N"}


@pytest.mark.parametrize("name", ["exceptions", "ranking"])
def test_lists_of_names_become_groups(name: str) -> None:
    found = made(name, "It has offices in Aarhus, Bergen, Cadiz, Dover and Esbjerg.")
    assert all(len(claims) > 5 for claims in found.values())


def test_a_sentence_that_needs_its_context_is_no_claim() -> None:
    assert claimable("Then this happened in the following year.", "Ada Brook") is None
    assert claimable("He also won (twice) the cup in 1990.", "Ada Brook") == (
        "Ada Brook won the cup in 1990."
    )


def test_the_same_seed_makes_the_same_pairs_without_the_pages_kept_apart() -> None:
    with Corpus.sample() as corpus:
        titles = [page.title for page in corpus]
        pages = page_texts(corpus, 1, 100, set(map(title_key, titles[:5])))
    assert not {page.title for page in pages} & set(titles[:5])
    first = examples("bounds", pages, 30, 3)
    assert first == examples("bounds", pages, 30, 3)
    assert {example.label for example in first} >= {"S", "R"}
