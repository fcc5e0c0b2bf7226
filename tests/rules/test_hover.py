"""HoVer's requirements: creation and extension."""

from feverfew.rules import Hit
from feverfew.rules.hover import check_creation, check_extension, contains_title


def rules(hits: list[Hit]) -> list[str]:
    return [hit.rule for hit in hits]


def test_a_claim_holds_all_of_question_and_answer() -> None:
    question, answer = "Which director of Metropolis was born in Vienna?", "Fritz Lang"
    good = "Fritz Lang, the director of Metropolis, was born in Vienna."
    assert check_creation(good, question, answer) == []
    short = "Fritz Lang was born in Vienna in 1890."
    assert rules(check_creation(short, question, answer)) == ["content-missing", "content-added"]


def test_an_extension_replaces_the_entity_and_names_the_page() -> None:
    def check(first: str, second: str, says_title: bool | None = None) -> list[Hit]:
        return check_extension(
            first,
            second,
            original="Fritz Lang directed a silent film.",
            entity="Fritz Lang",
            title="Metropolis (1927 film)",
            says_title=says_title,
        )

    first = "A director directed a silent film."
    assert check(first, "He also made Metropolis.") == []
    wrong = check("Fritz Lang made a film.", "", True)
    assert rules(wrong) == [
        "two-sentences",
        "entity-stays",
        "content-missing",
        "title-missing",
        "false-answer",
    ]


def test_titles_are_found_without_their_parenthesis() -> None:
    assert contains_title("He made Metropolis.", "Metropolis_-LRB-1927_film-RRB-")
    assert not contains_title("He made Metropolitan.", "Metropolis")
