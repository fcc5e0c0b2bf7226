"""Cut claims and evidence into the encoder's tokens, the same in training and in use."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from tokenizers import Tokenizer

from feverfew.errors import InputError

__all__ = ["LONGEST", "TOKENISER", "Tokens", "open_tokeniser", "tokenise"]

TOKENISER = "tokenizer.json"
LONGEST = 256
"""Tokens of claim and evidence together; what is longer is cut, the longer of the two first."""
_LETTERS = LONGEST * 16
"""Letters beyond this would hardly ever be kept, so that they need not be cut into tokens."""


class Tokens(Struct, frozen=True, gc=False):
    """One pair, cut: the tokens' numbers, and which of the two texts each belongs to."""

    ids: list[int]
    segments: list[int]


class _Written(Struct):
    """What every tokeniser's file has at least."""

    model: dict[str, Any]
    added_tokens: list[Any]


def open_tokeniser(folder: Path, longest: int = LONGEST) -> Tokenizer:
    """Open the tokeniser that lies in a model's folder."""
    path = folder / TOKENISER
    if not path.is_file():
        raise InputError(f"{folder} is not a model: it has no {TOKENISER}")
    written = path.read_bytes()
    try:
        # The library's own complaint is of no kind that could be told from any other.
        msgspec.json.decode(written, type=_Written)
    except msgspec.MsgspecError as error:
        raise InputError(f"{path} is not a tokeniser: {error}") from None
    tokeniser = Tokenizer.from_buffer(written)
    tokeniser.no_padding()
    tokeniser.enable_truncation(longest, strategy="longest_first")
    return tokeniser


def tokenise(tokeniser: Tokenizer, pairs: Sequence[tuple[str, str]]) -> list[Tokens]:
    """Cut pairs of claim and evidence."""
    texts = [(_readable(claim), _readable(evidence)) for claim, evidence in pairs]
    return [Tokens(e.ids, e.type_ids) for e in tokeniser.encode_batch_fast(texts)]


def _readable(text: str) -> str:
    """Cut what is too long, and replace half characters, which the tokeniser refuses."""
    return text[:_LETTERS].encode(errors="replace").decode()
