"""What reports say, before anybody draws it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feverfew.render.wording import (
    also_read,
    clean,
    explanation,
    groups,
    judged,
    matching,
    percent,
    read_as,
    reading,
    reasons,
    share,
    tally,
    where,
)
from feverfew.types import OpenReason, Report, Verdict
from reported import ALL, BORN, CITY, CONFLICT, FILM, PARTLY, QUESTION, REFUTED, SILENT, SUPPORTED


def outline(report: Report) -> list[tuple[str, list[str]]]:
    return [(g.heading, [p.evidence.context.title for p in g.pieces]) for g in groups(report)]


def test_evidence_stands_under_what_it_does() -> None:
    assert outline(SUPPORTED) == [("", ["Harbour Lights (film)", "Ada Quill"])]
    assert outline(REFUTED) == [("", ["Harbour Lights (film)"]), ("Supporting evidence", ["Tartu"])]
    assert outline(SILENT) == [
        ("Closest evidence", ["Ada Quill", "Harbour Lights (film)", "Tartu"])
    ]
    assert outline(QUESTION) == []


def test_both_sides_of_a_conflict_are_named() -> None:
    assert outline(CONFLICT) == [
        ("Supporting evidence", ["Ada Quill"]),
        ("Refuting evidence", ["Tartu"]),
    ]


def test_what_the_parts_show_is_not_shown_twice() -> None:
    assert outline(PARTLY) == []
    assert reasons(PARTLY) == []
    assert also_read(PARTLY) == ()


def test_what_was_read_and_not_shown_is_left() -> None:
    assert [p.evidence for p in also_read(SUPPORTED)] == [CITY]
    many = replace(SILENT, considered=(*SILENT.considered, replace(CITY, ref=FILM.ref)))
    assert len(groups(many)[0].pieces) == 3


def test_notes_say_what_a_piece_does_and_how_it_was_found() -> None:
    film, born = groups(SUPPORTED)[0].pieces
    assert film.notes == ("neutral alone", "decisive")
    assert born.notes == ("supports", "found by following Harbour Lights (film)")
    alone = replace(SUPPORTED, considered=(BORN,))
    assert groups(alone)[0].pieces[1].notes[-1] == "found by following other evidence"


@pytest.mark.parametrize("open_reason", OpenReason)
def test_every_reason_to_leave_open_has_a_sentence(open_reason: OpenReason) -> None:
    assert explanation(replace(SILENT, open_reason=open_reason, reasons=())).endswith(".")


def test_an_explanation_holds_what_is_missing_and_the_reasons() -> None:
    assert explanation(PARTLY).endswith("Missing: Ada Quill kept bees.")
    assert explanation(SILENT).endswith("do not say. The nearest pages do not say: Ada Quill.")
    assert explanation(SUPPORTED) == ""


def test_sets_are_put_in_words() -> None:
    assert reasons(SUPPORTED)[-1] == "It takes all of these together."
    assert reasons(REFUTED) == ["The year differs: 1931, not 1932."]
    a, b, c = FILM.ref, BORN.ref, CITY.ref
    alone = replace(SUPPORTED, sets=((a,), (b,)), reasons=())
    assert reasons(alone) == ["Each of these is enough alone."]
    mixed = replace(SUPPORTED, sets=((b,), (a, c)), reasons=())
    assert reasons(mixed) == [f"Decided by {b}, or by {a} with {c}."]


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "<1 %"), (0.004, "<1 %"), (0.01, "1 %"), (0.874, "87 %"), (0.99, "99 %"), (1, ">99 %")],
)
def test_nothing_is_written_as_sure(value: float, written: str) -> None:
    assert percent(value) == written


@given(st.floats())
def test_every_share_can_be_drawn(value: float) -> None:
    report = replace(SUPPORTED, probabilities={Verdict.SUPPORTED: value})
    assert 0 <= share(report, Verdict.SUPPORTED) <= 1
    assert share(report, Verdict.REFUTED) == 0


def test_what_is_no_statement_has_no_probabilities() -> None:
    assert [judged(report) for report in ALL] == [True] * 5 + [False]


def test_verdicts_are_counted() -> None:
    assert tally([r.verdict for r in ALL]) == "6 claims: 1 supported, 1 refuted, 4 not enough info"
    assert tally([Verdict.REFUTED]) == "1 claim: 1 refuted"
    assert tally([]) == "0 claims"


def test_a_place_and_a_reading() -> None:
    assert where(BORN) == "Ada Quill › Life"
    assert where(CITY) == "Tartu"
    context = replace(BORN.context, name="Rosa Tamm")
    assert reading(replace(BORN, text="She sang.", context=context)) == "She [Rosa Tamm] sang."


def test_a_sentence_is_read_as_something_else_only_where_words_differ() -> None:
    assert read_as(SILENT, "*Ada Quill* kept bees!") == ""
    assert read_as(SILENT, "She kept bees.") == "read as “Ada Quill kept bees.”"


def test_words_that_begin_alike_match_but_numbers_do_not() -> None:
    assert matching("directors of 19310", "He directed 19311 of them") == [(0, 9)]
    assert matching("She was the one", "He was the one") == []
    assert matching("in BESANÇON", "Besancon") == [(3, 11)]


@given(st.text(), st.text())
def test_matches_are_in_the_text_and_in_order(text: str, claim: str) -> None:
    places = [place for span in matching(text, claim) for place in span]
    assert places == sorted(set(places))
    assert all(0 <= place <= len(text) for place in places)


@given(st.text())
def test_what_is_clean_can_be_printed(text: str) -> None:
    shown = clean(text)
    assert not set(shown) & set(map(chr, range(32)))
    assert "\x9b" not in shown
    assert "\u202e" not in shown
    shown.encode()
