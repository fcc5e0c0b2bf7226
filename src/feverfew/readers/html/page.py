"""Saved HTML pages: Wikipedia's (and any MediaWiki's), and any other site's.

A wiki's page is titled as the wiki titles it, so that links between pages hold. Any other page
has its file's name for an id, as every document has, and is called by its own title.

Markup whose nesting would keep the parser busy for hours is refused first: the parser's time grows
with the square of the depth and of a tag's attributes, and a browser's rules repeat every unclosed
`<b>` in each block that follows.
"""

import codecs
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import parse_qs, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from feverfew.errors import BadRecord
from feverfew.readers.base import Parsed, Record, Source
from feverfew.readers.blocks import Blocks
from feverfew.readers.documents.titles import names_of
from feverfew.readers.files import read_as_text, whole_file
from feverfew.readers.html.sites import WIKI, Site, document_site, names
from feverfew.readers.html.text import read_blocks, read_text
from feverfew.readers.links import wiki_target
from feverfew.types import Page, Redirect

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


# In XHTML any element may close itself, which HTML's rules would leave open to the end.
_CLOSES_ITSELF = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)"
    r"([a-zA-Z][\w.-]*)((?:\s[^<>]*)?)/>",
    re.IGNORECASE,
)


def parse_markup(text: str, path: str) -> LexborHTMLParser:
    """Parse HTML or XHTML; refuse what is nested absurdly deep."""
    check_nesting(text, path)
    if text.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        text = _CLOSES_ITSELF.sub(r"<\1\2></\1>", text)
    return LexborHTMLParser(text)


def read_markup(text: str, blocks: Blocks, site: Site, path: str) -> LexborHTMLParser:
    """Read the body of HTML or XHTML into blocks; return its tree."""
    tree = parse_markup(text, path)
    if tree.body is not None:
        read_blocks(tree.body, blocks, site)
    return tree


