"""What the ranking sees of a claim and a sentence: numbers, each with a name.

None of them tells how long a page is: where gold pages are shorter than others, as in many
a test corpus, that would measure the corpus and not the claim.
"""

from collections import Counter

import numpy as np
from numpy.typing import ArrayLike

from feverfew.select.feature_context import FeatureContext, Floats, Integers

__all__ = ["FEATURES", "HOP_FEATURES", "hop_features", "sentence_features"]

FEATURES = (
    "words",
    "words_or_title",
    "words_gap",
    "rest",
    "rest_gap",
    "open",
    "names",
    "names_open",
    "numbers",
    "numbers_open",
    "number_for_number",
    "year_for_year",
    "pairs",
    "prefixes",
    "rest_prefixes",
    "related",
    "rest_related",
    "rest_related_gap",
    "matched_share",
    "first",
    "line",
    "length",
    "pronoun",
    "own_title",
    "other_titles",
    "better_title",
    "page_score",
    "page_gap",
    "page_first",
    "page_rank",
    "title_weight",
    "title_missing",
    "title_first",
    "parenthesis",
    "titles_in_claim",
)
"""`rest` is what the claim says beyond the page's title, `open` what the sentence leaves open."""
HOP_FEATURES = (
    "score",
    "score_gap",
    "score_rank",
    "page_of_best",
    "better_on_page",
    "gain",
    "gain_share",
    "best_leaves_open",
    "named_by_top",
    "names_top",
    "linked_gain",
    "linked_score",
)
"""`gain` is what a sentence covers of the claim that a better one leaves open."""

_TOP = 6
"""How many of the first round's best sentences others are laid beside."""


def sentence_features(scene: FeatureContext) -> Floats:
    """Describe every statement by itself."""
    weights, page, count = scene.weights, scene.page, len(scene.statements)
    title = scene.title_has[:, page]
    beyond = ~title
    both = scene.has | title
    words_or_title = weights @ both
    title_weight = weights @ scene.title_has
    rest_total = np.maximum(1 - title_weight, 0.02)[page]
    rest = weights @ (scene.has & beyond) / rest_total
    rest_related = weights @ (scene.tells * beyond) / rest_total
    names, numbers = _names(scene), _numbers(scene)
    scores = np.array([candidate.score for candidate in scene.pages], np.float32)
    line = np.array([statement.line for statement in scene.statements], np.float32)
    own = scene.names[page, np.arange(count)]
    better = np.arange(len(scene.pages))[:, None] < page
    return _columns(
        count,
        weights @ scene.has,
        words_or_title,
        words_or_title - words_or_title.max(initial=0),
        rest,
        rest - rest.max(initial=0),
        1 - words_or_title,
        both[names].sum(0) / (len(names) or 1),
        (~both[names]).sum(0) / 4,
        scene.has[numbers].sum(0) / (len(numbers) or 1),
        (~scene.has[numbers]).sum(0) / 2,
        scene.has_number,
        scene.has_year,
        scene.pairs(),
        weights @ scene.has_prefix,
        weights @ (scene.has_prefix & beyond) / rest_total,
        weights @ np.maximum(scene.tells, title),
        rest_related,
        rest_related - rest_related.max(initial=0),
        scene.matched / np.maximum(scene.length, 1),
        line == 0,
        np.log1p(line) / 3,
        np.log1p(scene.length) / 4,
        scene.pronoun,
        own,
        np.minimum(scene.names.sum(0) - own, 3) / 3,
        (scene.names & better).any(0),
        scores[page] / 10,
        (scores[page] - scores.max(initial=-99)) / 10,
        page == 0,
        1 / (1 + page),
        title_weight[page],
        scene.title_missing[page],
        scene.title_first[page],
        scene.has_parenthesis[page],
        (scene.title_missing == 0).sum() / 3,
    )


def _names(scene: FeatureContext) -> list[int]:
    """List the claim's capitalised words; the first may only begin the sentence."""
    words = scene.query.words
    spelled = zip(words.spelled[1:], words.folded[1:], strict=True)
    return sorted({scene.place[folded] for word, folded in spelled if word[0].isupper()})


def _numbers(scene: FeatureContext) -> list[int]:
    return [i for word, i in scene.place.items() if word[0].isdigit()]


def hop_features(scene: FeatureContext, scores: Floats) -> Floats:
    """Describe every statement beside the best ones; `scores` are those of the first round."""
    page, count = scene.page, len(scene.statements)
    order = np.argsort(-scores, kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    top = order[:_TOP]
    best = order[0]
    both = scene.has | scene.title_has[:, page]
    left_open = (scene.weights[:, None] * ~both[:, top]).T
    gain = left_open @ both
    total = left_open.sum(1)
    elsewhere = page[top][:, None] != page
    named_by = scene.names[page][:, top].T & elsewhere
    names = scene.names[page[top]] & elsewhere
    linked = named_by | names
    gaps = (scores - scores[best]) / 5
    return _columns(
        count,
        scores / 5,
        gaps,
        1 / (1 + rank),
        page == page[best],
        np.minimum(_better_on_page(page, order), 5) / 5,
        gain[0],
        gain[0] / max(float(total[0]), 0.02),
        total[0],
        named_by.any(0),
        names.any(0),
        (gain * linked).max(0),
        np.where(linked, gaps[top][:, None], -3).max(0),
    )


def _better_on_page(page: Integers, order: Integers) -> Floats:
    """Count, for each statement, the better ones on its own page."""
    found = np.zeros(len(order), np.float32)
    seen: Counter[int] = Counter()
    for at, own in zip(order.tolist(), page[order].tolist(), strict=True):
        found[at] = seen[own]
        seen[own] += 1
    return found


def _columns(count: int, *columns: ArrayLike) -> Floats:
    rows = np.empty((count, len(columns)), np.float32)
    for at, column in enumerate(columns):
        rows[:, at] = column
    return rows
