"""A page as JSON's types, with names that stay."""

import hashlib

import msgspec

from feverfew.types import Page

__all__ = ["page_fingerprint", "page_json"]


def page_json(page: Page) -> dict[str, object]:
    """Turn a page into what `feverfew show --json` prints."""
    return {
        "title": page.title,
        "aliases": page.aliases,
        "disambiguation": page.disambiguation,
        "source": page.source,
        "elements": [{"id": str(ref), "text": text} for ref, text in page.elements()],
        "links": [
            {"id": str(ref), "target": link.target, "text": link.text} for ref, link in page.links()
        ],
        "fingerprint": page_fingerprint(page),
    }


def page_fingerprint(page: Page) -> str:
    """Name a page's content: equal for equal pages, whatever corpus they are in."""
    return hashlib.blake2b(msgspec.msgpack.encode(page), digest_size=8).hexdigest()