_FURNITURE = frozenset({"nav", "header", "footer", "aside", "form", "dialog"})
_DECLARED = re.compile(rb"""<meta\b[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_SURELY_HTML = re.compile(
    rb"\s*+(?:<\?xml[^>]*>\s*+)?(?:<!--(?>.*?-->)\s*+)*+<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_LIKE_HTML = re.compile(
    rb"<(?:p|div|table|ul|ol|h[1-6]|span|a|body|head|title|section|article|main|br)\b",
    re.IGNORECASE,
)
_SITE_NAME = re.compile(r"\s+[-–—|]\s+(?:\w+ )?Wikipedia\b.*$", re.DOTALL)
_WIKI_COMMENT = re.compile(r"\s*<!--[^>]{0,300}wikipedia\.org/wiki", re.IGNORECASE)


class Html:
    """One page a file."""

    name = "html"

    def recognises(self, head: bytes, source: Source) -> bool:
        if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            head = head.decode("utf-16", "ignore").encode()
        if _SURELY_HTML.match(head.removeprefix(codecs.BOM_UTF8)):
            return True
        return _suffix(source.name) in {".html", ".htm", ".xhtml"} and bool(_LIKE_HTML.search(head))

    def records(self, source: Source) -> Iterator[Record]:
        return whole_file(source)

    def parse(self, record: Record, source: Source) -> Parsed:
        declared = _DECLARED.search(record.data[:4096])
        text = read_as_text(record, source, declared[1].decode("ascii") if declared else "")
        tree = parse_markup(text, source.name)
        if _is_wiki(tree, text):
            return _wiki_page(tree, source)
        return _other_page(tree, source)


def _suffix(name: str) -> str:
    path = PurePosixPath(name.lower())
    if path.suffix in {".gz", ".bz2", ".xz", ".zst"}:
        path = path.with_suffix("")
    return path.suffix


def _is_wiki(tree: LexborHTMLParser, text: str) -> bool:
    if tree.css_first("#mw-content-text, .mw-parser-output, #firstHeading, .mw-headline"):
        return True
    if tree.css_first('link[rel="dc:isVersionOf"], meta[property^="mw:"]'):
        return True
    return bool(_WIKI_COMMENT.match(text))


def _wiki_page(tree: LexborHTMLParser, source: Source) -> Parsed:
    title, aliases = _wiki_title(tree), []
    redirect = tree.css_first('link[rel="mw:PageProp/redirect"], .redirectText a')
    if title and redirect:
        return Redirect(title, wiki_target(redirect.attributes.get("href") or ""))
    if came_from := tree.css_first(".mw-redirectedfrom a"):
        aliases.append(read_text(came_from, WIKI))
    root = (
        tree.css_first("#mw-content-text .mw-parser-output")
        or tree.css_first(".mw-parser-output, #mw-content-text, #bodyContent")
        or _body(tree)
    )
    blocks = Blocks()
    read_blocks(root, blocks, WIKI)
    if not title and (subject := _subject(root)):
        aliases.append(subject)
    page = Page(
        title=title or source.name,
        blocks=blocks.done(),
        aliases=tuple(aliases),
        disambiguation=_is_disambiguation(tree, title),
        source=source.name,
    )
    return _with_text(page)


def _wiki_title(tree: LexborHTMLParser) -> str:
    if heading := tree.css_first("#firstHeading"):
        return read_text(heading, WIKI)
    # A rendered body alone names its title only where it offers to edit its sections.
    for link in tree.css(".mw-editsection a, .editsection a"):
        query = parse_qs(urlsplit(link.attributes.get("href") or "").query)
        if "section" in query and not query["section"][0].startswith("T"):
            return " ".join(query.get("title", [""])[0].replace("_", " ").split())
    written = tree.css_first("head title")
    return _SITE_NAME.sub("", written.text().strip()) if written else ""


def _subject(root: LexborNode) -> str:
    """Return what an article is about: the bold words with which it begins."""
    for paragraph in root.css("p"):
        if begin := read_text(paragraph, WIKI):
            bold = paragraph.css_first("b")
            words = read_text(bold, WIKI) if bold else ""
            return words if words and words in begin[: len(words) + 5] else ""
    return ""


def _is_disambiguation(tree: LexborHTMLParser, title: str) -> bool:
    if title.endswith("(disambiguation)"):
        return True
    marks = (
        "#disambigbox, .disambigbox, .dmbox-disambig, "
        '[property="mw:PageProp/disambiguation"], [rel="mw:PageProp/disambiguation"], '
        '#catlinks a[href*="isambiguation_pages"], link[href*="isambiguation_pages"]'
    )
    return tree.css_first(marks) is not None


def _other_page(tree: LexborHTMLParser, source: Source) -> Page:
    root, dropped = _main(tree)
    plain = document_site(source.name)
    title, heading = (
        read_text(node, plain) if (node := tree.css_first(where)) else ""
        for where in ("head title", "h1")
    )
    # 'Travel policy | Intranet': the heading is the same without the site's name.
    titles = (heading, title) if title.startswith(heading) else (title, heading)
    blocks = Blocks()
    read_blocks(root, blocks, document_site(source.name, dropped))
    if not blocks.done():
        # Some sites put their whole page into a form or an aside.
        read_blocks(_body(tree), blocks, plain)
    name, aliases = names_of(titles, source.name)
    return _with_text(
        Page(
            title=source.name,
            blocks=blocks.done(),
            aliases=aliases,
            source=source.name,
            name=name,
        )
    )


def _main(tree: LexborHTMLParser) -> tuple[LexborNode, frozenset[str]]:
    """Return where the content lies, and the tags that are furniture there."""
    inside = _FURNITURE - {"header"}  # an article's own header holds its heading
    for where in ("main, [role=main]", "article"):
        found = tree.css(where)
        if len(found) == 1:
            return found[0], inside
    return _body(tree), _FURNITURE


def _body(tree: LexborHTMLParser) -> LexborNode:
    if tree.body is None:
        # Only a page of frames has none; an element without content stands for it.
        return tree.create_node("body")
    return tree.body


def _with_text(page: Page) -> Page:
    if not page.blocks:
        raise BadRecord("the page holds no text", path=page.source)
    return page
