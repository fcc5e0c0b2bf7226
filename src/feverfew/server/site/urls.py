"""Where everything on the page is: one place that writes the site's urls."""

from urllib.parse import quote, urlencode

from feverfew.types import Ref

__all__ = ["anchor", "audit_at", "check_at", "element_at", "page_at", "search_at"]


def page_at(title: str) -> str:
    """Return the address of a page: '/pages/AC%2FDC'."""
    return f"/pages/{quote(title, safe='')}"


def anchor(ref: Ref) -> str:
    """Name an element within its page: 'cell_0_2_1'."""
    return f"{ref.kind}_{ref.position_text}"


def element_at(ref: Ref) -> str:
    """Return the address of an element, on its page."""
    return f"{page_at(ref.page)}#{anchor(ref)}" if ref.position else page_at(ref.page)


def check_at(claim: str, reading: str = "") -> str:
    """Return the address where a claim, or a short text, is checked: its permalink."""
    return "/check?" + urlencode({"claim": claim, **({"as": reading} if reading else {})})


def audit_at(claim: str, form: str, reading: str = "") -> str:
    """Return the address of a claim's audit report; the form is json or html."""
    asked = {"claim": claim, **({"as": reading} if reading else {}), "form": form}
    return "/audit?" + urlencode(asked)


def search_at(query: str) -> str:
    """Return the address of a search."""
    return "/search?" + urlencode({"q": query})
