"""Evidence from every page, the chain to it, and where it breaks."""

from feverfew.check.chain import broken, chain_of, hop_paths_of
from feverfew.retrieve import Candidate
from feverfew.types import Context, Evidence, Hop, Ref


def piece(page: str, line: int = 0, text: str = "Something is said.") -> Evidence:
    return Evidence(ref=Ref.sentence(page, line), text=text, context=Context(page), score=1.0)


def hop(page: str, by: str) -> Hop:
    return Hop(page, Ref.sentence(by, 0), "name")


def test_a_chain_is_told_from_its_beginning() -> None:
    ways = {"B": hop("B", "A"), "C": hop("C", "B"), "D": hop("D", "C"), "X": hop("X", "A")}
    told = chain_of([piece("D"), piece("A"), piece("B")], ways)
    assert [one.page for one in told] == ["B", "C", "D"]


def test_a_loop_of_ways_ends() -> None:
    ways = {"A": hop("A", "B"), "B": hop("B", "A")}
    assert {one.page for one in chain_of([piece("A")], ways)} == {"A", "B"}


def test_only_pages_that_others_led_to_have_ways() -> None:
    found = [Candidate(1, "A", 2.0), Candidate(2, "B", 1.0, hop("B", "A"))]
    assert hop_paths_of(found) == {"B": hop("B", "A")}


def test_what_no_page_speaks_of_is_named() -> None:
    claim = "The singer of Alpha Song married the inventor Otto Blom in Zug."
    told = [piece("Alpha Song", text="Its singer married an inventor.")]
    assert broken(claim, told) == "Otto Blom in Zug"
    assert broken("The singer married.", told) == ""
