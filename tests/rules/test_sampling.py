"""Samples: shares within their bounds, the same from the same seed, the papers' limits."""

from feverfew.corpus import Corpus
from feverfew.rules.sampling import (
    draw_highlights,
    draw_sentences,
    extra_annotators,
    in_sample,
    prescribe,
)
from feverfew.text import words
from feverfew.types import Page, Section, Sentence


def page(title: str, *texts: str) -> Page:
    return Page(title, tuple(Sentence(i, text) for i, text in enumerate(texts)))


LONG = "This sentence has more than five words."


def test_shares_stay_within_binomial_bounds() -> None:
    n = 20_000
    for share in (0.01, 0.04, 0.1):
        drawn = sum(in_sample(share, 3, "claim", i) for i in range(n))
        assert abs(drawn - n * share) < 4 * (n * share * (1 - share)) ** 0.5


def test_one_in_ten_is_checked_two_thirds_of_them_two_way() -> None:
    drawn = [extra_annotators(5, i) for i in range(30_000)]
    checked = sum(map(bool, drawn))
    assert abs(checked - 3000) < 4 * (30_000 * 0.09) ** 0.5
    assert abs(drawn.count(1) / checked - 2 / 3) < 0.05


def test_sentences_come_from_introductions_one_a_page_first(sample: Corpus) -> None:
    own = Page("A", (Sentence(0, LONG), Section(0, "Life"), Sentence(1, LONG)))
    assert [s.ref.position for s in draw_sentences([own], 9, 1)] == [(0,)]
    drawn = draw_sentences(sample, 40, 1)
    assert len({s.ref.page for s in drawn}) == 40
    assert drawn == draw_sentences(sample, 40, 1)
    assert drawn != draw_sentences(sample, 40, 2)
    assert all(len(words(s.text)) >= 5 for s in drawn)


def test_highlights_keep_the_ratio_and_use_a_page_once(sample: Corpus) -> None:
    drawn = draw_highlights(sample, 45, 1)
    assert len(drawn) == 45
    assert len({one.page for one in drawn}) == 45
    assert sum(one.is_table for one in drawn) == 30
    for one in drawn:
        if one.is_table:
            (ref,) = one.refs
            table = next(t for t in sample.page(one.page).tables if t.index == ref.position[0])
            assert 5 <= len(table.rows) <= 50
        else:
            assert len(one.refs) == 4


def test_a_highlight_has_no_short_sentence() -> None:
    assert draw_highlights([page("A", LONG, LONG, "Too short.", LONG, LONG)], 1, 1) == []
    assert len(draw_highlights([page("A", LONG, LONG, LONG, LONG)], 1, 1)) == 1


def test_veracities_are_prescribed_in_equal_numbers() -> None:
    drawn = prescribe(1, 1000)
    assert sum(one.veracity for one in drawn) == 500
    assert abs(sum(one.several_pages for one in drawn) - 500) < 70
    assert drawn == prescribe(1, 1000)
