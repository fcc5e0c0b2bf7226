"""Finish a piece of marked text: quotes, tags and entities away, links back as links."""

import html
import re
from collections.abc import Sequence

from feverfew.model import Link
from feverfew.readers.blocks import Run
from feverfew.readers.wikimarkup import BOX, BOX_END, LINK, LINK_END, LINK_TEXT

__all__ = ["listed_runs", "plain", "runs"]

_QUOTES = re.compile(r"'{2,}")
_EXTERNAL = re.compile(
    r"\[(?:(?:https?|ftps?|irc|news|gopher):|mailto:|(?=//))[^\s\]]*\s*([^\]\n]*)\]"
)
_BREAK = re.compile(r"\s*,?\s*<br\b[^<>]*>\s*", re.IGNORECASE)
_SUP = re.compile(r"<sup>\s*([-−+]?[0-9]{1,4})\s*</sup>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_SUPERSCRIPT = str.maketrans("0123456789-−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺")
_BOX = re.compile(f"{BOX}[0-9]*{BOX_END}")
_LINK = re.compile(f"{LINK}([0-9]+){LINK_TEXT}([^{LINK_END}]*){LINK_END}")

# What dropped templates leave behind: "( )", "(; born 1890)", "(1890, )", "text ,".
_HOLE = re.compile(r"\s*[(\[][\s,;:–/]*[)\]]")
_HOLE_START = re.compile(r"\(\s*[,;:]\s*")
_HOLE_END = re.compile(r"\s*[,;:]\s*\)|\s+\)")
_DOUBLED = re.compile(r"([,;])(?:\s*[,;])+(?=\s)")
_GAP = re.compile(r"[ \t\xa0]+(?=[,;.](?:\s|$))")


def _clean(text: str, line_break: str) -> str:
    """Take all markup but the marks of links away."""
    if "''" in text:
        # Four are an apostrophe and a pair for bold.
        text = _QUOTES.sub(lambda m: "'" if len(m[0]) == 4 else "", text)
    if "[" in text:
        text = _EXTERNAL.sub(r"\1", text)
    if "<" in text:
        text = _BREAK.sub(line_break, text)
        text = _SUP.sub(lambda m: m[1].translate(_SUPERSCRIPT), text)
        text = _TAG.sub("", text)
    if BOX in text:
        text = _BOX.sub("", text)
    if "(" in text or "[" in text:
        text = _HOLE.sub("", text)
        text = _HOLE_START.sub("(", text)
        text = _HOLE_END.sub(")", text)
    text = _DOUBLED.sub(r"\1", text)
    text = _GAP.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    return text


def runs(text: str, targets: Sequence[str], line_break: str = " ") -> list[Run]:
    """Return the words and links of a piece of marked text."""
    text = _clean(text, line_break)
    if LINK not in text:
        return [text]
    # Every third piece is a target's number, the one behind it its words.
    pieces = _LINK.split(text)
    made: list[Run] = []
    for index in range(0, len(pieces), 3):
        if pieces[index]:
            made.append(pieces[index])
        if index + 2 < len(pieces):
            words = pieces[index + 2]
            shown = " ".join(words.split())
            # Blanks at a link's edge belong to the sentence.
            made.extend([" "] if words[:1].isspace() else [])
            if shown:
                made.append(Link(targets[int(pieces[index + 1])], shown))
            made.extend([" "] if words[-1:].isspace() else [])
    return made


_BULLET = re.compile(r"^[*#:;]+\s*")


def listed_runs(text: str, targets: Sequence[str], line_break: str = ", ") -> list[Run]:
    """Return the runs of a cell, its lists and lines joined by commas."""
    if "\n" in text:
        lines = [line for raw in text.split("\n") if (line := raw.strip())]
        joined = ""
        for line in lines:
            item = _BULLET.sub("", line)
            joined += (", " if item != line else " ") + item if joined else item
        text = joined
    return runs(text, targets, line_break)


def plain(text: str) -> str:
    """Return only the words, on one line."""
    return " ".join(_LINK.sub(r"\2", _clean(text, " ")).split())
