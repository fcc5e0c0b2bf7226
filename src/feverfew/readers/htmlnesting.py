"""Refuse HTML whose nesting would keep the parser busy for hours.

The parser's time grows with the square of the depth of blocks and of a tag's attributes, and a
browser's rules repeat every unclosed `<b>` in each block that follows. All this is counted here
before it starts.
"""

import re

from feverfew.errors import BadRecord
from feverfew.readers.htmlsites import names

__all__ = ["check_nesting"]

_DEEPEST = 15_000
_MOST_REPEATED = 5_000_000
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_CROWDED = re.compile(r"<[a-zA-Z](?:[^<>\s]*+\s++){10000}")
_FORMATTING = names("b big code em font i nobr s small strike strong tt u")
# What the next of its kind closes, or what cannot hold anything.
_SELF_CLOSING = names(
    "a p li dt dd option optgroup td th tr tbody thead tfoot colgroup area base br col embed hr img"
    " input link meta param source track wbr html head body"
)


def check_nesting(text: str, path: str) -> None:
    """Raise BadRecord for markup that is nested absurdly deep."""
    depth = formats = deepest = most_formats = tags = 0
    for closing, name in _TAG.findall(text):
        tags += 1
        name = name.lower()
        if name in _FORMATTING:
            formats = max(formats - 1, 0) if closing else formats + 1
            most_formats = max(most_formats, formats)
        elif name not in _SELF_CLOSING:
            depth = max(depth - 1, 0) if closing else depth + 1
            deepest = max(deepest, depth)
    if _CROWDED.search(text):
        raise BadRecord("a tag has thousands of attributes", path=path)
    if deepest > _DEEPEST:
        raise BadRecord(f"the elements are nested {deepest} deep", path=path)
    if most_formats * tags > _MOST_REPEATED and most_formats > 100:
        raise BadRecord(f"{most_formats} formatting tags are left open", path=path)
