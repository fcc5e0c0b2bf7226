"""Turn an href into the title of the page that it leads to."""

import posixpath
import re
from functools import lru_cache
from urllib.parse import parse_qs, unquote, urlsplit

__all__ = ["document_target", "wiki_target"]

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
