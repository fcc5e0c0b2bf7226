"""Finish a piece of marked text: quotes, tags and entities go, marks become links again.

Marks stand in text for what was resolved in it. They are characters that XML does not allow, so
no dump can hold them.
"""

import html
import re
from collections.abc import Sequence

from feverfew.readers.blocks import Run
from feverfew.types import Link

LINK, LINK_TEXT, LINK_END = "\x01", "\x02", "\x03"
"""A link is LINK number LINK_TEXT words LINK_END; the number counts `Marked.targets`."""

BOX, BOX_END = "\x04", "\x05"
"""An infobox is BOX number BOX_END; the number counts `Marked.infoboxes`."""

GONE = "\x06"
"""Where something that shows words was dropped: `(GONE)` was not empty, `main()` was."""

ANY_MARK = LINK + LINK_TEXT + LINK_END + BOX + BOX_END + GONE


_QUOTES = re.compile(r"'{2,}")
_EXTERNAL = re.compile(
    r"\[(?:(?:https?|ftps?|irc|news|gopher):|mailto:|(?=//))[^\s\[\]]*+[ \t]*+([^\[\]\n]*+)\]"
)
_FOOTNOTE = re.compile(r"<sup>(?<=\w\w<sup>)\[?[a-d]\]?</sup>", re.IGNORECASE)
_BREAK_BEFORE_BRACKET = re.compile(r"\s{0,9}<br\b[^<>]*>\s*+(?=\()", re.IGNORECASE)
_BREAK = re.compile(r"\s{0,9},?\s{0,9}<br\b[^<>]*>\s*+", re.IGNORECASE)
_SUP = re.compile(r"<sup>\s*([-−+]?[0-9]{1,4})\s*</sup>", re.IGNORECASE)
_TAG = re.compile(r"</?(?!br\b)[a-zA-Z][^<>]*>", re.IGNORECASE)
_SUPERSCRIPT = str.maketrans("0123456789-−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺")
_BOX = re.compile(f"{BOX}[0-9]*{BOX_END}")
_LINK = re.compile(f"{LINK}([0-9]+){LINK_TEXT}([^{LINK_END}]*){LINK_END}")

# No pattern here may look at a long run twice: a page of a million blanks must not take hours.
# What dropped templates leave behind: "( )", "(; born 1890)", "(1890, )", "text ,". Each is
# tried only from a character that is rare, since most of a page's characters are blanks.
_HOLE = re.compile(rf"\((?:[ \t\xa0,;:–/{GONE}]|&nbsp;)+\)|\[[ \t\xa0{GONE}]+\]")
_HOLE_START = re.compile(r"\((?:[ \t\xa0,;:]|&nbsp;)+")
_HOLE_ENDS = (" )", "\xa0)", ",)", ";)", ":)")
_GAP = re.compile(r"[ \t\xa0](?=[ \t\xa0]?[,;.](?:\s|$))")
_DOUBLED = re.compile(r"([,;])(?:[ \t\xa0]{0,3}[,;])+")
_DOUBLES = (",,", ", ,", ";;", "; ;", ",;", "; ,", ", ;", ";,")


def tidy(text: str) -> str:
    """Take away the markup that does not make blocks; whole pages at once, for speed.

    Entities stay for now, since those that `nowiki` protects would make blocks.
    """
    if "''" in text:
        # Four are an apostrophe and a pair for bold.
        text = _QUOTES.sub(lambda m: "'" if len(m[0]) == 4 else "", text)
    if "[" in text:
        text = _EXTERNAL.sub(r"\1", text)
    if "<" in text:
        text = _FOOTNOTE.sub("", text)
        text = _SUP.sub(lambda m: m[1].translate(_SUPERSCRIPT), text)
        text = _TAG.sub("", text)
    if "(" in text or GONE in text:
        text = _HOLE_START.sub("(", _HOLE.sub("", text).replace(GONE, ""))
        # Twice: a comma and a blank.
        for end in _HOLE_ENDS + _HOLE_ENDS:
            text = text.replace(end, ")")
    text = _GAP.sub("", text)
    if any(double in text for double in _DOUBLES):
        text = _DOUBLED.sub(r"\1", text)
    return text


def runs(text: str, targets: Sequence[str], line_break: str = " ") -> list[Run]:
    """Return the words and links of a tidy piece of marked text."""
    text = _finish(text, line_break)
    if LINK not in text:
        return [text]
    # Every third piece is a target's number, the one behind it its words.
    pieces = _LINK.split(text)
    made: list[Run] = [pieces[0]]
    for index in range(1, len(pieces), 3):
        words = pieces[index + 1]
        shown = words if "  " not in words else " ".join(words.split())
        if words[:1].isspace():
            # Blanks at a link's edge belong to the sentence.
            made.append(" ")
        if shown := shown.strip():
            made.append(Link(targets[int(pieces[index])], shown))
        if words[-1:].isspace():
            made.append(" ")
        made.append(pieces[index + 2])
    return made


def _finish(text: str, line_break: str) -> str:
    if "<" in text:
        text = _BREAK_BEFORE_BRACKET.sub(" ", text)
        text = _DOUBLED.sub(r"\1", _BREAK.sub(line_break, text))
    if BOX in text:
        text = _BOX.sub("", text)
    if " ," in text:
        # Also where lines were joined.
        text = _GAP.sub("", text)
    return html.unescape(text) if "&" in text else text


_BREAK_EDGE = re.compile(r"^(?:<br\b[^<>]*>\s*)+|(?:<br\b[^<>]*>\s*){1,9}$", re.IGNORECASE)
_BULLET = re.compile(r"^[*#:;]+\s*")


def listed_runs(text: str, targets: Sequence[str], line_break: str = ", ") -> list[Run]:
    """Return the runs of a cell, its lists and lines joined by commas."""
    if "\n" in text:
        joined = ""
        for raw in text.split("\n"):
            line = raw.strip()
            item = _BULLET.sub("", line)
            if item and joined:
                joined += ", " if item != line else " "
            joined += item
        text = joined
    text = _BREAK_EDGE.sub("", text.strip(" ,"))
    return runs(text, targets, line_break)


def plain(text: str) -> str:
    """Return only the words, on one line."""
    return " ".join(_LINK.sub(r"\2", _finish(text, " ")).split())
