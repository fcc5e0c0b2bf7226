"""Resolve what nests in wikitext: comments, references, templates and links.

One pass with a stack, so that hostile nesting costs neither time nor recursion. What comes out
is text without `{{`, `}}`, `[[` and `]]`: a link has become a mark around its words, an infobox
a mark on a line of its own, and every other template either its words or nothing.
"""

import html
import re

from msgspec import Struct

from feverfew.errors import BadRecord
from feverfew.readers import wikitemplates
from feverfew.readers.wikinames import DISAMBIGUATION, HIDDEN, OTHER, PROJECTS
from feverfew.readers.wikitemplates import Arguments
from feverfew.text import without_parenthesis

__all__ = ["BOX", "BOX_END", "LINK", "LINK_END", "LINK_TEXT", "Marked", "resolve"]

# XML allows none of these characters, so no dump can hold them.
LINK, LINK_TEXT, LINK_END = "\x01", "\x02", "\x03"
"""A link is LINK number LINK_TEXT words LINK_END; the number counts `Marked.targets`."""
BOX, BOX_END = "\x04", "\x05"
"""An infobox is BOX number BOX_END; the number counts `Marked.infoboxes`."""
_MARKS = dict.fromkeys(range(1, 9))

DEEPEST = 80
"""MediaWiki itself gives up at 40 levels of templates."""


class Marked(Struct):
    """Text with marks, and what the marks point at."""

    text: str
    targets: list[str]
    infoboxes: list[Arguments]
    disambiguation: bool = False


def resolve(text: str, namespaces: tuple[str, ...] = ()) -> Marked:
    """Turn wikitext into marked text; `namespaces` are the wiki's own words for `File` and such.

    >>> resolve("An [[island]]{{citation needed}} of the [[Dutch Republic|Dutch]].").text
    'An \\x010\\x02island\\x03 of the \\x011\\x02Dutch\\x03.'
    """
    text = _without_hidden(text.translate(_MARKS) if _MARK.search(text) else text)
    return _Resolver(namespaces).run(text)


_MARK = re.compile("[\x01-\x08]")

# Tags whose content is no prose: it goes with them.
_DROPPED = (
    "ref|references|math|chem|ce|gallery|timeline|score|syntaxhighlight|source|imagemap|pre|hiero"
    "|graph|mapframe|maplink|templatedata|inputbox|categorytree|includeonly|indicator|charinsert"
    "|style|script|templatestyles|section|labeledsectiontransclusion"
)
_TAGS = re.compile(rf"<(?:!--|({_DROPPED}|nowiki)\b([^<>]*)>)", re.IGNORECASE)
_STRAY = re.compile(rf"</?(?:{_DROPPED}|nowiki)\b[^<>]*>|__[A-Z]{{3,30}}__", re.IGNORECASE)


def _without_hidden(text: str) -> str:
    """Drop comments and the tags whose content is no prose; keep what `nowiki` protects."""
    if "<" not in text and "__" not in text:
        return text
    lower = text.lower()
    pieces: list[str] = []
    unclosed: set[str] = set()
    at = 0
    while found := _TAGS.search(text, at):
        pieces.append(text[at : found.start()])
        at = found.end()
        name = (found[1] or "").lower()
        if name and found[2].endswith("/"):
            continue
        closing = f"</{name}" if name else "-->"
        # Remembered, or each of a million unclosed tags would search to the end of the text.
        end = -1 if closing in unclosed else lower.find(closing, at)
        if end < 0:
            unclosed.add(closing)
            continue
        if name == "nowiki":
            pieces.append(_protected(text[at:end]))
        at = end + 3 if not name else text.find(">", end) + 1 or len(text)
    pieces.append(text[at:])
    return _STRAY.sub("", "".join(pieces))


def _protected(text: str) -> str:
    """Write what is markup as entities, which are decoded only when all markup is gone."""
    return re.sub(r"[][{}|'=*#;:!<>~]", lambda m: f"&#{ord(m[0])};", text)


# A plain link is taken whole; only the rest needs the stack. The trail belongs to the link:
# [[bus]]es.
_TRAIL = "[a-zß-öø-ÿ]*"
_TOKEN = re.compile(
    rf"\[\[(?P<target>[^\[\]{{}}|\n]+)(?:\|(?P<words>[^\[\]{{}}|\n]*))?\]\](?P<trail>{_TRAIL})"
    rf"|\{{\{{|\}}\}}|\[\[|\]\](?P<end>{_TRAIL})"
)

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10}){0,2}|simple")
_HEADING_OR_BLANK = re.compile(r"\n\s*\n|\n=")


