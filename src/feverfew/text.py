"""Titles, words and sentences: the one place where spelling is normalised."""

import html
import re
import unicodedata

__all__ = [
    "detokenise",
    "display_title",
    "fever_title",
    "fold",
    "sentences",
    "title_key",
    "without_parenthesis",
    "words",
]

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
    """Spell a title as a reader expects it.

    >>> display_title("Savages_-LRB-2012_film-RRB-")
    'Savages (2012 film)'
    """
    if "-" in title:
        title = _BRACKET.sub(lambda m: _BRACKETS[m[0]], title)
    return unicodedata.normalize("NFC", title.replace("_", " "))


def fever_title(title: str) -> str:
    """Spell a title as FEVER's files do; the inverse of display_title."""
    return "".join(_FEVER_ESCAPES.get(c, c) for c in title)


def title_key(title: str) -> str:
    """Return what two spellings of one page's title have in common.

    FEVER's escapes, HTML entities, underscores, accents' composition, blanks and the first
    letter's case do not matter; all else does.

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


def fold(text: str) -> str:
    """Lower the case and drop the accents: 'Besançon' → 'besancon'."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)).translate(_PLAIN)


_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Split folded text into runs of letters and digits."""
    return _WORD.findall(fold(text))


# In this order: brackets first, so that the blanks beside them are seen. The mark before each
# group is what all its tokens hold: most texts lack most marks, and looking is cheap.
_PTB = (
    ("-LRB-", (("-LRB- ", "("), ("-LRB-", "("))),
    ("-RRB-", ((" -RRB-", ")"), ("-RRB-", ")"))),
    ("SB-", (("-LSB- ", "["), ("-LSB-", "["), (" -RSB-", "]"), ("-RSB-", "]"))),
    ("CB-", (("-LCB- ", "{"), ("-LCB-", "{"), (" -RCB-", "}"), ("-RCB-", "}"))),
    ("-COLON-", (("-COLON-", ":"),)),
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


def detokenise(text: str) -> str:
    """Turn Penn-Treebank tokens back into running text.

    >>> detokenise("Aruba -LRB- an island -RRB- is n't `` large '' .")
    "Aruba (an island) isn't “large”."
    """
    for mark, tokens in _PTB:
        if mark in text:
            for token, written in tokens:
                text = text.replace(token, written)
    return text


def sentences(text: str) -> list[str]:
    """Split running text into sentences; a blank line always ends one."""
    import nupunkt  # on first use: it costs more than all the rest of the import

    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        if flat := " ".join(paragraph.split()):
            found.extend(s for s in (s.strip() for s in nupunkt.sent_tokenize(flat)) if s)
    return found
