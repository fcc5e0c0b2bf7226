"""Named features of each statement on the candidate pages.

No feature depends on the length of a page: in many test corpora gold pages are shorter than others,
so it would measure the corpus and not the claim.
"""

from collections import Counter

import numpy as np
from numpy.typing import ArrayLike

from feverfew.select.context import FeatureContext, Floats, Integers
from feverfew.types import Ref

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
"""`rest` is the claim without the page's title, `open` the part that the sentence does not
cover."""
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
"""`gain` is the part of the claim that a sentence covers and a better one does not."""

_TOP = 6
"""Number of the first round's best sentences that others are compared with."""


def sentence_features(context: FeatureContext) -> Floats:
    """Compute the features of every statement alone."""
    weights, page, count = context.weights, context.page, len(context.statements)
    title = context.title_has[:, page]
    beyond = ~title
    both = context.has | title
    words_or_title = weights @ both
    title_weight = weights @ context.title_has
    rest_total = np.maximum(1 - title_weight, 0.02)[page]
    rest = weights @ (context.has & beyond) / rest_total
    rest_related = weights @ (context.tells * beyond) / rest_total
    names, numbers = _names(context), _numbers(context)
    scores = np.array([candidate.score for candidate in context.pages], np.float32)
    line = np.array([statement.line for statement in context.statements], np.float32)
    own = context.names[page, np.arange(count)]
    better = np.arange(len(context.pages))[:, None] < page
    return _columns(
        count,
        weights @ context.has,
        words_or_title,
        words_or_title - words_or_title.max(initial=0),
        rest,
        rest - rest.max(initial=0),
        1 - words_or_title,
        both[names].sum(0) / (len(names) or 1),
        (~both[names]).sum(0) / 4,
        context.has[numbers].sum(0) / (len(numbers) or 1),
        (~context.has[numbers]).sum(0) / 2,
        context.has_number,
        context.has_year,
        context.pairs(),
        weights @ context.has_prefix,
        weights @ (context.has_prefix & beyond) / rest_total,
        weights @ np.maximum(context.tells, title),
        rest_related,
        rest_related - rest_related.max(initial=0),
        context.matched / np.maximum(context.length, 1),
        line == 0,
        np.log1p(line) / 3,
        np.log1p(context.length) / 4,
        context.pronoun,
        own,
        np.minimum(context.names.sum(0) - own, 3) / 3,
        (context.names & better).any(0),
        scores[page] / 10,
        (scores[page] - scores.max(initial=-99)) / 10,
        page == 0,
        1 / (1 + page),
        title_weight[page],
        context.title_missing[page],
        context.title_first[page],
        context.has_parenthesis[page],
        (context.title_missing == 0).sum() / 3,
    )


def _names(context: FeatureContext) -> list[int]:
    """List the claim's capitalised words; the first may only begin the sentence."""
    words = context.query.words
    spelled = zip(words.spelled[1:], words.folded[1:], strict=True)
    return sorted({context.place[folded] for word, folded in spelled if word[0].isupper()})


def _numbers(context: FeatureContext) -> list[int]:
    return [i for word, i in context.place.items() if word[0].isdigit()]


def hop_features(context: FeatureContext, scores: Floats) -> Floats:
    """Compute the features of every statement relative to the best; `scores` are the first
    round's."""
    page, count = context.page, len(context.statements)
    order = np.argsort(-scores, kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    top = order[:_TOP]
    best = order[0]
    both = context.has | context.title_has[:, page]
    left_open = (context.weights[:, None] * ~both[:, top]).T
    gain = left_open @ both
    total = left_open.sum(1)
    elsewhere = page[top][:, None] != page
    named_by = context.names[page][:, top].T & elsewhere
    names = context.names[page[top]] & elsewhere
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
MULTIHOP_FEATURES = (*FEATURES, *HOP_FEATURES, *_OWN)
"""All features of the ranking: `sentence_features`, `hop_features`, and those below."""

_FAR = -3.0
"""The gap if no page is linked or named."""
_WORDS, _REST, _RELATED = (FEATURES.index(n) for n in ("words_or_title", "rest", "rest_related"))


def multihop_features(context: FeatureContext, rows: Floats, scores: Floats) -> Floats:
    """Add multi-hop features to the rows of all statements.

    `rows` have `sentence_features` and `hop_features`, `scores` are the selector's.
    """
    page, count = context.page, len(context.statements)
    found = np.array([candidate.score for candidate in context.pages], np.float32)
    gaps = (found - found.max(initial=-99)) / 5
    hops = [candidate.via for candidate in context.pages]
    led = np.array([hop is not None for hop in hops], bool)
    by_text = np.array([hop is not None and hop.how == "text" for hop in hops], bool)
    elsewhere = np.arange(len(context.pages))[:, None] != page
    names = context.names & elsewhere
    return np.hstack(
        [
            rows,
            _columns(
                count,
                gaps[page],
                1 / (1 + page),
                led[page],
                by_text[page],
                _leads(context, gaps, np.ones(len(hops), bool)),
                _leads(context, gaps, ~by_text),
                np.where(names, gaps[:, None], _FAR).max(0, initial=_FAR),
                np.where(names & led[:, None], gaps[:, None], _FAR).max(0, initial=_FAR),
                names.sum(0) / 3,
                _below_best(scores, page) / 5,
                1 / (1 + places_on_page(scores, page)),
                _below_best(rows[:, _WORDS], page),
                _below_best(rows[:, _REST], page),
                _below_best(rows[:, _RELATED], page),
                len(context.query.words.folded) / 40,
                scores / 5,
            ),
        ]
    ).astype(np.float32)


def _leads(context: FeatureContext, gaps: Floats, counted: np.typing.NDArray[np.bool_]) -> Floats:
    """Return, for each statement, the score of the best page that it led to."""
    best: dict[Ref, float] = {}
    for at, candidate in enumerate(context.pages):
        if candidate.via is not None and counted[at]:
            by = candidate.via.by
            best[by] = max(best.get(by, _FAR), float(gaps[at]))
    return np.array([best.get(one.ref, _FAR) for one in context.statements], np.float32)


def _below_best(values: Floats, page: Integers) -> Floats:
    """Return the difference of each value from the highest on its page."""
    best = np.full(page.max(initial=0) + 1, -np.inf, np.float32)
    np.maximum.at(best, page, values)
    gaps: Floats = values - best[page]
    return gaps


def places_on_page(values: Floats, page: Integers) -> Floats:
    """Return the index of each statement on its page."""
    order = np.lexsort((-values, page))
    places = np.empty(len(values), np.float32)
    places[order] = np.arange(len(values)) - np.searchsorted(page, page)
    return places