class _Resolver:
    """The state of one pass over one page."""

    def __init__(self, namespaces: tuple[str, ...]) -> None:
        self.hidden = HIDDEN | {name.lower() for name in namespaces}
        self.targets: list[str] = []
        self.infoboxes: list[Arguments] = []
        self.disambiguation = False

    def run(self, text: str) -> Marked:
        # Open brackets with what was read since, the page itself lowest.
        stack: list[tuple[str, list[str]]] = [("", [])]
        at = 0
        for token in _TOKEN.finditer(text):
            pieces = stack[-1][1]
            if token.start() > at:
                pieces.append(text[at : token.start()])
            at = token.end()
            if token["target"] is not None:
                pieces.append(self._link(token["target"], token["words"], token["trail"]))
                continue
            bracket = token[0][:2]
            if bracket in ("{{", "[["):
                if len(stack) > DEEPEST:
                    raise BadRecord(f"the markup is nested deeper than {DEEPEST} levels")
                stack.append((bracket, []))
            elif bracket == "]]":
                if stack[-1][0] == "[[":
                    body = "".join(stack.pop()[1])
                    target, bar, words = body.partition("|")
                    link = self._link(target, words if bar else None, token["end"])
                    stack[-1][1].append(link)
                else:
                    pieces.append(token["end"])
            elif any(opened == "{{" for opened, _ in stack):
                while stack[-1][0] != "{{":
                    self._abandon(stack)
                body = "".join(stack.pop()[1])
                inside = any(opened == "{{" for opened, _ in stack)
                stack[-1][1].append(self._template(body, inside))
        stack[-1][1].append(text[at:])
        while len(stack) > 1:
            self._abandon(stack)
        whole = "".join(stack[0][1])
        return Marked(whole, self.targets, self.infoboxes, self.disambiguation)

    def _abandon(self, stack: list[tuple[str, list[str]]]) -> None:
        """Give the content of a bracket that is never closed back to the text around it."""
        opened, pieces = stack.pop()
        body = "".join(pieces)
        if opened == "{{" or body.partition(":")[0].strip().lower() in self.hidden:
            # Half a template is no prose: go on behind its paragraph.
            found = _HEADING_OR_BLANK.search(body)
            body = body[found.start() :] if found else ""
        stack[-1][1].append(body)

    def _link(self, target: str, words: str | None, trail: str) -> str:
        """Mark a link to a page; leave the words of others, and nothing of pictures."""
        prefix, colon, rest = target.partition(":")
        namespace = prefix.strip().lower() if colon else ""
        shown = words if words is not None else target.strip().lstrip(":")
        if namespace:
            if namespace in self.hidden:
                return trail
            if namespace in PROJECTS or namespace in OTHER or namespace.endswith(" talk"):
                return shown + trail
            if _LANGUAGE.fullmatch(prefix) and not rest.startswith(" "):
                # Beside the article, not in it, as far as it has no words of its own.
                return (words or "") + trail
        if words is not None and not words.strip():
            shown = without_parenthesis(target.strip())
        page = target.lstrip(" :").partition("#")[0]
        shown = _plain(shown) + trail
        if not (page := _title(page)):
            return shown
        if colon and not namespace:
            # [[:Category:Films]] is a visible link, yet to no article.
            inner = target.lstrip(" :").partition(":")
            if inner[1] and (
                inner[0].lower() in self.hidden | PROJECTS | OTHER or _LANGUAGE.fullmatch(inner[0])
            ):
                return shown
        return self._mark(page, shown)

    def _mark(self, target: str, words: str) -> str:
        self.targets.append(target)
        return f"{LINK}{len(self.targets) - 1}{LINK_TEXT}{words}{LINK_END}"

    def _template(self, body: str, inside: bool) -> str:
        arguments = Arguments.read(body)
        name = arguments.name
        if name in DISAMBIGUATION or (
            name.endswith(("disambiguation", "disambig")) and not name.startswith("r ")
        ):
            self.disambiguation = True
            return ""
        if wikitemplates.is_infobox(name):
            self.infoboxes.append(arguments)
            mark = f"{BOX}{len(self.infoboxes) - 1}{BOX_END}"
            return mark if inside else f"\n{mark}\n"
        return wikitemplates.words(arguments, self._mark)


def _plain(words: str) -> str:
    """Take the marks of inner links away; a link cannot hold another."""
    if LINK in words:
        words = re.sub(f"{LINK}[0-9]+{LINK_TEXT}|{LINK_END}", "", words)
    return words.replace("\n", " ")


def _title(target: str) -> str:
    """Spell a link's target as the page's title is spelled."""
    if "&" in target:
        target = html.unescape(target)
    title = " ".join(_plain(target).replace("_", " ").split())
    return title[:1].upper() + title[1:]
