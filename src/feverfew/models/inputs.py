"""The encoder's input: evidence as text, claim and evidence as tokens. Shared by training and
inference.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from tokenizers import Tokenizer

from feverfew.errors import InputError
from feverfew.text import detokenise, display_title

__all__ = ["LONGEST", "TOKENISER", "Tokens", "linearise", "open_tokeniser", "plain", "tokenise"]

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
    twice, and an unknown title ("") is left out: such pieces stand together as well.

    >>> linearise([("Aruba", "Aruba is an island."), ("Fritz_Lang", "He was born in Vienna."),
    ...            ("Aruba", "It is dry.")])
    'Aruba is an island. It is dry. | Fritz Lang: He was born in Vienna.'
    """
    pages: dict[str, list[str]] = {}
    for title, text in pieces:
        written = plain(text)
        if written:
            pages.setdefault(display_title(title), []).append(written)
    return " | ".join(_under(title, texts) for title, texts in pages.items())


def _under(title: str, texts: list[str]) -> str:
    joined = " ".join(texts)
    named = plain(title)
    if not named or joined.casefold().startswith(named.casefold()):
        return joined
    return f"{named}: {joined}"


TOKENISER = "tokenizer.json"
LONGEST = 256
"""Maximum tokens of a pair; longer pairs are truncated, the longer text first."""
_LETTERS = LONGEST * 16
"""Text beyond this would hardly ever survive the cut, so it is not tokenised."""


class Tokens(Struct, frozen=True, gc=False):
    """One tokenised pair: the token ids, and which of the two texts each belongs to."""

    ids: list[int]
    segments: list[int]


class _Written(Struct):
    """The required fields of a tokeniser file."""

    model: dict[str, Any]
    added_tokens: list[Any]


def open_tokeniser(folder: Path, longest: int = LONGEST) -> Tokenizer:
    """Open the tokeniser of a model folder."""
    path = folder / TOKENISER
    if not path.is_file():
        raise InputError(f"{folder} is not a model: it has no {TOKENISER}")
    written = path.read_bytes()
    try:
        # The library itself raises a bare Exception.
        msgspec.json.decode(written, type=_Written)
    except msgspec.MsgspecError as error:
        raise InputError(f"{path} is not a tokeniser: {error}") from None
    tokeniser = Tokenizer.from_buffer(written)
    tokeniser.no_padding()
    tokeniser.enable_truncation(longest, strategy="longest_first")
    return tokeniser


def tokenise(tokeniser: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Tokens]:
    """Tokenise pairs of claim and evidence."""
    texts = [(_readable(claim), _readable(evidence)) for claim, evidence in pairs]
    return [Tokens(e.ids, e.type_ids) for e in tokeniser.encode_batch_fast(texts)]


def _readable(text: str) -> str:
    """Cut overlong text and replace lone surrogates, which the tokeniser refuses."""
    return text[:_LETTERS].encode(errors="replace").decode()
