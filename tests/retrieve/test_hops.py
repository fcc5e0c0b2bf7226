"""Hops: pages that only other pages lead to, and when to stop."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from feverfew.corpus import Corpus
from feverfew.models.network import Network
from feverfew.retrieve import Candidate, Hops
from feverfew.retrieve.hops import MULTIHOP_FEATURES, ROUNDS, multihop_features, reranked_pieces
from feverfew.retrieve.multihop import MultiHopSearch
from making import made

CHAIN = {
    "Alpha_Song": ["Alpha Song is a ballad written by Berta Quill ."],
    "Berta_Quill": ["Berta Quill was a poet .", "Quill grew up in Corvan ."],
    "Corvan": ["Corvan is a town on the Dresh ."],
    "Dresh": ["The Dresh is a river of amber otters ."],
    **{f"Other_{n}": [f"A ballad , a poet , a town and a river {n} ."] for n in range(40)},
}
CLAIM = "The writer of Alpha Song grew up in a town on a river."


class Nothing:
    """A retriever that finds nothing, so that all is found by Hops itself."""

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        return [[] for _ in claims]


class Deaf:
    """A reader to whom one text matters, or none; it keeps what it was asked."""

    def __init__(self, moved: str = "nothing at all") -> None:
        self.moved = moved
        self.batches: list[list[tuple[str, str]]] = []

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.batches.append(list(pairs))
        return [float(text == self.moved) for _, text in pairs]


def weighing(**weights: float) -> Network:
    """Make a scorer that adds up some features."""
    hidden = [[weights.get(name, 0.0)] for name in MULTIHOP_FEATURES]
    zeros, ones = [0.0] * len(hidden), [1.0] * len(hidden)
    return Network(list(MULTIHOP_FEATURES), zeros, ones, hidden, [100.0], [1.0])


NAMED = weighing(mentioned=3.0, named_given=2.0, named_parent_score=1.0)


@pytest.fixture
def chain(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(made(tmp_path, CHAIN)) as corpus:
        yield corpus


def test_four_pages_are_reached_each_through_the_one_before(chain: Corpus) -> None:
    hops = Hops(chain, Nothing(), [NAMED] * (len(ROUNDS) + 1), Deaf())
    found = {candidate.title: candidate for candidate in hops.retrieve([CLAIM], 10)[0]}
    assert {"Alpha_Song", "Berta_Quill", "Corvan", "Dresh"} <= set(found)
    assert found["Alpha_Song"].via is None
    led = {title: candidate.via for title, candidate in found.items() if candidate.via}
    assert str(led["Berta_Quill"].by) == "Alpha_Song_sentence_0"
    assert str(led["Corvan"].by) == "Berta_Quill_sentence_1"
    assert str(led["Dresh"].by) == "Corvan_sentence_0"
    assert {hop.how for title, hop in led.items() if title in CHAIN and title[0] in "BCD"} == {
        "name"
    }


def test_the_scorer_decides(chain: Corpus) -> None:
    otherwise = weighing(mentioned=-3.0, named_given=-2.0)
    hops = Hops(chain, Nothing(), [NAMED] * len(ROUNDS) + [otherwise], Deaf())
    last = hops.retrieve([CLAIM], 100)[0][-1]
    assert last.title == "Alpha_Song" or last.via is not None


def test_what_the_inner_retriever_finds_is_kept(chain: Corpus) -> None:
    class Dresh(Nothing):
        def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
            number = chain.number("Dresh")
            assert number is not None
            return [[Candidate(number, "Dresh", 5.0)] for _ in claims]

    ranker = weighing(inner_score=1.0)
    hops = Hops(chain, Dresh(), [ranker] * (len(ROUNDS) + 1), Deaf())
    assert hops.retrieve(["Quite something else."], 1)[0][0].title == "Dresh"


def test_rounds_end_when_the_best_pages_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[int] = []
    follow = MultiHopSearch.follow

    def counted(search: MultiHopSearch, places: Sequence[int]) -> None:
        rounds.append(len(places))
        follow(search, places)

    monkeypatch.setattr(MultiHopSearch, "follow", counted)
    pages = {"Alpha": ["It is alone ."], "Beta": ["It is alone , too ."]}
    with Corpus.open(made(tmp_path, pages)) as corpus:
        hops = Hops(corpus, Nothing(), [NAMED] * (len(ROUNDS) + 1), Deaf())
        hops.retrieve(["Alpha is first."], 5)
    assert len(rounds) == 1 < len(ROUNDS)


def test_a_claim_of_nothing_finds_nothing(chain: Corpus) -> None:
    hops = Hops(chain, Nothing(), [NAMED] * (len(ROUNDS) + 1), Deaf())
    assert hops.retrieve(["", "?!"], 5) == [[], []]


def test_a_page_is_read_beside_the_sentence_that_led_to_it(chain: Corpus) -> None:
    search = MultiHopSearch(chain, CLAIM, [])
    alpha = search.titles.index("Alpha_Song")
    song = ("Alpha_Song", "Alpha Song is a ballad written by Berta Quill.")
    assert reranked_pieces(search, alpha, np.zeros(len(search), np.float32)) == [song]
    search.follow([alpha])
    berta = search.titles.index("Berta_Quill")
    grew_up = ("Berta_Quill", "Quill grew up in Corvan.")
    assert reranked_pieces(search, berta, np.zeros(len(search), np.float32)) == [song, grew_up]


def test_what_a_reader_says_matters_moves_pages(chain: Corpus) -> None:
    heard = weighing(mentioned=3.0, named_given=2.0, named_parent_score=1.0, relevant=99.0)
    rankers = [NAMED] * len(ROUNDS) + [heard]
    firsts = []
    for reader in (Deaf(), Deaf("Alpha Song is a ballad written by Berta Quill.")):
        firsts.append(Hops(chain, Nothing(), rankers, reader).retrieve([CLAIM], 1)[0][0].title)
        assert {claim for batch in reader.batches for claim, _ in batch} == {CLAIM}
    assert firsts[0] != "Alpha_Song"
    assert firsts[1] == "Alpha_Song"


def test_what_a_page_leads_to_knows_how_much_the_page_matters(chain: Corpus) -> None:
    search = MultiHopSearch(chain, CLAIM, [])
    alpha = search.titles.index("Alpha_Song")
    search.relevance[alpha] = 1.0
    search.follow([alpha])
    rows = multihop_features(search, np.zeros(len(search), np.float32))
    column = MULTIHOP_FEATURES.index("named_parent_relevant")
    assert rows[search.titles.index("Berta_Quill"), column] == 0.5
    assert rows[alpha, column] == 0.0


def test_many_claims_are_led_on_together_and_answered_as_alone(chain: Corpus) -> None:
    claims = [CLAIM, "Dresh is a river.", "", "Corvan is a town on the Dresh."] * 5
    reader = Deaf()
    hops = Hops(chain, Nothing(), [NAMED] * (len(ROUNDS) + 1), reader)
    together = hops.retrieve(claims, 5)
    assert len(reader.batches) == 2 * len(ROUNDS)  # twenty claims, sixteen at a time
    assert together == [hops.retrieve([claim], 5)[0] for claim in claims]
