"""What the ranking of a chain's sentences sees besides: where each leads, and what led to it.

Where a claim needs several pages, a sentence may matter only because it names the next of them.
"""

import numpy as np
from numpy.typing import ArrayLike

from feverfew.select.feature_context import FeatureContext, Floats, Integers
from feverfew.select.features import FEATURES, HOP_FEATURES
from feverfew.types import Ref

__all__ = ["CHAIN_FEATURES", "chain_features", "places_on_page"]

_OWN = (
    "page_below_best",
    "page_place",
    "page_led_to",
    "page_led_to_by_text",
    "leads_on",
    "leads_on_by_name",
    "names_page",
    "names_page_led_to",
    "pages_named",
    "below_best_on_page",
    "place_on_page",
    "words_below_best_on_page",
    "rest_below_best_on_page",
    "related_below_best_on_page",
    "claim_length",
    "selector",
)
CHAIN_FEATURES = (*FEATURES, *HOP_FEATURES, *_OWN)
"""All that the ranking sees: `sentence_features`, `hop_features`, and those of this file."""

_FAR = -3.0
"""Stands for a gap where nothing is led to or named."""
_WORDS, _REST, _RELATED = (FEATURES.index(n) for n in ("words_or_title", "rest", "rest_related"))


def chain_features(scene: FeatureContext, rows: Floats, scores: Floats) -> Floats:
    """Add to the rows of all statements what they are in a chain.

    `rows` have what `sentence_features` and `hop_features` say, `scores` are the selector's own.
    """
    page, count = scene.page, len(scene.statements)
    found = np.array([candidate.score for candidate in scene.pages], np.float32)
    gaps = (found - found.max(initial=-99)) / 5
    ways = [candidate.via for candidate in scene.pages]
    led = np.array([way is not None for way in ways], bool)
    by_text = np.array([way is not None and way.how == "text" for way in ways], bool)
    elsewhere = np.arange(len(scene.pages))[:, None] != page
    names = scene.names & elsewhere
    return np.hstack(
        [
            rows,
            _columns(
                count,
                gaps[page],
                1 / (1 + page),
                led[page],
                by_text[page],
                _leads(scene, gaps, np.ones(len(ways), bool)),
                _leads(scene, gaps, ~by_text),
                np.where(names, gaps[:, None], _FAR).max(0, initial=_FAR),
                np.where(names & led[:, None], gaps[:, None], _FAR).max(0, initial=_FAR),
                names.sum(0) / 3,
                _below_best(scores, page) / 5,
                1 / (1 + places_on_page(scores, page)),
                _below_best(rows[:, _WORDS], page),
                _below_best(rows[:, _REST], page),
                _below_best(rows[:, _RELATED], page),
                len(scene.query.words.folded) / 40,
                scores / 5,
            ),
        ]
    ).astype(np.float32)


def _leads(scene: FeatureContext, gaps: Floats, counted: np.typing.NDArray[np.bool_]) -> Floats:
    """Say, for each statement, how good the best page is that it led to."""
    best: dict[Ref, float] = {}
    for at, candidate in enumerate(scene.pages):
        if candidate.via is not None and counted[at]:
            by = candidate.via.by
            best[by] = max(best.get(by, _FAR), float(gaps[at]))
    return np.array([best.get(one.ref, _FAR) for one in scene.statements], np.float32)


def _below_best(values: Floats, page: Integers) -> Floats:
    """Set each statement's value against the highest on its page."""
    best = np.full(page.max(initial=0) + 1, -np.inf, np.float32)
    np.maximum.at(best, page, values)
    gaps: Floats = values - best[page]
    return gaps


def places_on_page(values: Floats, page: Integers) -> Floats:
    """Say which place each statement has on its page, from 0."""
    order = np.lexsort((-values, page))
    places = np.empty(len(values), np.float32)
    places[order] = np.arange(len(values)) - np.searchsorted(page, page)
    return places


def _columns(count: int, *columns: ArrayLike) -> Floats:
    rows = np.empty((count, len(columns)), np.float32)
    for at, column in enumerate(columns):
        rows[:, at] = column
    return rows
