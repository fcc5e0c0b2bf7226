"""Evidence from every page, the chain to it, and where it breaks."""

from feverfew.check.chain import broken, chain_of, spread, ways_of
from feverfew.model import Context, Evidence, Hop, Ref
from feverfew.retrieve import Candidate


def piece(page: str, line: int = 0, text: str = "Something is said.") -> Evidence:
    return Evidence(ref=Ref.sentence(page, line), text=text, context=Context(page), score=1.0)


def hop(page: str, by: str) -> Hop:
    return Hop(page, Ref.sentence(by, 0), "name")


def test_every_page_has_its_say_before_any_has_two() -> None:
    given = [piece("A", 0), piece("A", 1), piece("A", 2), piece("B", 0), piece("C", 4)]
    assert [str(e.ref) for e in spread(given, 4)] == [
        "A_sentence_0",
        "B_sentence_0",
        "C_sentence_4",
        "A_sentence_1",
    ]
    assert spread([], 3) == []


def test_a_chain_is_told_from_its_beginning() -> None:
    ways = {"B": hop("B", "A"), "C": hop("C", "B"), "D": hop("D", "C"), "X": hop("X", "A")}
    told = chain_of([piece("D"), piece("A"), piece("B")], ways)
    assert [one.page for one in told] == ["B", "C", "D"]


def test_a_loop_of_ways_ends() -> None:
    ways = {"A": hop("A", "B"), "B": hop("B", "A")}
    assert {one.page for one in chain_of([piece("A")], ways)} == {"A", "B"}


def test_only_pages_that_others_led_to_have_ways() -> None:
    found = [Candidate(1, "A", 2.0), Candidate(2, "B", 1.0, hop("B", "A"))]
    assert ways_of(found) == {"B": hop("B", "A")}


def test_what_no_page_speaks_of_is_named() -> None:
    claim = "The singer of Alpha Song married the inventor Otto Blom in Zug."
    told = [piece("Alpha Song", text="Its singer married an inventor.")]
    assert broken(claim, told) == "Otto Blom in Zug"
    assert broken("The singer married.", told) == ""
