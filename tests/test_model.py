"""The nouns: element ids round-trip, pages yield what they hold, values are frozen."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadReference
from feverfew.types import (
    Cell,
    Claim,
    ItemList,
    Kind,
    Link,
    ListItem,
    Page,
    Prediction,
    Provenance,
    Ref,
    Section,
    Sentence,
    Table,
    Verdict,
)

POSITIONS = {
    Kind.SENTENCE: 1,
    Kind.CELL: 3,
    Kind.HEADER_CELL: 3,
    Kind.CAPTION: 1,
    Kind.ITEM: 2,
    Kind.SECTION: 1,
    Kind.TITLE: 0,
}


@st.composite
def refs(draw: st.DrawFn) -> Ref:
    """Any address; its page's title may itself look like an element id."""
    words = st.sampled_from(["Aruba", "cell", "sentence", "0", "12", "table caption", "title"])
    look_alike = st.lists(words, min_size=1, max_size=4).map("_".join)
    page = draw(st.one_of(st.text(min_size=1, max_size=20), look_alike))
    kind = draw(st.sampled_from(Kind))
    numbers = st.integers(0, 999)
    size = POSITIONS[kind]
    return Ref(page, kind, tuple(draw(st.lists(numbers, min_size=size, max_size=size))))


@given(refs())
def test_ids_round_trip(ref: Ref) -> None:
    # "X_header" with a cell and "X" with a header cell are written alike; officially the latter.
    if ref.kind is Kind.CELL and ref.page.endswith("_header"):
        return
    assert Ref.parse(str(ref)) == ref


@given(refs())
def test_the_three_parts_of_a_prediction_round_trip(ref: Ref) -> None:
    assert Ref.of(ref.page, str(ref.kind), ref.position_text) == ref


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("Aruba_sentence_3", Ref("Aruba", Kind.SENTENCE, (3,))),
        ("Algebraic logic_cell_0_9_1", Ref("Algebraic logic", Kind.CELL, (0, 9, 1))),
        ("Aruba_header_cell_0_2_1", Ref("Aruba", Kind.HEADER_CELL, (0, 2, 1))),
        ("Aruba_table_caption_2", Ref("Aruba", Kind.CAPTION, (2,))),
        ("Aruba_item_1_0", Ref("Aruba", Kind.ITEM, (1, 0))),
        ("Aruba_section_4", Ref("Aruba", Kind.SECTION, (4,))),
        ("Aruba_title", Ref("Aruba", Kind.TITLE)),
        ("Aruba", None),
        ("1984_sentence_0", Ref("1984", Kind.SENTENCE, (0,))),
        ("The_sentence_1_sentence_0", Ref("The_sentence_1", Kind.SENTENCE, (0,))),
        ("Two\nlines_title", Ref("Two\nlines", Kind.TITLE)),
        ("_sentence_1", None),
        ("Aruba_sentence", None),
        ("Aruba_sentence_1_2", None),
        ("Aruba_cell_0_1", None),
        ("Aruba_sentence_-1", None),
        ("Aruba_title_1", None),
        ("Aruba_sentence_x", None),
        ("", None),
    ],
)
def test_ids_are_read_from_the_right(text: str, ref: Ref | None) -> None:
    if ref is None:
        with pytest.raises(BadReference):
            Ref.parse(text)
    else:
        assert Ref.parse(text) == ref


@pytest.mark.parametrize(
    ("page", "kind", "position"),
    [
        ("", "sentence", "0"),
        ("Aruba", "phrase", "0"),
        ("Aruba", "cell", "0_1"),
        ("Aruba", "sentence", "one"),
        ("Aruba", "sentence", "-1"),
    ],
)
def test_parts_that_are_no_element_are_refused(page: str, kind: str, position: str) -> None:
    with pytest.raises(BadReference, match="is not an element"):
        Ref.of(page, kind, position)


def test_refs_sort_by_page_and_place() -> None:
    given_ = [Ref.sentence("B", 0), Ref.sentence("A", 10), Ref.sentence("A", 9)]
    assert [str(ref) for ref in sorted(given_)] == ["A_sentence_9", "A_sentence_10", "B_sentence_0"]


