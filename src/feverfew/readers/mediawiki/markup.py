"""Resolve what nests in wikitext: comments, references, templates and links.

One pass with a stack, so that hostile nesting costs neither time nor recursion. What comes out
is text without `{{`, `}}`, `[[` and `]]`: a link has become a mark around its words, an infobox
a mark on a line of its own, and every other template either its words or nothing.
"""

import html
import re

from msgspec import Struct

from feverfew.errors import BadRecord
from feverfew.readers.mediawiki import templates
from feverfew.readers.mediawiki.runs import (
    ANY_MARK,
    BOX,
    BOX_END,
    GONE,
    LINK,
    LINK_END,
    LINK_TEXT,
)
from feverfew.readers.mediawiki.templates import DISAMBIGUATION, HIDDEN, OTHER, PROJECTS, Arguments
from feverfew.text import without_parenthesis

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
    'An \\x010\\x02island\\x03\\x06 of the \\x011\\x02Dutch\\x03.'
    """
    for mark in ANY_MARK:
        text = text.replace(mark, "")
    return _Resolver(namespaces).run(_without_hidden(text))


# Tags whose content is no prose: it goes with them.
_DROPPED = (
    "ref|references|math|chem|ce|gallery|timeline|score|syntaxhighlight|source|imagemap|pre|hiero"
    "|graph|mapframe|maplink|templatedata|inputbox|categorytree|includeonly|indicator|charinsert"
    "|style|script|templatestyles|section|labeledsectiontransclusion"
)
_TAGS = re.compile(rf"<(?:!--|({_DROPPED}|nowiki)\b([^<>]*)>)", re.IGNORECASE)
_CLOSING = {
    name: re.compile(rf"</{name}\b[^<>]*>?", re.IGNORECASE)
    for name in (*_DROPPED.split("|"), "nowiki")
} | {"": re.compile("-->")}
_STRAY = re.compile(rf"</?(?:{_DROPPED}|nowiki)\b[^<>]*>|__[A-Z]{{3,30}}__", re.IGNORECASE)


# A formula that reads as plain text: E=mc, a+b, 3.
_SPOKEN_FORMULA = re.compile(r"[A-Za-z0-9 +=*/(),.<>-]{1,40}")


def _without_hidden(text: str) -> str:
    """Drop comments and the tags whose content is no prose; keep what `nowiki` protects."""
    if "<" not in text and "__" not in text:
        return text
    pieces: list[str] = []
    unclosed: set[str] = set()
    at = 0
    while found := _TAGS.search(text, at):
        pieces.append(text[at : found.start()])
        at = found.end()
        name = (found[1] or "").lower()
        if name and found[2].endswith("/"):
            continue
        # Remembered, or each of a million unclosed tags would search to the end of the text.
        closing = None if name in unclosed else _CLOSING[name].search(text, at)
        if closing is None:
            unclosed.add(name)
            continue
        end = closing.start()
        if name == "nowiki":
            pieces.append(_protected(text[at:end]))
        elif name == "math":
            formula = text[at:end].strip()
            pieces.append(formula if _SPOKEN_FORMULA.fullmatch(formula) else GONE)
        at = closing.end()
        if not name and text[found.start() - 1 : found.start()] == "\n" == text[at : at + 1]:
            # A comment that has a line to itself takes the line with it.
            at += 1
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

_PLAIN_TITLE = re.compile(r"[A-Za-z0-9](?:[^\x01:#&_\s]| (?=[^\s]))*")
_PLAIN_WORDS = re.compile(r"[^\s\x01][^\n\x01]*")
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
        elif "|" in body:
            body = body.partition("|")[2]
        stack[-1][1].append(body)

    def _link(self, target: str, words: str | None, trail: str) -> str:
        """Mark a link to a page; leave the words of others, and nothing of pictures."""
        if _PLAIN_TITLE.fullmatch(target) and (words is None or _PLAIN_WORDS.fullmatch(words)):
            # Nearly all links are as simple as this.
            return self._mark(target[0].upper() + target[1:], (words or target) + trail)
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
        # A blank at the end belongs to the sentence, which may drop it before a comma.
        blank = " " if words[-1:] == " " else ""
        return f"{LINK}{len(self.targets) - 1}{LINK_TEXT}{words.rstrip()}{LINK_END}{blank}"

    def _template(self, body: str, inside: bool) -> str:
        arguments = Arguments.read(body)
        name = arguments.name
        if name in DISAMBIGUATION or (
            name.endswith(("disambiguation", "disambig")) and not name.startswith("r ")
        ):
            self.disambiguation = True
            return ""
        if templates.is_infobox(name):
            self.infoboxes.append(arguments)
            mark = f"{BOX}{len(self.infoboxes) - 1}{BOX_END}"
            return mark if inside else f"\n{mark}\n"
        return templates.words(arguments, self._mark) or GONE


def _plain(words: str) -> str:
    """Take the marks of inner links away; a link cannot hold another."""
    if LINK in words or GONE in words:
        words = re.sub(f"{LINK}[0-9]+{LINK_TEXT}|{LINK_END}|{GONE}", "", words)
    return words.replace("\n", " ")


def _title(target: str) -> str:
    """Spell a link's target as the page's title is spelled."""
    if "&" in target:
        target = html.unescape(target)
    title = " ".join(_plain(target).replace("_", " ").split())
    return title[:1].upper() + title[1:]
