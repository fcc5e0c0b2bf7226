"""Titles, words and sentences: the one place where spelling is normalised."""

import html
import re
import unicodedata
from functools import lru_cache

from feverfew.types import Page

_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "-COLON-": ":",
}
_BRACKET = re.compile("|".join(_BRACKETS))
_FEVER_ESCAPES = {" ": "_", "(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", ":": "-COLON-"}


def display_title(title: str) -> str:
    """Return a title as shown to readers.

    >>> display_title("Savages_-LRB-2012_film-RRB-")
    'Savages (2012 film)'
    """
    if "-" in title:
        title = _BRACKET.sub(lambda m: _BRACKETS[m[0]], title)
    return unicodedata.normalize("NFC", title.replace("_", " "))


def page_name(page: Page) -> str:
    """Return the name of a page for readers: a document's own title, not its path."""
    return page.name or display_title(page.title)


def fever_title(title: str) -> str:
    """Spell a title as FEVER's files do; the inverse of display_title."""
    return "".join(_FEVER_ESCAPES.get(c, c) for c in title)


def title_key(title: str) -> str:
    """Return a key that is equal for all spellings of a title.

    FEVER's escapes, HTML entities, underscores, the composition of accents, blanks and the case of
    the first letter do not matter.

    >>> title_key("savages_-LRB-2012_film-RRB-") == title_key("Savages (2012  film)")
    True
    """
    shown = display_title(title)
    if "&" in shown:
        shown = unicodedata.normalize("NFC", html.unescape(shown))
    shown = " ".join(shown.split())
    return shown[:1].upper() + shown[1:]


_PARENTHESIS = re.compile(r"\s*\([^()]*\)$")


def without_parenthesis(title: str) -> str:
    """Drop a display title's disambiguation: 'Savages (2012 film)' → 'Savages'."""
    return _PARENTHESIS.sub("", title) or title


# Letters that no decomposition turns into their plain form.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def fold(text: str) -> str:
    """Lower the case and drop the accents: 'Besançon' → 'besancon'."""
    if text.isascii():
        return text.lower()
    return _NOT_ASCII.sub(_fold_run, text).lower()


def _fold_run(run: re.Match[str]) -> str:
    return _fold_letters(run[0])


@lru_cache(maxsize=4096)  # a page has few different accents, and each one often
def _fold_letters(letters: str) -> str:
    # Signs such as dashes become blanks: text of plain ASCII is many times faster to handle.
    decomposed = unicodedata.normalize("NFKD", letters.casefold()).translate(_PLAIN)
    return "".join(c if c.isalnum() else " " for c in decomposed if not unicodedata.combining(c))


_PLAIN_CASED = _PLAIN | str.maketrans(
    {"Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "Th", "Æ": "Ae", "Œ": "Oe", "ß": "ss"}
)


def cased(text: str) -> str:
    """Drop the accents and keep the case: 'Besançon' → 'Besancon'; `fold` but for the capitals."""
    return text if text.isascii() else _NOT_ASCII.sub(_case_run, text)


def _case_run(run: re.Match[str]) -> str:
    return _case_letters(run[0])


@lru_cache(maxsize=4096)
def _case_letters(letters: str) -> str:
    decomposed = unicodedata.normalize("NFKD", letters).translate(_PLAIN_CASED)
    # Of letters that have no plain form, only their own script knows the capitals.
    own = "".join(c if c.isascii() else c.casefold() for c in decomposed)
    return "".join(c if c.isalnum() else " " for c in own if not unicodedata.combining(c))


_WORD = re.compile(r"[^\W_]+")


_SIGNS = bytes(
    code if code > 127 or chr(code).isalnum() or chr(code) == "\n" else ord(" ")
    for code in range(256)
)


def padded(text: str) -> bytes:
    """Fold text so that `b" word "` in it tells whether it has the word; lines stay apart.

    Far cheaper than splitting a long text to look for a few words.

    >>> padded("The Danube, Europe's\\nlongest?")
    b' the danube  europe s \\n longest  '
    """
    plain = fold(text).encode(errors="replace").translate(_SIGNS)
    return b" %s " % plain.replace(b"\n", b" \n ")


_LOWERED_SIGNS = _SIGNS.translate(bytes(range(256)).lower()).replace(b"\n", b" ")


def spaced(text: str) -> str:
    """Fold text into words separated by one or more blanks.

    >>> spaced("The Danube, Europe's\\nlongest?")
    'the danube  europe s longest '
    """
    if not text.isascii():
        text = _NOT_ASCII.sub(_fold_run, text)
        if not text.isascii():
            text = text.lower()
    return text.encode(errors="replace").translate(_LOWERED_SIGNS).decode()


def spelled_words(text: str) -> list[str]:
    """Split text into the same words as `words`, but without folding."""
    return _WORD.findall(text if text.isascii() else unicodedata.normalize("NFC", text))


def words(text: str) -> list[str]:
    """Split folded text into runs of letters and digits."""
    return _WORD.findall(fold(text))


# What to write for the signs of the Penn Treebank, in this order: quotes before apostrophes.
_SIGNS_WRITTEN = (
    ("`", (("`` ", "“"), ("``", "“"))),
    ("'", ((" ''", "”"), ("''", "”"))),
    ("`", (("` ", "‘"),)),
    (",", ((" ,", ","),)),
    (".", ((" .", "."),)),
    (";", ((" ;", ";"),)),
    (":", ((" :", ":"),)),
    ("?", ((" ?", "?"),)),
    ("!", ((" !", "!"),)),
    ("%", ((" %", "%"),)),
    ("'", ((" 's", "'s"), (" n't", "n't"), (" '", "'"))),
    ("$", (("$ ", "$"),)),
)
_OPENING = (("-LRB-", "("), ("-LSB-", "["), ("-LCB-", "{"))
_CLOSING = (("-RRB-", ")"), ("-RSB-", "]"), ("-RCB-", "}"))


def detokenise(text: str) -> str:
    """Turn Penn-Treebank tokens back into running text.

    >>> detokenise("Aruba -LRB- an island -RRB- is n't `` large '' .")
    "Aruba (an island) isn't “large”."
    """
    # Each search costs as much as it is long, on millions of pages: so what is rare is asked
    # for once, and round brackets, the most frequent, before all others.
    if "RB-" in text:
        text = text.replace("-LRB- ", "(").replace(" -RRB-", ")")
    if "B-" in text:
        for token, sign in _OPENING:
            text = text.replace(f"{token} ", sign).replace(token, sign)
        for token, sign in _CLOSING:
            text = text.replace(f" {token}", sign).replace(token, sign)
    if "-COLON-" in text:
        text = text.replace("-COLON-", ":")
    for mark, tokens in _SIGNS_WRITTEN:
        if mark in text:
            for token, written in tokens:
                text = text.replace(token, written)
    return text


# The splitter's time grows with the square of such a word's length: leave it whole.
_SHOUTING = re.compile(r"(?:[?!][^\s?!]{0,5}){60}")
_LONGEST_WORD = 5000


def sentences(text: str) -> list[str]:
    """Split running text into sentences; a blank line always ends one."""
    import nupunkt  # on first use: it costs more than all the rest of the import

    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        parts = paragraph.split()
        flat = " ".join(parts)
        if _SHOUTING.search(flat) or max(map(len, parts), default=0) > _LONGEST_WORD:
            found.append(flat)
        elif flat:
            found.extend(s for s in map(str.strip, map(str, nupunkt.sent_tokenize(flat))) if s)
    return found
