"""Marks that stand in text for what was resolved in it.

XML allows none of these characters, so no dump can hold them.
"""

__all__ = ["ANY_MARK", "BOX", "BOX_END", "GONE", "LINK", "LINK_END", "LINK_TEXT"]

LINK, LINK_TEXT, LINK_END = "\x01", "\x02", "\x03"
"""A link is LINK number LINK_TEXT words LINK_END; the number counts `Marked.targets`."""

BOX, BOX_END = "\x04", "\x05"
"""An infobox is BOX number BOX_END; the number counts `Marked.infoboxes`."""

GONE = "\x06"
"""Where something that shows words was dropped: `(GONE)` was not empty, `main()` was."""

ANY_MARK = LINK + LINK_TEXT + LINK_END + BOX + BOX_END + GONE
