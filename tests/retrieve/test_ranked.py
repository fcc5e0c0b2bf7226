"""Ranked: what people use, measured on the sample's claims."""

from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.errors import FeverfewError
from feverfew.models.network import Network
from feverfew.readers import read_claims
from feverfew.retrieve import Ranked
from feverfew.sample import sample_claims
from feverfew.text import title_key
from making import made, many_pages

FLOOR = 250


def test_most_claims_of_the_sample_find_a_whole_set_of_pages(sample: Corpus) -> None:
    claims = [claim for path in sample_claims() for claim in read_claims(path) if claim.evidence]
    ranked = Ranked.open(sample).retrieve([claim.text for claim in claims], 10)
    whole = 0
    for claim, found in zip(claims, ranked, strict=True):
        titles = {title_key(candidate.title) for candidate in found}
        sets = [{title_key(ref.page) for ref in refs} for refs in claim.evidence]
        whole += any(pages <= titles for pages in sets)
    assert whole >= FLOOR, f"{whole} of {len(claims)}"


def test_a_second_page_is_reached_through_the_first(sample: Corpus) -> None:
    claim = "The director of Metropolis was born in the city that the Danube crosses."
    titles = [c.title for c in Ranked.open(sample).retrieve([claim], 10)[0]]
    assert {"Fritz Lang", "Vienna"} <= set(titles)


@pytest.mark.parametrize("count", [1, 2, 50])
def test_corpora_of_any_size(tmp_path: Path, count: int) -> None:
    with Corpus.open(made(tmp_path, many_pages(count))) as corpus:
        found = Ranked.open(corpus).retrieve(["own0word is on page 0", "nothing at all"], 5)
        assert found[0][0].number == 1


def test_weights_of_another_version_are_refused() -> None:
    with pytest.raises(FeverfewError, match="another version"):
        Network.shipped("first", ("one", "two"))