VIENNA = Page(
    "Vienna",
    (
        Sentence(0, "Vienna lies on the Danube.", (Link("Danube", "the Danube"),)),
        Section(0, "Districts"),
        Table(
            0,
            (
                (Cell(0, 0, "District", header=True), Cell(0, 1, "People", header=True)),
                (Cell(1, 0, "Favoriten", links=(Link("Favoriten", "Favoriten"),)),),
            ),
            caption="Largest",
        ),
        ItemList(0, (ListItem(0, "Prater", links=(Link("Prater", "Prater"),)),)),
        Sentence(4, "It is old."),
    ),
)


def test_a_page_yields_its_elements_in_reading_order() -> None:
    assert [(str(ref), text) for ref, text in VIENNA.elements()] == [
        ("Vienna_title", "Vienna"),
        ("Vienna_sentence_0", "Vienna lies on the Danube."),
        ("Vienna_section_0", "Districts"),
        ("Vienna_table_caption_0", "Largest"),
        ("Vienna_header_cell_0_0_0", "District"),
        ("Vienna_header_cell_0_0_1", "People"),
        ("Vienna_cell_0_1_0", "Favoriten"),
        ("Vienna_item_0_0", "Prater"),
        ("Vienna_sentence_4", "It is old."),
    ]


def test_a_page_yields_its_links_with_their_elements() -> None:
    assert [(str(ref), link.target) for ref, link in VIENNA.links()] == [
        ("Vienna_sentence_0", "Danube"),
        ("Vienna_cell_0_1_0", "Favoriten"),
        ("Vienna_item_0_0", "Prater"),
    ]


def test_a_page_lists_its_sentences_and_tables() -> None:
    assert [s.index for s in VIENNA.sentences] == [0, 4]
    assert [t.caption for t in VIENNA.tables] == ["Largest"]


def test_a_page_survives_storage() -> None:
    packed = msgspec.msgpack.encode(VIENNA)
    assert msgspec.msgpack.decode(packed, type=Page) == VIENNA


def test_the_stored_form_stands() -> None:
    """A change here is a change of the corpus format: raise layout.FORMAT."""
    assert msgspec.json.decode(msgspec.json.encode(VIENNA)) == [
        "Vienna",
        [
            [1, 0, "Vienna lies on the Danube.", [["Danube", "the Danube"]]],
            [0, 0, "Districts", 1],
            [
                2,
                0,
                [
                    [
                        [0, 0, "District", True, 1, 1, []],
                        [0, 1, "People", True, 1, 1, []],
                    ],
                    [[1, 0, "Favoriten", False, 1, 1, [["Favoriten", "Favoriten"]]]],
                ],
                "Largest",
                False,
            ],
            [3, 0, [[0, "Prater", 0, [["Prater", "Prater"]]]], False],
            [1, 4, "It is old.", []],
        ],
        [],
        False,
        "",
        "",
        [],
    ]


def test_a_page_of_an_older_corpus_is_read() -> None:
    stored = msgspec.msgpack.encode(["Vienna", [], [], False, "vienna.txt"])
    assert msgspec.msgpack.decode(stored, type=Page) == Page(title="Vienna", source="vienna.txt")


REPORT = Page(
    title="report.pdf",
    blocks=(Sentence(0, "One."), Sentence(1, "Two."), Table(0, ((Cell(0, 0, "Four"),),))),
    source="report.pdf",
    page_breaks=(0, 1, 2, 2),
)


@pytest.mark.parametrize(
    ("element", "page"),
    [("report.pdf_sentence_0", 1), ("report.pdf_sentence_1", 2), ("report.pdf_cell_0_0_0", 4)],
)
def test_an_element_of_a_pdf_knows_its_page(element: str, page: int) -> None:
    assert REPORT.provenance_of(Ref.parse(element)) == Provenance("report.pdf", page)


def test_an_element_knows_its_file() -> None:
    page = Page(title="a.md", blocks=(Sentence(0, "One."),), source="docs/a.md")
    assert page.provenance_of(Ref.parse("a.md_sentence_0")) == Provenance("docs/a.md")
    assert Page(title="a", blocks=(Sentence(0, "One."),)).provenance() is None


@pytest.mark.parametrize(
    "value",
    [VIENNA, Ref("Vienna"), Claim(id=1, text="?"), Prediction(id=1, label=Verdict.SUPPORTED)],
)
def test_values_are_frozen(value: object) -> None:
    with pytest.raises(AttributeError):
        value.id = 2  # type: ignore[attr-defined]
