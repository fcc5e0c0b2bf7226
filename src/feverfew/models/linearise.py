"""Turn evidence into the text that the encoder reads: one way, in training and in use."""

import re
from collections.abc import Sequence

from feverfew.text import detokenise, display_title

__all__ = ["linearise", "plain"]

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\u00a0": " "})
# Only marks that the encoder's own tokeniser would not undo; blanks beside signs it ignores.
_TREEBANK = re.compile(r"-[LR][RSC]B-|``|''| n't|-COLON-")


def plain(text: str) -> str:
    """Spell text as the encoder expects it, whoever tokenised it.

    >>> plain("It is n't `` large '' -LRB- yet -RRB- .")
    'It isn\\'t "large" (yet).'
    """
    if _TREEBANK.search(text):
        text = detokenise(text)
    return " ".join(text.translate(_QUOTES).split())


def linearise(pieces: Sequence[tuple[str, str]]) -> str:
    """Join pieces of evidence, each a page's title and a sentence, into one text.

    Pieces of one page stand together under its title, in the order given; pages stand in the
    order in which they first appear. A title that its first sentence begins with is not said
    twice, and an unknown title ("") is left out.

    >>> linearise([("Aruba", "Aruba is an island."), ("Fritz_Lang", "He was born in Vienna."),
    ...            ("Aruba", "It is dry.")])
    'Aruba is an island. It is dry. | Fritz Lang: He was born in Vienna.'
    """
    pages: dict[str, list[str]] = {}
    for at, (title, text) in enumerate(pieces):
        written = plain(text)
        if written:
            # Pieces without a title are of unknown pages: each stands alone.
            pages.setdefault(display_title(title) or f"\0{at}", []).append(written)
    return " | ".join(_under(title, texts) for title, texts in pages.items())


def _under(title: str, texts: list[str]) -> str:
    joined = " ".join(texts)
    named = "" if title.startswith("\0") else plain(title)
    if not named or joined.casefold().startswith(named.casefold()):
        return joined
    return f"{named}: {joined}"
