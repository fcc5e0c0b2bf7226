"""FEVEROUS's links in running text: `[[Target_page|text]]`, also cut across sentences."""

import re
from collections.abc import Sequence
from urllib.parse import unquote

from feverfew.text import display_title
from feverfew.types import Link

__all__ = ["link_target", "read_links", "read_links_across"]

_CUT = "\x1e"
"""Stands between two sentences while we look for links that were cut there."""

_PIECE = r"[^\[\]|\x1e]*"
_TEXT = r"[^\[\]\x1e]*"
_LINK = re.compile(
    rf"\[\[(?P<target>{_PIECE}(?:\x1e{_PIECE})?)(?P<pipe>\|(?P<text>{_TEXT}(?:\x1e{_TEXT})?))?\]\]"
)
# What is left over of a link whose other half is gone.
_REMAINS = re.compile(rf"\[\[(?:{_PIECE}\|)?|\]\]")


def read_links(text: str) -> tuple[str, tuple[Link, ...]]:
    """Part text from its links.

    >>> read_links("In [[Fritz_Lang#Life|Lang]]'s [[Metropolis]].")[0]
    "In Lang's Metropolis."
    """
    if "[[" not in text and "]]" not in text:
        return text.strip(), ()
    ((plain, links),) = read_links_across([text])
    return plain, links


def read_links_across(texts: Sequence[str]) -> list[tuple[str, tuple[Link, ...]]]:
    """Part consecutive sentences from their links, mending those cut between two of them.

    >>> read_links_across(["Born in [[St.", "_Louis|St. Louis]]."])
    [('Born in', ()), ('St. Louis.', (Link(target='St. Louis', text='St. Louis'),))]
    """
    if not any("[[" in text or "]]" in text for text in texts):
        return [(text.strip(), ()) for text in texts]
    whole = _CUT.join(text.replace(_CUT, " ") for text in texts)
    plain: list[str] = []
    links: list[list[Link]] = [[] for _ in texts]
    at = sentence = 0
    for match in _LINK.finditer(whole):
        between = whole[at : match.start()]
        plain.append(_REMAINS.sub("", between))
        sentence += between.count(_CUT)
        at = match.end()
        if match["pipe"]:
            # Targets hold no blanks, so the cut within one left nothing out.
            target, shown = match["target"].replace(_CUT, ""), match["text"]
            if _CUT in match["target"]:
                plain.append(_CUT)
                sentence += 1
        else:
            target, shown = match["target"].replace(_CUT, " "), match["target"]
        plain.append(shown)
        title = link_target(target)
        if title and (text := shown.replace(_CUT, " ").strip()):
            links[sentence].append(Link(title, text))
        sentence += shown.count(_CUT)
    plain.append(_REMAINS.sub("", whole[at:]))
    read = "".join(plain).split(_CUT)
    return [(text.strip(), tuple(found)) for text, found in zip(read, links, strict=True)]


def link_target(target: str) -> str:
    """Spell the page that a link leads to; nothing for a link within the page or to a web site.

    >>> link_target("Rock_%26_roll#Origins")
    'Rock & roll'
    """
    if "%" in target:
        target = unquote(target)
    target = target.partition("#")[0]
    if target.startswith(("http://", "https://")):
        return ""
    return display_title(target).strip()
