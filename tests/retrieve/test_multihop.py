"""A search over pages that lead to each other, to themselves, to nothing, and to thousands."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.retrieve.hops import MULTIHOP_FEATURES, hop_paths, multihop_features
from feverfew.retrieve.multihop import MultiHopSearch
from making import made

Linked = dict[str, tuple[str, Sequence[str]]]
"""A title, its one sentence, and the titles that it links to."""


@pytest.fixture
def linked(tmp_path: Path) -> Callable[[Linked], Corpus]:
    def make(pages: Linked) -> Corpus:
        rows = []
        for title, (sentence, targets) in pages.items():
            links = "".join(f"\t{target}\t{target}" for target in targets)
            rows.append({"id": title, "text": sentence, "lines": f"0\t{sentence}{links}"})
        source = tmp_path / "pages.jsonl"
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
        build([source], tmp_path / "linked.corpus", workers=0)
        return Corpus.open(tmp_path / "linked.corpus")

    return make


def places(search: MultiHopSearch) -> dict[str, int]:
    return {title: at for at, title in enumerate(search.titles)}


def test_a_loop_ends_and_no_page_stands_twice(linked: Callable[[Linked], Corpus]) -> None:
    corpus = linked(
        {
            "Alpha": ("It begins here .", ["Beta"]),
            "Beta": ("It goes on there .", ["Gamma"]),
            "Gamma": ("It comes back .", ["Alpha", "Beta"]),
        }
    )
    search = MultiHopSearch(corpus, "Alpha is first.", [])
    for _ in range(5):
        search.follow([at for at in range(len(search)) if at not in search.read])
    assert sorted(search.titles) == ["Alpha", "Beta", "Gamma"]
    assert sorted(search.numbers) == sorted(set(search.numbers))
    at = places(search)
    led = hop_paths(search, np.zeros(len(search), np.float32))
    assert at["Alpha"] not in led  # the claim names it, whoever else does
    assert str(led[at["Beta"]].by) == "Alpha_sentence_0"
    assert str(led[at["Gamma"]].by) == "Beta_sentence_0"


def test_a_link_to_itself_and_links_to_nothing_lead_nowhere(
    linked: Callable[[Linked], Corpus],
) -> None:
    corpus = linked({"Alpha": ("It is alone .", ["Alpha", "Nowhere", ""])})
    search = MultiHopSearch(corpus, "Alpha is alone.", [])
    search.follow([0])
    assert search.titles == ["Alpha"]
    assert search.edges == []


def test_of_thousands_of_links_only_some_are_followed(linked: Callable[[Linked], Corpus]) -> None:
    many = [f"Leaf{number}" for number in range(3_000)]
    pages: Linked = {leaf: ("A leaf .", []) for leaf in many}
    corpus = linked({"Hub": ("It links to all .", many), **pages})
    search = MultiHopSearch(corpus, "Hub is large.", [])
    search.follow([places(search)["Hub"]])
    named = [edge for edge in search.edges if edge.how == "link"]
    assert 20 <= len(named) <= 60


def test_without_links_names_are_followed(tmp_path: Path) -> None:
    pages = {
        "Alpha_Song": ["Alpha Song was written by Berta Quill .", "It is long ."],
        "Berta_Quill": ["She was born in Corvan ."],
        "Corvan": ["A town ."],
    }
    with Corpus.open(made(tmp_path, pages)) as corpus:
        search = MultiHopSearch(corpus, "The writer of Alpha Song was born in a town.", [])
        at = places(search)
        search.follow([at["Alpha_Song"]])
        at = places(search)
        search.follow([at["Berta_Quill"]])
        led = hop_paths(search, np.zeros(len(search), np.float32))
        hop = led[places(search)["Berta_Quill"]]
        assert (hop.page, str(hop.by), hop.how) == ("Berta_Quill", "Alpha_Song_sentence_0", "name")
        assert led[places(search)["Corvan"]].by.page == "Berta_Quill"


def test_what_a_page_leaves_open_is_asked_of_the_text(tmp_path: Path) -> None:
    pages = {
        "Alpha_Song": ["Alpha Song is a song by a quartet ."],
        "Quartet_of_Zug": ["They perform with amber otters ."],
        **{f"Other_{n}": ["A quartet of another kind , with a song ."] for n in range(30)},
    }
    with Corpus.open(made(tmp_path, pages)) as corpus:
        search = MultiHopSearch(corpus, "Alpha Song's singers keep amber otters.", [])
        search.follow([places(search)["Alpha_Song"]])
        found = [edge for edge in search.edges if edge.how == "text"]
        assert places(search)["Quartet_of_Zug"] in {edge.child for edge in found}


@pytest.mark.parametrize("claim", ["", "?!", "a", "Alpha " * 300])
def test_every_page_is_described_whatever_the_claim(tmp_path: Path, claim: str) -> None:
    pages = {"Alpha": ["Alpha is a page ."], "Empty": [""], "A": ["A is a letter ."]}
    with Corpus.open(made(tmp_path, pages)) as corpus:
        search = MultiHopSearch(corpus, claim, [])
        search.follow(range(len(search)))
        rows = multihop_features(search, np.zeros(len(search), np.float32))
        assert rows.shape == (len(search), len(MULTIHOP_FEATURES))
        assert np.isfinite(rows).all()
