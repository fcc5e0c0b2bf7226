"""Where everything on the page is: one place that writes the site's urls.

Addresses lead to the corpus that the page is about; see `corpora`.
"""

from pathlib import PurePosixPath
from urllib.parse import quote, urlencode

from msgspec import Struct

from feverfew.server.corpora import BASE
from feverfew.server.library import PrivateCorpus
from feverfew.types import Evidence, Ref

__all__ = [
    "anchor",
    "at",
    "audit_at",
    "check_at",
    "element_at",
    "export_at",
    "file_at",
    "json_at",
    "page_at",
    "search_at",
    "source_of",
]


def at(path: str) -> str:
    """Return an address within the corpus that the page is about."""
    return BASE.get() + path


def page_at(title: str) -> str:
    """Return the address of a page: '/pages/AC%2FDC'."""
    return at(f"/pages/{quote(title, safe='')}")


def json_at(title: str) -> str:
    """Return the address of a page as programs read it."""
    return at(f"/v1/pages/{quote(title, safe='')}")


def anchor(ref: Ref) -> str:
    """Name an element within its page: 'cell_0_2_1'."""
    return f"{ref.kind}_{ref.position_text}"


def element_at(ref: Ref) -> str:
    """Return the address of an element, on its page."""
    return f"{page_at(ref.page)}#{anchor(ref)}" if ref.position else page_at(ref.page)


def check_at(claim: str, reading: str = "") -> str:
    """Return the address where a claim, or a short text, is checked: its permalink."""
    return at("/check?") + urlencode({"claim": claim, **({"as": reading} if reading else {})})


def export_at(claim: str, form: str, reading: str = "") -> str:
    """Return the address of a check as a file: csv, json, html or docx."""
    asked = {"claim": claim, **({"as": reading} if reading else {}), "form": form}
    return at("/export?") + urlencode(asked)


def audit_at(claim: str, form: str, reading: str = "") -> str:
    """Return the address of a claim's audit report; the form is json or html."""
    asked = {"claim": claim, **({"as": reading} if reading else {}), "form": form}
    return at("/audit?") + urlencode(asked)


def search_at(query: str) -> str:
    """Return the address of a search."""
    return at("/search?") + urlencode({"q": query})


def file_at(path: str, private: PrivateCorpus | None) -> str:
    """Return the address of a file that someone uploaded; "" if it is not kept here."""
    name = quote(PurePosixPath(path).name, safe="")
    return f"/library/{private.name}/files/{name}" if private and name else ""


class SourceLink(Struct, frozen=True):
    """The file that evidence stands in."""

    href: str
    label: str


def source_of(piece: Evidence, private: PrivateCorpus | None) -> SourceLink | None:
    """Return where the file of a piece of evidence is, at its page; None if it is not kept here."""
    source = piece.source
    if private is None or source is None:
        return None
    name, href = PurePosixPath(source.path).name, file_at(source.path, private)
    if source.page is None:
        return SourceLink(href, name)
    return SourceLink(f"{href}#page={source.page}", f"{name}, page {source.page}")
