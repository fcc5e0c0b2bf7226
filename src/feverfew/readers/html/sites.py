"""What to see and what to pass over on Wikipedia's pages, and on any other site's."""

import re
from collections.abc import Callable
from functools import partial

from msgspec import Struct
from selectolax.lexbor import LexborNode

from feverfew.readers.links import document_target, wiki_target


def names(words: str) -> frozenset[str]:
    """Make a set of tags, classes or ids from a line of them."""
    return frozenset(words.split())


_NEVER_SEEN = names(
    "script style template noscript head title meta link svg canvas audio video object iframe"
    " button select textarea input map rp"
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class Site(Struct, frozen=True):
    """How a kind of website marks its links and its furniture."""

    target: Callable[[str], str]
    """From an href to the title of the page it leads to, "" for a link that is none of ours."""
    level: int
    """What to take from a heading's number to get a section's level: 1 where h2 is the first."""
    tags: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()


WIKI = Site(
    target=wiki_target,
    level=1,
    tags=frozenset({"figure"}),
    classes=names(
        "mw-editsection editsection reference navbox vertical-navbox navbox-styles sidebar metadata"
        " ambox noprint toc hatnote dablink thumb gallery mw-references-wrap references reflist"
        " mw-cite-backlink sortkey persondata navbar printfooter catlinks mw-jump-link asbox"
        " sistersitebox portalbox geo-nondefault geo-multi-punct error navigation-not-searchable"
        " shortdescription mw-indicators Z3988 Inline-Template mw-redirectedfrom mw-empty-elt"
        " vector-toc autonumber haudio audiolink ext-phonos dmbox"
        " side-box sister-box portal-bar mw-ext-cite-error"
    ),
    ids=names("toc catlinks siteSub contentSub contentSub2 coordinates disambigbox"),
    roles=frozenset({"navigation"}),
)


def document_site(name: str, furniture: frozenset[str] = frozenset()) -> Site:
    """Return how to read the source of this name, a page of no wiki, without some tags."""
    return Site(
        target=partial(document_target, name=name),
        level=0,
        tags=furniture,
        classes=names("headerlink noprint breadcrumb breadcrumbs footnote-reference"),
        roles=names("navigation banner contentinfo search complementary doc-noteref doc-backlink"),
    )


def is_dropped(node: LexborNode, tag: str, site: Site) -> bool:
    """Say whether an element is hidden, or furniture rather than content."""
    if tag in _NEVER_SEEN or tag in site.tags:
        return True
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("id") in site.ids:
        return True
    if attributes.get("role") in site.roles:
        return True
    if (style := attributes.get("style")) and _HIDDEN.search(style):
        return True
    names = attributes.get("class")
    return bool(names) and not site.classes.isdisjoint((names or "").split())
