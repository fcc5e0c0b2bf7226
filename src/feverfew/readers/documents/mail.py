"""Mail messages (.eml): who wrote to whom and when as a box of facts, then the text.

Of a message in several forms, HTML is read: it has tables. Messages that were forwarded as a whole
follow under their subjects. Other attachments are named, not read. Quoted lines lose their marks.
"""

import datetime
import email
import email.policy
import re
from email.errors import MessageError
from email.message import EmailMessage

from feverfew.errors import BadRecord
from feverfew.readers.base import Record, Source
from feverfew.readers.blocks import Blocks, Content, TableCell
from feverfew.readers.documents.text import read_paragraphs
from feverfew.readers.html.page import read_markup
from feverfew.readers.html.sites import document_site

__all__ = ["read_mail"]

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_DEEPEST = 3
# What the library raises on headers and encodings that break the rules.
_FAULTS = (MessageError, ValueError, LookupError, AttributeError, TypeError, RecursionError)


def read_mail(record: Record, source: Source) -> Content:
    """Read a message."""
    try:
        message = email.message_from_bytes(record.data, policy=email.policy.default)
        if not any(name in message for name in ("From", "Date", "Subject", "Message-ID")):
            raise BadRecord("the file is not a mail message: it has no headers", path=source.name)
        blocks = Blocks()
        _read_message(message, blocks, source, 0)
        return Content(blocks.done(), (_header(message, "Subject"),))
    except _FAULTS as error:
        why = f"{type(error).__name__}: {error}".rstrip(": ")
        raise BadRecord(f"the message is damaged ({why})", path=source.name) from None


def _read_message(message: EmailMessage, blocks: Blocks, source: Source, depth: int) -> None:
    files: list[str] = []
    forwarded: list[EmailMessage] = []
    for part in message.walk() if message.is_multipart() else ():
        if part.get_content_type() == "message/rfc822" and depth < _DEEPEST:
            forwarded += [inner for inner in part.iter_parts() if isinstance(inner, EmailMessage)]
        elif name := part.get_filename():
            files.append(" ".join(name.split()))
    facts = [(name, _header(message, name)) for name in _SHOWN]
    facts.append(("Attachments", ", ".join(files)))
    rows = [[TableCell([key], header=True), TableCell([text])] for key, text in facts if text]
    blocks.table(rows, infobox=True)
    body = message.get_body(("html", "plain"))
    if isinstance(body, EmailMessage):
        text = body.get_content()
        if body.get_content_subtype() == "html":
            read_markup(text, blocks, document_site(source.name), source.name)
        else:
            read_paragraphs(_QUOTED.sub("", text).replace("\r\n", "\n"), blocks)
    for inner in forwarded:
        blocks.section(_header(inner, "Subject") or "Forwarded message")
        _read_message(inner, blocks, source, depth + 1)


def _header(message: EmailMessage, name: str) -> str:
    """Return a header as people read it; a date as in spreadsheets."""
    header = message.get(name)
    when = getattr(header, "datetime", None)
    if isinstance(when, datetime.datetime):
        return when.isoformat(" ", "minutes")
    return " ".join(str(header or "").split())
