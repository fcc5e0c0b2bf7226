"""Mutations: what they say, and what the sentence says of them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.corpus import Corpus
from feverfew.factory.draw import mutate_corpus
from feverfew.factory.forms import another_date, another_name, another_number, more
from feverfew.factory.mutate import Mutation, Mutator
from feverfew.factory.statements import statements
from feverfew.factory.words import ANTONYMS, CONTINENTS, KINDS, PEOPLES
from feverfew.text import title_key
from feverfew.types import Verdict
from making import made

PEOPLE = [f"{first} {last}" for first in ("Ann", "Ben", "Cleo") for last in ("Alder", "Birch")]
PLACES = ["Norwick", "Sudbury", "Eastham"]
ADA = "Ada Mary Brook (12 May 1890 – 3 June 1961) was a British chemist who worked in Leeds."
FERRY = "Night Ferry is a 2005 Danish drama film directed by Ole Holm and starring Mia Lund."
TOWN = "Norwick is a town in Surrey, England."


def mutations(sentence: str, title: str, seed: int = 1) -> list[Mutation]:
    return Mutator(PEOPLE, PLACES, seed).mutate(sentence, title)


def claims(sentence: str, title: str, label: Verdict, kind: str = "") -> set[str]:
    found = mutations(sentence, title)
    return {m.claim for m in found if m.label == label and kind in ("", m.kind)}


def forms(sentence: str, title: str) -> dict[str, str]:
    return {said.form: said.value for said in statements(sentence, title)}


@pytest.mark.parametrize(
    ("sentence", "title", "expected"),
    [
        (
            ADA,
            "Ada_Brook",
            {"born": "12 May 1890", "died": "3 June 1961", "is_a": "was a British chemist"},
        ),
        (
            FERRY,
            "Night_Ferry_-LRB-film-RRB-",
            {"is_a": "is a 2005 Danish drama film", "made": "Ole Holm"},
        ),
        (TOWN, "Norwick,_Surrey", {"is_a": "is a town", "located": "England"}),
        ("It was founded in 1971 by friends.", "Acme", {"founded": "1971"}),
        ("The population was 9,170 at the 2010 census.", "Norwick", {"population": "9,170"}),
        ("He was born in Sudbury and died young.", "Ole_Holm", {"born_in": "Sudbury"}),
        ("It was released on 4 March 2005 by Acme.", "Night_Ferry", {"released": "4 March 2005"}),
        ("Ada Brook was a film and television actress.", "Ada_Brook", {}),
        ("Another town is bigger.", "Norwick", {}),
        ("", "Norwick", {}),
    ],
)  # fmt: skip
def test_statements(sentence: str, title: str, expected: dict[str, str]) -> None:
    found = forms(sentence, title)
    found.pop("whole", None)
    assert found == expected


def test_a_pronoun_is_replaced_by_the_name() -> None:
    found = claims("She won two medals in Rome.", "Ada_Brook", Verdict.SUPPORTED)
    assert found == {"Ada Brook won two medals in Rome."}
    assert "Ada Brook did not win two medals in Rome." in claims(
        "She won two medals in Rome.", "Ada_Brook", Verdict.REFUTED
    )


def test_what_points_elsewhere_is_left_alone() -> None:
    assert mutations("He was also there when they met.", "Ada_Brook") == []


def test_true_claims_keep_the_facts() -> None:
    found = claims(ADA, "Ada_Brook", Verdict.SUPPORTED)
    assert {"Ada Brook was born on 12 May 1890.", "Ada Brook was a British chemist."} <= found
    assert "Ada Brook was a scientist." in found
    assert "Ada Brook was a chemist." in found


def test_false_claims_change_one_thing() -> None:
    found = claims(FERRY, "Night_Ferry", Verdict.REFUTED)
    assert "Night Ferry was not directed by Ole Holm." in found
    assert "Night Ferry is not a 2005 Danish drama film." in found
    dates = claims(FERRY, "Night_Ferry", Verdict.REFUTED, "date")
    assert dates
    assert not any("2005" in claim for claim in dates)
    entities = claims(FERRY, "Night_Ferry", Verdict.REFUTED, "entity")
    assert any(name in claim for claim in entities for name in PEOPLE)


def test_denying_what_is_false_is_true() -> None:
    assert any(
        "not located in" in c for c in claims(TOWN, "Norwick", Verdict.SUPPORTED, "negation")
    )
    assert "Norwick is not located in England." in claims(TOWN, "Norwick", Verdict.REFUTED)


def test_open_claims_add_something() -> None:
    found = claims(TOWN, "Norwick", Verdict.NOT_ENOUGH_INFO)
    assert any("population" in claim or "people lived" in claim for claim in found)
    assert all(claim.endswith(".") and "{" not in claim for claim in found)


def test_an_opposite_refutes() -> None:
    sentence = "She was the youngest judge in the city."
    assert "Ada Brook was the oldest judge in the city." in claims(
        sentence, "Ada_Brook", Verdict.REFUTED, "antonym"
    )


def test_the_seed_decides() -> None:
    assert mutations(ADA, "Ada_Brook") == mutations(ADA, "Ada_Brook")
    assert any(mutations(ADA, "Ada_Brook") != mutations(ADA, "Ada_Brook", s) for s in (2, 3))


def test_without_names_nothing_breaks() -> None:
    found = Mutator([], [], 1).mutate(FERRY, "Night_Ferry")
    assert found
    assert not any("directed by ." in m.claim or "{" in m.claim for m in found)


@given(st.text(), st.text(min_size=1))
def test_any_text_can_be_mutated(sentence: str, title: str) -> None:
    for mutation in mutations(sentence, title):
        assert mutation.claim


@given(st.sampled_from(["12 May 1890", "May 12, 1890", "May 1890", "1890"]), st.randoms())
def test_another_date_is_another(date: str, rng: object) -> None:
    changed = another_date(date, rng)  # type: ignore[arg-type]
    assert changed != date
    assert len(changed.split()) == len(date.split())


@given(st.integers(2, 10**7), st.randoms())
def test_another_number_is_another(value: int, rng: object) -> None:
    assert another_number(f"{value:,}", rng) != f"{value:,}"  # type: ignore[arg-type]


@given(st.sampled_from(["two", "ten", "7"]), st.randoms())
def test_more_is_another(count: str, rng: object) -> None:
    assert more(count, rng) != count  # type: ignore[arg-type]


@given(st.randoms())
def test_another_name_shares_no_word(rng: object) -> None:
    assert another_name("Ann Alder", PEOPLE, rng, "Ann Alder") in {"Ben Birch", "Cleo Birch"}  # type: ignore[arg-type]


def test_tables_are_consistent() -> None:
    assert all(ANTONYMS[ANTONYMS[word]] == word for word in ANTONYMS if ANTONYMS[word] in ANTONYMS)
    assert {kind.family for kind in KINDS.values()} == {"person", "work", "place", "group"}
    assert len(set(PEOPLES)) == len(PEOPLES)
    assert set(CONTINENTS.values()) >= {"Europe", "Asia", "Africa"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = {
        f"{first}_{last}": [
            f"{first} {last} (born {day} May 19{day}) is a Danish poet.",
            f"She won {day} medals in Rome.",
        ]
        for day, (first, last) in enumerate(
            [(f, n) for f in ("Ann", "Ben", "Cleo", "Dora") for n in ("Alder", "Birch", "Cedar")],
            12,
        )
    }
    pages |= {name: [f"{name} is a town in Surrey, England."] for name in PLACES}
    return made(tmp_path_factory.mktemp("factory"), pages)


def test_a_corpus_gives_each_label_in_even_shares(corpus: Path) -> None:
    with Corpus.open(corpus) as opened:
        drawn = list(mutate_corpus(opened, 60, 1))
        again = list(mutate_corpus(opened, 60, 1))
        labels = [mutation.label for mutation, _, _ in drawn]
        assert drawn == again
        assert [labels.count(label) for label in Verdict][:3] == [20, 20, 20]
        assert len({mutation.claim for mutation, _, _ in drawn}) == 60
        assert all(opened.element(ref) == text for _, ref, text in drawn)


def test_a_corpus_that_is_used_up_ends(corpus: Path) -> None:
    with Corpus.open(corpus) as opened:
        assert len(list(mutate_corpus(opened, 10**6, 1))) < 1000


def test_pages_can_be_left_out(corpus: Path) -> None:
    with Corpus.open(corpus) as opened:
        drawn = mutate_corpus(opened, 30, 1, {title_key(name) for name in PLACES})
        assert not {ref.page for _, ref, _ in drawn} & set(PLACES)
