from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.documents.reader import Documents
from feverfew.types import Page, Section, Table


def page(data: bytes) -> Page:
    found = Documents().parse(Record(data, 1), Source(Path("in/1.eml"), "in/1.eml"))
    assert isinstance(found, Page)
    return found


def texts(found: Page) -> list[str]:
    return [text for _, text in found.elements()][1:]


def message(body: str = "We meet at ten.\n\nBring boots.\n") -> EmailMessage:
    made = EmailMessage()
    made["From"] = "Anna Berg <anna@example.org>"
    made["To"] = "Ola <ola@example.org>"
    made["Subject"] = "Møte på tirsdag"
    made["Date"] = "Tue, 5 Mar 2024 09:30:00 +0100"
    made.set_content(body)
    return made


def test_headers_are_a_box_of_facts_and_the_subject_is_the_title() -> None:
    found = page(message().as_bytes())
    assert found.name == "Møte på tirsdag"
    box = found.blocks[0]
    assert isinstance(box, Table)
    assert box.infobox
    assert [[cell.text for cell in row] for row in box.rows] == [
        ["From", "Anna Berg <anna@example.org>"],
        ["To", "Ola <ola@example.org>"],
        ["Date", "2024-03-05 09:30+01:00"],
        ["Subject", "Møte på tirsdag"],
    ]
    assert texts(found)[-2:] == ["We meet at ten.", "Bring boots."]


def test_html_is_read_before_plain_text_and_attachments_are_named() -> None:
    made = message("plain")
    made.add_alternative("<p>It costs <b>5</b> euros.</p><table><tr><th>a<td>b</table>", "html")
    made.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="plan.pdf")
    found = page(made.as_bytes())
    assert "It costs 5 euros." in texts(found)
    assert "plain" not in texts(found)
    assert texts(found)[-2:] == ["a", "b"]
    assert texts(found)[texts(found).index("Attachments") + 1] == "plan.pdf"


def test_a_forwarded_message_follows_under_its_subject() -> None:
    outer = message("See below.")
    inner = message("The bridge is closed.")
    inner.replace_header("Subject", "Bridge")
    outer.add_attachment(inner)
    found = page(outer.as_bytes())
    assert Section(0, "Bridge") in found.blocks
    assert texts(found)[-1] == "The bridge is closed."
    assert texts(found).count("The bridge is closed.") == 1


def test_quoted_lines_lose_their_marks() -> None:
    found = page(message("Yes.\n\n> Is it open?\n> > It was.\n").as_bytes())
    assert texts(found)[-2:] == ["Yes.", "Is it open? It was."] or texts(found)[-3:] == [
        "Yes.",
        "Is it open?",
        "It was.",
    ]


def test_a_file_without_headers_is_no_message() -> None:
    with pytest.raises(BadRecord, match="not a mail message"):
        page(b"Just some text.\n\nMore.\n")


def test_an_unknown_charset_is_reported() -> None:
    data = message("caf\xe9").as_bytes().replace(b'charset="utf-8"', b'charset="x-none"')
    with pytest.raises(BadRecord, match="the message is damaged"):
        page(data)


@given(st.binary(max_size=300))
def test_anything_gives_a_page_or_a_reason(data: bytes) -> None:
    whole = b"Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n" + data
    with suppress(BadRecord):
        assert page(whole).blocks
