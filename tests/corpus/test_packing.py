"""Pages as bytes: whatever a page holds comes back."""

from hypothesis import given
from hypothesis import strategies as st

from feverfew.corpus.packing import Packer, dictionary_sample, train_dictionary
from feverfew.types import Cell, ItemList, Link, ListItem, Page, Section, Sentence, Table
from making import page

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
number = st.integers(0, 10_000)
links = st.lists(st.builds(Link, text, text), max_size=2).map(tuple)
cells = st.builds(Cell, number, number, text, st.booleans(), number, number, links)
rows = st.lists(st.lists(cells, max_size=3).map(tuple), max_size=3).map(tuple)
items = st.lists(st.builds(ListItem, number, text, number, links), max_size=3).map(tuple)
blocks = st.one_of(
    st.builds(Section, number, text, number),
    st.builds(Sentence, number, text, links),
    st.builds(Table, number, rows, text, st.booleans()),
    st.builds(ItemList, number, items, st.booleans()),
)
pages = st.builds(
    Page,
    text,
    st.lists(blocks, max_size=30).map(tuple),
    st.lists(text, max_size=3).map(tuple),
    st.booleans(),
    text,
)

PLAIN = Packer(b"")
MANY = [page(f"Page {n}", *[f"Word {n * i}." for i in range(99)]) for n in range(999)]
TRAINED = Packer(train_dictionary([dictionary_sample(page) for page in MANY]))


@given(pages)
def test_every_page_comes_back(given_page: Page) -> None:
    for packer in (PLAIN, TRAINED):
        packed = packer.pack(given_page)
        assert packer.page(packed.head, packed.tail) == given_page
        assert packer.digest(packed.head, packed.tail) == packed.digest
        head = packer.head(packed.head)
        assert head.title == given_page.title
        assert head.blocks == given_page.blocks[: len(head.blocks)]


@given(pages)
def test_the_digest_is_of_the_content_not_of_its_compression(given_page: Page) -> None:
    assert PLAIN.pack(given_page).digest == TRAINED.pack(given_page).digest


def test_a_different_page_has_a_different_digest() -> None:
    one = PLAIN.pack(page("Linz", "A city."))
    assert one.digest != PLAIN.pack(page("Linz", "A town.")).digest
    assert one.digest != PLAIN.pack(page("Graz", "A city.")).digest


def test_the_head_of_a_long_page_is_short() -> None:
    long = page("Linz", *[f"Sentence number {n} of very many." for n in range(500)])
    packed = PLAIN.pack(long)
    assert packed.tail is not None
    assert 1 < len(PLAIN.head(packed.head).sentences) < 50
    assert PLAIN.pack(page("Linz", "A city.")).tail is None


def test_too_few_pages_teach_nothing() -> None:
    assert train_dictionary([dictionary_sample(page("Linz", "A city."))]) == b""
    assert train_dictionary([]) == b""
