"""Statements of a page, and what each needs to be understood alone."""

from feverfew.select.context import context_of, statements
from feverfew.types import Context, ItemList, Kind, ListItem, Page, Ref, Section, Sentence


def page(
    *blocks: Section | Sentence | ItemList, title: str = "Ada_Quill_-LRB-painter-RRB-"
) -> Page:
    return Page(title, blocks)


def context(given: Page, at: int) -> Context:
    return context_of(statements(given), at)


def test_sentences_and_items_in_reading_order() -> None:
    given = page(
        Sentence(0, "Ada Quill painted."),
        ItemList(0, (ListItem(0, "A harbour, 1920"), ListItem(1, ""))),
        Sentence(3, ""),
        Sentence(4, "She died in 1950."),
    )
    said = statements(given)
    title = given.title
    assert [s.ref for s in said] == [
        Ref.sentence(title, 0),
        Ref(title, Kind.ITEM, (0, 0)),
        Ref.sentence(title, 4),
    ]
    assert [s.line for s in said] == [0, 0, 4]


def test_the_title_is_written_for_readers() -> None:
    assert context(page(Sentence(0, "A painter.")), 0) == Context("Ada Quill (painter)")


def test_sections_are_named_down_to_the_sentence() -> None:
    given = page(
        Section(0, "Life", 1),
        Section(1, "Youth", 2),
        Sentence(0, "Born in Tartu."),
        Section(2, "Age", 2),
        Sentence(1, "Died in Cork."),
        Section(3, "Work", 1),
        Sentence(2, "Painted."),
    )
    assert [s.section for s in statements(given)] == ["Life › Youth", "Life › Age", "Work"]


def test_a_pronoun_means_the_name_before_it() -> None:
    given = page(
        Sentence(0, "Ada Quill was a painter."),
        Sentence(1, "Peter Nolan was her pupil."),
        Sentence(2, "He was born in Cork."),
        Sentence(3, "His father sold ships."),
    )
    assert [context(given, at).name for at in range(4)] == ["", "", "Peter Nolan", "Peter Nolan"]


def test_a_pronoun_that_means_the_page_needs_no_name() -> None:
    given = page(Sentence(0, "Ada Quill was a painter."), Sentence(1, "She was born in Tartu."))
    assert context(given, 1).name == ""


def test_one_capital_may_only_begin_the_sentence() -> None:
    given = page(Sentence(0, "Later years were hard."), Sentence(1, "They ended in Cork."))
    assert context(given, 1).name == ""


def test_a_name_of_another_section_is_not_meant() -> None:
    given = page(
        Sentence(0, "Peter Nolan was her pupil."), Section(0, "Work"), Sentence(1, "It sold well.")
    )
    assert context(given, 1).name == ""


def test_a_blank_sentence_is_nothing_to_trip_over() -> None:
    assert context(page(Sentence(0, " ")), 0).name == ""
