"""What a kind of document hands back: its blocks, and the titles it gives itself."""

from msgspec import Struct

from feverfew.types import Block

__all__ = ["Content"]


class Content(Struct, frozen=True):
    """A document's content, before it becomes a page."""

    blocks: tuple[Block, ...]
    titles: tuple[str, ...] = ()
    """May hold blanks and doubles: whoever makes the page sorts them out."""
