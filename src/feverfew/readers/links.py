"""From a link as it is written to the title of the page it leads to."""

import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import parse_qs, unquote, urlsplit

from feverfew.text import display_title
from feverfew.types import Link

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


_NAMESPACE = re.compile(
    r"(?:file|image|category|special|help|wikipedia|wp|template|portal|user|mediawiki|module"
    r"|draft|book|timedtext|media|talk|(?:\w+[ _])+talk):",
    re.IGNORECASE,
)
_WIKI_PATH = re.compile(r"(?:^|.*/)wiki/(.+)|^\./(.+)", re.DOTALL)


@lru_cache(maxsize=4096)  # a page links to the same few places again and again
def wiki_target(href: str) -> str:
    """Return the title of the article that a wiki's link leads to, or "" if to none.

    >>> wiki_target("//en.wikipedia.org/wiki/Besan%C3%A7on_(town)#History")
    'Besançon (town)'
    """
    try:
        parts = urlsplit(href.strip())
    except ValueError:
        return ""
    if parts.scheme not in {"", "http", "https"}:
        return ""
    if parts.path.endswith("/index.php"):
        # A link to a page that nobody has written yet.
        title = parse_qs(parts.query).get("title", [""])[0]
    elif match := _WIKI_PATH.match(parts.path):
        title = unquote(match[1] or match[2])
    else:
        return ""
    title = " ".join(title.replace("_", " ").split())
    return "" if _NAMESPACE.match(title) else title


def document_target(href: str, name: str) -> str:
    """Return where a document's link leads: another source's name, or an address on the web.

    >>> document_target("../staff/anna.md#cv", "travel/policy.md")
    'staff/anna.md'
    """
    try:
        parts = urlsplit(href.strip())
    except ValueError:
        return ""
    if parts.scheme in {"http", "https"}:
        return parts._replace(fragment="").geturl()
    if parts.scheme or parts.netloc or not parts.path:
        return ""
    path = unquote(parts.path).replace("\\", "/")
    if path.endswith("/"):
        path += "index.html"
    folder = "" if path.startswith("/") else posixpath.dirname(name)
    return posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
