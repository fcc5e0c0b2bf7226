"""What the hop scorer sees of a page on a trail: itself, who led to it, and what is around it."""

from collections.abc import Sequence

import numpy as np

from feverfew.retrieve.claim_coverage import Bools, Floats, Integers
from feverfew.retrieve.features import FEATURES
from feverfew.retrieve.multihop import Edge, MultiHopSearch

__all__ = ["TRAIL_FEATURES", "trail_features"]

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
TRAIL_FEATURES = (
    *_PAGE,
    *(f"named_{name}" for name in (*_NAMED, *_PARENT)),
    *(f"found_{name}" for name in (*_FOUND, *_PARENT)),
    *_AROUND,
)
_TOP = 3
_FAR = -4.0
"""Stands for a gap where there is nothing to compare with."""


def trail_features(trail: MultiHopSearch, scores: Floats) -> Floats:
    """Describe every page of a trail; `scores` are those of the round before."""
    count = len(trail)
    if not count:
        return np.zeros((0, len(TRAIL_FEATURES)), np.float32)
    order = np.argsort(-scores, kind="stable")
    rank: Integers = np.empty(count, np.intp)
    rank[order] = np.arange(count)
    gap = (scores - scores.max(initial=-99)) / 5
    named = [edge for edge in trail.edges if edge.how != "text"]
    found = [edge for edge in trail.edges if edge.how == "text"]
    relevant = _relevant(trail)
    return np.hstack(
        [
            trail.rows,
            _led(named, len(_NAMED), scores, gap, rank, relevant),
            _led(found, len(_FOUND), scores, gap, rank, relevant),
            _around(trail, named, scores, gap, rank, order),
            relevant[:, None],
        ]
    ).astype(np.float32)


def _relevant(trail: MultiHopSearch) -> Floats:
    """Say how much each page matters; what was not read stands in the middle."""
    found = np.zeros(len(trail), np.float32)
    for place, relevance in trail.relevance.items():
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
    trail: MultiHopSearch,
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
        for number, found in trail.mentions.items()
        if (place := trail.place.get(number)) is not None
        for mention in found[:1]
    ]
    groups = [(edge.child, edge.group) for edge in named]
    weights = trail.asked.weights
    left = _left_open(trail.cover, order)
    gained = trail.cover & left
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
            trail.asked.windows(gained)[:, 1],
            context,
            np.array([place in trail.read for place in range(count)], np.float32),
        ],
        1,
    )


def _left_open(cover: Bools, order: Integers) -> Bools:
    """Say, for each page, which words the best others do not have."""
    top = order[: _TOP + 1]
    left = np.zeros(cover.shape, bool)
    left[:] = ~cover[top[:_TOP]].any(0)
    for place in top[:_TOP]:
        others = [other for other in top if other != place]
        left[place] = ~cover[others].any(0)
    return left


def _rival_gap(pages_named: Sequence[tuple[int, object]], gap: Floats) -> Floats:
    """Set each page against the best other that bears the same name in the same place."""
    best: dict[object, list[tuple[float, int]]] = {}
    for place, name in pages_named:
        best.setdefault(name, []).append((float(gap[place]), place))
    found = np.full(len(gap), -_FAR, np.float32)
    for place, name in pages_named:
        others = [value for value, other in best[name] if other != place]
        if others:
            found[place] = min(found[place], gap[place] - max(others))
    return found
