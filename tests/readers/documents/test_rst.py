import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feverfew.errors import BadRecord, MissingExtra
from feverfew.readers.base import Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import ItemList, Page, Section, Table


def page(text: str) -> Page:
    source = Source(Path("guide/open.rst"), "guide/open.rst")
    found = Documents().parse(Record(text.encode(), 1), source)
    assert isinstance(found, Page)
    return found


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


def test_sections_paragraphs_lists_and_tables_are_read() -> None:
    found = page(
        "The guide\n=========\n\nIt is *short* [#n]_. See `more <more.rst>`_.\n\nPrices\n------\n\n"
        "- one\n- two\n\n====  ====\nCity  Cost\n====  ====\nBern  1,000\n====  ====\n\n"
        ".. [#n] In pages.\n"
    )
    assert found.name == "The guide"
    assert found.blocks[0] == Section(0, "The guide")
    assert texts(found)[1:4] == ["It is short.", "See more.", "Prices"]
    (items,) = (block for block in found.blocks if isinstance(block, ItemList))
    assert [item.text for item in items.items] == ["one", "two"]
    (table,) = (block for block in found.blocks if isinstance(block, Table))
    assert [[c.text for c in row] for row in table.rows] == [["City", "Cost"], ["Bern", "1,000"]]
    assert [cell.header for cell in table.rows[0]] == [True, True]
    assert texts(found)[-1] == "In pages."


def test_what_only_sphinx_knows_keeps_its_text() -> None:
    found = page(
        "Call :func:`~os.path.join` or :ref:`this part <part>`.\n\n"
        ".. versionadded:: 3.2\n   It is fast.\n\n"
        ".. py:function:: foo(x)\n   :async:\n\n   Return five things.\n\n"
        ".. code-block:: toml\n   :emphasize-lines: 1\n\n   port = 8080\n\n"
        ".. toctree::\n   :hidden:\n\n   other\n"
    )
    assert texts(found) == [
        "Call join or this part.",
        "New in version 3.2: It is fast.",
        "foo(x)",
        "Return five things.",
        "port = 8080",
    ]


def test_no_file_is_included_and_nothing_is_left_behind(tmp_path: Path) -> None:
    from docutils.parsers.rst import directives

    before = directives.directive
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2")
    found = page(f"Text.\n\n.. include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n")
    assert texts(found) == ["Text."]
    assert directives.directive is before


@settings(max_examples=50, deadline=None)
@given(st.text("a.:`*|_=-+ \n<>[]#~\\", max_size=120))
def test_anything_gives_a_page_or_a_reason(text: str) -> None:
    with suppress(BadRecord):
        assert page("Begin.\n\n" + text).blocks


def test_without_docutils_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docutils.core", None)
    with pytest.raises(MissingExtra, match="feverfew\\[documents\\]"):
        page("Text.")
