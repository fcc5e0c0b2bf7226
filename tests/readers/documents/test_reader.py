import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import ItemList, Page


def page(data: str | bytes, name: str = "notes/trip.txt") -> Page:
    raw = data.encode() if isinstance(data, str) else data
    found = Documents().parse(Record(raw, 1), Source(Path(name), name))
    assert isinstance(found, Page)
    return found


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


def test_paragraphs_stand_between_blank_lines_and_broken_lines_are_joined() -> None:
    found = page(
        "Our trip\n\nWe left early in the morning and came to\nthe river at noon. It was cold\n"
        "there.\n\n\nThen home.\n"
    )
    assert texts(found) == [
        "Our trip",
        "We left early in the morning and came to the river at noon.",
        "It was cold there.",
        "Then home.",
    ]
    assert found.title == found.source == "notes/trip.txt"
    assert found.aliases == ("Our trip", "trip")


def test_a_line_that_had_room_for_the_next_word_ended_on_purpose() -> None:
    found = page("Costs\nThe train to the coast costs forty francs and\nthe bus ten.\n")
    assert texts(found) == ["Costs", "The train to the coast costs forty francs and the bus ten."]


def test_lists_in_plain_text() -> None:
    found = page("Bring:\n- a coat that\n  is warm\n* boots\n  - socks\n\n1. eat\n2) sleep\n")
    _, bullets, numbers = found.blocks
    assert isinstance(bullets, ItemList)
    assert [(i.text, i.level) for i in bullets.items] == [
        ("a coat that is warm", 0),
        ("boots", 0),
        ("socks", 1),
    ]
    assert isinstance(numbers, ItemList)
    assert numbers.ordered
    assert [i.text for i in numbers.items] == ["eat", "sleep"]


@pytest.mark.parametrize(
    ("name", "aliases"),
    [
        ("a/travel-policy.v2.txt", ("travel policy",)),
        ("Anna_Karenina.txt.gz", ("Anna Karenina",)),
        ("README.txt", ()),
        ("20240131.txt", ()),
        ("a1.txt", ()),
    ],
)
def test_a_readable_file_name_is_an_alias(name: str, aliases: tuple[str, ...]) -> None:
    assert page("Some text.", name).aliases == aliases


@pytest.mark.parametrize(
    ("data", "name", "why"),
    [
        (b"", "a.txt", "the file is empty"),
        (b"\n \n", "a.md", "the file is empty"),
        (b"", "a.csv", "the file is empty"),
        (b"", "a.pdf", "the file is empty"),
        (b"\x00\x01\x02\xff" * 50, "a.txt", "the file is not text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(128)), "a.md", "the file is not text"),
        (b"---\ntitle: x\n---\n", "a.md", "the document holds no text"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, name: str, why: str) -> None:
    with pytest.raises(BadRecord) as caught:
        page(data, name)
    assert str(caught.value) == f"{name}: {why}"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("\ufeffCafé".encode(), "Café"),
        ("Café".encode("utf-16"), "Café"),
        ("Plain words, Café".encode("utf-16-le"), "Plain words, Café"),
        ("Café – “x”".encode("cp1252"), "Café – “x”"),
        (b"one\r\ntwo\rthree", "one two three"),
    ],
)
def test_encodings(data: bytes, expected: str) -> None:
    assert texts(page(data)) == [expected]


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"x", "a.txt", True),
        (b"x", "A.MD", True),
        (b"x", "a.csv.zst", True),
        (b"%PDF-1.7", "scan", True),
        (b"PK\x03\x04....word/document.xml", "letter", True),
        (b"PK\x03\x04....", "a.zip", False),
        (b"x", "a.py", False),
        (b"x", "txt", False),
    ],
)
def test_recognises(head: bytes, name: str, expected: bool) -> None:
    assert Documents().recognises(head, Source(Path(name), name)) is expected


def test_ids_do_not_depend_on_where_the_folder_lies(tmp_path: Path) -> None:
    found = []
    for folder in ("here", "elsewhere"):
        (tmp_path / folder).mkdir()
        file = tmp_path / folder / "a.txt"
        file.write_text("One. Two.\n\n- three\n")
        source = Source(file, "a.txt")
        (record,) = Documents().records(source)
        found.append(Documents().parse(record, source))
    assert found[0] == found[1]


def test_a_damaged_compressed_file_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "a.txt.gz"
    file.write_bytes(gzip.compress(b"Some text. " * 1000)[:-20])
    source = Source(file, "a.txt.gz")
    (record,) = Documents().records(source)
    with pytest.raises(BadRecord, match=r"^a\.txt\.gz: the file is damaged"):
        Documents().parse(record, source)


def test_a_word_without_an_end_does_not_hold_us_up() -> None:
    shout = "<![CDATA[" * 20_000
    assert texts(page(shout)) == [shout]


@given(st.text(alphabet="aB. \n\t-*1)•é\f\u2028", min_size=1))
def test_no_letter_of_a_text_is_lost(text: str) -> None:
    try:
        found = page(text)
    except BadRecord:
        return
    # Only what marks an item may go.
    kept = "".join(texts(found))
    for letter in "aBé":
        assert kept.count(letter) == text.count(letter)


@given(st.binary(max_size=200), st.sampled_from(["a.txt", "a.md", "a.csv", "a.pdf", "a.docx"]))
def test_any_bytes_give_a_page_or_a_reason(data: bytes, name: str) -> None:
    try:
        assert page(data, name) == page(data, name)
    except BadRecord as bad:
        assert bad.path == name  # noqa: PT017
