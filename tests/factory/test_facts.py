"""What pages state of their subjects is read, and nothing that they do not state."""

import pytest

from feverfew.factory.facts import RELATIONS, called, subject_of
from making import page


def facts(title: str, *sentences: str) -> dict[str, str]:
    subject = subject_of(page(title, *sentences))
    return {} if subject is None else {fact.relation: fact.value for fact in subject.facts}


@pytest.mark.parametrize(
    ("title", "sentences", "expected"),
    [
        (
            "Ada_Brook",
            ["Ada Mary Brook (12 May 1890 – 3 June 1961) was a British chemist."],
            {"born": "12 May 1890", "died": "3 June 1961"},
        ),
        (
            "Ole_Holm",
            ["Ole Holm (born 4 March 1970 in Linz, Austria) is a Danish cyclist."],
            {"born": "4 March 1970", "born_in": "Linz"},
        ),
        (
            "Night_Ferry_-LRB-film-RRB-",
            ["Night Ferry is a 2005 Danish film directed by Ole Holm, starring Mia Lund."],
            {"released": "2005", "directed": "Ole Holm"},
        ),
        (
            "Low_Tide",
            [
                "Low Tide is the second album by Danish rock band The Herons.",
                "It was released on 4 May 1999.",
            ],
            {"performed": "The Herons", "released": "4 May 1999"},
        ),
        (
            "Norwick",
            [
                "Norwick is a town in Surrey, England.",
                "It had a population of 9,170 at the census.",
            ],
            {"population": "9,170", "located": "England"},
        ),
        # What a clause says of something else is not the subject's.
        (
            "Low_Tide",
            ["Low Tide is a song by The Herons, a band formed in 1990."],
            {"performed": "The Herons"},
        ),
        ("Kit", ["Kit was a film directed by Ann Alder and Ben Birch."], {}),
        ("Acme", ["Acme is a company.", "Its rival was founded in 1990."], {}),
        ("Ada_Brook", ["Carl Stone (born 4 May 1901) is a Danish poet."], {}),
        ("Low_Tide", ["Low Tide is a series of tests that was released in 1999."], {}),
    ],
)
def test_only_what_is_said_of_the_subject_is_read(
    title: str, sentences: list[str], expected: dict[str, str]
) -> None:
    assert facts(title, *sentences) == expected


def test_silence_is_of_the_whole_page() -> None:
    silent = subject_of(page("Kit", "Kit is a British drama film.", "It has music throughout."))
    assert silent is not None
    assert {"released", "directed"} <= set(silent.silent)
    spoken = subject_of(
        page("Kit", "Kit is a British drama film.", "Its director came late, in 1999.")
    )
    assert spoken is not None
    assert not {"released", "directed"} & set(spoken.silent)


def test_a_path_or_an_unclear_title_is_no_subject() -> None:
    assert subject_of(page("notes/kit.txt", "Kit is a British film.")) is None
    assert called("Savages (2012 film)") == "the 2012 film Savages"
    assert called("Savages (Ohio)") == ""


def test_every_relation_can_be_said_denied_and_joined() -> None:
    for name, relation in RELATIONS.items():
        assert relation.says, name
        assert relation.denies, name
        assert all("{x}" in form for form in (*relation.says, *relation.denies)), name
        assert relation.describes == "" or "{y}" in relation.describes, name
        assert not relation.compares or relation.type in ("date", "number"), name
