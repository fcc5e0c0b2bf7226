"""Multi-hop retrieval: each round searches with what was found before.

Each round scores all pages seen so far, reads the best unread ones, and adds the pages that they
lead to (`MultiHopSearch`). A page's score depends on the page, on what led to it, on what the best
other pages leave uncovered (`multihop_features`) and, after reading, on the encoder's relevance of
the page with the sentence that led to it (`rerank`). The search ends when all of the best pages
have been read.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from feverfew.corpus import Corpus
from feverfew.corpus.names import NameKind
from feverfew.models.network import Network
from feverfew.retrieve.features import FEATURES
from feverfew.retrieve.multihop import Bools, Edge, Floats, Integers, MultiHopSearch
from feverfew.retrieve.retrievers import Candidate, Ranked, Retriever
from feverfew.types import Hop, Ref

_PAGE = (
    *FEATURES[:14],
    "title_missing",
    "parenthesis",
    "parenthesis_weight",
    "lexical",
    "lexical_score",
    "lexical_share",
    "lexical_rank",
    "disambiguation",
    "inner_score",
    "inner_rank",
    "piece_rank",
    "piece_share",
    "title_weight",
    "first_weight",
    "page_weight",
    "rest_first",
    "rest_page",
    "numbers",
    "numbers_missing",
    *(f"{what}_window_{size}" for what in ("page", "sentence") for size in ("5", "10", "20")),
)
_NAMED = (
    "sentence_weight",
    "context",
    "first_sentence",
    "full_name",
    "name_words",
    "rivals",
    "linked",
    "gain",
    "names_parent",
    "parenthesis_told",
)
_FOUND = (
    "text_rank",
    "text_share",
    "text_score",
    "by_sentence",
    "gain",
    "names_parent",
    "parenthesis_told",
)
_PARENT = (
    "given",
    "parent_score",
    "parent_gap",
    "parent_rank",
    "parents",
    "parents_weight",
    "parent_relevant",
)
_AROUND = (
    "score",
    "gap",
    "rank",
    "rival_gap",
    "name_rival_gap",
    "child_gap",
    "children",
    "open_gain",
    "open_window",
    "best_context",
    "read",
    "relevant",
)
MULTIHOP_FEATURES = (
    *_PAGE,
    *(f"named_{name}" for name in (*_NAMED, *_PARENT)),
    *(f"found_{name}" for name in (*_FOUND, *_PARENT)),
    *_AROUND,
)
_TOP = 3
"""The number of best pages that count as found so far."""
_FAR = -4.0
"""The gap if there is nothing to compare with."""


def multihop_features(search: MultiHopSearch, scores: Floats) -> Floats:
    """Compute the features of every page of a search; `scores` are those of the previous round."""
    count = len(search)
    if not count:
        return np.zeros((0, len(MULTIHOP_FEATURES)), np.float32)
    order = np.argsort(-scores, kind="stable")
    rank: Integers = np.empty(count, np.intp)
    rank[order] = np.arange(count)
    gap = (scores - scores.max(initial=-99)) / 5
    named = [edge for edge in search.edges if edge.how != "text"]
    found = [edge for edge in search.edges if edge.how == "text"]
    relevant = _relevant(search)
    return np.hstack(
        [
            search.rows,
            _led(named, len(_NAMED), scores, gap, rank, relevant),
            _led(found, len(_FOUND), scores, gap, rank, relevant),
            _around(search, named, scores, gap, rank, order),
            relevant[:, None],
        ]
    ).astype(np.float32)


def _relevant(search: MultiHopSearch) -> Floats:
    """Return the relevance of each page; unread pages get a middle value."""
    found = np.zeros(len(search), np.float32)
    for place, relevance in search.relevance.items():
        found[place] = relevance - 0.5
    return found


def _led(
    edges: Sequence[Edge],
    width: int,
    scores: Floats,
    gap: Floats,
    rank: Integers,
    relevant: Floats,
) -> Floats:
    """Describe, for each page, the best page that led to it, and how many did."""
    count = len(scores)
    rows = np.zeros((count, width + len(_PARENT)), np.float32)
    rows[:, width + 1] = rows[:, width + 2] = _FAR
    if not edges:
        return rows
    parent = np.array([edge.parent for edge in edges])
    child = np.array([edge.child for edge in edges])
    facts = np.array([edge.facts for edge in edges], np.float32)
    # The last of each child is its best: the parent of the highest score, the fullest context.
    order = np.lexsort((facts[:, 1], scores[parent], child))
    last = np.flatnonzero(np.diff(child[order], append=count))
    best = order[last]
    to, by = child[best], parent[best]
    rows[to, :width] = facts[best]
    rows[to, width] = 1
    rows[to, width + 1] = scores[by] / 5
    rows[to, width + 2] = gap[by]
    rows[to, width + 3] = 1 / (1 + rank[by])
    pairs = np.unique(np.stack([child, parent], 1), axis=0)
    rows[:, width + 4] = np.log1p(np.bincount(pairs[:, 0], minlength=count)) / 2
    weight = np.exp(np.clip(gap * 2.5, -20, 0))
    rows[:, width + 5] = np.bincount(pairs[:, 0], weight[pairs[:, 1]], count)
    rows[to, width + 6] = relevant[by]
    return rows


def _around(
    search: MultiHopSearch,
    named: Sequence[Edge],
    scores: Floats,
    gap: Floats,
    rank: Integers,
    order: Integers,
) -> Floats:
    count = len(scores)
    children = np.zeros(count, np.float32)
    child_gap = np.full(count, _FAR, np.float32)
    context = np.zeros(count, np.float32)
    for edge in named:
        child_gap[edge.parent] = max(child_gap[edge.parent], gap[edge.child])
        children[edge.parent] += gap[edge.child] > -1
        context[edge.child] = max(context[edge.child], edge.facts[1])
    spans = [
        (place, (mention.start, mention.start + mention.length))
        for number, found in search.mentions.items()
        if (place := search.place.get(number)) is not None
        for mention in found[:1]
    ]
    groups = [(edge.child, edge.group) for edge in named]
    weights = search.coverage.weights
    left = _left_open(search.cover, order)
    gained = search.cover & left
    return np.stack(
        [
            scores / 5,
            gap,
            1 / (1 + rank),
            _rival_gap(spans, gap),
            _rival_gap(groups, gap),
            child_gap,
            np.log1p(children) / 2,
            gained @ weights,
            search.coverage.windows(gained)[:, 1],
            context,
            np.array([place in search.read for place in range(count)], np.float32),
        ],
        1,
    )


def _left_open(cover: Bools, order: Integers) -> Bools:
    """For each page, find the words that the best other pages lack."""
    top = order[: _TOP + 1]
    left = np.zeros(cover.shape, bool)
    left[:] = ~cover[top[:_TOP]].any(0)
    for place in top[:_TOP]:
        others = [other for other in top if other != place]
        left[place] = ~cover[others].any(0)
    return left


def _rival_gap(pages_named: Sequence[tuple[int, object]], gap: Floats) -> Floats:
    """Compare each page with the best other page of the same name at the same position."""
    best: dict[object, list[tuple[float, int]]] = {}
    for place, name in pages_named:
        best.setdefault(name, []).append((float(gap[place]), place))
    found = np.full(len(gap), -_FAR, np.float32)
    for place, name in pages_named:
        others = [value for value, other in best[name] if other != place]
        if others:
            found[place] = min(found[place], gap[place] - max(others))
    return found


class Reader(Protocol):
    """Estimates the relevance of evidence, from 0 to 1; the encoder implements it."""

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]: ...


def rerank(
    reader: Reader,
    searches: Sequence[MultiHopSearch],
    ahead: Sequence[Sequence[int]],
    scores: Sequence[Floats],
) -> None:
    """Read the better half of the pages that each search will follow, in one batch."""
    # Slow to import, and no other retriever needs it.
    from feverfew.models.inputs import linearise, plain

    pages = [
        (search, place, reranked_pieces(search, place, own))
        for search, places, own in zip(searches, ahead, scores, strict=True)
        for place in places[: (len(places) + 1) // 2]
    ]
    read = reader.relevance([(plain(search.claim), linearise(own)) for search, _, own in pages])
    for (search, place, _), relevance in zip(pages, read, strict=True):
        search.relevance[place] = relevance


def reranked_pieces(search: MultiHopSearch, place: int, scores: Floats) -> list[tuple[str, str]]:
    """Return the sentence that led to a page, if one did, and its own best, with their titles.

    A page that the claim only describes is relevant because of the page that led to it.
    """
    pieces = []
    led = [edge for edge in search.edges if edge.child == place]
    if led:
        edge = max(led, key=lambda edge: scores[edge.parent])
        pieces.append(_piece(search, edge.parent, edge.sentence))
    return [*pieces, _piece(search, place, -1)]


def _piece(search: MultiHopSearch, place: int, sentence: int) -> tuple[str, str]:
    at = sentence if sentence >= 0 else search.best_sentence(place)
    sentences = search.leads[place].sentences
    return search.titles[place], sentences[at].text if at >= 0 else ""


def hop_paths(search: MultiHopSearch, scores: Floats) -> dict[int, Hop]:
    """For each page that the claim does not name, find the sentence that led to it.

    Pages are connected layer by layer, so that paths are short and have no cycles: first by names
    and links, then by full-text search. Of several paths, the one from the best page counts.
    """
    incoming: dict[int, list[Edge]] = {}
    for edge in search.edges:
        incoming.setdefault(edge.child, []).append(edge)
    joined = {at for at in range(len(search)) if _named(search, at) or at not in incoming}
    found: dict[int, Hop] = {}
    while layer := _layer(incoming, joined, scores, by_text=False) or _layer(
        incoming, joined, scores, by_text=True
    ):
        for at, edge in layer.items():
            found[at] = Hop(search.titles[at], _sentence(search, edge), edge.how)
        joined |= set(layer)
    return found


def _layer(
    incoming: dict[int, list[Edge]], joined: set[int], scores: Floats, *, by_text: bool
) -> dict[int, Edge]:
    """Find the pages to connect next, and how."""
    return {
        at: max(known, key=lambda edge: scores[edge.parent])
        for at, edges in incoming.items()
        if at not in joined
        if (
            known := [
                edge for edge in edges if edge.parent in joined and (edge.how == "text") is by_text
            ]
        )
    }


def _named(search: MultiHopSearch, place: int) -> bool:
    """Say whether the claim names a page; a lower-case common word does not count."""
    spelled = search.query.words.spelled
    return any(
        mention.kind <= NameKind.WITHOUT_PARENTHESIS
        and any(not word[0].islower() for word in spelled[mention.start :][: mention.length])
        for mention in search.mentions.get(search.numbers[place], ())
    )


def _sentence(search: MultiHopSearch, edge: Edge) -> Ref:
    """Return the sentence that led to the page; if the query was a whole page, its best one."""
    at = edge.sentence if edge.sentence >= 0 else search.best_sentence(edge.parent)
    sentences = search.leads[edge.parent].sentences
    index = sentences[at].index if at >= 0 else 0
    return Ref.sentence(search.titles[edge.parent], index)


ROUNDS = (6, 5, 4)
"""Number of pages read in each round."""
SEEDS = 32
"""Number of pages that a multi-hop search starts from."""
_NEAR = 12
"""Only this many of the best pages are read."""
_TOGETHER = 16
"""Claims per batch: the encoder reads their pages together."""


class Hops:
    """A retriever that starts from another's pages and follows links, names and full text."""

    def __init__(
        self, corpus: Corpus, inner: Retriever, rankers: Sequence[Network], reader: Reader
    ) -> None:
        self._corpus = corpus
        self._inner = inner
        self._rankers = rankers
        self._reader = reader

    @classmethod
    def open(
        cls, corpus: Corpus, reader: Reader | None = None, rounds: int = len(ROUNDS)
    ) -> "Hops":
        """Make the retriever with the shipped weights, on top of Ranked."""
        if reader is None:
            from feverfew.models.encoder import Encoder

            reader = Encoder.shipped()
        rankers = [
            Network.shipped(f"round {number}", MULTIHOP_FEATURES, "hops.json")
            for number in range(rounds + 1)
        ]
        return cls(corpus, Ranked.open(corpus), rankers, reader)

    @np.errstate(
        divide="ignore", invalid="ignore", over="ignore"
    )  # BLAS warns of what lies behind an array
    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return the k best pages for each claim."""
        found: list[list[Candidate]] = []
        for start in range(0, len(claims), _TOGETHER):
            some = claims[start : start + _TOGETHER]
            seeds = self._inner.retrieve(some, SEEDS)
            searches = [MultiHopSearch(self._corpus, *one) for one in zip(some, seeds, strict=True)]
            found += [
                _best(search, scores, k)
                for search, scores in zip(searches, self._run_rounds(searches), strict=True)
            ]
        return found

    def _run_rounds(self, searches: Sequence[MultiHopSearch]) -> list[Floats]:
        """Run all rounds; return the scores of all pages."""
        scores = [
            self._rankers[0].score_array(
                multihop_features(search, np.zeros(len(search), np.float32))
            )
            for search in searches
        ]
        for width, ranker in zip(ROUNDS, self._rankers[1:], strict=False):
            ahead = [beam(*one, width) for one in zip(searches, scores, strict=True)]
            rerank(self._reader, searches, ahead, scores)
            for at, (search, places) in enumerate(zip(searches, ahead, strict=True)):
                if places:
                    search.follow(places)
                    known = extended(scores[at], len(search))
                    scores[at] = ranker.score_array(multihop_features(search, known))
        return scores


def _best(search: MultiHopSearch, scores: Floats, k: int) -> list[Candidate]:
    led = hop_paths(search, scores)
    return [
        Candidate(search.numbers[at], search.titles[at], float(scores[at]), led.get(at))
        for at in np.argsort(-scores, kind="stable")[:k].tolist()
    ]


def beam(search: MultiHopSearch, scores: Floats, width: int) -> list[int]:
    """Choose the pages to read next: the best unread ones, if they are good enough."""
    order = np.argsort(-scores, kind="stable").tolist()
    return [at for at in order[:_NEAR] if at not in search.read][:width]


def extended(scores: Floats, count: int) -> Floats:
    """Give new pages the lowest score."""
    lowest = scores.min(initial=0)
    return np.concatenate([scores, np.full(count - len(scores), lowest, np.float32)])
