import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.corpus.packing import Packer
from feverfew.corpus.prepare import Columns, prepare_page
from feverfew.text import display_title, words
from feverfew.types import Cell, Page, Sentence, Table

PACKER = Packer(b"")
SPELLINGS = ["Æon", "-LRB-", "-RRB-", "_", "&amp;", "&", "É", "e\u0301", "!!", "Ж", "x9", '"', "\\"]


@given(st.lists(st.sampled_from(SPELLINGS), min_size=1).map("".join))
def test_the_text_index_gets_the_words_of_the_title_as_it_is_shown(title: str) -> None:
    ready = prepare_page(Page(title), PACKER)
    assert ready.folded_title.split() == words(display_title(title))


def test_the_text_index_gets_aliases_and_every_text() -> None:
    table = Table(0, ((Cell(0, 0, "Über\n9"),),), caption='a "caption"')
    page = Page("A_B", (Sentence(0, "One, two."), table), ("C's",))
    ready = prepare_page(page, PACKER)
    assert ready.folded_title.split() == ["a", "b", "c", "s"]
    assert ready.folded_body.split() == ["one", "two", "a", "caption", "uber", "9"]


@pytest.mark.parametrize("wanted", [[True, False], [False, True], [False, False]])
def test_columns_lose_pages_whole(wanted: list[bool]) -> None:
    columns = Columns()
    for line, title in enumerate(("One", "Two"), 1):
        columns.add(title, prepare_page(Page(title), PACKER), line)
    left = columns.only(wanted)
    kept = [name for name, keep in zip(("One", "Two"), wanted, strict=True) if keep]
    assert left.titles == kept
    assert left.names == [f"0{name.lower()}" for name in kept]
    assert left.lines == [line for line, keep in enumerate(wanted, 1) if keep]
