import io
import re
from pathlib import Path

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Partial, Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import Page, Provenance, Section

pytest.importorskip("pypdfium2")

_IMAGE = "q 600 0 0 800 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q"
"""A page that is a picture."""


def placed(*texts: tuple[float, float, str], size: float = 12) -> str:
    """Draw texts at their places, in this order; `*` makes one bold."""
    made = ""
    for x, y, text in texts:
        font = "F2" if text.startswith("*") else "F1"
        made += f"BT /{font} {size} Tf {x} {y} Td ({text.strip('*')}) Tj ET "
    return made


def pdf(*pages: list[str] | str, title: str = "") -> bytes:
    """Write a PDF by hand: for each page, its lines from top to bottom, or what draws it."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for lines in pages:
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream = f"BT /F1 12 Tf 72 720 Td {shown}ET" if lines else ""
        if isinstance(lines, str):
            stream = lines
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects) + 2} 0 R"
            " /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica"
            " /Encoding /WinAnsiEncoding >> /F2 << /Type /Font /Subtype /Type1"
            " /BaseFont /Helvetica-Bold >> >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append(f"<< /Title ({title}) >>")
    out = "%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>"
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n{end}\n"
    return (out + f"startxref\n{out.index('xref')}\n%%EOF\n").encode("latin-1")


def page(data: bytes, name: str = "reports/may.pdf") -> Page:
    found = Documents().parse(Record(data, 1), Source(Path(name), name))
    assert isinstance(found, Page)
    return found


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


def test_lines_are_joined_and_pages_are_known() -> None:
    found = page(
        pdf(
            ["The river is long and carries an extra-", "ordinary amount of sand. It is", "brown."],
            ["The second page."],
            title="Rivers of May",
        )
    )
    assert found.title == "reports/may.pdf"
    assert found.aliases == ("Rivers of May", "may")
    assert found.name == "Rivers of May"
    assert [found.provenance(place) for place in range(3)] == [
        Provenance("reports/may.pdf", 1),
        Provenance("reports/may.pdf", 1),
        Provenance("reports/may.pdf", 2),
    ]
    assert texts(found) == [
        "The river is long and carries an extraordinary amount of sand.",
        "It is brown.",
        "The second page.",
    ]


def test_running_heads_and_page_numbers_are_dropped() -> None:
    words = ["Rain falls.", "Snow melts.", "Wind blows.", "Sun shines."]
    found = page(
        pdf(*(["Annual report 2024", word, f"Page {n} of 4"] for n, word in enumerate(words)))
    )
    assert texts(found) == words


def cells(found: Page) -> list[list[str]]:
    return [[cell.text for cell in row] for table in found.tables for row in table.rows]


def test_rows_with_common_gaps_are_a_table() -> None:
    grid = [("City", "Units", "Share"), ("Oslo", "1,204", "12.5"), ("Bergen", "310", "3.2")]
    drawn = [
        (72.0 + 120 * column, 700.0 - 14 * row, text)
        for row, texts in enumerate(grid)
        for column, text in enumerate(texts)
    ]
    found = page(
        pdf(placed((72, 740, "Sales fell in all cities."), *drawn, (72, 630, "We expect more.")))
    )
    assert cells(found) == [list(row) for row in grid]
    assert [cell.header for row in found.tables[0].rows for cell in row[:1]] == [True, False, False]
    assert [s.text for s in found.sentences] == ["Sales fell in all cities.", "We expect more."]


def test_a_line_that_names_the_rows_below_stands_beside_them() -> None:
    lines = ["", "Women", "Ill", "Well", "Men", "Ill", "Well"]
    drawn = [(72.0, 700.0 - 14 * n, text) for n, text in enumerate(lines) if text]
    drawn += [(200.0, 700.0, "2023"), (280.0, 700.0, "2024")]
    for n in (2, 3, 5, 6):
        drawn += [(200.0, 700.0 - 14 * n, f"{n}1"), (280.0, 700.0 - 14 * n, f"{n}2")]
    drawn.sort(key=lambda one: (-one[1], one[0]))
    assert cells(page(pdf(placed(*drawn)))) == [
        ["", "", "2023", "2024"],
        ["Women", "Ill", "21", "22"],
        ["Well", "31", "32"],
        ["Men", "Ill", "51", "52"],
        ["Well", "61", "62"],
    ]


def test_headings_are_bold_or_large() -> None:
    body = placed((72, 660, "The plan is simple and short."), (72, 620, "*2.1 Costs"))
    found = page(pdf(placed((72, 700, "The great plan"), size=20) + body))
    assert [(b.text, b.level) for b in found.blocks if isinstance(b, Section)] == [
        ("The great plan", 1),
        ("2.1 Costs", 2),
    ]
    assert found.name == "The great plan"


def test_columns_are_read_one_after_the_other_however_they_were_drawn() -> None:
    left = [(72.0, 700.0 - 14 * n, f"left {n} of a column") for n in range(6)]
    right = [(320.0, 694.0 - 14 * n, f"right {n} of a column") for n in range(6)]
    mixed = [one for n in (3, 0, 5, 1, 4, 2) for one in (right[n], left[n])]
    said = " ".join(texts(page(pdf(placed(*mixed)))))
    assert re.findall(r"(left|right) (\d)", said) == [
        (side, str(n)) for side in ("left", "right") for n in range(6)
    ]


def test_bullets_are_a_list() -> None:
    found = page(pdf(["We sell:", "- apples that are red", "- pears"]))
    assert texts(found) == ["We sell:", "apples that are red", "pears"]


def test_a_hyphen_that_a_word_has_is_kept() -> None:
    found = page(pdf(["A well-known town. It is well-", "known, and beauti-", "ful."]))
    assert texts(found) == ["A well-known town.", "It is well-known, and beautiful."]


def test_a_paragraph_goes_on_over_the_page() -> None:
    found = page(pdf(["Rain falls. The river carries"], ["much water. Snow melts."]))
    assert texts(found) == ["Rain falls.", "The river carries much water.", "Snow melts."]
    assert found.page_breaks == (0, 2)


def test_pages_that_are_images_are_reported() -> None:
    data = pdf(["Some text."], _IMAGE, ["More text."])
    found = Documents().parse(Record(data, 1), Source(Path("a.pdf"), "a.pdf"))
    assert isinstance(found, Partial)
    assert found.problem == "page 2 is without text: images, recognise their text (OCR) first"
    assert texts(found.page) == ["Some text.", "More text."]
    assert found.page.page_breaks == (0, 1, 1)


@pytest.mark.parametrize("title", ["Microsoft Word - may.doc", "untitled", "123", "(anonymous)"])
def test_a_title_that_a_printer_wrote_is_no_alias(title: str) -> None:
    found = page(pdf(["Text."], title=title))
    assert (found.name, found.aliases) == ("may", ("may",))


def test_a_pdf_of_images_says_so() -> None:
    with pytest.raises(BadRecord, match=r"^reports/may\.pdf: the PDF holds no text: .*OCR"):
        page(pdf([], []))


def test_an_encrypted_pdf_says_so() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["Secret."])))
    writer.encrypt("password", algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    with pytest.raises(BadRecord, match=r"^reports/may\.pdf: the PDF is encrypted"):
        page(file.getvalue())


def test_a_pdf_that_only_forbids_printing_is_read() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["Not secret."])))
    writer.encrypt("", "owner", algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    assert texts(page(file.getvalue())) == ["Not secret."]


@pytest.mark.parametrize("data", [b"no pdf", b"%PDF-1.4 cut", pdf(["x"])[:200]])
def test_a_damaged_pdf_says_so(data: bytes) -> None:
    with pytest.raises(BadRecord, match=r"^reports/may\.pdf: the PDF is damaged"):
        page(data)


GOOD = pdf(["Some text."], ["More."])


@given(st.integers(0, len(GOOD) - 1), st.binary(min_size=1, max_size=4))
def test_any_damage_gives_a_page_or_a_reason(place: int, damage: bytes) -> None:
    try:
        data = GOOD[:place] + damage + GOOD[place + len(damage) :]
        Documents().parse(Record(data, 1), Source(Path("a"), "reports/may.pdf"))
    except BadRecord as bad:
        assert bad.path == "reports/may.pdf"  # noqa: PT017
