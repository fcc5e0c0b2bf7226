import json
from pathlib import Path

import pytest

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import Page, Section, Table


def page(notebook: object) -> Page:
    data = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode()
    source = Source(Path("sales.ipynb"), "sales.ipynb")
    assert Documents().recognises(data, source)
    found = Documents().parse(Record(data, 1), source)
    assert isinstance(found, Page)
    return found


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


FRAME = (
    "<table class='dataframe'><thead><tr><th></th><th>sold</th></tr></thead>"
    "<tbody><tr><th>Bern</th><td>7</td></tr></tbody></table>"
)


def test_text_code_and_output_are_read_in_order() -> None:
    found = page(
        {
            "nbformat": 4,
            "metadata": {"kernelspec": {"name": "python3"}},
            "cells": [
                {"cell_type": "markdown", "source": ["# Sales\n", "We sold *more*. It was May."]},
                {
                    "cell_type": "code",
                    "source": "year = 2024\nframe",
                    "execution_count": None,
                    "outputs": [
                        {"output_type": "stream", "text": ["done\n", "twice\n"]},
                        {"output_type": "execute_result", "data": {"text/html": FRAME}},
                        {"output_type": "display_data", "data": {"image/png": "iVBO"}},
                        {"output_type": "display_data", "data": {"application/json": {"a": 1}}},
                        {"output_type": "error", "text": "KeyError"},
                    ],
                },
                {"cell_type": "raw", "source": "% latex"},
            ],
        }
    )
    assert found.name == "Sales"
    assert found.blocks[0] == Section(0, "Sales")
    assert texts(found)[:7] == [
        "Sales",
        "We sold more.",
        "It was May.",
        "year = 2024",
        "frame",
        "done",
        "twice",
    ]
    table = found.blocks[-1]
    assert isinstance(table, Table)
    assert [[cell.text for cell in row] for row in table.rows] == [["", "sold"], ["Bern", "7"]]


def test_a_notebook_of_version_three_is_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Trips"},
        {"cell_type": "code", "input": "x = 1", "outputs": [{"output_type": "pyout", "text": "1"}]},
    ]
    found = page({"nbformat": 3, "metadata": {"name": "old"}, "worksheets": [{"cells": cells}]})
    assert texts(found) == ["Trips", "x = 1", "1"]
    assert found.blocks[0] == Section(0, "Trips", 2)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"{", "broken JSON"),
        (b'{"cells": []}', "no 'nbformat'"),
        (b'{"nbformat": 4, "cells": []}', "the document holds no text"),
        (b'{"nbformat": 4, "cells": [{"source": "x"}]}', "no 'cell_type'"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, why: str) -> None:
    with pytest.raises(BadRecord, match=why):
        page(data)
