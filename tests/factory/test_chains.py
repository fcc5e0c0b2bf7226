"""Claims of several pages: names become descriptions, and labels stay what they were."""

from pathlib import Path

import pytest

from factory.world import pages
from feverfew.corpus import Corpus
from feverfew.factory.chains import draw_chains
from feverfew.factory.claims import Drafted, S
from feverfew.factory.sources import popular_pages, read_subjects
from making import made


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[Drafted]:
    folder = tmp_path_factory.mktemp("chains")
    directory = made(folder, pages())
    with Corpus.open(directory) as corpus:
        numbers = popular_pages(corpus, 10, 1000)
        subjects = read_subjects(directory, numbers, folder / "read")
        return list(draw_chains(corpus, subjects, 90, 1, (2, 3, 4)))


def test_hops_are_the_pages_of_the_evidence(drawn: list[Drafted]) -> None:
    assert {claim.hops for claim in drawn} == {2, 3, 4}
    for claim in drawn:
        assert len({ref.page for ref in claim.evidence[0]}) == claim.hops
        assert claim.graph.startswith(f"{claim.hops}-")


def test_both_labels_are_even_for_every_length(drawn: list[Drafted]) -> None:
    for hops in (2, 3, 4):
        own = [claim.label is S for claim in drawn if claim.hops == hops]
        assert abs(sum(own) - len(own) / 2) <= 1


def test_comparisons_say_what_the_pages_say(drawn: list[Drafted]) -> None:
    world = pages()
    compared = [c for c in drawn if " was born before " in c.text and c.hops == 2]
    compared = [c for c in compared if c.form == "born compares"]
    assert compared
    for claim in compared:
        people = claim.text.rstrip(".").split(" was born before ")
        years = [int(world[person][0].split(" May ")[1][:4]) for person in people]
        assert (years[0] < years[1]) == (claim.label is S)


def test_a_described_name_is_gone(drawn: list[Drafted], tmp_path: Path) -> None:
    described = [claim for claim in drawn if "The director of" in claim.text]
    assert described
    for claim in described:
        films = [title for title in pages() if title in claim.text and " Night " in title]
        people = {pages()[film][0].partition("directed by ")[2].split(" and ")[0] for film in films}
        assert not [name for name in people if name and name in claim.text]
