import io
from pathlib import Path

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import Page, Provenance


def pdf(*pages: list[str], title: str = "") -> bytes:
    """Write a PDF by hand: for each page, its lines from top to bottom."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for lines in pages:
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream = f"BT /F1 12 Tf 72 720 Td {shown}ET" if lines else ""
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects) + 2} 0 R"
            " /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica"
            " /Encoding /WinAnsiEncoding >> >> >> >>"
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
        page(GOOD[:place] + damage + GOOD[place + len(damage) :])
    except BadRecord as bad:
        assert bad.path == "reports/may.pdf"  # noqa: PT017
